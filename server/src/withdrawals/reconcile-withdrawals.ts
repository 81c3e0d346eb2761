import { openItem, readBeginning } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { merchantOfTxid } from '../payments/index.ts';
import type { BankPayout, PixPayouts } from '../psp/index.ts';
import { sumOf } from './book-payout-returns.ts';
import { bookPayoutReply } from './send-withdrawals.ts';
import { factsOf } from './settle-withdrawal.ts';
import { findByIdEnvio, readSentListCursor, writeSentListCursor } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** Each window begins so long before the last one ended: what the bank lists late is found. */
const overlapMs = 10 * 60_000;
/** Banks refuse windows that are too wide; a long absence is read in pieces. */
const dayMs = 24 * 3_600_000;
/** A Pix may come back within 90 days. */
const returnDays = 90;

/**
 * Reads the bank's own list of what was sent from the account since it was last read, and books what no answer and no
 * hint brought. What was sent and the books never put aside, or gave back, is put before the operator.
 * Answers how many were sent without the books.
 */
export async function reconcileWithdrawals(deps: Deps): Promise<number> {
  const { payouts } = deps.psp;
  if (payouts === undefined) return 0;
  const end = deps.clock.now();
  let from = (await readSentListCursor(deps.db)) ?? end;
  let strange = 0;
  do {
    // A clock that went back must not open a window that ends before it begins.
    const start = new Date(Math.min(from.getTime(), end.getTime()) - overlapMs);
    const until = new Date(Math.min(start.getTime() + dayMs, end.getTime()));
    strange += await readWindow(deps, payouts, start, until);
    await inTransaction(deps, (tx) => writeSentListCursor(tx, until));
    from = until;
  } while (from < end);
  return strange;
}

/**
 * Reads everything once more that may still come back: banks list a Pix by the day on which it was sent, whenever it
 * comes back. What was sent before this gateway began is none of its business. Answers how many were sent without the
 * books.
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
        await bookPayoutReply(deps, withdrawal, { is: 'answered', payout });
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

/** Nothing of ours asked for it. What did not leave after all harmed nobody. */
async function putBeforeOperator(deps: Deps, payout: BankPayout): Promise<number> {
  if (payout.status === 'refused') return 0;
  const detail = factsOf(payout);
  const opened = await inTransaction(deps, (tx) =>
    openItem(tx, { kind: 'payout-not-debited', reference: payout.idEnvio, detail }),
  );
  if (opened) deps.log.error(detail, 'a Pix left the account that the books did not debit');
  return 1;
}
