import pTimeout from 'p-timeout';
import { createBatcher } from '../batcher.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  type BankReceivedPix,
  type DeferredNotice,
  deferNotices,
  finishRows,
  type InboxRow,
  type NoticeSink,
  storeReturnHints,
  takeNotices,
  type WaitingNotice,
} from '../psp/index.ts';
import { createConfirmations } from './confirm-notices.ts';
import { settleReceived } from './settle-received.ts';

/** The most notices that one process holds in memory; more wait in the database. */
const mostInHand = 20_000;
/** Below this number in memory, up to as many more are taken from the database. */
const fewInHand = 1000;
/** While the bank does not answer, at most this many are queried at once. */
const sweptWhenUnreachable = 16;
/** How long a sweep waits for the notices in memory. */
const sweepPatienceMs = 5000;
const together = 1000;
const bookingsAtOnce = 2;
/** Under load, finished rows are marked in batches at this interval: nobody waits for it. */
const finishRestMs = 50;
/** A notice still denied by the bank after this long is refused. */
const denialMs = 24 * 3_600_000;

export type NoticeProcessor = Pick<NoticeSink, 'room' | 'take'> & {
  /**
   * Takes due notices once few are in memory, and at least some after a few seconds in any case: due notices must not
   * starve behind a stream of new ones. Returns how many; 0 means that nothing is due.
   */
  sweep(): Promise<number>;
  /** Resolves when nothing is in memory, or after the timeout: the rest is still due in the table. */
  idle(patienceMs: number): Promise<void>;
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
export function createNoticeProcessor(deps: Deps): NoticeProcessor {
  let inHand = 0;
  const waitingForEnds: (() => void)[] = [];
  const rowsInHand = new Set<number>();
  const confirm = createConfirmations(deps);
  const bookings = createBatcher<BankReceivedPix, void>({
    most: together,
    atOnce: bookingsAtOnce,
    work: async (confirmed) => {
      await inTransaction(deps, (tx) => settleReceived(tx, confirmed, deps.config.pixKey));
      await storeReturnHints({ db: deps.db, now: deps.clock.now() }, confirmed);
      return confirmed.map(() => undefined);
    },
  });
  const puttingOff = createBatcher<DeferredNotice, void>({
    most: together,
    atOnce: 1,
    work: async (notices) => {
      await inTransaction(deps, (tx) => deferNotices(tx, notices));
      return notices.map(() => undefined);
    },
  });
  const finishing = createBatcher<InboxRow, void>({
    most: together,
    atOnce: 1,
    restMs: finishRestMs,
    crowd: 1,
    work: async (rows) => {
      const ids = rows.map(({ id }) => id);
      await finishRows({ db: deps.db, now: deps.clock.now() }, ids);
      return rows.map(() => undefined);
    },
  });

  /** Returns the notice with a reason to defer it, or undefined if it is done. */
  async function workOne(notice: WaitingNotice): Promise<DeferredNotice | undefined> {
    if (notice.known) return undefined;
    const told = await confirm(notice);
    if (told.is !== 'confirmed') return putOff(notice, told.is, deps.clock.now());
    try {
      await bookings.add(told.pix);
      return undefined;
    } catch (err) {
      deps.log.error({ err, endToEndId: notice.endToEndId }, 'a confirmed Pix could not be booked');
      return putOff(notice, 'not booked', deps.clock.now());
    }
  }

  /** Processes the notices of one row. On a failure the row stays and becomes due again. */
  async function workRow(row: InboxRow, notices: readonly WaitingNotice[]): Promise<void> {
    // The lease has expired: the row is due again for any process.
    if (deps.clock.now() >= row.takenUntil) return;
    const left = (await Promise.all(notices.map(workOne))).filter((one) => one !== undefined);
    await Promise.all(left.map(puttingOff.add));
    // A row with one notice was already deferred itself.
    if (left.length === 0 || row.size > 1) await finishing.add(row);
  }

  function take(notices: readonly WaitingNotice[]): void {
    inHand += notices.length;
    for (const { row } of notices) rowsInHand.add(row.id);
    for (const [row, ofRow] of Map.groupBy(notices, (notice) => notice.row)) {
      workRow(row, ofRow)
        .catch((err: unknown) =>
          deps.log.error({ err, inboxRow: row.id }, 'notices could not be processed and will be retried'),
        )
        .finally(() => {
          inHand -= ofRow.length;
          rowsInHand.delete(row.id);
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
      const soon = await inTime(untilFewerThan(limit), sweepPatienceMs);
      const taken = await inTransaction(deps, (tx) => takeNotices(tx, soon ? limit : sweptWhenUnreachable));
      // For rows still in memory here, this only extends the lease.
      take(taken.filter(({ row }) => !rowsInHand.has(row.id)));
      return taken.length;
    },
    async idle(patienceMs) {
      await inTime(untilFewerThan(1), patienceMs);
    },
  };
}

/** Whether the work finished in time. */
function inTime(work: Promise<void>, milliseconds: number): Promise<boolean> {
  return pTimeout(
    work.then(() => true),
    { milliseconds, fallback: () => false },
  );
}

const reasons = {
  denied: 'the bank does not know it',
  unknown: 'the bank did not answer',
  'not booked': 'could not be booked',
} as const;

function putOff(notice: WaitingNotice, why: keyof typeof reasons, now: Date): DeferredNotice {
  const { receivedAt, attempts } = notice.row;
  const refused = why === 'denied' && now.getTime() - receivedAt.getTime() >= denialMs;
  const until = refused ? undefined : new Date(now.getTime() + backOffMs(attempts));
  return { notice, outcome: reasons[why], until };
}

/** 1 s, doubling to at most 15 minutes. */
function backOffMs(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts - 1, 10), 900_000);
}
