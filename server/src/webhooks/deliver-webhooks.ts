import { randomUUID } from 'node:crypto';
import pTimeout from 'p-timeout';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { GuardedFetch } from '../guarded-fetch/index.ts';
import { invariant } from '../invariant.ts';
import { type Loop, startLoop } from '../jobs/index.ts';
import { ANY_SENDER, announceWork, parseWorkAnnouncement } from './announce-work.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type Delivery, isEndpoint } from './delivery.ts';
import {
  type DueRetries,
  type LoggedEvent,
  readEventLog,
  selectBreakers,
  selectDueRetries,
  selectMerchantsWithWork,
  selectReaders,
} from './delivery-store.ts';
import { deleteLeases, takeLeases } from './lease-store.ts';
import {
  type DeliveryInProgress,
  MAX_CONCURRENT,
  MerchantWebhooks,
  PAGE_SIZE,
  type ReaderState,
} from './merchant-webhooks.ts';
import { type FinishedDelivery, recordFinishedDeliveries } from './record-outcomes.ts';
import { ALL_CALLBACKS } from './secret-store.ts';
import { loadOrCreateSigningSecrets } from './secrets.ts';
import { turnOffWebhookEndpoint } from './turn-off-webhook-endpoint.ts';

/*
 * How webhooks are sent. A merchant is leased to one process, and only that process sends the merchant's webhooks. For
 * each receiver (an endpoint, or the callback addresses of charges) it reads the merchant's log of events from a cursor
 * on, queues deliveries in memory (`MerchantWebhooks`), sends them, and records the outcomes in batches. A failed
 * delivery is stored and read again when its retry is due. If the process dies, its leases expire, and another process
 * continues from the stored cursors: a delivery may then be sent twice, but none is lost.
 */

export type WebhookSenderOptions = Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'> & {
  /** Used by this sender only, which closes it when it stops. */
  readonly fetch: GuardedFetch;
};

/** Sends webhooks, many at a time. Any number of processes may send from one database. */
export type WebhookSender = Pick<Loop, 'healthy' | 'stop'> & {
  start(): void;
  /** Sends the new webhooks of these merchants now, or tells the processes to which they are leased to do so. */
  wake(merchantIds: Iterable<number>): void;
  /** Looks now for webhooks of all merchants to send. */
  wakeForAll(): void;
  /** Handles an announcement of another process, received on `WEBHOOK_WORK_CHANNEL`. */
  handleAnnouncement(payload: string): void;
  /**
   * Sends everything that is due now once, and resolves when every attempt is recorded. Must not be called after
   * `start`, whose loop does the same work.
   */
  sendDue(): Promise<void>;
};

const loopIntervalMs = 500;
// Attempts that end within this time are recorded together, and merchants woken within it are read together.
const minPauseMs = 50;
const maxMerchantsPerRead = 200;
// Longer than any attempt may take, so that only a process that died or hangs loses a lease.
const leaseDurationMs = 30_000;
// A lease in use is renewed when it has less than this left, which is every 8 seconds.
const renewBelowMs = 22_000;
// No attempt begins on a lease with less than this left. It is the timeout of `GuardedFetch`.
const maxAttemptMs = 15_000;
// The sweep finds webhooks that were never announced, and those of a process that died.
const sweepIntervalMs = 10_000;
// Merchants with deliveries queued in memory are read again after this time. So a queued delivery may still be sent for
// this long after another process turned its endpoint off.
const rereadAfterMs = 500;
// A merchant without anything to send is removed from memory after this time.
const forgetIdleAfterMs = 30_000;
// On shutdown, attempts in progress have this long to end; then they are aborted, and the deliveries sent again later.
const shutdownGraceMs = 5000;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { db, clock, log, fetch } = options;
  const senderId = randomUUID();
  const merchants = new Map<number, MerchantWebhooks>();
  /** Merchants whose work must be read from the database next. */
  const idsToRead = new Set<number>();
  /** Merchants with new webhooks by commits of this process. If another process holds their lease, it is told. */
  const unannounced = new Set<number>();
  /** By merchant, the time at which something of theirs is next due, in milliseconds by the gateway's clock. */
  const wakeTimes = new Map<number, number>();
  /** Merchants that may have something to send now, in the order of their turns. */
  const ready = new Set<MerchantWebhooks>();
  const sendsInProgress = new Set<Promise<unknown>>();
  /** Endpoints that answered 410 and are to be turned off, by id. */
  const goneEndpoints = new Map<string, Pick<Delivery, 'merchantId'>>();
  let sendingCount = 0;
  let unrecorded: FinishedDelivery[] = [];
  let nextSweepAt = 0;
  let loop: Loop | undefined;

  /**
   * Records the attempts that ended, then looks for more to send. Never both at once: a delivery that is read while its
   * attempt is being recorded could be sent twice.
   */
  async function recordAndFindWork(): Promise<number> {
    const isSweepDue = performance.now() >= nextSweepAt;
    await saveProgress(isSweepDue);
    await turnOffGoneEndpoints();
    if (isSweepDue) await sweep();
    return findWork();
  }

  async function sweep(): Promise<void> {
    const startedAt = performance.now();
    for (const id of await selectMerchantsWithWork(db, senderId, clock.now())) idsToRead.add(id);
    // The slower a sweep is, the later the next one begins, so that sweeps take at most a twentieth of the time.
    nextSweepAt = performance.now() + Math.max(sweepIntervalMs, 20 * (performance.now() - startedAt));
  }

  /** Reads and starts the work of merchants in `idsToRead`. Returns how many merchants remain to be read. */
  async function findWork(): Promise<number> {
    const now = clock.now().getTime();
    for (const [id, at] of wakeTimes)
      if (at <= now) {
        wakeTimes.delete(id);
        idsToRead.add(id);
      }
    forgetIdleMerchants();
    const idsToReread = [...merchants.values()]
      .filter((merchant) => mustBeReadAgain(merchant, now))
      .map(({ id }) => id);
    for (const id of idsToReread) idsToRead.add(id);
    // While this process sends as many webhooks as it may, it could not send more. So only known merchants are read
    // again, which renews their leases.
    const candidates = sendingCount < MAX_CONCURRENT.process ? [...idsToRead] : idsToReread;
    const ids = candidates.slice(0, maxMerchantsPerRead);
    if (ids.length === 0) return 0;
    for (const id of ids) idsToRead.delete(id);
    try {
      await readWork(ids);
    } catch (error) {
      for (const id of ids) idsToRead.add(id);
      throw error;
    }
    startDeliveries();
    return sendingCount < MAX_CONCURRENT.process ? idsToRead.size : 0;
  }

  function forgetIdleMerchants(): void {
    for (const { id, unrecordedIds, lastReadAt } of merchants.values())
      if (unrecordedIds.size === 0 && performance.now() - lastReadAt > forgetIdleAfterMs)
        merchants.delete(id);
  }

  /**
   * Whether a merchant with deliveries in memory must be read again, because its lease must be renewed or its endpoints
   * may have changed.
   */
  function mustBeReadAgain(merchant: MerchantWebhooks, now: number): boolean {
    if (merchant.unrecordedIds.size === 0) return false;
    const hasUnsentDeliveries = merchant.unrecordedIds.size > merchant.sendingCount;
    const isStale = hasUnsentDeliveries && performance.now() - merchant.lastReadAt > rereadAfterMs;
    return isStale || merchant.leasedUntil - now < renewBelowMs;
  }

  async function readWork(merchantIds: readonly number[]): Promise<void> {
    const now = clock.now();
    const leased = await leaseMerchants(merchantIds, now);
    if (leased.length === 0) return;
    const leasedIds = leased.map(({ id }) => id);
    const [readers, due] = await Promise.all([
      selectReaders(db, leasedIds),
      selectDueRetries(db, leasedIds, now, PAGE_SIZE),
    ]);
    const readersOf = Map.groupBy(readers, ({ merchantId }) => merchantId);
    for (const merchant of leased) merchant.updateReaders(readersOf.get(merchant.id) ?? [], now);
    await loadSecrets(leased);
    const requests = leased.flatMap((merchant) =>
      merchant.readersWithRoom(now).map((readerState) => ({ merchant, readerState })),
    );
    const positions = requests.map(({ merchant, readerState: { receiver, reader } }) => ({
      merchantId: merchant.id,
      receiver,
      after: reader.readUntil,
    }));
    const { pages, horizon } = await readEventLog(db, positions, PAGE_SIZE);
    await loadBreakers(requests, pages, due);
    for (const retries of due) merchants.get(retries.merchantId)?.queueRetries(retries, now);
    for (const [index, { merchant, readerState }] of requests.entries())
      merchant.queueEvents(readerState, pages[index] ?? [], horizon, now);
    for (const merchant of leased) ready.add(merchant);
  }

  /** Leases merchants to this process. Returns those whose lease it holds for at least as long as an attempt takes. */
  async function leaseMerchants(ids: readonly number[], now: Date): Promise<MerchantWebhooks[]> {
    const idsToLease = ids.filter(
      (id) => (merchants.get(id)?.leasedUntil ?? 0) - now.getTime() < renewBelowMs,
    );
    const request = { holder: senderId, now, until: new Date(now.getTime() + leaseDurationMs) };
    const leases = idsToLease.length === 0 ? [] : await takeLeases(db, idsToLease, request);
    const otherHolders = new Map<number, string>();
    for (const { merchantId, holder, until } of leases) {
      if (holder === senderId) getOrCreateMerchant(merchantId).leasedUntil = until.getTime();
      else {
        otherHolders.set(merchantId, holder);
        stopSendingFor(merchantId);
      }
    }
    await announceToHolders(ids, otherHolders);
    return ids.flatMap((id) => {
      const merchant = merchants.get(id);
      if (merchant !== undefined && merchant.leasedUntil - now.getTime() > maxAttemptMs) {
        merchant.lastReadAt = performance.now();
        return [merchant];
      }
      // The lease is about to end, or another process took it at this moment: this merchant is tried again soon.
      if (!otherHolders.has(id)) wakeBy(id, new Date(now.getTime() + rereadAfterMs));
      return [];
    });
  }

  /**
   * Tells other processes which of the merchants leased to them have new webhooks by commits of this process. `ids` are
   * all merchants for which leases were just requested, `otherHolders` the holders of those leased to another process.
   */
  async function announceToHolders(
    ids: readonly number[],
    otherHolders: ReadonlyMap<number, string>,
  ): Promise<void> {
    const toAnnounce = [...otherHolders].filter(([id]) => unannounced.has(id));
    for (const id of ids) unannounced.delete(id);
    for (const [holder, entries] of Map.groupBy(toAnnounce, ([, holder]) => holder)) {
      const idsOfHolder = entries.map(([id]) => id);
      await announceWork(db, idsOfHolder, holder);
    }
  }

  function getOrCreateMerchant(id: number): MerchantWebhooks {
    const merchant =
      merchants.get(id) ??
      new MerchantWebhooks({
        id,
        onFinished: (outcome) => void unrecorded.push(outcome),
        scheduleRead: (at) => (at === 'now' ? void idsToRead.add(id) : wakeBy(id, at)),
      });
    merchants.set(id, merchant);
    return merchant;
  }

  /** Stops sending for a merchant that is leased to another process. Attempts already under way are still recorded. */
  function stopSendingFor(id: number): void {
    const merchant = merchants.get(id);
    if (merchant === undefined) return;
    merchant.leasedUntil = 0;
    merchant.emptyQueues(clock.now());
  }

  async function loadSecrets(leased: readonly MerchantWebhooks[]): Promise<void> {
    const ownersOf = new Map(leased.map((merchant) => [merchant, merchant.secretOwners]));
    const secretsOf = await loadOrCreateSigningSecrets(options, [...ownersOf.values()].flat());
    for (const [merchant, owners] of ownersOf) {
      const secrets = new Map(owners.map((owner) => [owner.receiver, secretsOf(owner)]));
      merchant.secretsOf = (receiver) => secrets.get(isEndpoint(receiver) ? receiver : ALL_CALLBACKS) ?? [];
    }
  }

  /**
   * Loads the circuit breakers of callback origins that are new to this process, because these may be paused already.
   */
  async function loadBreakers(
    requests: readonly { readonly merchant: MerchantWebhooks; readonly readerState: ReaderState }[],
    pages: readonly (readonly LoggedEvent[])[],
    due: readonly DueRetries[],
  ): Promise<void> {
    const newOrigins = new Map<string, { readonly merchantId: number; readonly receiver: string }>();
    const addIfNew = (merchantId: number, receiver: string) => {
      if (!isEndpoint(receiver) && merchants.get(merchantId)?.hasQueueFor(receiver) === false)
        newOrigins.set(`${merchantId} ${receiver}`, { merchantId, receiver });
    };
    for (const [index, { merchant, readerState }] of requests.entries())
      if (readerState.receiver === ALL_CALLBACKS)
        for (const { callbackUrl } of pages[index] ?? [])
          if (callbackUrl !== null) addIfNew(merchant.id, new URL(callbackUrl).origin);
    for (const { merchantId, deliveries } of due)
      for (const { receiver } of deliveries) addIfNew(merchantId, receiver);
    for (const { merchantId, receiver, breaker } of await selectBreakers(db, [...newOrigins.values()]))
      merchants.get(merchantId)?.setBreaker(receiver, breaker);
  }

  /** Reads the merchant's work again at this time or earlier. */
  function wakeBy(merchantId: number, at: Date): void {
    wakeTimes.set(merchantId, Math.min(at.getTime(), wakeTimes.get(merchantId) ?? Number.POSITIVE_INFINITY));
  }

  /** Starts all deliveries that may be sent now. Merchants take turns, and so do the receivers of each merchant. */
  function startDeliveries(): void {
    const now = clock.now();
    for (const merchant of ready) {
      if (sendingCount >= MAX_CONCURRENT.process) return;
      // A merchant that may have more to send is added again, after the others.
      ready.delete(merchant);
      if (merchant.leasedUntil - now.getTime() < maxAttemptMs) {
        // The lease must be renewed before anything more is sent.
        if (merchant.hasReadyDeliveries) wake([merchant.id]);
        continue;
      }
      const next = merchant.startNext(now);
      if (next === undefined) continue;
      ready.add(merchant);
      const sending = send(merchant, next).finally(() => sendsInProgress.delete(sending));
      sendsInProgress.add(sending);
    }
  }

  async function send(merchant: MerchantWebhooks, inProgress: DeliveryInProgress): Promise<void> {
    const { delivery } = inProgress.item;
    sendingCount += 1;
    try {
      const secrets = merchant.secretsOf(delivery.receiver);
      invariant(secrets.length > 0, 'a receiver is without a secret');
      const attempt = await attemptDelivery({ fetch, clock }, delivery, secrets);
      merchant.finishSending(inProgress, attempt, clock.now());
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent');
      merchant.finishSending(inProgress, undefined, clock.now());
      // The fault is not the receiver's. So this counts as no attempt, and the delivery is read again later.
      wakeBy(merchant.id, new Date(clock.now().getTime() + leaseDurationMs));
    }
    sendingCount -= 1;
    ready.add(merchant);
    loop?.wake();
    startDeliveries();
  }

  /**
   * Records the outcomes since the last call, and the moved cursors of the merchants concerned, or of all merchants in
   * memory.
   */
  async function saveProgress(shouldSaveAllCursors: boolean): Promise<void> {
    const batch = unrecorded;
    const ids = shouldSaveAllCursors
      ? [...merchants.keys()]
      : new Set(batch.map(({ delivery }) => delivery.merchantId));
    // A cursor is already past every event that ended, so it may be stored only together with all their outcomes.
    const moved = [...ids].flatMap((id) => merchants.get(id)?.movedCursors() ?? []);
    if (batch.length === 0 && moved.length === 0) return;
    unrecorded = [];
    try {
      await recordFinishedDeliveries(options, batch, moved);
    } catch (error) {
      unrecorded = [...batch, ...unrecorded];
      throw error;
    }
    for (const { markSaved } of moved) markSaved();
    for (const { delivery, attempt, state, dueAt } of batch) {
      merchants.get(delivery.merchantId)?.unrecordedIds.delete(delivery.id);
      if (state === 'waiting') wakeBy(delivery.merchantId, dueAt);
      if (attempt?.status === 410 && isEndpoint(delivery.receiver))
        goneEndpoints.set(delivery.receiver, delivery);
    }
  }

  /** Turns off the endpoints that answered 410. If this fails, it is tried again in the next run. */
  async function turnOffGoneEndpoints(): Promise<void> {
    for (const [id, { merchantId }] of goneEndpoints) {
      await inTransaction(options, (tx) => turnOffWebhookEndpoint(tx, merchantId, id, 'gone'));
      goneEndpoints.delete(id);
    }
  }

  function wake(merchantIds: Iterable<number>): void {
    for (const id of merchantIds) idsToRead.add(id);
    loop?.wake();
  }

  return {
    start() {
      loop ??= startLoop(log, {
        name: 'webhooks',
        everyMs: loopIntervalMs,
        restMs: minPauseMs,
        work: recordAndFindWork,
      });
    },
    async sendDue() {
      nextSweepAt = 0;
      for (let remaining = 1; remaining > 0 || sendsInProgress.size > 0 || unrecorded.length > 0; ) {
        remaining = await recordAndFindWork();
        await Promise.all(sendsInProgress);
      }
    },
    wake(merchantIds) {
      const ids = [...merchantIds];
      if (ids.length === 0) return;
      for (const id of ids) unannounced.add(id);
      wake(ids);
    },
    wakeForAll() {
      nextSweepAt = 0;
      loop?.wake();
    },
    handleAnnouncement(payload) {
      const { sender, merchantIds } = parseWorkAnnouncement(payload);
      if (sender === senderId || sender === ANY_SENDER) wake(merchantIds);
    },
    healthy: () => loop?.healthy() ?? false,
    async stop() {
      await loop?.stop();
      // Attempts in progress may end; nothing new is started.
      for (const merchant of merchants.values()) merchant.emptyQueues(clock.now());
      await pTimeout(Promise.all(sendsInProgress), { milliseconds: shutdownGraceMs, message: false });
      // Aborts the attempts that are still in progress.
      await fetch.close();
      await Promise.all(sendsInProgress);
      await saveProgress(false);
      await turnOffGoneEndpoints();
      // The leases end last, so that no other process sends what has yet to be recorded.
      await deleteLeases(db, senderId);
    },
  };
}
