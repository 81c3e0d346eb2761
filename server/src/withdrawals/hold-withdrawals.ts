import { addMs } from '../clock.ts';
import type { Tx } from '../db/transaction.ts';
import { activeHold, type Hold, type HoldCause, holdDurationMs } from '../money-hold.ts';
import {
  findHeldAccountIds,
  lockControls,
  updateControls,
  upsertPersonHold,
  type WithdrawalControls,
} from './controls-store.ts';

/** Holds a merchant's withdrawals, including those that were requested earlier and wait to be sent. */
export async function holdWithdrawals(tx: Tx, merchantId: number, cause: HoldCause): Promise<void> {
  await writeHold(tx, await lockControls(tx, merchantId), cause);
}

/**
 * Holds the withdrawals of a merchant whose controls are already locked. A hold that ends later stays as it is, because
 * otherwise a smaller change would end it early.
 */
export async function writeHold(
  tx: Tx,
  { merchantId, heldUntil }: WithdrawalControls,
  cause: HoldCause,
): Promise<void> {
  const until = addMs(tx.now, holdDurationMs(cause));
  if (heldUntil !== null && heldUntil > until) return;
  await updateControls(tx, merchantId, { held_until: until, held_because: cause });
}

/**
 * Holds what a person asks for, in every account in which they act, and altogether the accounts that they hold. With
 * `everyOwned`, also those of which they are one of several owners.
 */
export async function holdPerson(
  tx: Tx,
  userId: number,
  cause: HoldCause,
  { everyOwned = false }: { readonly everyOwned?: boolean } = {},
): Promise<void> {
  await upsertPersonHold(tx, userId, { until: addMs(tx.now, holdDurationMs(cause)), cause });
  for (const merchantId of await findHeldAccountIds(tx, userId, everyOwned))
    await holdWithdrawals(tx, merchantId, cause);
}

/** Returns the hold of an account that is in force at `now`, if any. */
export function activeHoldOf({ heldUntil, heldBecause }: WithdrawalControls, now: Date): Hold | undefined {
  return activeHold('account', { held_until: heldUntil, held_because: heldBecause }, now);
}
