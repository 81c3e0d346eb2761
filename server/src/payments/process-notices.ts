import pTimeout from 'p-timeout';
import { createBatcher } from '../batcher.ts';
import { isDatabaseOutage } from '../db/outage.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import {
  atBank,
  type DeferredNotice,
  deferNotices,
  findConnectionsWithDueNotices,
  finishInboxRows,
  HOUSE_CONNECTION,
  type InboxRow,
  type LeasedNotice,
  leaseNotices,
  type NoticeSink,
  storeReturnHints,
} from '../psp/index.ts';
import { createNoticeConfirmer } from './confirm-notices.ts';
import type { PixAtAccount } from './received-store.ts';
import { settleAtAccounts } from './settle-received.ts';

/** The most notices that one process keeps in memory; more wait in the database. */
const maxInMemory = 20_000;
/** A sweep waits until fewer notices than this are in memory, then takes up to this many from the database. */
const sweepSize = 1000;
/**
 * Replaces `sweepSize` while the bank is unreachable: enough to notice that the bank responds again. A sweep that
 * waited in vain also takes only this many.
 */
const smallSweepSize = 16;
/** The sweep of one bank waits at most this long until few notices are in memory. */
const sweepWaitMs = 5000;
/** A sweep waits at most this long for one bank, so that a slow one does not delay the notices of the others. */
const sweepPatienceMs = 500;
const maxBatchSize = 1000;
const maxConcurrentBookings = 2;
/** The pause between two batches of rows that are marked as done. Nobody waits for the mark. */
const finishPauseMs = 50;
/** A notice is refused if the bank still does not know its Pix this long after we received the notice. */
const refusedAfterMs = 24 * 3_600_000;

/** Processes notices: a bank's callbacks that a Pix was paid. */
export type NoticeProcessor = Pick<NoticeSink, 'freeCapacity' | 'take'> & {
  /**
   * Takes due notices from the database as soon as few are in memory. After a few seconds, takes some in any case, so
   * that a stream of new notices does not starve those that are due. Returns how many it took; 0 if none was due.
   */
  sweep(): Promise<number>;
  /**
   * Resolves when no notice is in memory, or after the timeout. Notices that are unfinished then become due again in
   * the database.
   */
  waitUntilIdle(timeoutMs: number): Promise<void>;
};

/** Processes the notices of one bank. */
type BankNoticeProcessor = Omit<NoticeProcessor, 'freeCapacity'> & { freeCapacity(): number };

/**
 * Processes the notices of all banks, each on its own: one that is slow or silent fills no other's memory. What they
 * confirm at the same time is booked together.
 */
export function createNoticeProcessor(deps: Deps): NoticeProcessor {
  const processors = new Map<number, BankNoticeProcessor>();
  const sweeps = new Map<number, Promise<number>>();
  const writes = createNoticeWrites(deps);

  function at(connectionId: number): BankNoticeProcessor {
    const processor = processors.get(connectionId) ?? createBankNoticeProcessor(deps, writes, connectionId);
    processors.set(connectionId, processor);
    return processor;
  }

  function startSweep(connectionId: number): Promise<number> {
    const sweep = at(connectionId)
      .sweep()
      .catch((err: unknown) => {
        // A fault of one account, such as credentials that cannot be opened, stops the notices of no other.
        if (connectionId === HOUSE_CONNECTION || isDatabaseOutage(err)) throw err;
        deps.log.error({ err, connectionId }, 'the notices of an account could not be processed');
        return 0;
      })
      .finally(() => sweeps.delete(connectionId));
    sweeps.set(connectionId, sweep);
    return pTimeout(sweep, { milliseconds: sweepPatienceMs, fallback: () => 0 });
  }

  return {
    freeCapacity: (connectionId) => at(connectionId).freeCapacity(),
    take(notices) {
      for (const [id, ofBank] of Map.groupBy(notices, ({ row }) => row.connectionId)) at(id).take(ofBank);
    },
    async sweep() {
      const due = await findConnectionsWithDueNotices({ db: deps.db, now: deps.clock.now() });
      const idle = due.filter((id) => !sweeps.has(id) && deps.banks.find(id) !== undefined);
      const counts = await Promise.all(idle.map(startSweep));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    async waitUntilIdle(timeoutMs) {
      await Promise.allSettled(sweeps.values());
      await Promise.all([...processors.values()].map((processor) => processor.waitUntilIdle(timeoutMs)));
    },
  };
}

/** The writes about the notices of all banks: booked Pix, deferred notices, and rows that are done. */
type NoticeWrites = {
  book(pix: PixAtAccount): Promise<void>;
  defer(notice: DeferredNotice): Promise<void>;
  finish(row: InboxRow): Promise<void>;
};

/** Writes together what arrives together, whichever bank it comes from: merchants' own accounts may be many. */
function createNoticeWrites(deps: Deps): NoticeWrites {
  const bookings = createBatcher<PixAtAccount, void>({
    maxBatchSize,
    maxConcurrentRuns: maxConcurrentBookings,
    work: async (confirmed) => {
      await inTransaction(deps, (tx) => settleAtAccounts(tx, confirmed));
      const withReturns = confirmed.filter(({ returns }) => returns.length > 0);
      for (const [id, ofAccount] of Map.groupBy(withReturns, ({ account }) => account.id))
        await storeReturnHints({ db: deps.db, now: deps.clock.now() }, id, ofAccount);
      // A batcher demands one result for each item, also where there is nothing to return.
      return confirmed.map(() => undefined);
    },
  });
  const deferrals = createBatcher<DeferredNotice, void>({
    maxBatchSize,
    maxConcurrentRuns: 1,
    work: async (notices) => {
      await inTransaction(deps, (tx) => deferNotices(tx, notices));
      return notices.map(() => undefined);
    },
  });
  const finishedRows = createBatcher<InboxRow, void>({
    maxBatchSize,
    maxConcurrentRuns: 1,
    pauseMs: finishPauseMs,
    pauseFromBatchSize: 1,
    work: async (rows) => {
      const ids = rows.map(({ id }) => id);
      await finishInboxRows({ db: deps.db, now: deps.clock.now() }, ids);
      return rows.map(() => undefined);
    },
  });
  return { book: bookings.add, defer: deferrals.add, finish: finishedRows.add };
}

/**
 * Processes notices. A notice is never trusted: only the bank's response to our own query is booked.
 *
 * A notice passes three steps: it is stored before we respond to the bank's callback (`psp/bacen/notice-routes.ts`),
 * confirmed with the bank (`confirm-notices.ts`), and booked. A single notice waits for nothing but the database and
 * the bank. Under load, each step batches the notices that arrived while it was busy, so that one commit and one query
 * serve hundreds.
 *
 * A row of the inbox stores the notices that arrived together. The process that stores a row also leases it, for ten
 * seconds, and processes its notices from memory; after a crash the lease expires and any process can take the row from
 * the database. Booking is idempotent by connection and endToEndId, the nationwide id of a Pix. A notice that cannot be
 * booked is deferred alone, and a notice for which the bank is slow delays no other.
 */
function createBankNoticeProcessor(
  deps: Deps,
  writes: NoticeWrites,
  connectionId: number,
): BankNoticeProcessor {
  // Read for each call, because new credentials connect the bank anew and its old connection is closed.
  const bankNow = () => atBank(deps, connectionId);
  let noticesInMemory = 0;
  const rowIdsInMemory = new Set<number>();
  /** Called when the processing of a row has ended. */
  const rowEndListeners: (() => void)[] = [];
  const confirm = createNoticeConfirmer(bankNow);
  /**
   * Confirms a notice and books its Pix. Returns undefined if the Pix is booked, and otherwise how to defer the notice.
   */
  async function processNotice(notice: LeasedNotice): Promise<DeferredNotice | undefined> {
    if (notice.isBooked) return undefined;
    const confirmation = await confirm(notice);
    if (confirmation.is !== 'confirmed') return deferralOf(notice, confirmation.is, deps.clock.now());
    try {
      await writes.book({ ...confirmation.pix, account: bankNow().connection });
      return undefined;
    } catch (err) {
      deps.log.error({ err, endToEndId: notice.endToEndId }, 'a confirmed Pix could not be booked');
      return deferralOf(notice, 'not booked', deps.clock.now());
    }
  }

  /** Processes the notices of one row. On a failure the row stays and becomes due again. */
  async function processRow(row: InboxRow, notices: readonly LeasedNotice[]): Promise<void> {
    // After the lease has expired, another process may have taken the row.
    if (deps.clock.now() >= row.leasedUntil) return;
    const results = await Promise.all(notices.map(processNotice));
    const deferredNotices = results.filter((deferredNotice) => deferredNotice !== undefined);
    await Promise.all(deferredNotices.map(writes.defer));
    // A deferred notice that shared its row is copied to a new row, so the shared row is finished. A deferred notice
    // that was alone stays in its row, which must remain unfinished.
    if (deferredNotices.length === 0 || row.size > 1) await writes.finish(row);
  }

  function take(notices: readonly LeasedNotice[]): void {
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

  const isBankReachable = () => bankNow().psp.reachable() !== false;
  return {
    freeCapacity: () => (isBankReachable() ? maxInMemory - noticesInMemory : 0),
    take,
    async sweep() {
      const limit = isBankReachable() ? sweepSize : smallSweepSize;
      const areFewInMemory = await finishesWithin(waitForFewerThan(limit), sweepWaitMs);
      const sweepLimit = areFewInMemory ? limit : smallSweepSize;
      const dueNotices = await inTransaction(deps, (tx) => leaseNotices(tx, connectionId, sweepLimit));
      // Rows in memory are being processed already and must not be taken twice; their leases have just been extended.
      take(dueNotices.filter(({ row }) => !rowIdsInMemory.has(row.id)));
      return dueNotices.length;
    },
    async waitUntilIdle(timeoutMs) {
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

/** The reasons for deferring a notice, with the text that the inbox stores for each. */
const deferralOutcomes = {
  denied: 'the bank does not know it',
  unknown: 'the bank did not answer',
  'not booked': 'could not be booked',
} as const;

function deferralOf(notice: LeasedNotice, reason: keyof typeof deferralOutcomes, now: Date): DeferredNotice {
  const { receivedAt, attempts } = notice.row;
  const isRefused = reason === 'denied' && now.getTime() - receivedAt.getTime() >= refusedAfterMs;
  // A refused notice is not tried again.
  const retryAt = isRefused ? undefined : new Date(now.getTime() + backOffMs(attempts));
  return { notice, outcome: deferralOutcomes[reason], retryAt };
}

/** The pause before the next attempt: 1 s, doubling to at most 15 minutes. */
function backOffMs(attempts: number): number {
  return Math.min(1000 * 2 ** (attempts - 1), 900_000);
}
