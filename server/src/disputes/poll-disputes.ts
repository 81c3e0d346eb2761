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
/** Each window begins so long before the last one ended: a bank may list a dispute later than it opened it. */
const overlapMs = 3_600_000;
/** A long absence is read in pieces. */
const widestMs = 30 * 24 * 3_600_000;
const hintsAtOnce = 100;

/**
 * Asks the bank which disputes were opened, once a minute, and at once when it hinted at one; those that are known and
 * open are looked at by themselves when the hint is about them (`process-due-disputes.ts`). Answers of how many the bank
 * had something new to say.
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

/** Reads the last 90 days once more: what a bank lists late, or told while we could not take it. */
export async function recheckDisputes(deps: Deps): Promise<number> {
  if (deps.psp.disputes === undefined) return 0;
  const now = deps.clock.now();
  const { changed } = await readWindows(deps, new Date(now.getTime() - RETURNS_END_MS), now);
  return changed;
}

async function readNew(deps: Deps, last: DisputePoll | undefined, now: Date): Promise<number> {
  // Before the first time: no dispute that is older can still take money.
  const before = last?.until ?? new Date(now.getTime() - RETURNS_END_MS);
  const from = Math.min(before.getTime() - overlapMs, now.getTime());
  const { changed, complete } = await readWindows(deps, new Date(from), now);
  // What could not be booked is read again the next time.
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

/** Those that have ended come first: a Pix may be contested anew once the last dispute of it is over. */
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

/** One that cannot be booked must not keep the others from it. */
async function tryBooking(deps: Deps, told: BankDispute): Promise<boolean> {
  try {
    const booked = await inTransaction(deps, (tx) => bookDispute(tx, told));
    if (!booked) {
      deps.log.warn({ disputeId: told.disputeId }, 'a dispute waits for another of the same Pix to end');
      await inTransaction(deps, (tx) => makeDisputesDue(tx, [told.endToEndId]));
    }
    return booked;
  } catch (err) {
    deps.log.error({ err, disputeId: told.disputeId }, 'a dispute could not be booked');
    return false;
  }
}

/** A hint of which there is still no dispute comes up again. */
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
