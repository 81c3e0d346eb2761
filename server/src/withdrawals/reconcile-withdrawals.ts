// A withdrawal is our record of money that leaves for a merchant, and a payout is the bank's record of the Pix that
// carries it out. The idEnvio, which we assign, links the two at one account. A payout without a withdrawal at its
// account is called an unknown payout: another system sent it, or our database was restored from an older backup.
import { RETURN_DAYS } from '@jangada/contract';
import { bookReply } from '../bank-orders.ts';
import { isBusinessOfMerchant, readSetupTime } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { merchantIdFromIdEnvio } from '../payments/index.ts';
import { type AtBank, type BankPayout, HOUSE_CONNECTION, type PixPayouts } from '../psp/index.ts';
import { sumReturnedCents } from './book-payout-returns.ts';
import { readFirstSentAt } from './due-store.ts';
import { reportPayoutNotDebited } from './report-not-debited.ts';
import { withdrawalOperations } from './send-withdrawals.ts';
import { payoutDetails } from './settle-withdrawal.ts';
import { findByIdEnvio, readSentListCursor, writeSentListCursor } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** Each window begins this much before the end of the previous one, because banks list some Pix late. */
const overlapMs = 10 * 60_000;
/** The longest window. Banks reject windows that are too wide, so a longer time is read in several. */
const dayMs = 24 * 3_600_000;

/**
 * Reads the bank's list of the Pix sent since the last run, and books outcomes and returns that we missed, because
 * neither the bank's response nor its callback reported them. An unknown payout stops payouts and opens an item for the
 * operator. Returns the number of unknown payouts.
 */
export async function reconcileWithdrawals(deps: AtBank): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  const end = deps.clock.now();
  // The first run has no cursor and reads only the overlap.
  let previousEnd = (await readSentListCursor(deps.db, deps.connection.id)) ?? end;
  let unknownPayoutCount = 0;
  do {
    // After the clock was set back, the last window's end lies in the future, and this window must not end before it
    // begins.
    const start = new Date(Math.min(previousEnd.getTime(), end.getTime()) - overlapMs);
    const until = new Date(Math.min(start.getTime() + dayMs, end.getTime()));
    unknownPayoutCount += await readWindow(deps, payouts, start, until);
    await inTransaction(deps, (tx) => writeSentListCursor(tx, deps.connection.id, until));
    previousEnd = until;
  } while (previousEnd < end);
  return unknownPayoutCount;
}

/**
 * Reads the bank's list again for all days whose Pix may still be returned, because banks list a returned Pix under the
 * day on which it was sent. Ignores the time before the gateway was set up, when Pix were sent without it. Returns the
 * number of unknown payouts.
 */
export async function rereadSentPixList(deps: AtBank): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  const endMs = deps.clock.now().getTime();
  const beginningMs =
    (await readBeginning(deps, new Date(endMs - (RETURN_DAYS + 1) * dayMs)))?.getTime() ?? endMs;
  let unknownPayoutCount = 0;
  // The extra day is for a Pix that is returned on its last day: the next daily run finds it up to a day later.
  for (let daysBack = RETURN_DAYS + 1; daysBack > 0; daysBack -= 1) {
    const startMs = Math.max(endMs - daysBack * dayMs, beginningMs);
    const untilMs = endMs - (daysBack - 1) * dayMs;
    if (startMs < untilMs)
      unknownPayoutCount += await readWindow(deps, payouts, new Date(startMs), new Date(untilMs));
  }
  return unknownPayoutCount;
}

/**
 * Returns the time before which nothing that we sent from the account can be in the bank's list; undefined if nothing of
 * ours is there. At a merchant's own account this is the first withdrawal since then, because most are never withdrawn
 * from. At the operator's own it is the setup of the gateway.
 */
function readBeginning({ db, connection }: AtBank, since: Date): Promise<Date | undefined> {
  return connection.id === HOUSE_CONNECTION ? readSetupTime(db) : readFirstSentAt(db, connection.id, since);
}

/** Books what the bank's list of one window shows, and reports its unknown payouts. Returns their number. */
async function readWindow(deps: AtBank, payouts: PixPayouts, start: Date, until: Date): Promise<number> {
  const operations = withdrawalOperations(deps, payouts);
  let unknownPayoutCount = 0;
  for await (const page of payouts.listPayouts(start, until)) {
    const withdrawals = await findByIdEnvio(deps.db, deps.connection.id, page.flatMap(withdrawalKeys));
    for (const payout of page) {
      const withdrawal = withdrawals.get(payout.idEnvio);
      if (withdrawal === undefined) {
        unknownPayoutCount += await reportUnknownPayout(deps, payout);
      } else if (hasUnbookedChange(withdrawal, payout)) {
        // An entry of the list is booked like the bank's direct answer about the payout. If the entry contradicts the
        // withdrawal, for example because its money was already credited back to the merchant, `bookReply` moves no
        // money and opens an item for the operator.
        await bookReply(deps, operations, withdrawal, { is: 'answered', answer: payout });
      }
    }
  }
  return unknownPayoutCount;
}

/** The key of the payout's withdrawal, as a list for `flatMap`: empty if the idEnvio cannot be one of ours. */
function withdrawalKeys({ idEnvio }: BankPayout): { merchantId: number; idEnvio: string }[] {
  const merchantId = merchantIdFromIdEnvio(idEnvio);
  return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
}

/** Whether the bank's record of the payout shows an outcome, an amount or a return that is not booked. */
function hasUnbookedChange(withdrawal: Withdrawal, payout: BankPayout): boolean {
  if (payout.amountCents !== netCents(withdrawal)) return true;
  const isRefused = payout.status === 'refused';
  const hasOtherReturns = sumReturnedCents(payout.returned) !== withdrawal.returnedCents;
  switch (withdrawal.status) {
    case 'pending':
      // By our record nothing was sent, but the bank has the payout.
      return true;
    case 'processing':
      return payout.status !== 'processing';
    case 'completed':
      return isRefused || hasOtherReturns;
    case 'failed': {
      // A withdrawal also counts as failed if it was paid and later returned in full.
      const wasPaid = withdrawal.completedAt !== null;
      if (wasPaid) return isRefused || hasOtherReturns;
      // Otherwise the merchant was credited back because nothing was paid. Only a refused payout agrees with that.
      return !isRefused;
    }
  }
}

/**
 * Stops payouts and opens an item for the operator, because money left the account without a debit in the ledger. Does
 * neither again if the item is already open, or if an administrator has closed it. Returns 1; or 0 for a refused
 * payout, which is ignored because it moved no money, and for one that is the merchant's business.
 */
async function reportUnknownPayout(deps: AtBank, payout: BankPayout): Promise<number> {
  if (payout.status === 'refused') return 0;
  if (await isBusinessOfMerchant(deps, payout)) return 0;
  const detail = payoutDetails(payout);
  const connectionId = deps.connection.id;
  const isNewItem = await inTransaction(deps, (tx) =>
    reportPayoutNotDebited(tx, { connectionId, reference: payout.idEnvio, detail }),
  );
  if (isNewItem)
    deps.log.error({ ...detail, connectionId }, 'a Pix left the account without a debit in the ledger');
  return 1;
}
