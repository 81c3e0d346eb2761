import {
  type AuditEntry,
  adminAuditLog,
  adminGetUser,
  adminSystemHealth,
  adminUserBasics,
  adminUserTransactions,
} from '@jangada/contract';
import { systemHealth } from '../../web/src/testing/admin-money-samples.ts';
import { adminUser } from '../../web/src/testing/admin-samples.ts';
import { transaction } from '../../web/src/testing/samples.ts';
import { admin, LONG, skeleton, withStubs } from './admin.ts';
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

const entry: AuditEntry = {
  id: '41',
  at: '2026-11-21T17:32:00.000Z',
  actor: { id: '2', name: 'Clara Barros' },
  action: 'user updated',
  subject: { id: '12', name: LONG },
  reason: null,
  before: { in_rate: 99, approved: false },
  after: { in_rate: 125, approved: true },
};

const systemScreens: readonly Screen[] = [
  admin(
    'health',
    '/admin/health',
    'Tudo responde, e há o que olhar.',
    withStubs(answer(adminSystemHealth, systemHealth)),
  ),
  admin(
    'health-unwell',
    '/admin/health',
    'Algo não responde.',
    withStubs(
      answer(adminSystemHealth, {
        ...systemHealth,
        psp: { ...systemHealth.psp, state: 'unavailable' },
        payouts_stopped_because: 'O saldo no banco não fecha.',
      }),
    ),
  ),
  admin('health-loading', '/admin/health', skeleton, {
    ...withStubs(stall(adminSystemHealth)),
    isLoading: true,
  }),
  admin(
    'health-error',
    '/admin/health',
    'Erro ao buscar a saúde do sistema.',
    withStubs(fail(adminSystemHealth)),
  ),
  admin('audit', '/admin/audit-log', (page) => page.getByText('Usuário alterado').last()),
  admin(
    'audit-entry',
    '/admin/audit-log?id=41',
    'O que mudou',
    withStubs(answer(adminAuditLog, { entries: [entry], next: null })),
  ),
  admin('audit-loading', '/admin/audit-log', skeleton, {
    ...withStubs(stall(adminAuditLog)),
    isLoading: true,
  }),
  admin(
    'audit-no-result',
    '/admin/audit-log?user=99',
    'Nada com esse filtro',
    withStubs(answer(adminAuditLog, { entries: [], next: null })),
  ),
  admin(
    'audit-unknown-user',
    '/admin/audit-log?user=severinus',
    'Ninguém se chama “severinus” aqui',
    withStubs(refuse(adminAuditLog, 'USER_NOT_FOUND')),
  ),
  admin('audit-error', '/admin/audit-log', 'Erro ao carregar o registro', withStubs(fail(adminAuditLog))),
  admin(
    'drawer',
    '/dashboard',
    (page) => page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Início' }),
    {
      steps: (page) => page.getByRole('button', { name: 'Abrir menu' }).click(),
      widths: ['phone'],
    },
  ),
  admin('profile', '/profile', (page) => page.getByRole('heading', { level: 1 })),
];

const { content: _content, ...supportTransaction } = transaction;
/** A user as support sees it. */
const maskedUser = {
  ...adminUser,
  document: '•••982247••',
  email: 's•••••••@example.com',
  apiKey: '•••••••',
};

const supportScreens: readonly Screen[] = [
  {
    name: 'support-start',
    visitor: 'support',
    path: '/dashboard',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
  { name: 'support', visitor: 'support', path: '/support', shows: /1–\d+ de/ },
  {
    name: 'support-no-result',
    visitor: 'support',
    path: '/support?search=zzz',
    shows: 'Nenhum usuário encontrado',
  },
  {
    name: 'support-error',
    visitor: 'support',
    path: '/support',
    stubs: [fail(adminUserBasics)],
    shows: 'Erro ao carregar usuários',
  },
  {
    name: 'support-user',
    visitor: 'support',
    path: '/support?id=12',
    stubs: [
      answer(adminGetUser, { user: maskedUser }),
      answer(adminUserTransactions, { transactions: [supportTransaction], next: null }),
    ],
    shows: (page) => page.getByRole('dialog').getByText(/412,90/),
  },
  {
    name: 'support-user-new',
    visitor: 'support',
    path: '/support?id=12',
    stubs: [
      answer(adminGetUser, { user: maskedUser }),
      answer(adminUserTransactions, { transactions: [], next: null }),
    ],
    shows: 'Nenhuma transação ainda.',
  },
  {
    name: 'support-user-transactions-error',
    visitor: 'support',
    path: '/support?id=12',
    stubs: [answer(adminGetUser, { user: maskedUser }), fail(adminUserTransactions)],
    shows: 'Erro ao buscar transações',
  },
];

/** System health, the audit log and the support screens. */
export const adminSystemScreens: readonly Screen[] = [...systemScreens, ...supportScreens];
