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

/** The most notices that one process keeps in memory; more wait in the database. */
const maxInMemory = 20_000;
/** A sweep waits until fewer notices than this are in memory, then takes up to this many from the database. */
const sweepSize = 1000;
/** The same limit while the bank is unreachable. A sweep also takes only this many if it waited in vain. */
const smallSweepSize = 16;
/** A sweep waits at most this long until few notices are in memory. */
const sweepWaitMs = 5000;
const maxBatchSize = 1000;
const maxConcurrentBookings = 2;
/** Finished rows are marked as done in batches, with this pause between two: nobody waits for the mark. */
const finishPauseMs = 50;
/** A notice of a Pix that the bank still does not know after this long is refused. */
const refusedAfterMs = 24 * 3_600_000;

/** Processes notices: a bank's callbacks that a Pix was paid. */
export type NoticeProcessor = Pick<NoticeSink, 'freeCapacity' | 'take'> & {
  /**
   * Takes due notices from the database once few are in memory. After a few seconds it takes some in any case, so that
   * due notices do not starve behind a stream of new ones. Returns how many were due; 0 means that none is left.
   */
  sweep(): Promise<number>;
  /**
   * Resolves when no notice is in memory, or after the timeout; notices that are not finished by then become due again
   * in the database.
   */
  idle(timeoutMs: number): Promise<void>;
};

/**
 * Processes notices. A notice is never trusted: only the bank's response to our own query is booked.
 *
 * A notice passes three steps: it is stored before our response to the bank's callback (`psp/bacen/notice-routes.ts`),
 * confirmed with the bank (`confirm-notices.ts`), and booked. A single notice waits for nothing but the database
 * and the bank. Under load, each step batches the notices that arrived while it was busy, so that one commit and
 * one query serve hundreds.
 *
 * The process that stores notices also leases them, for ten seconds, and processes them from memory; after a crash
 * they are due again in the database. Booking is idempotent by endToEndId. A notice that cannot be booked is
 * deferred alone, and a notice for which the bank is slow delays no other.
 */
export function createNoticeProcessor(deps: Deps): NoticeProcessor {
  let noticesInMemory = 0;
  const rowIdsInMemory = new Set<number>();
  /** Called when the processing of a row has ended. */
  const rowEndListeners: (() => void)[] = [];
  const confirm = createConfirmations(deps);
  const bookings = createBatcher<BankReceivedPix, void>({
    most: maxBatchSize,
    atOnce: maxConcurrentBookings,
    work: async (confirmed) => {
      await inTransaction(deps, (tx) => settleReceived(tx, confirmed, deps.config.pixKey));
      await storeReturnHints({ db: deps.db, now: deps.clock.now() }, confirmed);
      return confirmed.map(() => undefined);
    },
  });
  const deferrals = createBatcher<DeferredNotice, void>({
    most: maxBatchSize,
    atOnce: 1,
    work: async (notices) => {
      await inTransaction(deps, (tx) => deferNotices(tx, notices));
      return notices.map(() => undefined);
    },
  });
  const finishedRows = createBatcher<InboxRow, void>({
    most: maxBatchSize,
    atOnce: 1,
    restMs: finishPauseMs,
    crowd: 1,
    work: async (rows) => {
      const ids = rows.map(({ id }) => id);
      await finishRows({ db: deps.db, now: deps.clock.now() }, ids);
      return rows.map(() => undefined);
    },
  });

  /** Books a notice's Pix. Returns the notice with the outcome that defers it, or undefined if it is booked. */
  async function processNotice(notice: WaitingNotice): Promise<DeferredNotice | undefined> {
    if (notice.isBooked) return undefined;
    const confirmation = await confirm(notice);
    if (confirmation.is !== 'confirmed') return deferralOf(notice, confirmation.is, deps.clock.now());
    try {
      await bookings.add(confirmation.pix);
      return undefined;
    } catch (err) {
      deps.log.error({ err, endToEndId: notice.endToEndId }, 'a confirmed Pix could not be booked');
      return deferralOf(notice, 'not booked', deps.clock.now());
    }
  }

  /** Processes the notices of one row. On a failure the row stays and becomes due again. */
  async function processRow(row: InboxRow, notices: readonly WaitingNotice[]): Promise<void> {
    // The lease has expired: the row is due again for any process.
    if (deps.clock.now() >= row.leasedUntil) return;
    const results = await Promise.all(notices.map(processNotice));
    const deferredNotices = results.filter((deferredNotice) => deferredNotice !== undefined);
    await Promise.all(deferredNotices.map(deferrals.add));
    // A deferred notice gets a row of its own. If it was alone in its row, it keeps that row, which is not finished.
    if (deferredNotices.length === 0 || row.size > 1) await finishedRows.add(row);
  }

  function take(notices: readonly WaitingNotice[]): void {
    noticesInMemory += notices.length;
    for (const { row } of notices) rowIdsInMemory.add(row.id);
    for (const [row, rowNotices] of Map.groupBy(notices, (notice) => notice.row)) {
      processRow(row, rowNotices)
        .catch((err: unknown) =>
          deps.log.error({ err, inboxRow: row.id }, 'notices could not be processed and will be retried'),
        )
        .finally(() => {
          noticesInMemory -= rowNotices.length;
          rowIdsInMemory.delete(row.id);
          for (const listener of rowEndListeners.splice(0)) listener();
        });
    }
  }

  async function waitForFewerThan(count: number): Promise<void> {
    while (noticesInMemory >= count) await new Promise<void>((resolve) => rowEndListeners.push(resolve));
  }

  const isBankReachable = () => deps.psp.reachable() !== false;
  return {
    freeCapacity: () => (isBankReachable() ? maxInMemory - noticesInMemory : 0),
    take,
    async sweep() {
      const limit = isBankReachable() ? sweepSize : smallSweepSize;
      const areFewInMemory = await finishesWithin(waitForFewerThan(limit), sweepWaitMs);
      const sweepLimit = areFewInMemory ? limit : smallSweepSize;
      const dueNotices = await inTransaction(deps, (tx) => takeNotices(tx, sweepLimit));
      // Rows that are still in memory are processed already; taking them again has extended their lease.
      take(dueNotices.filter(({ row }) => !rowIdsInMemory.has(row.id)));
      return dueNotices.length;
    },
    async idle(timeoutMs) {
      await finishesWithin(waitForFewerThan(1), timeoutMs);
    },
  };
}

/** Waits for the work, and returns whether it finished in time. */
function finishesWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  return pTimeout(
    work.then(() => true),
    { milliseconds, fallback: () => false },
  );
}

/** The outcomes of deferred notices, as the inbox stores them. */
const deferralOutcomes = {
  denied: 'the bank does not know it',
  unknown: 'the bank did not answer',
  'not booked': 'could not be booked',
} as const;

function deferralOf(notice: WaitingNotice, reason: keyof typeof deferralOutcomes, now: Date): DeferredNotice {
  const { receivedAt, attempts } = notice.row;
  const isRefused = reason === 'denied' && now.getTime() - receivedAt.getTime() >= refusedAfterMs;
  const until = isRefused ? undefined : new Date(now.getTime() + backOffMs(attempts));
  return { notice, outcome: deferralOutcomes[reason], until };
}

/** The pause before the next attempt: 1 s, doubling to at most 15 minutes. */
function backOffMs(attempts: number): number {
  return Math.min(1000 * 2 ** Math.min(attempts - 1, 10), 900_000);
}
