import { bookReply } from '../bank-orders.ts';
import { openItem, readBeginning } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { merchantOfTxid } from '../payments/index.ts';
import type { BankPayout, PixPayouts } from '../psp/index.ts';
import { sumOf } from './book-payout-returns.ts';
import { withdrawalDesk } from './send-withdrawals.ts';
import { factsOf } from './settle-withdrawal.ts';
import { findByIdEnvio, readSentListCursor, writeSentListCursor } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** Windows overlap by this much, to catch what the bank lists late. */
const overlapMs = 10 * 60_000;
/** Banks reject windows that are too wide, so a long gap is read in pieces. */
const dayMs = 24 * 3_600_000;
/** A Pix may be returned within 90 days. */
const returnDays = 90;

/**
 * Reads the bank's list of sent Pix since the last run, and books what no response or hint reported. A Pix that the
 * ledger did not debit, or credited back, goes to the operator. Returns how many Pix were sent without the ledger.
 */
export async function reconcileWithdrawals(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  const end = deps.clock.now();
  let from = (await readSentListCursor(deps.db)) ?? end;
  let strange = 0;
  do {
    // If the clock was set back, the window must not end before it begins.
    const start = new Date(Math.min(from.getTime(), end.getTime()) - overlapMs);
    const until = new Date(Math.min(start.getTime() + dayMs, end.getTime()));
    strange += await readWindow(deps, payouts, start, until);
    await inTransaction(deps, (tx) => writeSentListCursor(tx, until));
    from = until;
  } while (from < end);
  return strange;
}

/**
 * Rereads everything that may still be returned: banks list a Pix by the day it was sent, whenever it is returned.
 * Ignores what was sent before this gateway began. Returns how many Pix were sent without the ledger.
 */
export async function rereadWithdrawals(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  const end = deps.clock.now().getTime();
  const beginning = (await readBeginning(deps.db))?.getTime() ?? end;
  let strange = 0;
  for (let back = returnDays + 1; back > 0; back -= 1) {
    const start = Math.max(end - back * dayMs, beginning);
    const until = end - (back - 1) * dayMs;
    if (start < until) strange += await readWindow(deps, payouts, new Date(start), new Date(until));
  }
  return strange;
}

async function readWindow(deps: Deps, payouts: PixPayouts, start: Date, until: Date): Promise<number> {
  let strange = 0;
  for await (const page of payouts.listPayouts(start, until)) {
    const ours = await findByIdEnvio(deps.db, page.flatMap(nameOf));
    for (const payout of page) {
      const withdrawal = ours.get(payout.idEnvio);
      if (withdrawal === undefined) strange += await putBeforeOperator(deps, payout);
      else if (hasNews(withdrawal, payout))
        await bookReply(deps, withdrawalDesk(deps, payouts), withdrawal, { is: 'answered', answer: payout });
    }
  }
  return strange;
}

function nameOf({ idEnvio }: BankPayout) {
  const merchantId = merchantOfTxid(idEnvio);
  return merchantId === undefined ? [] : [{ merchantId, idEnvio }];
}

function hasNews(withdrawal: Withdrawal, payout: BankPayout): boolean {
  const { status, returnedCents, completedAt } = withdrawal;
  if (payout.amountCents !== netCents(withdrawal) || status === 'pending') return true;
  if (status === 'processing') return payout.status !== 'processing';
  if (completedAt !== null) return payout.status === 'refused' || sumOf(payout.returned) !== returnedCents;
  return status === 'failed' && payout.status !== 'refused';
}

/** For a payout that we did not order. A refused one moved no money, so it is ignored. */
async function putBeforeOperator(deps: Deps, payout: BankPayout): Promise<number> {
  if (payout.status === 'refused') return 0;
  const detail = factsOf(payout);
  const opened = await inTransaction(deps, (tx) =>
    openItem(tx, { kind: 'payout-not-debited', reference: payout.idEnvio, detail }),
  );
  if (opened) deps.log.error(detail, 'a Pix left the account without a debit in the ledger');
  return 1;
}
