import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type BankDispute, deferHints, finishHints, type TakenHint, takeHints } from '../psp/index.ts';
import { bookDispute } from './book-dispute.ts';
import { disputeStatusFromBank, RETURNS_END_MS } from './dispute.ts';
import {
  type DisputePoll,
  knownDisputes,
  makeDisputesDue,
  readLastDisputePoll,
  saveDisputePoll,
} from './store.ts';

const everyMs = 60_000;
/** Windows overlap by this much: a bank may list a dispute later than it opened it. */
const overlapMs = 3_600_000;
/** A long gap is read in pieces. */
const widestMs = 30 * 24 * 3_600_000;
const hintsAtOnce = 100;

/**
 * Polls the bank for new disputes once a minute, and at once on a hint; a hint about a known open dispute makes that
 * one due instead (`process-due-disputes.ts`). Returns how many had changed.
 */
export async function pollDisputes(deps: Deps): Promise<number> {
  if (deps.psp.disputes === undefined) return 0;
  const hints = await inTransaction(deps, (tx) => takeHints(tx, 'dispute', hintsAtOnce));
  const now = deps.clock.now();
  const last = await readLastDisputePoll(deps.db);
  if (hints.length === 0 && last !== undefined && now.getTime() - last.at.getTime() < everyMs) return 0;
  try {
    const changed = await readNew(deps, last, now);
    await followHints(deps, hints);
    return changed;
  } catch (error) {
    await inTransaction(deps, (tx) => deferHints(tx, hints));
    throw error;
  }
}

/** Rereads the last 90 days, for disputes listed late or reported while we could not book them. */
export async function recheckDisputes(deps: Deps): Promise<number> {
  if (deps.psp.disputes === undefined) return 0;
  const now = deps.clock.now();
  const { changed } = await readWindows(deps, new Date(now.getTime() - RETURNS_END_MS), now);
  return changed;
}

async function readNew(deps: Deps, last: DisputePoll | undefined, now: Date): Promise<number> {
  // On the first run: an older dispute can no longer take money.
  const before = last?.until ?? new Date(now.getTime() - RETURNS_END_MS);
  const from = Math.min(before.getTime() - overlapMs, now.getTime());
  const { changed, complete } = await readWindows(deps, new Date(from), now);
  // What could not be booked is read again next time.
  const reading = { at: now, until: complete ? now : before };
  await inTransaction(deps, (tx) => saveDisputePoll(tx, reading));
  return changed;
}

type Reading = { readonly changed: number; readonly complete: boolean };

async function readWindows(deps: Deps, from: Date, until: Date): Promise<Reading> {
  let changed = 0;
  let complete = true;
  for (let start = from.getTime(); start < until.getTime(); start += widestMs) {
    const end = new Date(Math.min(start + widestMs, until.getTime()));
    for await (const page of deps.psp.disputes?.listDisputes(new Date(start), end) ?? []) {
      const read = await bookPage(deps, page);
      changed += read.changed;
      complete &&= read.complete;
    }
  }
  return { changed, complete };
}

/** Ended disputes first: a Pix may be disputed again once its last dispute is over. */
async function bookPage(deps: Deps, page: readonly BankDispute[]): Promise<Reading> {
  const known = await knownDisputes(deps.db, page);
  const different = page.filter((told) => known.get(told.disputeId) !== told.status);
  const open = different.filter((told) => disputeStatusFromBank(told.status) === 'open');
  const ended = different.filter((told) => disputeStatusFromBank(told.status) !== 'open');
  let complete = true;
  for (const told of [...ended, ...open]) {
    complete = (await tryBooking(deps, told)) && complete;
  }
  return { changed: different.length, complete };
}

/** A dispute that cannot be booked must not block the others. */
async function tryBooking(deps: Deps, told: BankDispute): Promise<boolean> {
  try {
    const booked = await inTransaction(deps, (tx) => bookDispute(tx, told));
    if (!booked) {
      deps.log.warn(
        { disputeId: told.disputeId },
        'a dispute was not booked: another one of the same Pix is still open',
      );
      await inTransaction(deps, (tx) => makeDisputesDue(tx, [told.endToEndId]));
    }
    return booked;
  } catch (err) {
    deps.log.error({ err, disputeId: told.disputeId }, 'a dispute could not be booked');
    return false;
  }
}

/** A hint that leads to no dispute yet is retried. */
async function followHints(deps: Deps, hints: readonly TakenHint[]): Promise<void> {
  if (hints.length === 0) return;
  await inTransaction(deps, async (tx) => {
    const there = await makeDisputesDue(
      tx,
      hints.map(({ reference }) => reference),
    );
    await finishHints(
      tx,
      hints.filter(({ reference }) => there.has(reference)),
    );
    await deferHints(
      tx,
      hints.filter(({ reference }) => !there.has(reference)),
    );
  });
}
