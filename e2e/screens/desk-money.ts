import {
  type AuditEntry,
  adminAuditLog,
  adminBankMovements,
  adminDisputes,
  adminGetDispute,
  adminGetUser,
  adminOpenItems,
  adminPayouts,
  adminReconciliation,
  adminSuspense,
  adminSystemHealth,
  adminUserBasics,
  adminUserTransactions,
  adminWithdrawals,
} from '@jangada/contract';
import { adminUser } from '../../web/src/testing/admin-samples.ts';
import {
  deskDispute,
  deskWithdrawal,
  payouts,
  strayPix,
  systemHealth,
} from '../../web/src/testing/desk-samples.ts';
import { transaction } from '../../web/src/testing/samples.ts';
import { admin, answered, details, LONG, skeleton } from './desk.ts';
import { answer, fail, hold, refuse, type Screen } from './screen.ts';

const someWithdrawals = answer(adminWithdrawals, {
  withdrawals: [
    deskWithdrawal,
    {
      ...deskWithdrawal,
      id: 'b',
      amount_cents: 1_499_999,
      held_because: 'Destino novo, valor fora do comum',
    },
    {
      ...deskWithdrawal,
      id: 'c',
      status: 'processing',
      in_doubt: true,
      unknown_since: '2026-11-22T02:00:00.000Z',
      resolutions: ['paid', 'refused'],
    },
  ],
  next: '1.a',
});
const thePayouts = answer(adminPayouts, payouts);

const withdrawals: readonly Screen[] = [
  admin('withdrawals', '/admin/withdrawals', 'Carregar mais', answered(someWithdrawals, thePayouts)),
  admin('withdrawals-loading', '/admin/withdrawals', skeleton, {
    ...answered(hold(adminWithdrawals), hold(adminPayouts)),
    loading: true,
  }),
  admin(
    'withdrawals-error',
    '/admin/withdrawals',
    'Erro ao buscar saques.',
    answered(fail(adminWithdrawals), fail(adminPayouts)),
  ),
  admin('withdrawals-none-held', '/admin/withdrawals?view=held', 'Nenhum saque segurado'),
  admin(
    'withdrawals-stopped',
    '/admin/withdrawals',
    /^Motivo: /,
    answered(someWithdrawals, answer(adminPayouts, { ...payouts, stopped_because: 'saque estranho' })),
  ),
  admin('withdrawals-stop', '/admin/withdrawals', 'Motivo', {
    ...answered(someWithdrawals, thePayouts),
    steps: (page) => page.getByRole('button', { name: 'Parar envios' }).click(),
  }),
  admin('withdrawal', '/admin/withdrawals', 'Segurar', {
    ...answered(someWithdrawals, thePayouts),
    steps: details,
  }),
  admin('withdrawal-hold', '/admin/withdrawals', 'Informe o motivo.', {
    ...answered(someWithdrawals, thePayouts),
    steps: async (page) => {
      await details(page);
      await page.getByRole('button', { name: 'Segurar' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Segurar' }).click();
    },
  }),
  admin('withdrawal-resolve', '/admin/withdrawals', 'Prova do banco', {
    ...answered(someWithdrawals, thePayouts),
    steps: async (page) => {
      await page.getByRole('button', { name: 'Detalhes' }).nth(2).click();
      await page.getByRole('button', { name: 'Encerrar' }).click();
    },
  }),
];

const suspenseOf = (pix: (typeof strayPix)[]) =>
  answer(adminSuspense, { pix, total: pix.length, total_amount: 4200, page: 1, limit: 50 });

const suspense: readonly Screen[] = [
  admin('suspense', '/admin/suspense', /4\.200,00/, answered(suspenseOf([strayPix]))),
  admin('suspense-empty', '/admin/suspense', 'Nenhum Pix sem dono', answered(suspenseOf([]))),
  admin('suspense-loading', '/admin/suspense', skeleton, { ...answered(hold(adminSuspense)), loading: true }),
  admin(
    'suspense-error',
    '/admin/suspense',
    (page) => page.getByRole('button', { name: 'Tentar Novamente' }),
    answered(fail(adminSuspense)),
  ),
  admin('suspense-detail', '/admin/suspense', 'Dois administradores.', {
    ...answered(suspenseOf([strayPix])),
    steps: details,
  }),
  admin('suspense-assign', '/admin/suspense', 'Escolha o lojista.', {
    ...answered(suspenseOf([strayPix])),
    steps: async (page) => {
      await details(page);
      await page.getByRole('button', { name: 'Atribuir' }).click();
      const dialog = page.getByRole('dialog').last();
      await dialog.getByLabel('Lojista').fill('maria');
      await dialog
        .getByLabel(/Maria da Conceição/)
        .first()
        .waitFor();
      await dialog.getByRole('button', { name: 'Atribuir' }).click();
    },
  }),
  admin('suspense-return', '/admin/suspense', 'Devolver a quem pagou?', {
    ...answered(suspenseOf([strayPix])),
    steps: async (page) => {
      await details(page);
      await page.getByRole('button', { name: 'Devolver' }).click();
    },
  }),
];

const item = {
  id: 'c3a1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
  kind: 'refund-in-doubt',
  reference: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
  user_id: null,
  detail: { bank_refund_id: 'D7', amount_cents: 2590, at_bank: { status: 'EM_PROCESSAMENTO' } },
  opened_at: '2026-11-22T04:00:00.000Z',
  closed_at: null,
  evidence: null,
};
const books = [
  answer(adminOpenItems, { items: [item], total: 1, page: 1, limit: 50 }),
  answer(adminReconciliation, {
    days: [
      {
        day: '2026-11-21',
        compared_at: '2026-11-22T06:10:00.000Z',
        received: 8697.4,
        returned: 0,
        sent: 48.5,
        differences: 2,
      },
      {
        day: '2026-11-20',
        compared_at: '2026-11-21T06:10:00.000Z',
        received: 12_697.4,
        returned: 40,
        sent: 9048.5,
        differences: 0,
      },
    ],
    balance: { compared_at: '2026-11-22T06:12:00.000Z', difference: -12.5 },
  }),
  answer(adminBankMovements, { movements: [], total: 0, page: 1, limit: 50, fees_balance: 132.4 }),
];

const reconciliation: readonly Screen[] = [
  admin('reconciliation', '/admin/reconciliation', /12,50/, answered(...books)),
  admin(
    'reconciliation-empty',
    '/admin/reconciliation',
    'Nada a conferir',
    answered(answer(adminOpenItems, { items: [], total: 0, page: 1, limit: 50 })),
  ),
  admin('reconciliation-loading', '/admin/reconciliation', skeleton, {
    ...answered(hold(adminOpenItems), hold(adminReconciliation)),
    loading: true,
  }),
  admin(
    'reconciliation-error',
    '/admin/reconciliation',
    'Erro ao buscar os itens.',
    answered(fail(adminOpenItems)),
  ),
  admin('reconciliation-item', '/admin/reconciliation', 'Encerrar item', {
    ...answered(...books),
    steps: details,
  }),
  admin('reconciliation-days', '/admin/reconciliation?view=days', '2 diferenças', answered(...books)),
  admin(
    'reconciliation-movements',
    '/admin/reconciliation?view=movements',
    'Nenhum movimento registrado',
    answered(...books),
  ),
  admin(
    'reconciliation-movement',
    '/admin/reconciliation?view=movements',
    'Por favor, insira um valor válido.',
    {
      ...answered(...books),
      steps: async (page) => {
        await page.getByRole('button', { name: 'Registrar movimento' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Registrar' }).click();
      },
    },
  ),
];

const disputes: readonly Screen[] = [
  admin(
    'disputes',
    '/admin/disputes',
    (page) => page.getByRole('heading', { level: 1 }),
    answered(
      answer(adminDisputes, {
        disputes: [deskDispute, { ...deskDispute, id: 'x', user: null }],
        total: 2,
        page: 1,
        limit: 50,
      }),
    ),
  ),
  admin(
    'disputes-empty',
    '/admin/disputes',
    'Nenhuma disputa aberta',
    answered(answer(adminDisputes, { disputes: [], total: 0, page: 1, limit: 50 })),
  ),
  admin('disputes-loading', '/admin/disputes', skeleton, { ...answered(hold(adminDisputes)), loading: true }),
  admin(
    'disputes-error',
    '/admin/disputes',
    (page) => page.getByRole('button', { name: 'Tentar Novamente' }),
    answered(fail(adminDisputes)),
  ),
  admin(
    'dispute',
    `/admin/disputes?id=${deskDispute.id}&user=u7`,
    'Entregue em mãos.',
    answered(answer(adminGetDispute, deskDispute)),
  ),
  admin(
    'dispute-unknown',
    `/admin/disputes?id=${deskDispute.id}&user=u7`,
    'Disputa não encontrada.',
    answered(refuse(adminGetDispute, 'DISPUTE_NOT_FOUND')),
  ),
];

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
];

/** What the operator and the support look at. */

export const deskMoney: readonly Screen[] = [
  ...withdrawals,
  ...suspense,
  ...reconciliation,
  ...disputes,
  ...system,
  ...support,
];
