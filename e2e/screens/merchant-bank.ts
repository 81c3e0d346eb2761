import {
  activateConnection,
  type BankConnection,
  createConnection,
  createPayment,
  getConnection,
  listConnections,
  listCounterCodes,
  orderConnections,
  ownBank,
  replaceCredentials,
  retireConnection,
  setDebitAccount,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  activeConnection,
  brokenConnection,
  connectionsOf,
  draftConnection,
  operatorSuspended,
  paidIntoOwnBank,
  passedCheck,
  runningCheck,
} from '../../web/src/testing/connection-samples.ts';
import { counterCode } from '../../web/src/testing/offer-samples.ts';
import { answer, fail, refuse, type Screen, type StubbedCall, stall } from './screen.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const LONG_SHOP = 'Empório e Mercearia Nossa Senhora da Conceição do Capibaribe';
/** An account whose last check passed just now, so that it may be put to use. */
const readyConnection: BankConnection = { ...draftConnection, check: passedCheck() };
const expiringConnection: BankConnection = {
  ...activeConnection,
  certificate: {
    holder: LONG_SHOP.toUpperCase(),
    fingerprint: '3A:9F:12:C4:77:0B:E1:5D:88:42:6C:90:AE:31:F7:05:BB:19:D2:60',
    expires_at: inDays(12.5),
  },
};
const retiringConnection: BankConnection = {
  ...activeConnection,
  id: '18',
  name: 'Antiga',
  state: 'retiring',
};
const several: BankConnection[] = [
  { ...activeConnection, last_answer_at: inDays(-0.001) },
  {
    ...brokenConnection,
    id: '13',
    name: LONG_SHOP.slice(0, 60),
    bank_name: 'Banco do Brasil',
    pix_key: 'financeiro.matriz@emporiocapibaribe.com.br',
    position: 2,
  },
  { ...expiringConnection, id: '14', name: '', bank_name: 'Sicoob', position: 3, last_answer_at: null },
  { ...operatorSuspended, id: '15', name: 'Feira de domingo', position: 4 },
  { ...draftConnection, id: '16', name: 'Nova conta', position: 5 },
  {
    ...activeConnection,
    id: '17',
    name: 'Antiga',
    state: 'retired',
    client_id: null,
    certificate: null,
    position: 6,
  },
];

type Options = Partial<Omit<Screen, 'name' | 'visitor' | 'path' | 'shows'>>;
const bank = (
  name: string,
  path: string,
  shows: Screen['shows'],
  stubs: readonly StubbedCall[],
  options: Options = {},
): Screen => ({
  name: `own-bank${name}`,
  visitor: 'merchant',
  path,
  shows,
  stubs: [answer(ownBank, paidIntoOwnBank), ...stubs],
  ...options,
});

const listOf = (...connections: BankConnection[]) => answer(listConnections, connectionsOf(connections));
/** The page of one account in the given state. */
const account = (
  name: string,
  connection: BankConnection,
  shows: Screen['shows'],
  options: Options & { more?: readonly StubbedCall[] } = {},
): Screen => {
  const { more = [], ...others } = options;
  const stubs = [listOf(connection), answer(getConnection, connection), ...more];
  return bank(`-account-${name}`, `/bank?id=${connection.id}`, shows, stubs, others);
};
const inDialog = (page: Page) => page.getByRole('dialog');
const giveProof = async (page: Page) => {
  await inDialog(page).getByLabel('Senha atual').fill('errada');
  await inDialog(page).getByLabel('PIN de saque', { exact: true }).fill('2580');
  await page.keyboard.press('Enter');
};
const openForm = async (page: Page) => {
  await page.getByLabel('Chave Pix da conta').fill('7d9f0335-8dcc-4054-9bf9-0dbd61d36906');
  await page.getByLabel('Client ID').fill('Client_Id_3f0a');
  await page.getByLabel('Client Secret', { exact: true }).fill('segredo');
};

const pages: readonly Screen[] = [
  bank('-empty', '/bank', 'Nenhuma conta conectada', [listOf()]),
  bank('-empty-pooled', '/bank', /Hoje suas vendas entram na conta do operador/, [
    answer(listConnections, connectionsOf([], { merchant_kind: 'pooled' })),
  ]),
  { ...bank('-unapproved', '/bank', 'Falta verificar sua identidade', [listOf()]), visitor: 'newcomer' },
  bank('', '/bank', 'Feira de domingo', [listOf(...several)]),
  bank('-none-active', '/bank', 'Nenhuma conta bancária ativa.', [
    listOf(operatorSuspended, retiringConnection),
  ]),
  bank('-retired', '/bank', 'Antiga', [listOf(...several)], {
    steps: (page) => page.getByRole('button', { name: 'Mostrar 1 encerrada' }).click(),
  }),
  bank('-loading', '/bank', (page) => page.locator('main .skeleton'), [stall(listConnections)], {
    isLoading: true,
  }),
  bank('-error', '/bank', 'Erro ao buscar as suas contas', [fail(listConnections)]),
  bank(
    '-order',
    '/bank',
    'Senha incorreta.',
    [listOf(...several), refuse(orderConnections, 'PASSWORD_WRONG')],
    {
      steps: async (page) => {
        await page.getByRole('button', { name: 'Mudar ordem' }).click();
        await page.getByRole('button', { name: 'Descer Conta da loja' }).click();
        await giveProof(page);
      },
    },
  ),
  bank('-choice', '/bank/connect', 'Banco Sandbox', [listOf()]),
  bank('-choice-no-result', '/bank/connect', 'Nenhum banco com esse nome', [listOf()], {
    steps: (page) => page.getByLabel('Buscar banco').fill('zzz'),
  }),
  bank(
    '-choice-loading',
    '/bank/connect',
    (page) => page.locator('main .skeleton'),
    [stall(listConnections)],
    {
      isLoading: true,
    },
  ),
  bank('-form', '/bank/connect?bank=efi', 'Informe o Client ID.', [listOf()], {
    steps: (page) => page.getByRole('button', { name: 'Guardar e verificar' }).click(),
  }),
  bank('-form-other', '/bank/connect?bank=other', 'Certificado (opcional)', [listOf()]),
  bank('-form-test-bank', '/bank/connect?bank=sandbox', 'Ainda não tem uma conta de teste?', [listOf()]),
  bank(
    '-form-certificate',
    '/bank/connect?bank=other',
    'Senha do certificado',
    [listOf(), refuse(createConnection, 'CERTIFICATE_INVALID')],
    {
      steps: async (page) => {
        await openForm(page);
        await page.getByLabel(/^Certificado/).setInputFiles({
          name: 'certificado-de-producao-emporio-capibaribe-2026.p12',
          mimeType: 'application/x-pkcs12',
          buffer: Buffer.from('0'),
        });
        await page.getByRole('button', { name: 'Guardar conta' }).click();
        await page.getByText(/não pôde ser lido/).waitFor();
      },
    },
  ),
];

const accounts: readonly Screen[] = [
  account('running', { ...draftConnection, check: runningCheck }, /Passo 2 de 6/),
  account('failed', draftConnection, /não aceitou o Client ID/),
  account('ready', readyConnection, 'Ativar conta'),
  account(
    'addresses',
    { ...draftConnection, check: null, awaits_addresses: true },
    /Falta o operador informar/,
  ),
  account('active', activeConnection, 'Criar cobrança'),
  account('broken', brokenConnection, /Nada funciona neste banco desde/),
  account('expiring', expiringConnection, 'Troque o certificado.'),
  account('suspended', operatorSuspended, 'Suspensa pelo operador.'),
  account('retiring', retiringConnection, 'Encerrando.'),
  account(
    'new-credentials',
    { ...activeConnection, check: { ...runningCheck, ofNewCredentials: true } },
    'Verificação das novas credenciais',
  ),
  account('activate', readyConnection, 'Senha incorreta.', {
    more: [refuse(activateConnection, 'PASSWORD_WRONG')],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Ativar conta' }).click();
      await giveProof(page);
    },
  }),
  account('activated', readyConnection, 'Para conferir', {
    more: [answer(activateConnection, activeConnection)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Ativar conta' }).click();
      await giveProof(page);
    },
  }),
  account('credentials', activeConnection, 'Informe o Client ID.', {
    more: [fail(replaceCredentials)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Alterar credenciais' }).first().click();
      await inDialog(page).getByRole('button', { name: 'Enviar e verificar' }).click();
    },
  }),
  account('debit-account', activeConnection, /Informe a conta com o dígito/, {
    more: [fail(setDebitAccount)],
    steps: async (page) => {
      await page.getByRole('button', { name: 'Conta para débitos' }).click();
      await inDialog(page).getByRole('button', { name: 'Guardar' }).click();
    },
  }),
  account('suspend', activeConnection, (page) => page.getByRole('alertdialog'), {
    steps: (page) => page.getByRole('button', { name: 'Suspender' }).click(),
  }),
  account('retire', activeConnection, /por até 90 dias/, {
    more: [fail(retireConnection)],
    steps: (page) => page.getByRole('button', { name: 'Encerrar' }).click(),
  }),
  bank('-account-not-there', '/bank?id=99', 'Conta não encontrada', [
    listOf(),
    refuse(getConnection, 'CONNECTION_NOT_FOUND'),
  ]),
  bank(
    '-account-loading',
    '/bank?id=99',
    (page) => page.locator('main .skeleton'),
    [listOf(), stall(getConnection)],
    { isLoading: true },
  ),
  bank('-account-error', '/bank?id=99', 'Erro ao buscar a conta', [listOf(), fail(getConnection)]),
];

/** Other screens of a merchant who is paid into an own account, and has none in use. */
const elsewhere: readonly Screen[] = [
  bank('-statement', '/statement', /entrou e saiu das suas contas bancárias/, []),
  bank('-not-connected-start', '/dashboard', 'Nenhuma conta bancária ativa.', [
    answer(ownBank, { ...paidIntoOwnBank, must_connect: true }),
  ]),
  bank('-not-connected-form', '/pix-payment', 'Nenhuma conta bancária ativa.', [
    answer(ownBank, { ...paidIntoOwnBank, must_connect: true }),
  ]),
  bank('-counter-codes', '/payment-links/counter-codes', 'Cai na conta do operador', [
    answer(listCounterCodes, { data: [counterCode, { ...counterCode, id: 'b', active: false }], next: null }),
  ]),
  bank('-no-counter-codes', '/payment-links/counter-codes', 'Nenhum QR Code de balcão', [
    answer(listCounterCodes, { data: [], next: null }),
  ]),
  bank(
    '-not-connected-charge',
    '/pix-payment',
    /Conecte a sua conta bancária/,
    [listOf(draftConnection), refuse(createPayment, 'BANK_NOT_CONNECTED')],
    {
      steps: async (page) => {
        await page.getByLabel('Valor').fill('1000');
        await page.getByRole('button', { name: 'Gerar Pagamento' }).click();
      },
    },
  ),
];

/** The screens for own bank accounts, in their states. */
export const merchantBank: readonly Screen[] = [...pages, ...accounts, ...elsewhere];
