import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import {
  type BankReceivedPix,
  finishNotices,
  putOffNotices,
  takeNotices,
  type WaitingNotice,
} from '../psp/index.ts';
import { settleReceived } from './settle-received.ts';
import { knownReceivedPix } from './store.ts';

const batchSize = 200;
/** Short, so that what a killed process had taken is soon worked: to ask the bank twice does no harm. */
const leaseMs = 10_000;
const questionsAtOnce = 16;
/** What the bank still denies after this long is refused. */
const denialMs = 24 * 3_600_000;

type Answer =
  | { readonly notice: WaitingNotice; readonly pix: BankReceivedPix }
  | { readonly notice: WaitingNotice; readonly pix: undefined; readonly unknown: boolean };

/**
 * Works the notices that wait: each is posted by the bank's answer to our own query, never by what it says itself.
 * Answers how many were taken; 0 means that nothing is due.
 */
export async function workNotices(deps: Deps): Promise<number> {
  const taken = await inTransaction(deps, (tx) =>
    takeNotices(tx, new Date(tx.now.getTime() + leaseMs), batchSize),
  );
  if (taken.length === 0) return 0;
  const known = await knownReceivedPix(
    deps.db,
    taken.map((notice) => notice.endToEndId),
  );
  const repeated = taken.filter((notice) => known.has(notice.endToEndId));
  const answers = await askAll(
    deps,
    taken.filter((notice) => !known.has(notice.endToEndId)),
  );
  await inTransaction(deps, async (tx) => {
    const confirmed = answers.flatMap(({ pix }) => (pix === undefined ? [] : [pix]));
    await settleReceived(tx, confirmed, deps.config.pixKey);
    const open = answers.flatMap((answer) => (answer.pix === undefined ? [answer] : []));
    const denied = open.filter(({ notice, unknown }) => !unknown && ageMs(notice, tx.now) >= denialMs);
    await finishNotices(tx, [
      ...repeated.map(({ id }) => ({ id, state: 'done' as const, outcome: 'known already' })),
      ...answers.flatMap(({ pix, notice }) =>
        pix === undefined ? [] : [{ id: notice.id, state: 'done' as const, outcome: 'confirmed' }],
      ),
      ...denied.map(({ notice }) => ({
        id: notice.id,
        state: 'refused' as const,
        outcome: 'denied by the bank',
      })),
    ]);
    await putOffNotices(
      tx,
      open
        .filter((answer) => !denied.includes(answer))
        .map(({ notice, unknown }) => ({
          id: notice.id,
          until: new Date(tx.now.getTime() + backOffMs(notice.attempts)),
          outcome: unknown ? 'the bank did not answer' : 'the bank does not know it yet',
        })),
    );
  });
  deps.outbox.wake();
  return taken.length;
}

function ageMs(notice: WaitingNotice, now: Date): number {
  return now.getTime() - notice.receivedAt.getTime();
}

/** 1 s, doubling to at most 15 minutes. */
function backOffMs(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts - 1, 10), 900_000);
}

/** Asks once for each endToEndId, however many notices speak of it. */
async function askAll(deps: Deps, notices: readonly WaitingNotice[]): Promise<Answer[]> {
  const told = [...Map.groupBy(notices, (notice) => notice.endToEndId)];
  const answers = await mapBounded(told, questionsAtOnce, async ([endToEndId, alike]) => {
    const outcome = await askBank(deps, endToEndId);
    return alike.map((notice) => ({ notice, ...outcome }));
  });
  return answers.flat();
}

type Outcome = { pix: BankReceivedPix } | { pix: undefined; unknown: boolean };

async function askBank(deps: Deps, endToEndId: string): Promise<Outcome> {
  try {
    const pix = await deps.psp.findReceivedPix(endToEndId);
    if (pix === undefined) return { pix: undefined, unknown: false };
    if (pix.endToEndId !== endToEndId) throw new Error('the bank answered with another Pix');
    return { pix };
  } catch (error) {
    deps.log.warn({ err: error, endToEndId }, 'the bank did not confirm a notice');
    return { pix: undefined, unknown: true };
  }
}
