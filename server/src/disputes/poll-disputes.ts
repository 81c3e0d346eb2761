import { inTransaction } from '../db/transaction.ts';
import {
  type AtBank,
  type BankDispute,
  deferHints,
  finishHints,
  HOUSE_CONNECTION,
  type LeasedHint,
  leaseHints,
} from '../psp/index.ts';
import { bookDispute } from './book-dispute.ts';
import { disputeStatusFromBank, RETURN_PERIOD_MS } from './dispute.ts';
import { findDisputedPixOf } from './disputed-pix-store.ts';
import {
  type DisputePoll,
  makeDisputesDue,
  readBankStatuses,
  readLastDisputePoll,
  saveDisputePoll,
} from './store.ts';

/** The bank is polled this often without a hint. */
const pollIntervalMs = 60_000;
/** Windows overlap by this much, because a bank may list a dispute some time after its opening. */
const overlapMs = 3_600_000;
/** The longest window. If more time has passed since the last poll, several windows are read. */
const maxWindowMs = 30 * 24 * 3_600_000;
const hintsPerRun = 100;

/**
 * Polls the bank for new disputes: once a minute, and immediately on a hint (a callback that only names a Pix whose
 * dispute to look up). A hint about a known open dispute also makes that dispute due (`process-due-disputes.ts`).
 * Returns how many disputes had changed.
 */
export async function pollDisputes(deps: AtBank): Promise<number> {
  if (deps.psp.disputes === undefined) return 0;
  const hints = await inTransaction(deps, (tx) => leaseHints(tx, deps.connection.id, 'dispute', hintsPerRun));
  const now = deps.clock.now();
  const lastPoll = await readLastDisputePoll(deps.db, deps.connection.id);
  if (hints.length === 0 && lastPoll !== undefined && now.getTime() - lastPoll.at.getTime() < pollIntervalMs)
    return 0;
  try {
    const changedCount = await bookDisputesSinceLastPoll(deps, lastPoll, now);
    await processHints(deps, hints);
    return changedCount;
  } catch (error) {
    await inTransaction(deps, (tx) => deferHints(tx, hints));
    throw error;
  }
}

/**
 * Reads the bank's list of the last 90 days again, for disputes that the bank listed late or that could not be booked
 * before. Returns how many disputes had changed.
 */
export async function rereadDisputeList(deps: AtBank): Promise<number> {
  if (deps.psp.disputes === undefined) return 0;
  const now = deps.clock.now();
  const { changedCount } = await bookListedDisputes(deps, new Date(now.getTime() - RETURN_PERIOD_MS), now);
  return changedCount;
}

async function bookDisputesSinceLastPoll(
  deps: AtBank,
  lastPoll: DisputePoll | undefined,
  now: Date,
): Promise<number> {
  // The first poll reads as far back as the bank may still take money for a dispute.
  const readUntil = lastPoll?.until ?? new Date(now.getTime() - RETURN_PERIOD_MS);
  const from = Math.min(readUntil.getTime() - overlapMs, now.getTime());
  const { changedCount, isComplete } = await bookListedDisputes(deps, new Date(from), now);
  // If a dispute could not be booked, the next poll reads the same window again.
  const poll = { at: now, until: isComplete ? now : readUntil };
  await inTransaction(deps, (tx) => saveDisputePoll(tx, deps.connection.id, poll));
  return changedCount;
}

/** The number of changed disputes, and whether all of them could be booked. */
type WindowResult = { readonly changedCount: number; readonly isComplete: boolean };

async function bookListedDisputes(deps: AtBank, from: Date, until: Date): Promise<WindowResult> {
  let changedCount = 0;
  let isComplete = true;
  for (let start = from.getTime(); start < until.getTime(); start += maxWindowMs) {
    const end = new Date(Math.min(start + maxWindowMs, until.getTime()));
    for await (const page of deps.psp.disputes?.listDisputes(new Date(start), end) ?? []) {
      const result = await bookPage(deps, page);
      changedCount += result.changedCount;
      isComplete &&= result.isComplete;
    }
  }
  return { changedCount, isComplete };
}

/**
 * Books the changed disputes of a page of the bank's list. Ended disputes come first, because a Pix may be disputed
 * again once its last dispute has ended, and only one dispute of a Pix may be open.
 */
async function bookPage(deps: AtBank, page: readonly BankDispute[]): Promise<WindowResult> {
  const storedStatuses = await readBankStatuses(deps.db, deps.connection.id, page);
  const changed = page.filter(
    (bankDispute) => storedStatuses.get(bankDispute.disputeId) !== bankDispute.status,
  );
  const open = changed.filter((bankDispute) => disputeStatusFromBank(bankDispute.status) === 'open');
  const ended = changed.filter((bankDispute) => disputeStatusFromBank(bankDispute.status) !== 'open');
  let isComplete = true;
  for (const bankDispute of [...ended, ...open]) {
    isComplete = (await tryToBook(deps, bankDispute)) && isComplete;
  }
  return { changedCount: changed.length, isComplete };
}

/**
 * Books a dispute, and returns whether it was booked. Throws nothing, because one failing dispute must not block the
 * others.
 */
async function tryToBook(deps: AtBank, bankDispute: BankDispute): Promise<boolean> {
  const connectionId = deps.connection.id;
  try {
    const booked = await inTransaction(deps, (tx) => bookDispute(tx, { ...bankDispute, connectionId }));
    if (!booked) {
      deps.log.warn(
        { disputeId: bankDispute.disputeId },
        'a dispute was not booked: another one of the same Pix is still open',
      );
      await inTransaction(deps, (tx) => makeDisputesDue(tx, connectionId, [bankDispute.endToEndId]));
    }
    return booked;
  } catch (err) {
    deps.log.error({ err, disputeId: bankDispute.disputeId }, 'a dispute could not be booked');
    return false;
  }
}

/**
 * Makes the disputes of the hinted Pix due. A hint whose Pix has no dispute here yet is tried again later, unless the Pix
 * is not booked at an account of a merchant's own, where its dispute is ignored.
 */
async function processHints(deps: AtBank, hints: readonly LeasedHint[]): Promise<void> {
  if (hints.length === 0) return;
  const { id } = deps.connection;
  const endToEndIds = hints.map(({ reference }) => reference);
  await inTransaction(deps, async (tx) => {
    const disputedPix = await makeDisputesDue(tx, id, endToEndIds);
    const bookedPix = await findDisputedPixOf(tx.db, id, endToEndIds);
    const isDone = ({ reference }: LeasedHint) =>
      disputedPix.has(reference) || (id !== HOUSE_CONNECTION && !bookedPix.has(reference));
    await finishHints(tx, hints.filter(isDone));
    await deferHints(
      tx,
      hints.filter((hint) => !isDone(hint)),
    );
  });
}
