import type { Due, listDueCharges, ResponseOf, Transaction } from '@jangada/contract';
import { dayOf, shiftDay } from '../format/date.ts';
import { transaction } from './samples.ts';

type DueCharges = ResponseOf<typeof listDueCharges>;
type DueChargeRow = DueCharges['data'][number];

/** The calendar day so many days from today. */
export const dayIn = (days: number) => shiftDay(dayOf(new Date()), days);

const billedTo = { name: 'Ana Conceição Pereira', document: '529.982.247-25' };

/** An open charge that falls due in a week. */
export const dueChargeRow: DueChargeRow = {
  id: '01997f3e-7a10-7c41-8b3a-61f2d8c07a55',
  external_id: 'mensalidade-12',
  description: null,
  status: 'pending',
  billed_to: billedTo,
  due_date: dayIn(7),
  due_state: 'upcoming',
  amount: 150,
  amount_today: 150,
  refunded_amount: 0,
  created_at: '2026-11-21T16:57:00.000Z',
  paid_at: null,
  cancelled_at: null,
};

const rowOf = (place: number, change: Partial<DueChargeRow>): DueChargeRow => ({
  ...dueChargeRow,
  id: `01997f3e-7a10-7c41-8b3a-61f2d8c07a${50 + place}`,
  ...change,
});

/** One charge in each state that a charge with a due date can have. */
export const dueChargeRows: readonly DueChargeRow[] = [
  rowOf(0, {
    billed_to: { name: 'Mercado São João Ltda', document: '11.222.333/0001-81' },
    due_date: dayIn(-12),
    due_state: 'overdue',
    amount: 1280,
    amount_today: 1310.72,
  }),
  rowOf(1, { due_date: dayIn(0), due_state: 'today' }),
  rowOf(2, {}),
  rowOf(3, { status: 'paid', due_date: dayIn(-9), due_state: null, amount: 153.5, amount_today: null }),
  rowOf(4, {
    status: 'refunded',
    due_date: dayIn(-15),
    due_state: null,
    amount_today: null,
    refunded_amount: 150,
    billed_to: { name: 'Bento Albuquerque', document: '***.344.518-**' },
  }),
  rowOf(5, {
    status: 'expired',
    due_date: dayIn(4),
    due_state: null,
    amount_today: null,
    cancelled_at: '2026-11-22T16:57:00.000Z',
  }),
  rowOf(6, { status: 'expired', due_date: dayIn(-28), due_state: null, amount_today: null }),
];

export function dueChargesOf(data: readonly DueChargeRow[], change: Partial<DueCharges> = {}): DueCharges {
  return {
    from: dayIn(-30),
    to: dayIn(30),
    totals: {
      due: { count: 2, amount: 300 },
      overdue: { count: 1, amount: 1280 },
      paid: { count: 2, amount: 153.5 },
    },
    data: [...data],
    next: null,
    ...change,
  };
}

const due: Due = {
  due_date: dayIn(-12),
  valid_until: dayIn(18),
  valid_after_due: 30,
  fine: { type: 'percent', value: 2 },
  interest: { type: 'percent', value: 1, per: 'month', days: 'calendar' },
  rebate: null,
  discounts: [{ type: 'amount', value: 10, until: dayIn(-20) }],
  early_discount: null,
  amount_today: 1310.72,
  parts: {
    original_amount: 1280,
    fine_amount: 25.6,
    interest_amount: 5.12,
    rebate_amount: 0,
    discount_amount: 0,
  },
};

/** An overdue charge, as the feed has it. */
export const overdueTransaction: Transaction = {
  ...transaction,
  id: dueChargeRows[0]?.id ?? '',
  status: 'pending',
  amount: 1280,
  credited_amount: 1267.2,
  paid_at: null,
  expires_at: new Date(`${dayIn(19)}T03:00:00Z`).toISOString(),
  billed_to: { name: 'Mercado São João Ltda', document: '11.222.333/0001-81' },
  due,
};

/** The same charge once it is paid with fine and interest. */
export const paidLateTransaction: Transaction = {
  ...overdueTransaction,
  status: 'paid',
  amount: 1310.72,
  credited_amount: 1297.61,
  paid_at: '2026-11-28T16:57:00.000Z',
  due: { ...due, amount_today: null },
};
