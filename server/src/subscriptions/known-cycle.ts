import { addMs } from '../clock.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import {
  type Charge,
  findRefundableCharge,
  findRefundableCharges,
  lockRefundableCharge,
  type RefundableCharge,
} from '../payments/index.ts';
import type { AtBank, BankDebit } from '../psp/index.ts';
import { firstTimeIdAt } from '../time-id.ts';
import { type CycleCode, findCycle, listAttempts, listCycleCodes } from './cycle-store.ts';
import { findMandate, findSubscription } from './store.ts';
import type { StoredCycle, StoredDebitAttempt, StoredMandate, StoredSubscription } from './subscription.ts';

/** A cycle with all that its next step depends on. */
export type KnownCycle = {
  readonly subscription: StoredSubscription;
  readonly mandate: StoredMandate;
  readonly cycle: StoredCycle;
  readonly attempts: readonly StoredDebitAttempt[];
  /** The charge that the bank debits. */
  readonly debitCharge: RefundableCharge | undefined;
  /** The charges with a code. */
  readonly codes: readonly RefundableCharge[];
  readonly seen: BankDebit | undefined;
};

export function isPaid(charge: Charge | undefined): boolean {
  return charge?.status === 'paid' || charge?.status === 'refunded';
}

/** The charge with a code that paid the cycle. Money that was given back, or is on its way back, pays nothing. */
export function paidCodeOf({ codes }: Pick<KnownCycle, 'codes'>): RefundableCharge | undefined {
  return codes.find(
    ({ status, refundedCents, refundingCents }) =>
      status === 'paid' && refundedCents === 0 && refundingCents === 0,
  );
}

export async function readKnown(
  { db }: AtBank,
  { merchantId, subscriptionId: id, number }: StoredCycle,
  seen: BankDebit | undefined,
): Promise<KnownCycle | undefined> {
  const subscription = await findSubscription(db, { merchantId, id });
  const mandate = await findMandate(db, { merchantId, id });
  const cycle = await findCycle(db, { merchantId, subscriptionId: id, number });
  if (subscription === undefined || mandate === undefined || cycle === undefined) return undefined;
  const debitCharge =
    cycle.chargeId === null ? undefined : await findRefundableCharge(db, merchantId, cycle.chargeId);
  const codes = await readCodes(db, merchantId, await listCycleCodes(db, merchantId, [cycle]));
  const attempts = await listAttempts(db, merchantId, [cycle]);
  return { subscription, mandate, cycle, attempts, debitCharge, codes, seen };
}

/** The charges of codes, in their order. A code that was noted may not have been made. */
export async function readCodes(
  db: Db,
  merchantId: number,
  noted: readonly CycleCode[],
): Promise<RefundableCharge[]> {
  const ids = noted.map(({ chargeId }) => chargeId);
  const charges = await findRefundableCharges(db, merchantId, ids);
  return ids.flatMap((id) => charges.get(id) ?? []);
}

/** Locks the charges of a cycle. Returns whether one of them was paid since they were read. */
export async function hasPaymentCome(tx: Tx, { cycle, debitCharge, codes }: KnownCycle): Promise<boolean> {
  const charges = [...(debitCharge === undefined ? [] : [debitCharge]), ...codes];
  let hasCome = false;
  for (const { id, status } of charges.toSorted((left, right) => left.id.localeCompare(right.id))) {
    const locked = await lockRefundableCharge(tx, cycle.merchantId, id);
    if (locked?.status !== status) hasCome = true;
  }
  return hasCome;
}

/** From noting a charge to storing it no attempt takes so long. */
const longestStoringMs = 60_000;

/** Whether a charge was noted and not stored yet. After a crash in between it never is. */
export function isBeingMade(newest: string | undefined, stored: readonly Charge[], now: Date): boolean {
  if (newest === undefined || stored.some(({ id }) => id === newest)) return false;
  return newest > firstTimeIdAt(addMs(now, -longestStoringMs));
}
