import { inTransaction } from '../db/transaction.ts';
import { type AtBank, type BankReceivedPix, storeNotices, storeReturnHints } from '../psp/index.ts';
import { findBookedIds, readReconciledUntil, writeReconciledUntil } from './received-store.ts';
import { settleReceived } from './settle-received.ts';

/** Each window of time begins this much before the end of the previous one, so that Pix are usually read twice. */
const overlapMs = 20_000;
/**
 * Once in this interval, a window begins two intervals before the end of the previous one, to find Pix that the bank
 * lists up to five minutes late.
 */
const deepIntervalMs = 5 * 60_000;
/** Banks reject windows that are too wide, so a long gap is read in pieces. */
const maxWindowMs = 24 * 3_600_000;

/**
 * Polls the bank's list of received Pix and books those that no notice (a bank's callback about a payment)
 * reported. The list is read in overlapping windows of time, each to its last page. Every Pix is read about four
 * times: twice soon after it was paid, twice by windows that reach back ten minutes. Returns the number of Pix
 * booked.
 */
export async function reconcilePayments(deps: AtBank): Promise<number> {
  const end = deps.clock.now();
  let previousEnd = await readReconciledUntil(deps.db, deps.connection.id);
  let bookedCount = 0;
  do {
    // If the clock was set back, the window must not end before it begins.
    const previousEndMs = Math.min((previousEnd ?? end).getTime(), end.getTime());
    const reachBackMs = isFirstOfInterval(previousEnd, end) ? 2 * deepIntervalMs : overlapMs;
    const start = new Date(previousEndMs - reachBackMs);
    const until = new Date(Math.min(start.getTime() + maxWindowMs, end.getTime()));
    bookedCount += await bookMissingPixInWindow(deps, start, until);
    await inTransaction(deps, (tx) => writeReconciledUntil(tx, deps.connection.id, until));
    previousEnd = until;
  } while (previousEnd < end);
  return bookedCount;
}

/**
 * Whether this is the first window of a five-minute interval. Intervals follow the time of day, so that all processes
 * agree on them, also after a restart.
 */
function isFirstOfInterval(previousEnd: Date | undefined, end: Date): boolean {
  const intervalOf = (time: Date) => Math.floor(time.getTime() / deepIntervalMs);
  return previousEnd === undefined || intervalOf(previousEnd) !== intervalOf(end);
}

/**
 * Reads the bank's list of one window of time, books the Pix that are missing from our books, and stores a hint for
 * each return. Returns the number of Pix booked.
 */
async function bookMissingPixInWindow(deps: AtBank, start: Date, until: Date): Promise<number> {
  let bookedCount = 0;
  for await (const page of deps.psp.listReceivedPix(start, until)) {
    const bookedIds = await findBookedIds(
      deps.db,
      deps.connection.id,
      page.map((pix) => pix.endToEndId),
    );
    const missing = page.filter((pix) => !bookedIds.has(pix.endToEndId));
    if (missing.length > 0) bookedCount += await bookListedPix(deps, missing);
    await storeReturnHints({ db: deps.db, now: deps.clock.now() }, deps.connection.id, page);
  }
  if (bookedCount > 0)
    deps.log.info(
      { found: bookedCount, start, until },
      'reconciliation booked Pix that no notice had reported',
    );
  return bookedCount;
}

/**
 * Books listed Pix that no notice reported, and returns how many. If they cannot be booked together, returns 0 and
 * stores each as a notice, to be processed alone later.
 */
export async function bookListedPix(deps: AtBank, missing: readonly BankReceivedPix[]): Promise<number> {
  try {
    const { credited, suspense } = await inTransaction(deps, (tx) =>
      settleReceived(tx, missing, deps.connection),
    );
    return credited + suspense;
  } catch (error) {
    deps.log.error({ err: error }, 'received Pix could not be booked together');
    const notices = missing.map(({ endToEndId, paidAt }) => ({
      endToEndId,
      claimedAt: paidAt,
      told: { foundBy: 'reconciliation' },
    }));
    await inTransaction(deps, (tx) => storeNotices(tx, [{ connectionId: deps.connection.id, notices }]));
    return 0;
  }
}

/**
 * Reads the list of the last two days again, because a bank may list a Pix so late that no overlapping window covers
 * it. Returns the number of Pix booked.
 */
export async function rereadReceived(deps: AtBank): Promise<number> {
  const endMs = deps.clock.now().getTime();
  let bookedCount = 0;
  for (const windowsBack of [2, 1]) {
    const startMs = endMs - windowsBack * maxWindowMs;
    bookedCount += await bookMissingPixInWindow(deps, new Date(startMs), new Date(startMs + maxWindowMs));
  }
  return bookedCount;
}
