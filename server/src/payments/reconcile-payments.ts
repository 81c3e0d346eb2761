import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type BankReceivedPix, storeNotices, storeReturnHints } from '../psp/index.ts';
import { knownReceivedPix } from './received-store.ts';
import { settleReceived } from './settle-received.ts';
import { readReconciledUntil, writeReconciledUntil } from './store.ts';

/** Windows overlap by this much. */
const overlapMs = 20_000;
/** Once per this interval a window reaches back twice as far, to catch what the bank lists up to five minutes late. */
const deepEveryMs = 5 * 60_000;
/** Banks reject windows that are too wide, so a long gap is read in pieces. */
const widestMs = 24 * 3_600_000;

/**
 * Polls the bank's list of received Pix and books those that no notice reported, in overlapping windows, each read to
 * its last page. Every Pix is read about four times: twice soon after it was paid, twice by windows that reach back
 * ten minutes. Returns how many Pix were booked that no notice had reported.
 */
export async function reconcilePayments(deps: Deps): Promise<number> {
  const end = deps.clock.now();
  let from = await readReconciledUntil(deps.db);
  let found = 0;
  do {
    // If the clock was set back, the window must not end before it begins.
    const last = Math.min((from ?? end).getTime(), end.getTime());
    const start = new Date(last - (isDeep(from, end) ? 2 * deepEveryMs : overlapMs));
    const until = new Date(Math.min(start.getTime() + widestMs, end.getTime()));
    found += await readWindow(deps, start, until);
    await inTransaction(deps, (tx) => writeReconciledUntil(tx, until));
    from = until;
  } while (from < end);
  return found;
}

/** The first window of each five minutes by the clock, so that processes and restarts agree on it. */
function isDeep(last: Date | undefined, end: Date): boolean {
  const stretch = (at: Date) => Math.floor(at.getTime() / deepEveryMs);
  return last === undefined || stretch(last) !== stretch(end);
}

async function readWindow(deps: Deps, start: Date, until: Date): Promise<number> {
  let found = 0;
  for await (const page of deps.psp.listReceivedPix(start, until)) {
    const known = await knownReceivedPix(
      deps.db,
      page.map((pix) => pix.endToEndId),
    );
    const missing = page.filter((pix) => !known.has(pix.endToEndId));
    if (missing.length > 0) found += await bookListed(deps, missing);
    await storeReturnHints({ db: deps.db, now: deps.clock.now() }, page);
  }
  if (found > 0)
    deps.log.info({ found, start, until }, 'reconciliation booked Pix that no notice had reported');
  return found;
}

/** Books listed Pix that no notice reported; if the batch fails, each becomes a notice and is processed alone. */
export async function bookListed(deps: Deps, missing: readonly BankReceivedPix[]): Promise<number> {
  try {
    const { credited, suspense } = await inTransaction(deps, (tx) =>
      settleReceived(tx, missing, deps.config.pixKey),
    );
    return credited + suspense;
  } catch (error) {
    deps.log.error({ err: error }, 'received Pix could not be booked together');
    const notices = missing.map(({ endToEndId, paidAt }) => ({
      endToEndId,
      claimedAt: paidAt,
      told: { foundBy: 'reconciliation' },
    }));
    await inTransaction(deps, (tx) => storeNotices(tx, notices));
    return 0;
  }
}

/** Rereads the last two days: a bank may list a Pix later than the overlap reaches. Returns how many were booked. */
export async function rereadReceived(deps: Deps): Promise<number> {
  const end = deps.clock.now().getTime();
  let found = 0;
  for (const back of [2, 1]) {
    const start = end - back * widestMs;
    found += await readWindow(deps, new Date(start), new Date(start + widestMs));
  }
  return found;
}
