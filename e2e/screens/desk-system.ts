import {
  type AuditEntry,
  adminAuditLog,
  adminGetUser,
  adminSystemHealth,
  adminUserBasics,
  adminUserTransactions,
} from '@jangada/contract';
import { adminUser } from '../../web/src/testing/admin-samples.ts';
import { systemHealth } from '../../web/src/testing/desk-samples.ts';
import { transaction } from '../../web/src/testing/samples.ts';
import { admin, answered, LONG, skeleton } from './desk.ts';
import { answer, fail, hold, refuse, type Screen } from './screen.ts';

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

const system: readonly Screen[] = [
  admin(
    'health',
    '/admin/health',
    'Tudo responde, e há o que olhar.',
    answered(answer(adminSystemHealth, systemHealth)),
  ),
  admin(
    'health-unwell',
    '/admin/health',
    'Algo não responde.',
    answered(
      answer(adminSystemHealth, {
        ...systemHealth,
        psp: { ...systemHealth.psp, state: 'unavailable' },
        payouts_stopped_because: 'O saldo no banco não fecha.',
      }),
    ),
  ),
  admin('health-loading', '/admin/health', skeleton, { ...answered(hold(adminSystemHealth)), loading: true }),
  admin(
    'health-error',
    '/admin/health',
    'Erro ao buscar a saúde do sistema.',
    answered(fail(adminSystemHealth)),
  ),
  admin('audit', '/admin/audit-log', (page) => page.getByText('Usuário alterado').last()),
  admin(
    'audit-entry',
    '/admin/audit-log?id=41',
    'O que mudou',
    answered(answer(adminAuditLog, { entries: [entry], next: null })),
  ),
  admin('audit-loading', '/admin/audit-log', skeleton, { ...answered(hold(adminAuditLog)), loading: true }),
  admin(
    'audit-no-result',
    '/admin/audit-log?user=99',
    'Nada com esse filtro',
    answered(answer(adminAuditLog, { entries: [], next: null })),
  ),
  admin(
    'audit-unknown-user',
    '/admin/audit-log?user=severinus',
    'Ninguém se chama “severinus” aqui',
    answered(refuse(adminAuditLog, 'USER_NOT_FOUND')),
  ),
  admin('audit-error', '/admin/audit-log', 'Erro ao carregar o registro', answered(fail(adminAuditLog))),
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

const { content: _content, ...shown } = transaction;
const masked = { ...adminUser, document: '•••982247••', email: 's•••••••@example.com', apiKey: '•••••••' };

const support: readonly Screen[] = [
  {
    name: 'support-start',
    who: 'support',
    at: '/dashboard',
    shows: (page) => page.getByRole('heading', { level: 1 }),
  },
  { name: 'support', who: 'support', at: '/support', shows: /1–\d+ de/ },
  {
    name: 'support-no-result',
    who: 'support',
    at: '/support?search=zzz',
    shows: 'Nenhum usuário encontrado',
  },
  {
    name: 'support-error',
    who: 'support',
    at: '/support',
    answers: [fail(adminUserBasics)],
    shows: 'Erro ao carregar usuários',
  },
  {
    name: 'support-user',
    who: 'support',
    at: '/support?id=12',
    answers: [
      answer(adminGetUser, { user: masked }),
      answer(adminUserTransactions, { transactions: [shown], next: null }),
    ],
    shows: (page) => page.getByRole('dialog').getByText(/412,90/),
  },
  {
    name: 'support-user-new',
    who: 'support',
    at: '/support?id=12',
    answers: [
      answer(adminGetUser, { user: masked }),
      answer(adminUserTransactions, { transactions: [], next: null }),
    ],
    shows: 'Nenhuma transação ainda.',
  },
  {
    name: 'support-user-transactions-error',
    who: 'support',
    at: '/support?id=12',
    answers: [answer(adminGetUser, { user: masked }), fail(adminUserTransactions)],
    shows: 'Erro ao buscar transações',
  },
];

/** System health, the audit log and the support screens. */
export const deskSystem: readonly Screen[] = [...system, ...support];
