import { setTimeout as pause } from 'node:timers/promises';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { mapBounded } from '../map-bounded.ts';
import {
  type BankReceivedPix,
  finishNotices,
  PspRefused,
  PspUnknown,
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
/** Answers that come within this time are booked together. */
const gatherMs = 200;
/** What the bank still denies after this long is refused. */
const denialMs = 24 * 3_600_000;

/** What became of the question for one endToEndId, and the notices that spoke of it. */
type Answer = { readonly notices: readonly WaitingNotice[] } & (
  | { readonly is: 'confirmed'; readonly pix: BankReceivedPix }
  | { readonly is: 'known' | 'denied' | 'unknown' }
);

const outcomes = {
  known: 'known already',
  confirmed: 'confirmed',
  denied: 'the bank does not know it',
  unknown: 'the bank did not answer',
} as const;

/**
 * Works the notices that wait: each is posted by the bank's answer to our own query, never by what it says itself.
 * Answers are booked as they come, so that a slow one delays nobody else. Answers how many were taken; 0 means that
 * nothing is due.
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
  const told = Map.groupBy(taken, (notice) => notice.endToEndId);
  const answers: Answer[] = [...told]
    .filter(([endToEndId]) => known.has(endToEndId))
    .map(([, notices]) => ({ notices, is: 'known' }));
  let asking = true;
  const asked = mapBounded(
    [...told].filter(([endToEndId]) => !known.has(endToEndId)),
    questionsAtOnce,
    async ([endToEndId, notices]) => answers.push({ notices, ...(await askBank(deps, endToEndId)) }),
  ).finally(() => {
    asking = false;
  });
  while (asking || answers.length > 0) {
    await Promise.race([asked, pause(gatherMs)]);
    await bookAnswers(deps, answers.splice(0));
  }
  return taken.length;
}

/**
 * Books answers together; when that fails each is booked alone, and the one that cannot be is put off. What one odd
 * payment breaks must not hold up the others.
 */
async function bookAnswers(deps: Deps, answers: readonly Answer[]): Promise<void> {
  if (answers.length === 0) return;
  try {
    await inTransaction(deps, (tx) => book(tx, answers, deps.config.pixKey));
    deps.outbox.wake();
  } catch (error) {
    const [only] = answers;
    if (only === undefined || answers.length > 1) {
      for (const answer of answers) await bookAnswers(deps, [answer]);
      return;
    }
    deps.log.error(
      { err: error, endToEndId: only.notices[0]?.endToEndId },
      'a confirmed Pix could not be booked',
    );
    await inTransaction(deps, (tx) => putOffNotices(tx, later(tx, only.notices, 'could not be booked')));
  }
}

async function book(tx: Tx, answers: readonly Answer[], ownPixKey: string): Promise<void> {
  const confirmed = answers.flatMap((answer) => (answer.is === 'confirmed' ? [answer.pix] : []));
  await settleReceived(tx, confirmed, ownPixKey);
  const refused = (notice: WaitingNotice) => ageMs(notice, tx.now) >= denialMs;
  await finishNotices(
    tx,
    answers.flatMap(({ notices, is }) =>
      notices
        .filter((notice) => is === 'known' || is === 'confirmed' || (is === 'denied' && refused(notice)))
        .map(
          ({ id }) => ({ id, state: is === 'denied' ? 'refused' : 'done', outcome: outcomes[is] }) as const,
        ),
    ),
  );
  await putOffNotices(
    tx,
    answers.flatMap(({ notices, is }) => {
      if (is === 'denied')
        return later(
          tx,
          notices.filter((notice) => !refused(notice)),
          outcomes[is],
        );
      return is === 'unknown' ? later(tx, notices, outcomes[is]) : [];
    }),
  );
}

function later(tx: Tx, notices: readonly WaitingNotice[], outcome: string) {
  return notices.map(({ id, attempts }) => ({
    id,
    until: new Date(tx.now.getTime() + backOffMs(attempts)),
    outcome,
  }));
}

function ageMs(notice: WaitingNotice, now: Date): number {
  return now.getTime() - notice.receivedAt.getTime();
}

/** 1 s, doubling to at most 15 minutes. */
function backOffMs(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts - 1, 10), 900_000);
}

async function askBank(
  deps: Deps,
  endToEndId: string,
): Promise<{ is: 'confirmed'; pix: BankReceivedPix } | { is: 'denied' | 'unknown' }> {
  try {
    const pix = await deps.psp.findReceivedPix(endToEndId);
    if (pix === undefined) return { is: 'denied' };
    if (pix.endToEndId !== endToEndId) throw new PspUnknown('the bank answered with another Pix');
    return { is: 'confirmed', pix };
  } catch (error) {
    deps.log.warn({ err: error, endToEndId }, 'the bank did not confirm a notice');
    // A certain no to the question itself (an id that no bank could have made) is a denial.
    return { is: error instanceof PspRefused ? 'denied' : 'unknown' };
  }
}
