import { brlFromCents, type CustomerTotals } from '@jangada/contract';
import { dueDaysOf, predictDueAmount } from '@jangada/pix';
import { calendarDayOf } from '../calendar-day.ts';
import type { Deps } from '../deps.ts';
import { readDues } from '../payments/index.ts';
import { type CustomerKey, selectOpenCharges, sumPaid } from './store.ts';

type ReadDeps = Pick<Deps, 'db' | 'clock'>;

/** A charge that a customer can pay now. */
export type OwedCharge = {
  readonly txid: string;
  readonly description: string | null;
  /** Null for a charge without a due date. */
  readonly dueDate: string | null;
  readonly expiresAt: Date;
  /** What is owed today, as we predict it. */
  readonly amountCents: number;
  readonly isOverdue: boolean;
};

/** Reads what a customer can pay now, at today's amounts. */
export async function readOwed({ db, clock }: ReadDeps, key: CustomerKey): Promise<OwedCharge[]> {
  const now = clock.now();
  const today = calendarDayOf(now);
  const charges = await selectOpenCharges(db, key, now);
  const dues = await readDues(db, key.merchantId, charges);
  return charges.map(({ id, txid, description, dueDate, expiresAt, amountCents }) => {
    const due = dues.get(id)?.due;
    return {
      txid,
      description,
      dueDate,
      expiresAt,
      amountCents: (due && predictDueAmount(due, today)?.finalCents) ?? amountCents,
      isOverdue: due !== undefined && today > dueDaysOf(due).dueDay,
    };
  });
}

/** Adds up what a customer owes and has paid. */
export async function readTotals(deps: ReadDeps, key: CustomerKey): Promise<CustomerTotals> {
  const [owed, paid] = await Promise.all([readOwed(deps, key), sumPaid(deps.db, key)]);
  return {
    open: sumOf(owed),
    overdue: sumOf(owed.filter(({ isOverdue }) => isOverdue)),
    paid: { count: paid.count, amount: brlFromCents(paid.cents) },
  };
}

function sumOf(charges: readonly OwedCharge[]): CustomerTotals['open'] {
  const cents = charges.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return { count: charges.length, amount: brlFromCents(cents) };
}
