import { randomUUID } from 'node:crypto';
import pTimeout from 'p-timeout';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { GuardedFetch } from '../guarded-fetch/index.ts';
import { invariant } from '../invariant.ts';
import { type Loop, repeat } from '../jobs/index.ts';
import { ANY_SENDER, announceWork, readWorkAnnouncement } from './announce-work.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type Delivery, isEndpoint } from './delivery.ts';
import {
  type DueRetries,
  deleteLeases,
  type LoggedEvent,
  readEventLog,
  selectBreakers,
  selectDueRetries,
  selectMerchantsWithWork,
  selectReaders,
  takeLeases,
} from './delivery-store.ts';
import {
  type DeliveryInProgress,
  MAX_CONCURRENT,
  MerchantWebhooks,
  PAGE_SIZE,
  type Reading,
} from './merchant-webhooks.ts';
import { type FinishedDelivery, recordFinished } from './record-outcomes.ts';
import { ALL_CALLBACKS } from './secret-store.ts';
import { loadOrCreateSigningSecrets } from './secrets.ts';
import { turnOffWebhookEndpoint } from './turn-off-webhook-endpoint.ts';

export type WebhookSenderOptions = Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'> & {
  /** Used by this sender only, which closes it when it stops. */
  readonly fetch: GuardedFetch;
};

/** Sends webhooks, many at a time. Any number of processes may send from one database. */
export type WebhookSender = Pick<Loop, 'healthy' | 'stop'> & {
  start(): void;
  /** Looks now for webhooks of these merchants to send, or tells the process that sends for them to look. */
  wake(merchantIds: Iterable<number>): void;
  /** Looks now for webhooks of all merchants to send. */
  wakeForAll(): void;
  /** Takes an announcement of another process (from `WEBHOOK_WORK_CHANNEL`). */
  handleAnnouncement(payload: string): void;
  /**
   * Sends everything that is due now once, and resolves when every attempt is recorded. Must not be called after
   * `start`, whose loop does the same work.
   */
  sendDue(): Promise<void>;
};

const everyMs = 500;
// Attempts that end within this time are recorded together, and merchants woken within it are read together.
const restMs = 50;
const merchantsAtOnce = 200;
// Longer than any attempt may take, so that only a process that died or hangs loses a lease.
const leaseMs = 30_000;
// A lease in use is renewed when it has less than this left, which is every 8 seconds.
const renewMs = 22_000;
// No attempt begins on a lease with less than this left. It is the timeout of `GuardedFetch`.
const maxAttemptMs = 15_000;
// The sweep finds webhooks that were never announced, and those of a process that died.
const sweepMs = 10_000;
// Merchants with deliveries queued in memory are read again after this time. So a queued delivery may still be sent for
// this long after another process turned its endpoint off.
const staleMs = 500;
// A merchant without anything to send is removed from memory after this time.
const idleMs = 30_000;
// On shutdown, attempts in progress have this long to end; then they are aborted, and the deliveries sent again later.
const partingMs = 5000;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { db, clock, log, fetch } = options;
  const senderId = randomUUID();
  const merchants = new Map<number, MerchantWebhooks>();
  /** Merchants whose work must be read from the database next. */
  const woken = new Set<number>();
  /** Merchants woken by commits of this process. If another process holds their lease, it must be told. */
  const unannounced = new Set<number>();
  /** By merchant, the time at which something of theirs is next due, in milliseconds by the gateway's clock. */
  const wakeTimes = new Map<number, number>();
  /** Merchants that may have something to send now, in the order of their turns. */
  const ready = new Set<MerchantWebhooks>();
  const running = new Set<Promise<unknown>>();
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
    const isSweep = performance.now() >= nextSweepAt;
    await saveProgress(isSweep);
    await turnOffGoneEndpoints();
    if (isSweep) await sweep();
    return findWork();
  }

  async function sweep(): Promise<void> {
    const began = performance.now();
    for (const id of await selectMerchantsWithWork(db, senderId, clock.now())) woken.add(id);
    // The slower a sweep is, the later the next one begins, so that sweeps take at most a twentieth of the time.
    nextSweepAt = performance.now() + Math.max(sweepMs, 20 * (performance.now() - began));
  }

  /** Reads work for the woken merchants and starts sending it. Returns how many merchants are left. */
  async function findWork(): Promise<number> {
    const now = clock.now().getTime();
    for (const [id, at] of wakeTimes)
      if (at <= now) {
        wakeTimes.delete(id);
        woken.add(id);
      }
    const renewed = [...merchants.values()].flatMap((merchant) =>
      mustBeReadAgain(merchant, now) ? [merchant.id] : [],
    );
    for (const id of renewed) woken.add(id);
    // While all places of this process are taken, nothing more could be sent, so only leases are renewed.
    const ids = (sendingCount < MAX_CONCURRENT.process ? [...woken] : renewed).slice(0, merchantsAtOnce);
    if (ids.length === 0) return 0;
    for (const id of ids) woken.delete(id);
    try {
      await readWork(ids);
    } catch (error) {
      for (const id of ids) woken.add(id);
      throw error;
    }
    startDeliveries();
    return sendingCount < MAX_CONCURRENT.process ? woken.size : 0;
  }

  /**
   * Whether a merchant with deliveries in memory must be read again, because its lease must be renewed or its endpoints
   * may have changed. Removes a merchant that has been idle for long.
   */
  function mustBeReadAgain(merchant: MerchantWebhooks, now: number): boolean {
    const age = performance.now() - merchant.lastReadAt;
    if (merchant.unrecordedIds.size === 0) {
      if (age > idleMs) merchants.delete(merchant.id);
      return false;
    }
    const isStale = age > staleMs && merchant.unrecordedIds.size > merchant.sendingCount;
    return isStale || merchant.leasedUntil - now < renewMs;
  }

  async function readWork(ids: readonly number[]): Promise<void> {
    const now = clock.now();
    const leased = await lease(ids, now);
    if (leased.length === 0) return;
    const leasedIds = leased.map(({ id }) => id);
    const [readers, due] = await Promise.all([
      selectReaders(db, leasedIds),
      selectDueRetries(db, leasedIds, now, PAGE_SIZE),
    ]);
    const readersOf = Map.groupBy(readers, ({ merchantId }) => merchantId);
    for (const merchant of leased) merchant.updateReaders(readersOf.get(merchant.id) ?? [], now);
    await readSecrets(leased);
    const requests = leased.flatMap((merchant) =>
      merchant.readingsWithRoom(now).map((reading) => ({ merchant, reading })),
    );
    const positions = requests.map(({ merchant, reading: { receiver, reader } }) => ({
      merchantId: merchant.id,
      receiver,
      after: reader.readUntil,
    }));
    const { pages, horizon } = await readEventLog(db, positions, PAGE_SIZE);
    await loadBreakers(requests, pages, due);
    for (const retries of due) merchants.get(retries.merchantId)?.queueRetries(retries, now);
    for (const [index, { merchant, reading }] of requests.entries())
      merchant.queueEvents(reading, pages[index] ?? [], horizon, now);
    for (const merchant of leased) ready.add(merchant);
  }

  /** Leases merchants to this process. Returns those whose lease it holds for at least as long as an attempt takes. */
  async function lease(ids: readonly number[], now: Date): Promise<MerchantWebhooks[]> {
    const idsToLease = ids.filter((id) => (merchants.get(id)?.leasedUntil ?? 0) - now.getTime() < renewMs);
    const until = new Date(now.getTime() + leaseMs);
    const leases =
      idsToLease.length === 0 ? [] : await takeLeases(db, idsToLease, { holder: senderId, now, until });
    const otherHolders = new Map<number, string>();
    for (const { merchantId, holder: sender, until: leasedUntil } of leases) {
      if (sender === senderId) merchantOf(merchantId).leasedUntil = leasedUntil.getTime();
      else {
        otherHolders.set(merchantId, sender);
        stopSendingFor(merchantId);
      }
    }
    await notifyHolders(ids, otherHolders);
    return ids.flatMap((id) => {
      const merchant = merchants.get(id);
      if (merchant !== undefined && merchant.leasedUntil - now.getTime() > maxAttemptMs) {
        merchant.lastReadAt = performance.now();
        return [merchant];
      }
      if (!otherHolders.has(id)) wakeBy(id, new Date(now.getTime() + staleMs));
      return [];
    });
  }

  /** Tells the processes that hold the leases of `others` about new webhooks, if nobody has announced these yet. */
  async function notifyHolders(
    ids: readonly number[],
    otherHolders: ReadonlyMap<number, string>,
  ): Promise<void> {
    const unannouncedByHolder = [...otherHolders].filter(([id]) => unannounced.has(id));
    for (const id of ids) unannounced.delete(id);
    for (const [sender, own] of Map.groupBy(unannouncedByHolder, ([, of]) => of)) {
      const idsOfHolder = own.map(([id]) => id);
      await announceWork(db, idsOfHolder, sender);
    }
  }

  function merchantOf(id: number): MerchantWebhooks {
    const merchant =
      merchants.get(id) ??
      new MerchantWebhooks({
        id,
        onFinished: (outcome) => void unrecorded.push(outcome),
        scheduleRead: (at) => (at === 'now' ? void woken.add(id) : wakeBy(id, at)),
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

  async function readSecrets(leased: readonly MerchantWebhooks[]): Promise<void> {
    const ownersOf = new Map(leased.map((merchant) => [merchant, merchant.secretOwners]));
    const secretsOf = await loadOrCreateSigningSecrets(options, [...ownersOf.values()].flat());
    for (const [merchant, owners] of ownersOf) {
      const secrets = new Map(owners.map((owner) => [owner.receiver, secretsOf(owner)]));
      merchant.secretsOf = (receiver) => secrets.get(isEndpoint(receiver) ? receiver : ALL_CALLBACKS) ?? [];
    }
  }

  /** Loads the breakers of callback origins that are new to this process, because these may be resting already. */
  async function loadBreakers(
    requests: readonly { readonly merchant: MerchantWebhooks; readonly reading: Reading }[],
    pages: readonly (readonly LoggedEvent[])[],
    due: readonly DueRetries[],
  ): Promise<void> {
    const newOrigins = new Map<string, { readonly merchantId: number; readonly receiver: string }>();
    const addIfNew = (merchantId: number, receiver: string) => {
      if (!isEndpoint(receiver) && merchants.get(merchantId)?.hasQueueFor(receiver) === false)
        newOrigins.set(`${merchantId} ${receiver}`, { merchantId, receiver });
    };
    for (const [index, { merchant, reading }] of requests.entries())
      if (reading.receiver === ALL_CALLBACKS)
        for (const { callbackUrl } of pages[index] ?? [])
          if (callbackUrl !== null) addIfNew(merchant.id, new URL(callbackUrl).origin);
    for (const { merchantId, deliveries } of due)
      for (const { receiver } of deliveries) addIfNew(merchantId, receiver);
    for (const { merchantId, receiver, breaker } of await selectBreakers(db, [...newOrigins.values()]))
      merchants.get(merchantId)?.setBreaker(receiver, breaker);
  }

  function wakeBy(merchantId: number, at: Date): void {
    wakeTimes.set(merchantId, Math.min(at.getTime(), wakeTimes.get(merchantId) ?? Number.POSITIVE_INFINITY));
  }

  /** Starts all deliveries that may be sent now. Merchants take turns, and so do the receivers of each merchant. */
  function startDeliveries(): void {
    const now = clock.now();
    for (const merchant of ready) {
      if (sendingCount >= MAX_CONCURRENT.process) return;
      ready.delete(merchant);
      if (merchant.leasedUntil - now.getTime() < maxAttemptMs) {
        if (merchant.hasReady) wake([merchant.id]);
        continue;
      }
      const next = merchant.startNext(now);
      if (next === undefined) continue;
      ready.add(merchant);
      const sent = send(merchant, next).finally(() => running.delete(sent));
      running.add(sent);
    }
  }

  async function send(merchant: MerchantWebhooks, underWay: DeliveryInProgress): Promise<void> {
    const { delivery } = underWay.item;
    sendingCount += 1;
    try {
      const secrets = merchant.secretsOf(delivery.receiver);
      invariant(secrets.length > 0, 'a receiver is without a secret');
      const attempt = await attemptDelivery({ fetch, clock }, delivery, secrets);
      merchant.finishSending(underWay, attempt, clock.now());
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent');
      merchant.finishSending(underWay, undefined, clock.now());
      wakeBy(merchant.id, new Date(clock.now().getTime() + leaseMs));
    }
    sendingCount -= 1;
    ready.add(merchant);
    loop?.wake();
    startDeliveries();
  }

  /** Records the outcomes since the last call, and the cursors that moved. */
  async function saveProgress(savesAllCursors: boolean): Promise<void> {
    const batch = unrecorded;
    const ids = savesAllCursors
      ? [...merchants.keys()]
      : new Set(batch.map(({ delivery }) => delivery.merchantId));
    // A cursor is already past every event that ended, so it may be stored only together with all their outcomes.
    const moved = [...ids].flatMap((id) => merchants.get(id)?.movedCursors() ?? []);
    if (batch.length === 0 && moved.length === 0) return;
    unrecorded = [];
    try {
      await recordFinished(options, batch, moved);
    } catch (error) {
      unrecorded = [...batch, ...unrecorded];
      throw error;
    }
    for (const { saved } of moved) saved();
    for (const { delivery, attempt, state, dueAt } of batch) {
      merchants.get(delivery.merchantId)?.unrecordedIds.delete(delivery.id);
      if (state === 'waiting') wakeBy(delivery.merchantId, dueAt);
      if (attempt?.status === 410 && isEndpoint(delivery.receiver))
        goneEndpoints.set(delivery.receiver, delivery);
    }
  }

  async function turnOffGoneEndpoints(): Promise<void> {
    for (const [id, { merchantId }] of goneEndpoints) {
      await inTransaction(options, (tx) => turnOffWebhookEndpoint(tx, merchantId, id, 'gone'));
      goneEndpoints.delete(id);
    }
  }

  function wake(merchantIds: Iterable<number>): void {
    for (const id of merchantIds) woken.add(id);
    loop?.wake();
  }

  return {
    start() {
      loop ??= repeat(log, { name: 'webhooks', everyMs, restMs, work: recordAndFindWork });
    },
    async sendDue() {
      nextSweepAt = 0;
      for (let left = 1; left > 0 || running.size > 0 || unrecorded.length > 0; ) {
        left = await recordAndFindWork();
        await Promise.all(running);
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
      const { sender, merchantIds } = readWorkAnnouncement(payload);
      if (sender === senderId || sender === ANY_SENDER) wake(merchantIds);
    },
    healthy: () => loop?.healthy() ?? false,
    async stop() {
      await loop?.stop();
      for (const merchant of merchants.values()) merchant.emptyQueues(clock.now());
      await pTimeout(Promise.all(running), { milliseconds: partingMs, message: false });
      await fetch.close();
      await Promise.all(running);
      await saveProgress(false);
      await turnOffGoneEndpoints();
      await deleteLeases(db, senderId);
    },
  };
}
