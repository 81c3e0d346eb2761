import {
  adminBankMovements,
  adminDisputes,
  adminGetDispute,
  adminOpenItems,
  adminPayouts,
  adminReconciliation,
  adminResumePayouts,
  adminSuspense,
  adminWithdrawals,
  type ResponseOf,
} from '@jangada/contract';
import type { Page } from 'playwright-core';
import {
  adminDispute,
  adminWithdrawal,
  payouts,
  pixInSuspense,
} from '../../web/src/testing/admin-money-samples.ts';
import { admin, LONG, openDetails, skeleton, withStubs } from './admin.ts';
import { answer, fail, refuse, type Screen, stall } from './screen.ts';

const someWithdrawals = answer(adminWithdrawals, {
  withdrawals: [
    adminWithdrawal,
    {
      ...adminWithdrawal,
      id: 'b',
      amount_cents: 1_499_999,
      held_because: 'Destino novo, valor fora do comum',
    },
    {
      ...adminWithdrawal,
      id: 'c',
      status: 'processing',
      in_doubt: true,
      unknown_since: '2026-11-22T02:00:00.000Z',
      resolutions: ['paid', 'refused'],
    },
    {
      ...adminWithdrawal,
      id: 'd',
      amount_cents: 9_876_543_210,
      pix_key: '4f1c2a9e-3b7d-4e61-9a0f-6d2c4b8e1f35',
      pix_key_type: 'random',
      user: { id: 'u8', name: `${LONG} de Melo e Silva Cavalcanti Neta` },
    },
  ],
  next: '1.a',
});
const payoutsStub = answer(adminPayouts, payouts);
const stoppedPayouts = answer(adminPayouts, { ...payouts, stopped_because: 'saque estranho' });
const openDetailsOf = (index: number) => (page: Page) =>
  page.getByRole('button', { name: 'Detalhes' }).nth(index).click();

const withdrawalScreens: readonly Screen[] = [
  admin('withdrawals', '/admin/withdrawals', 'Carregar mais', withStubs(someWithdrawals, payoutsStub)),
  admin('withdrawals-loading', '/admin/withdrawals', skeleton, {
    ...withStubs(stall(adminWithdrawals), stall(adminPayouts)),
    isLoading: true,
  }),
  admin(
    'withdrawals-error',
    '/admin/withdrawals',
    'Erro ao buscar saques.',
    withStubs(fail(adminWithdrawals), fail(adminPayouts)),
  ),
  admin('withdrawals-none-held', '/admin/withdrawals?view=held', 'Nenhum saque segurado'),
  admin('withdrawals-stopped', '/admin/withdrawals', /^Motivo: /, withStubs(someWithdrawals, stoppedPayouts)),
  admin(
    'withdrawals-bank-silent',
    '/admin/withdrawals',
    'Esperando',
    withStubs(someWithdrawals, answer(adminPayouts, { ...payouts, bank_in_doubt: true })),
  ),
  admin('withdrawals-resume', '/admin/withdrawals', /O saldo no banco não cobre/, {
    ...withStubs(someWithdrawals, stoppedPayouts, refuse(adminResumePayouts, 'BANK_BALANCE_LOW')),
    steps: async (page) => {
      await page.getByRole('button', { name: 'Retomar envios' }).click();
      await page.getByLabel('O que foi conferido').fill('Saldo e lista do banco');
      await page.getByRole('dialog').getByRole('button', { name: 'Retomar envios' }).click();
    },
  }),
  admin('withdrawals-stop', '/admin/withdrawals', 'Motivo', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: (page) => page.getByRole('button', { name: 'Parar envios' }).click(),
  }),
  admin('withdrawal', '/admin/withdrawals', 'Segurar', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: openDetails,
  }),
  admin('withdrawal-hold', '/admin/withdrawals', 'Informe o motivo.', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: async (page) => {
      await openDetails(page);
      await page.getByRole('button', { name: 'Segurar' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Segurar' }).click();
    },
  }),
  admin('withdrawal-held', '/admin/withdrawals', 'Segurado.', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: openDetailsOf(1),
  }),
  admin('withdrawal-release', '/admin/withdrawals', 'Liberar saque?', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: async (page) => {
      await openDetailsOf(1)(page);
      await page.getByRole('button', { name: 'Liberar' }).click();
    },
  }),
  admin('withdrawal-in-doubt', '/admin/withdrawals', 'O banco não disse o desfecho.', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: openDetailsOf(2),
  }),
  admin('withdrawal-large', '/admin/withdrawals', 'Segurar', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: openDetailsOf(3),
  }),
  admin('withdrawal-resolve', '/admin/withdrawals', 'Prova do banco', {
    ...withStubs(someWithdrawals, payoutsStub),
    steps: async (page) => {
      await openDetailsOf(2)(page);
      await page.getByRole('button', { name: 'Encerrar' }).click();
    },
  }),
];

/** The list of suspense: Pix that match no charge. */
const suspenseOf = (pix: ResponseOf<typeof adminSuspense>['pix']) =>
  answer(adminSuspense, { pix, total: pix.length, total_amount: 4200, page: 1, limit: 50 });

const proposal = {
  action: 'assign' as const,
  user_id: 'u7',
  user_name: LONG,
  reason: 'Pagou sem o código; o comprovante está no chamado 812.',
  proposed_by: 'u3',
  proposed_by_name: 'Clara Barros',
  proposed_at: '2026-11-22T12:05:00.000Z',
};
const proposedPix = { ...pixInSuspense, proposal };

const suspenseScreens: readonly Screen[] = [
  admin(
    'suspense',
    '/admin/suspense',
    /4\.200,00/,
    withStubs(
      suspenseOf([
        pixInSuspense,
        { ...proposedPix, end_to_end_id: 'E9999999920261122043300000000a1b3', amount: 98_765_432.1 },
        {
          ...pixInSuspense,
          end_to_end_id: 'E9999999920261122043300000000a1b4',
          amount: 25.9,
          txid: '7f3a9c2e51d84b0aa6e27f3a9c2e51d8',
          why: 'unknown-txid',
          status: 'returning',
        },
      ]),
    ),
  ),
  admin('suspense-empty', '/admin/suspense', 'Nenhum Pix sem dono', withStubs(suspenseOf([]))),
  admin('suspense-loading', '/admin/suspense', skeleton, {
    ...withStubs(stall(adminSuspense)),
    isLoading: true,
  }),
  admin(
    'suspense-error',
    '/admin/suspense',
    (page) => page.getByRole('button', { name: 'Tentar Novamente' }),
    withStubs(fail(adminSuspense)),
  ),
  admin('suspense-detail', '/admin/suspense', 'Dois administradores.', {
    ...withStubs(suspenseOf([pixInSuspense])),
    steps: openDetails,
  }),
  admin('suspense-proposed', '/admin/suspense', /^Clara Barros propôs/, {
    ...withStubs(suspenseOf([proposedPix])),
    steps: openDetails,
  }),
  admin('suspense-confirm', '/admin/suspense', 'Confirmar atribuição', {
    ...withStubs(suspenseOf([proposedPix])),
    steps: async (page) => {
      await openDetails(page);
      await page.getByRole('button', { name: 'Confirmar' }).click();
    },
  }),
  admin('suspense-nobody-found', '/admin/suspense', /^Ninguém com esse nome/, {
    ...withStubs(suspenseOf([pixInSuspense])),
    steps: async (page) => {
      await openDetails(page);
      await page.getByRole('button', { name: 'Atribuir' }).click();
      await page.getByRole('dialog').last().getByLabel('Lojista').fill('zzz');
    },
  }),
  admin('suspense-assign', '/admin/suspense', 'Escolha o lojista.', {
    ...withStubs(suspenseOf([pixInSuspense])),
    steps: async (page) => {
      await openDetails(page);
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
    ...withStubs(suspenseOf([pixInSuspense])),
    steps: async (page) => {
      await openDetails(page);
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
const closedItem = {
  ...item,
  closed_at: '2026-11-22T09:30:00.000Z',
  evidence: 'Extrato de 22/11 do banco: a devolução saiu às 04:12, protocolo 20261122-77.',
};
const reconciliationStubs = [
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

const reconciliationScreens: readonly Screen[] = [
  admin('reconciliation', '/admin/reconciliation', /12,50/, withStubs(...reconciliationStubs)),
  admin(
    'reconciliation-empty',
    '/admin/reconciliation',
    'Nada a conferir',
    withStubs(answer(adminOpenItems, { items: [], total: 0, page: 1, limit: 50 })),
  ),
  admin('reconciliation-loading', '/admin/reconciliation', skeleton, {
    ...withStubs(stall(adminOpenItems), stall(adminReconciliation)),
    isLoading: true,
  }),
  admin(
    'reconciliation-error',
    '/admin/reconciliation',
    'Erro ao buscar os itens.',
    withStubs(fail(adminOpenItems)),
  ),
  admin('reconciliation-item', '/admin/reconciliation', 'Encerrar item', {
    ...withStubs(...reconciliationStubs),
    steps: openDetails,
  }),
  admin(
    'reconciliation-days',
    '/admin/reconciliation?view=days',
    '2 diferenças',
    withStubs(...reconciliationStubs),
  ),
  admin(
    'reconciliation-closed',
    '/admin/reconciliation?view=closed',
    'Estorno sem desfecho',
    withStubs(
      ...reconciliationStubs,
      answer(adminOpenItems, { items: [closedItem], total: 1, page: 1, limit: 50 }),
    ),
  ),
  admin('reconciliation-closed-item', '/admin/reconciliation?view=closed', /^Encerrado em/, {
    ...withStubs(
      ...reconciliationStubs,
      answer(adminOpenItems, { items: [closedItem], total: 1, page: 1, limit: 50 }),
    ),
    steps: openDetails,
  }),
  admin('reconciliation-close', '/admin/reconciliation', 'Descreva o que foi visto.', {
    ...withStubs(...reconciliationStubs),
    steps: async (page) => {
      await openDetails(page);
      await page.getByRole('button', { name: 'Encerrar item' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Encerrar item' }).click();
    },
  }),
  admin('reconciliation-refund', '/admin/reconciliation', 'Diga o que o banco mostrou.', {
    ...withStubs(...reconciliationStubs),
    steps: async (page) => {
      await openDetails(page);
      await page.getByRole('button', { name: 'Encerrar estorno' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click();
    },
  }),
  admin(
    'reconciliation-movements-none',
    '/admin/reconciliation?view=movements',
    'Nenhum movimento registrado',
    withStubs(...reconciliationStubs),
  ),
  admin('reconciliation-movements', '/admin/reconciliation?view=movements', 'Aporte do operador'),
  admin(
    'reconciliation-movement',
    '/admin/reconciliation?view=movements',
    'Por favor, insira um valor válido.',
    {
      ...withStubs(...reconciliationStubs),
      steps: async (page) => {
        await page.getByRole('button', { name: 'Registrar movimento' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Registrar' }).click();
      },
    },
  ),
];

const disputeScreens: readonly Screen[] = [
  admin(
    'disputes',
    '/admin/disputes',
    (page) => page.getByRole('heading', { level: 1 }),
    withStubs(
      answer(adminDisputes, {
        disputes: [adminDispute, { ...adminDispute, id: 'x', user: null }],
        total: 2,
        page: 1,
        limit: 50,
      }),
    ),
  ),
  admin('disputes-closed', '/admin/disputes?view=closed', (page) =>
    page.getByRole('button', { name: 'Detalhes' }).or(page.locator('main li button')),
  ),
  admin(
    'disputes-empty',
    '/admin/disputes',
    'Nenhuma disputa aberta',
    withStubs(answer(adminDisputes, { disputes: [], total: 0, page: 1, limit: 50 })),
  ),
  admin('disputes-loading', '/admin/disputes', skeleton, {
    ...withStubs(stall(adminDisputes)),
    isLoading: true,
  }),
  admin(
    'disputes-error',
    '/admin/disputes',
    (page) => page.getByRole('button', { name: 'Tentar Novamente' }),
    withStubs(fail(adminDisputes)),
  ),
  admin(
    'dispute',
    `/admin/disputes?id=${adminDispute.id}&user=u7`,
    'Entregue em mãos.',
    withStubs(answer(adminGetDispute, adminDispute)),
  ),
  admin(
    'dispute-unowned',
    `/admin/disputes?id=${adminDispute.id}&user=0`,
    /Nada está bloqueado e ninguém defende/,
    withStubs(
      answer(adminGetDispute, {
        ...adminDispute,
        user: null,
        payment_id: null,
        blocked_amount: 0,
        defence: null,
        defended_at: null,
        defence_sent_at: null,
        files: [],
      }),
    ),
  ),
  admin(
    'dispute-short',
    `/admin/disputes?id=${adminDispute.id}&user=u7`,
    /^Faltam/,
    withStubs(
      answer(adminGetDispute, {
        ...adminDispute,
        amount: 98_765_432.1,
        blocked_amount: 90_000_000.05,
        shortfall_amount: 8_765_432.05,
        defence_sent_at: null,
      }),
    ),
  ),
  admin(
    'dispute-unknown',
    `/admin/disputes?id=${adminDispute.id}&user=u7`,
    'Disputa não encontrada.',
    withStubs(refuse(adminGetDispute, 'DISPUTE_NOT_FOUND')),
  ),
];

/** The operator's screens for money that awaits a decision. */
export const adminMoneyScreens: readonly Screen[] = [
  ...withdrawalScreens,
  ...suspenseScreens,
  ...reconciliationScreens,
  ...disputeScreens,
];
