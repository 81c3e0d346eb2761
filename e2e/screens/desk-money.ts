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
import { deskDispute, deskWithdrawal, payouts, strayPix } from '../../web/src/testing/desk-samples.ts';
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
    {
      ...deskWithdrawal,
      id: 'd',
      amount_cents: 9_876_543_210,
      pix_key: '4f1c2a9e-3b7d-4e61-9a0f-6d2c4b8e1f35',
      pix_key_type: 'random',
      user: { id: 'u8', name: `${LONG} de Melo e Silva Cavalcanti Neta` },
    },
  ],
  next: '1.a',
});
const thePayouts = answer(adminPayouts, payouts);
const stopped = answer(adminPayouts, { ...payouts, stopped_because: 'saque estranho' });
const detail = (at: number) => (page: Page) => page.getByRole('button', { name: 'Detalhes' }).nth(at).click();

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
  admin('withdrawals-stopped', '/admin/withdrawals', /^Motivo: /, answered(someWithdrawals, stopped)),
  admin(
    'withdrawals-bank-silent',
    '/admin/withdrawals',
    'Esperando',
    answered(someWithdrawals, answer(adminPayouts, { ...payouts, bank_in_doubt: true })),
  ),
  admin('withdrawals-resume', '/admin/withdrawals', /O saldo no banco não cobre/, {
    ...answered(someWithdrawals, stopped, refuse(adminResumePayouts, 'BANK_BALANCE_LOW')),
    steps: async (page) => {
      await page.getByRole('button', { name: 'Retomar envios' }).click();
      await page.getByLabel('O que foi conferido').fill('Saldo e lista do banco');
      await page.getByRole('dialog').getByRole('button', { name: 'Retomar envios' }).click();
    },
  }),
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
  admin('withdrawal-held', '/admin/withdrawals', 'Segurado.', {
    ...answered(someWithdrawals, thePayouts),
    steps: detail(1),
  }),
  admin('withdrawal-release', '/admin/withdrawals', 'Liberar saque?', {
    ...answered(someWithdrawals, thePayouts),
    steps: async (page) => {
      await detail(1)(page);
      await page.getByRole('button', { name: 'Liberar' }).click();
    },
  }),
  admin('withdrawal-in-doubt', '/admin/withdrawals', 'O banco não disse o desfecho.', {
    ...answered(someWithdrawals, thePayouts),
    steps: detail(2),
  }),
  admin('withdrawal-large', '/admin/withdrawals', 'Segurar', {
    ...answered(someWithdrawals, thePayouts),
    steps: detail(3),
  }),
  admin('withdrawal-resolve', '/admin/withdrawals', 'Prova do banco', {
    ...answered(someWithdrawals, thePayouts),
    steps: async (page) => {
      await detail(2)(page);
      await page.getByRole('button', { name: 'Encerrar' }).click();
    },
  }),
];

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
const proposed = { ...strayPix, proposal };

const suspense: readonly Screen[] = [
  admin(
    'suspense',
    '/admin/suspense',
    /4\.200,00/,
    answered(
      suspenseOf([
        strayPix,
        { ...proposed, end_to_end_id: 'E9999999920261122043300000000a1b3', amount: 98_765_432.1 },
        {
          ...strayPix,
          end_to_end_id: 'E9999999920261122043300000000a1b4',
          amount: 25.9,
          txid: '7f3a9c2e51d84b0aa6e27f3a9c2e51d8',
          why: 'unknown-txid',
          status: 'returning',
        },
      ]),
    ),
  ),
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
  admin('suspense-proposed', '/admin/suspense', /^Clara Barros propôs/, {
    ...answered(suspenseOf([proposed])),
    steps: details,
  }),
  admin('suspense-confirm', '/admin/suspense', 'Confirmar atribuição', {
    ...answered(suspenseOf([proposed])),
    steps: async (page) => {
      await details(page);
      await page.getByRole('button', { name: 'Confirmar' }).click();
    },
  }),
  admin('suspense-nobody-found', '/admin/suspense', /^Ninguém com esse nome/, {
    ...answered(suspenseOf([strayPix])),
    steps: async (page) => {
      await details(page);
      await page.getByRole('button', { name: 'Atribuir' }).click();
      await page.getByRole('dialog').last().getByLabel('Lojista').fill('zzz');
    },
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
const closedItem = {
  ...item,
  closed_at: '2026-11-22T09:30:00.000Z',
  evidence: 'Extrato de 22/11 do banco: a devolução saiu às 04:12, protocolo 20261122-77.',
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
    'reconciliation-closed',
    '/admin/reconciliation?view=closed',
    'Estorno sem desfecho',
    answered(...books, answer(adminOpenItems, { items: [closedItem], total: 1, page: 1, limit: 50 })),
  ),
  admin('reconciliation-closed-item', '/admin/reconciliation?view=closed', /^Encerrado em/, {
    ...answered(...books, answer(adminOpenItems, { items: [closedItem], total: 1, page: 1, limit: 50 })),
    steps: details,
  }),
  admin('reconciliation-close', '/admin/reconciliation', 'Descreva o que foi visto.', {
    ...answered(...books),
    steps: async (page) => {
      await details(page);
      await page.getByRole('button', { name: 'Encerrar item' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Encerrar item' }).click();
    },
  }),
  admin('reconciliation-refund', '/admin/reconciliation', 'Diga o que o banco mostrou.', {
    ...answered(...books),
    steps: async (page) => {
      await details(page);
      await page.getByRole('button', { name: 'Encerrar estorno' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Encerrar' }).click();
    },
  }),
  admin(
    'reconciliation-movements-none',
    '/admin/reconciliation?view=movements',
    'Nenhum movimento registrado',
    answered(...books),
  ),
  admin('reconciliation-movements', '/admin/reconciliation?view=movements', 'Aporte do operador'),
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
  admin('disputes-closed', '/admin/disputes?view=closed', (page) =>
    page.getByRole('button', { name: 'Detalhes' }).or(page.locator('main li button')),
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
    'dispute-unowned',
    `/admin/disputes?id=${deskDispute.id}&user=0`,
    /Nada está bloqueado e ninguém defende/,
    answered(
      answer(adminGetDispute, {
        ...deskDispute,
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
    `/admin/disputes?id=${deskDispute.id}&user=u7`,
    /^Faltam/,
    answered(
      answer(adminGetDispute, {
        ...deskDispute,
        amount: 98_765_432.1,
        blocked_amount: 90_000_000.05,
        shortfall_amount: 8_765_432.05,
        defence_sent_at: null,
      }),
    ),
  ),
  admin(
    'dispute-unknown',
    `/admin/disputes?id=${deskDispute.id}&user=u7`,
    'Disputa não encontrada.',
    answered(refuse(adminGetDispute, 'DISPUTE_NOT_FOUND')),
  ),
];

/** The operator's screens for money that awaits a decision. */
export const deskMoney: readonly Screen[] = [...withdrawals, ...suspense, ...reconciliation, ...disputes];
