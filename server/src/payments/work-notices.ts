import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { gather } from '../gather.ts';
import {
  finishNotices,
  type NoticeTaker,
  putOffNotices,
  takeNotices,
  type WaitingNotice,
} from '../psp/index.ts';
import { type Confirmation, createConfirmations } from './confirm-notices.ts';
import { settleReceived } from './settle-received.ts';

/** As many as one process has in hand from their arrival on; more wait in the database. */
const mostInHand = 20_000;
/** With fewer than this in hand, as many more of those that wait are taken. */
const fewInHand = 1000;
/** Of a bank that does not answer, only as many are asked at once. */
const sweptWhenUnreachable = 16;
const bookedTogether = 500;
const bookingsAtOnce = 2;
/** What the bank still denies after this long is refused. */
const denialMs = 24 * 3_600_000;

type Answer = { readonly notice: WaitingNotice; readonly told: Confirmation | { readonly is: 'known' } };

const outcomes = {
  known: 'known already',
  confirmed: 'confirmed',
  denied: 'the bank does not know it',
  unknown: 'the bank did not answer',
} as const;

export type NoticeWork = Pick<NoticeTaker, 'room' | 'take'> & {
  /**
   * Takes some of what is due, and is fulfilled when so little of it is left in hand that more should be taken.
   * Answers how many; 0 means that nothing is due.
   */
  sweep(): Promise<number>;
  /** Fulfilled when nothing is in hand. */
  idle(): Promise<void>;
};

/**
 * Works notices: each is posted by the bank's answer to our own query, never by what it says itself.
 *
 * A notice goes three steps, each of which does together what arrives together (`gather.ts`): it is stored before the
 * bank gets its answer (`psp/bacen/notice-routes.ts`), confirmed with the bank (`confirm-notices.ts`), and booked. A
 * lone one goes through them without waiting for anything but the database and the bank; under load each step takes
 * along what came while the step before it was busy, so that one commit and one question serve hundreds.
 * Whoever stores notices takes them with it, for ten seconds, and works them from memory: what that process loses in a
 * crash is due again in the database. What was booked twice counts once (`endToEndId`). A notice that cannot be booked
 * is put off alone, and one that the bank is slow to answer delays nobody else.
 */
export function createNoticeWork(deps: Deps): NoticeWork {
  let inHand = 0;
  const waitingForEnds: (() => void)[] = [];
  const confirm = createConfirmations(deps);
  const bookings = gather<Answer, void>({
    most: bookedTogether,
    atOnce: bookingsAtOnce,
    work: async (answers) => {
      await inTransaction(deps, (tx) => book(tx, answers, deps.config.pixKey));
      deps.outbox.wake();
      return answers.map(() => undefined);
    },
  });

  async function workOne(notice: WaitingNotice): Promise<void> {
    // Too late: it is due again, and somebody else's.
    if (deps.clock.now() >= notice.takenUntil) return;
    const told = notice.known ? ({ is: 'known' } as const) : await confirm(notice);
    try {
      await bookings.add({ notice, told });
    } catch (error) {
      deps.log.error({ err: error, endToEndId: notice.endToEndId }, 'a confirmed Pix could not be booked');
      await inTransaction(deps, (tx) => putOffNotices(tx, [later(tx, notice, 'could not be booked')]));
    }
  }

  function take(notices: readonly WaitingNotice[]): void {
    inHand += notices.length;
    for (const notice of notices) {
      workOne(notice)
        .catch((err: unknown) => {
          deps.log.error({ err, endToEndId: notice.endToEndId }, 'a notice was left for later');
        })
        .finally(() => {
          inHand -= 1;
          for (const tell of waitingForEnds.splice(0)) tell();
        });
    }
  }

  async function untilFewerThan(count: number): Promise<void> {
    while (inHand >= count) await new Promise<void>((resolve) => waitingForEnds.push(resolve));
  }

  const reachable = () => deps.psp.reachable() !== false;
  return {
    room: () => (reachable() ? mostInHand - inHand : 0),
    take,
    async sweep() {
      const limit = reachable() ? fewInHand : sweptWhenUnreachable;
      const taken = await inTransaction(deps, (tx) => takeNotices(tx, limit));
      take(taken);
      await untilFewerThan(limit);
      return taken.length;
    },
    idle: () => untilFewerThan(1),
  };
}

async function book(tx: Tx, answers: readonly Answer[], ownPixKey: string): Promise<void> {
  const confirmed = answers.flatMap(({ told }) => (told.is === 'confirmed' ? [told.pix] : []));
  await settleReceived(tx, confirmed, ownPixKey);
  const isFinal = ({ notice, told: { is } }: Answer) =>
    is === 'known' || is === 'confirmed' || (is === 'denied' && ageMs(notice, tx.now) >= denialMs);
  const finished = Map.groupBy(answers.filter(isFinal), ({ told }) => told.is);
  for (const [is, these] of finished) {
    const ids = these.map(({ notice }) => notice.id);
    await finishNotices(tx, ids, is === 'denied' ? 'refused' : 'done', outcomes[is]);
  }
  const unfinished = answers.filter((answer) => !isFinal(answer));
  await putOffNotices(
    tx,
    unfinished.map(({ notice, told }) => later(tx, notice, outcomes[told.is])),
  );
}

function later(tx: Tx, { id, attempts }: WaitingNotice, outcome: string) {
  return { id, until: new Date(tx.now.getTime() + backOffMs(attempts)), outcome };
}

function ageMs(notice: WaitingNotice, now: Date): number {
  return now.getTime() - notice.receivedAt.getTime();
}

/** 1 s, doubling to at most 15 minutes. */
function backOffMs(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts - 1, 10), 900_000);
}
