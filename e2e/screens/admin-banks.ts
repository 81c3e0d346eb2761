import {
  type AdminConnection,
  adminConnections,
  adminResumeConnection,
  adminSetAddresses,
  adminSuspendConnection,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  activeConnection,
  adminConnection,
  adminConnectionsOf,
  draftConnection,
  operatorSuspended,
  otherBank,
} from '../../web/src/testing/connection-samples.ts';
import { admin, LONG, skeleton, withStubs } from './admin.ts';
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

const PATH = '/admin/connections';
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const { merchant, api_url, token_url } = adminConnection;
const asAdmin = { merchant, api_url, token_url };
const waiting: AdminConnection = {
  ...draftConnection,
  ...asAdmin,
  id: '21',
  bank: otherBank.id,
  bank_name: otherBank.name,
  awaits_addresses: true,
  check: null,
};
const suspended: AdminConnection = { ...operatorSuspended, ...asAdmin, id: '22' };
const active: AdminConnection = {
  ...activeConnection,
  ...asAdmin,
  id: '23',
  merchant: { id: '12', name: LONG, username: 'maria.da.conceicao.vasconcelos.albuquerque' },
  pix_key: 'financeiro.matriz@emporio-nossa-senhora-da-conceicao.com.br',
  certificate: { holder: LONG, fingerprint: '3A:9F:12:C4', expires_at: inDays(9.5) },
  last_answer_at: inDays(-0.01),
};
const all = [adminConnection, active, waiting, suspended, { ...active, id: '24', state: 'retired' as const }];
const list = answer(adminConnections, adminConnectionsOf(all, 45));
const openOf = ({ id }: AdminConnection) => `${PATH}?id=${id}`;
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click();

/** The administrators' screens for merchants' own bank accounts. */
export const adminBankScreens: readonly Screen[] = [
  admin('connections', PATH, /1–5 de 45/, withStubs(list)),
  admin(
    'connections-empty',
    PATH,
    'Nenhuma conta conectada',
    withStubs(answer(adminConnections, adminConnectionsOf([]))),
  ),
  admin(
    'connections-no-result',
    `${PATH}?broken=true&search=zzz`,
    'Limpar filtros',
    withStubs(answer(adminConnections, adminConnectionsOf([]))),
  ),
  admin('connections-loading', PATH, skeleton, { ...withStubs(stall(adminConnections)), isLoading: true }),
  admin('connections-error', PATH, 'Erro ao buscar as contas bancárias.', withStubs(fail(adminConnections))),
  admin('connection-broken', openOf(adminConnection), /Nada funciona desde/, withStubs(list)),
  admin('connection-suspended', openOf(suspended), 'Suspensa por um administrador.', withStubs(list)),
  admin('connection-suspend', openOf(active), (page) => page.getByRole('alert').filter({ hasText: /\S/ }), {
    ...withStubs(list, refuse(adminSuspendConnection, 'CONNECTION_STATE')),
    steps: async (page) => {
      await press('Suspender')(page);
      await page.getByLabel('Motivo').fill('Pedido do banco');
      await press('Suspender')(page);
    },
  }),
  admin('connection-resume', openOf(suspended), 'Reativar conta?', {
    ...withStubs(list, fail(adminResumeConnection)),
    steps: press('Reativar'),
  }),
  admin('connection-addresses', openOf(waiting), /Informe o endereço da API Pix/, {
    ...withStubs(list, fail(adminSetAddresses)),
    steps: async (page) => {
      await press('Informar endereços')(page);
      await press('Salvar endereços')(page);
    },
  }),
];
