// Sample responses of a gateway about fee statements, for tests of screens.
import type {
  AdminFeeStatement,
  AdminFeeStatementsPage,
  FeeStatement,
  FeeStatementDetail,
  FeeStatementPix,
  FeeStatementsPage,
} from '@jangada/contract';

export const openStatement: FeeStatement = {
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8d3',
  number: '202611-42',
  month: '2026-11',
  amount: 1287.4,
  fees: 1212,
  status: 'open',
  closed_at: '2026-12-01T03:11:00.000Z',
  due_on: '2026-12-10',
  stops_on: '2026-12-25',
  is_overdue: false,
  paid_at: null,
  end_to_end_id: null,
  paid_reference: null,
};

export const overdueStatement: FeeStatement = {
  ...openStatement,
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8d4',
  number: '202610-42',
  month: '2026-10',
  amount: 310.2,
  fees: 288,
  closed_at: '2026-11-01T03:11:00.000Z',
  due_on: '2026-11-10',
  stops_on: '2026-11-25',
  is_overdue: true,
};

export const paidStatement: FeeStatement = {
  ...openStatement,
  id: '0197a4de-5b60-7c11-9d02-4be1f0a6c8d5',
  number: '202609-42',
  month: '2026-09',
  amount: 94.05,
  fees: 1,
  closed_at: '2026-10-01T03:11:00.000Z',
  due_on: '2026-10-10',
  stops_on: '2026-10-25',
  status: 'paid',
  paid_at: '2026-10-08T17:20:00.000Z',
  end_to_end_id: 'E60701190202610081720a1b2c3d4e5f',
};

export const feePix = (minutesLeft = 7 * 1440): FeeStatementPix => ({
  txid: '00000016abcdefghijklmnopqrstuv',
  content:
    '00020101021226820014br.gov.bcb.pix2560pix.example.com/qr/v2/00000016abcdefghijklmnopqrstuv5204000053039865406128740',
  amount: openStatement.amount,
  expires_at: new Date(Date.now() + minutesLeft * 60_000).toISOString(),
});

export const detailOf = (
  statement: FeeStatement,
  pix: FeeStatementPix | null = null,
): FeeStatementDetail => ({
  ...statement,
  days: [
    { day: `${statement.month}-03`, fees: 800, amount: 900.1 },
    { day: `${statement.month}-17`, fees: 411, amount: 387 },
    { day: `${statement.month}-28`, fees: 1, amount: 0.3 },
  ],
  pix,
});

export const feesPageOf = (
  statements: readonly FeeStatement[],
  changes: Partial<FeeStatementsPage> = {},
): FeeStatementsPage => ({
  statements: [...statements],
  total: statements.length,
  page: 1,
  limit: 12,
  open_amount:
    statements.reduce(
      (cents, { status, amount }) => cents + (status === 'open' ? Math.round(amount * 100) : 0),
      0,
    ) / 100,
  oldest_open: statements.findLast(({ status }) => status === 'open') ?? null,
  stops_charges: false,
  running: {
    month: '2026-12',
    fees: 37,
    amount: 41.9,
    days: [
      { day: '2026-12-01', fees: 30, amount: 33.4 },
      { day: '2026-12-02', fees: 7, amount: 8.5 },
    ],
  },
  ...changes,
});

const merchant = { id: '42', name: 'Empório Capibaribe', username: 'emporio' };
export const ofMerchant = (statement: FeeStatement, name = merchant.name): AdminFeeStatement => ({
  ...statement,
  merchant: { ...merchant, name },
});

export const adminFeesPageOf = (
  statements: readonly AdminFeeStatement[],
  changes: Partial<AdminFeeStatementsPage> = {},
): AdminFeeStatementsPage => ({
  statements: [...statements],
  total: statements.length,
  page: 1,
  limit: 20,
  open_amount: 1597.6,
  overdue: statements.filter(({ is_overdue }) => is_overdue).length,
  ...changes,
});
