import { bookReply } from '../bank-orders.ts';
import { readSetupTime } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { merchantIdFromIdEnvio } from '../payments/index.ts';
import type { BankPayout, PixPayouts } from '../psp/index.ts';
import { sumReturnedCents } from './book-payout-returns.ts';
import { reportPayoutNotDebited } from './report-not-debited.ts';
import { withdrawalOperations } from './send-withdrawals.ts';
import { payoutDetails } from './settle-withdrawal.ts';
import { findByIdEnvio, readSentListCursor, writeSentListCursor } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** Each window begins this much before the end of the previous one, because banks list some Pix late. */
const overlapMs = 10 * 60_000;
/** The longest window. Banks reject windows that are too wide, so a longer time is read in several. */
const dayMs = 24 * 3_600_000;
/** A Pix may be returned within 90 days. */
const returnDays = 90;

/**
 * Reads the bank's list of the Pix sent since the last run, and books outcomes and returns of which neither a response
 * nor a hint (a bank's callback about a payout) told us. A Pix that the ledger did not debit stops payouts and opens an
 * item for the operator. A Pix whose money was credited back to the merchant also opens an item. Returns the number of
 * Pix sent without an order of ours.
 */
export async function reconcileWithdrawals(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  const end = deps.clock.now();
  let previousEnd = (await readSentListCursor(deps.db)) ?? end;
  let withoutOrderCount = 0;
  do {
    // After the clock was set back, the last window's end lies in the future, and this window must not end before it
    // begins.
    const start = new Date(Math.min(previousEnd.getTime(), end.getTime()) - overlapMs);
    const until = new Date(Math.min(start.getTime() + dayMs, end.getTime()));
    withoutOrderCount += await readWindow(deps, payouts, start, until);
    await inTransaction(deps, (tx) => writeSentListCursor(tx, until));
    previousEnd = until;
  } while (previousEnd < end);
  return withoutOrderCount;
}

/**
 * Reads the bank's list again for all days whose Pix may still be returned, because banks list a returned Pix under the
 * day on which it was sent. Ignores the time before the gateway was set up, when Pix were sent without it. Returns the
 * number of Pix sent without an order of ours.
 */
export async function rereadSentPixList(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  const endMs = deps.clock.now().getTime();
  const beginningMs = (await readSetupTime(deps.db))?.getTime() ?? endMs;
  let unorderedCount = 0;
  for (let daysBack = returnDays + 1; daysBack > 0; daysBack -= 1) {
    const startMs = Math.max(endMs - daysBack * dayMs, beginningMs);
    const untilMs = endMs - (daysBack - 1) * dayMs;
    if (startMs < untilMs)
      unorderedCount += await readWindow(deps, payouts, new Date(startMs), new Date(untilMs));
  }
  return unorderedCount;
}

async function readWindow(deps: Deps, payouts: PixPayouts, start: Date, until: Date): Promise<number> {
  const operations = withdrawalOperations(deps, payouts);
  let unorderedCount = 0;
  for await (const page of payouts.listPayouts(start, until)) {
    const withdrawals = await findByIdEnvio(deps.db, page.flatMap(orderKey));
    for (const payout of page) {
      const withdrawal = withdrawals.get(payout.idEnvio);
      if (withdrawal === undefined) unorderedCount += await reportPayoutWithoutOrder(deps, payout);
      else if (hasUnbookedChange(withdrawal, payout))
        await bookReply(deps, operations, withdrawal, { is: 'answered', answer: payout });
    }
  }
  return unorderedCount;
}

/** The key under which a payout's withdrawal is stored, as a list: empty if the idEnvio cannot be one of ours. */
function orderKey({ idEnvio }: BankPayout) {
  const merchantId = merchantIdFromIdEnvio(idEnvio);
  return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
}

/** Whether the bank's record of the payout shows an outcome, an amount or a return that is not booked. */
function hasUnbookedChange(withdrawal: Withdrawal, payout: BankPayout): boolean {
  const { status, returnedCents, completedAt } = withdrawal;
  if (payout.amountCents !== netCents(withdrawal) || status === 'pending') return true;
  if (status === 'processing') return payout.status !== 'processing';
  if (completedAt !== null)
    return payout.status === 'refused' || sumReturnedCents(payout.returned) !== returnedCents;
  return status === 'failed' && payout.status !== 'refused';
}

/**
 * Opens an item for the operator about a payout that we did not order, and returns 1. Ignores a refused payout and
 * returns 0, because it moved no money.
 */
async function reportPayoutWithoutOrder(deps: Deps, payout: BankPayout): Promise<number> {
  if (payout.status === 'refused') return 0;
  const detail = payoutDetails(payout);
  const isNewItem = await inTransaction(deps, (tx) =>
    reportPayoutNotDebited(tx, { reference: payout.idEnvio, detail }),
  );
  if (isNewItem) deps.log.error(detail, 'a Pix left the account without a debit in the ledger');
  return 1;
}
