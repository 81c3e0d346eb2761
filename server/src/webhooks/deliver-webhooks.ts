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
  readLog,
  selectBreakers,
  selectDue,
  selectMerchantsWithWork,
  selectReaders,
  takeLeases,
} from './delivery-store.ts';
import { AT_ONCE, MerchantWebhooks, PAGE_SIZE, type Reading, type UnderWay } from './merchant-webhooks.ts';
import { type Finished, recordFinished } from './record-outcomes.ts';
import { CALLBACKS } from './secret-store.ts';
import { signingSecrets } from './secrets.ts';
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
  hear(payload: string): void;
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
const longestAttemptMs = 15_000;
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
  const holder = randomUUID();
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
  const gone = new Map<string, Pick<Delivery, 'merchantId'>>();
  let sending = 0;
  let finished: Finished[] = [];
  let nextSweepAt = 0;
  let loop: Loop | undefined;

  /**
   * Records the attempts that ended, then looks for more to send. Never both at once: a delivery that is read while its
   * attempt is being recorded could be sent twice.
   */
  async function recordAndLook(): Promise<number> {
    const isSweep = performance.now() >= nextSweepAt;
    await record(isSweep);
    await turnOffGone();
    if (isSweep) await sweep();
    return look();
  }

  async function sweep(): Promise<void> {
    const began = performance.now();
    for (const id of await selectMerchantsWithWork(db, holder, clock.now())) woken.add(id);
    // The slower a sweep is, the later the next one begins, so that sweeps take at most a twentieth of the time.
    nextSweepAt = performance.now() + Math.max(sweepMs, 20 * (performance.now() - began));
  }

  /** Reads work for the woken merchants and starts sending it. Returns how many merchants are left. */
  async function look(): Promise<number> {
    const now = clock.now().getTime();
    for (const [id, at] of wakeTimes)
      if (at <= now) {
        wakeTimes.delete(id);
        woken.add(id);
      }
    const renewed = [...merchants.values()].flatMap((merchant) =>
      mustBeLookedAt(merchant, now) ? [merchant.id] : [],
    );
    for (const id of renewed) woken.add(id);
    // While all places of this process are taken, nothing more could be sent, so only leases are renewed.
    const ids = (sending < AT_ONCE.process ? [...woken] : renewed).slice(0, merchantsAtOnce);
    if (ids.length === 0) return 0;
    for (const id of ids) woken.delete(id);
    try {
      await lookAt(ids);
    } catch (error) {
      for (const id of ids) woken.add(id);
      throw error;
    }
    startSome();
    return sending < AT_ONCE.process ? woken.size : 0;
  }

  /**
   * Whether a merchant with deliveries in memory must be read again, because its lease must be renewed or its endpoints
   * may have changed. Removes a merchant that has been idle for long.
   */
  function mustBeLookedAt(merchant: MerchantWebhooks, now: number): boolean {
    const age = performance.now() - merchant.lookedAt;
    if (merchant.taken.size === 0) {
      if (age > idleMs) merchants.delete(merchant.id);
      return false;
    }
    const isStale = age > staleMs && merchant.taken.size > merchant.sending;
    return isStale || merchant.leasedUntil - now < renewMs;
  }

  async function lookAt(ids: readonly number[]): Promise<void> {
    const now = clock.now();
    const leased = await lease(ids, now);
    if (leased.length === 0) return;
    const leasedIds = leased.map(({ id }) => id);
    const [readers, due] = await Promise.all([
      selectReaders(db, leasedIds),
      selectDue(db, leasedIds, now, PAGE_SIZE),
    ]);
    const readersOf = Map.groupBy(readers, ({ merchantId }) => merchantId);
    for (const merchant of leased) merchant.follow(readersOf.get(merchant.id) ?? [], now);
    await readSecrets(leased);
    const asked = leased.flatMap((merchant) =>
      merchant.readingsWithRoom(now).map((reading) => ({ merchant, reading })),
    );
    const positions = asked.map(({ merchant, reading: { receiver, reader } }) => ({
      merchantId: merchant.id,
      receiver,
      after: reader.readUntil,
    }));
    const { pages, horizon } = await readLog(db, positions, PAGE_SIZE);
    await learnBreakers(asked, pages, due);
    for (const retries of due) merchants.get(retries.merchantId)?.queueRetries(retries, now);
    for (const [index, { merchant, reading }] of asked.entries())
      merchant.queueEvents(reading, pages[index] ?? [], horizon, now);
    for (const merchant of leased) ready.add(merchant);
  }

  /** Leases merchants to this process. Returns those whose lease it holds for at least as long as an attempt takes. */
  async function lease(ids: readonly number[], now: Date): Promise<MerchantWebhooks[]> {
    const asked = ids.filter((id) => (merchants.get(id)?.leasedUntil ?? 0) - now.getTime() < renewMs);
    const until = new Date(now.getTime() + leaseMs);
    const leases = asked.length === 0 ? [] : await takeLeases(db, asked, { holder, now, until });
    const others = new Map<number, string>();
    for (const { merchantId, holder: sender, until: leasedUntil } of leases) {
      if (sender === holder) merchantOf(merchantId).leasedUntil = leasedUntil.getTime();
      else {
        others.set(merchantId, sender);
        giveUp(merchantId);
      }
    }
    await tellHolders(ids, others);
    return ids.flatMap((id) => {
      const merchant = merchants.get(id);
      if (merchant !== undefined && merchant.leasedUntil - now.getTime() > longestAttemptMs) {
        merchant.lookedAt = performance.now();
        return [merchant];
      }
      if (!others.has(id)) wakeBy(id, new Date(now.getTime() + staleMs));
      return [];
    });
  }

  /** Tells the processes that hold the leases of `others` about new webhooks, if nobody has announced these yet. */
  async function tellHolders(ids: readonly number[], others: ReadonlyMap<number, string>): Promise<void> {
    const news = [...others].filter(([id]) => unannounced.has(id));
    for (const id of ids) unannounced.delete(id);
    for (const [sender, own] of Map.groupBy(news, ([, of]) => of)) {
      const told = own.map(([id]) => id);
      await announceWork(db, told, sender);
    }
  }

  function merchantOf(id: number): MerchantWebhooks {
    const merchant =
      merchants.get(id) ??
      new MerchantWebhooks({
        id,
        onFinished: (outcome) => void finished.push(outcome),
        lookBy: (at) => (at === 'now' ? void woken.add(id) : wakeBy(id, at)),
      });
    merchants.set(id, merchant);
    return merchant;
  }

  /** Stops sending for a merchant that is leased to another process. Attempts already under way are still recorded. */
  function giveUp(id: number): void {
    const merchant = merchants.get(id);
    if (merchant === undefined) return;
    merchant.leasedUntil = 0;
    merchant.putBackAll(clock.now());
  }

  async function readSecrets(leased: readonly MerchantWebhooks[]): Promise<void> {
    const ownersOf = new Map(leased.map((merchant) => [merchant, merchant.secretOwners]));
    const secretsOf = await signingSecrets(options, [...ownersOf.values()].flat());
    for (const [merchant, owners] of ownersOf) {
      const secrets = new Map(owners.map((owner) => [owner.receiver, secretsOf(owner)]));
      merchant.secretsOf = (receiver) => secrets.get(isEndpoint(receiver) ? receiver : CALLBACKS) ?? [];
    }
  }

  /** Loads the breakers of callback origins that are new to this process, because these may be resting already. */
  async function learnBreakers(
    asked: readonly { readonly merchant: MerchantWebhooks; readonly reading: Reading }[],
    pages: readonly (readonly LoggedEvent[])[],
    due: readonly DueRetries[],
  ): Promise<void> {
    const fresh = new Map<string, { readonly merchantId: number; readonly receiver: string }>();
    const meet = (merchantId: number, receiver: string) => {
      if (!isEndpoint(receiver) && merchants.get(merchantId)?.hasMet(receiver) === false)
        fresh.set(`${merchantId} ${receiver}`, { merchantId, receiver });
    };
    for (const [index, { merchant, reading }] of asked.entries())
      if (reading.receiver === CALLBACKS)
        for (const { callbackUrl } of pages[index] ?? [])
          if (callbackUrl !== null) meet(merchant.id, new URL(callbackUrl).origin);
    for (const { merchantId, deliveries } of due)
      for (const { receiver } of deliveries) meet(merchantId, receiver);
    for (const { merchantId, receiver, breaker } of await selectBreakers(db, [...fresh.values()]))
      merchants.get(merchantId)?.setBreaker(receiver, breaker);
  }

  function wakeBy(merchantId: number, at: Date): void {
    wakeTimes.set(merchantId, Math.min(at.getTime(), wakeTimes.get(merchantId) ?? Number.POSITIVE_INFINITY));
  }

  /** Starts all deliveries that may be sent now. Merchants take turns, and so do the receivers of each merchant. */
  function startSome(): void {
    const now = clock.now();
    for (const merchant of ready) {
      if (sending >= AT_ONCE.process) return;
      ready.delete(merchant);
      if (merchant.leasedUntil - now.getTime() < longestAttemptMs) {
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

  async function send(merchant: MerchantWebhooks, underWay: UnderWay): Promise<void> {
    const { delivery } = underWay.item;
    sending += 1;
    try {
      const secrets = merchant.secretsOf(delivery.receiver);
      invariant(secrets.length > 0, 'a receiver is without a secret');
      const attempt = await attemptDelivery({ fetch, clock }, delivery, secrets);
      merchant.end(underWay, attempt, clock.now());
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent');
      merchant.end(underWay, undefined, clock.now());
      wakeBy(merchant.id, new Date(clock.now().getTime() + leaseMs));
    }
    sending -= 1;
    ready.add(merchant);
    loop?.wake();
    startSome();
  }

  /** Records the outcomes since the last call, and the cursors that moved. */
  async function record(savesAllCursors: boolean): Promise<void> {
    const batch = finished;
    const ids = savesAllCursors
      ? [...merchants.keys()]
      : new Set(batch.map(({ delivery }) => delivery.merchantId));
    // A cursor is already past every event that ended, so it may be stored only together with all their outcomes.
    const moved = [...ids].flatMap((id) => merchants.get(id)?.movedCursors() ?? []);
    if (batch.length === 0 && moved.length === 0) return;
    finished = [];
    try {
      await recordFinished(options, batch, moved);
    } catch (error) {
      finished = [...batch, ...finished];
      throw error;
    }
    for (const { saved } of moved) saved();
    for (const { delivery, attempt, state, dueAt } of batch) {
      merchants.get(delivery.merchantId)?.taken.delete(delivery.id);
      if (state === 'waiting') wakeBy(delivery.merchantId, dueAt);
      if (attempt?.status === 410 && isEndpoint(delivery.receiver)) gone.set(delivery.receiver, delivery);
    }
  }

  async function turnOffGone(): Promise<void> {
    for (const [id, { merchantId }] of gone) {
      await inTransaction(options, (tx) => turnOffWebhookEndpoint(tx, merchantId, id, 'gone'));
      gone.delete(id);
    }
  }

  function wake(merchantIds: Iterable<number>): void {
    for (const id of merchantIds) woken.add(id);
    loop?.wake();
  }

  return {
    start() {
      loop ??= repeat(log, { name: 'webhooks', everyMs, restMs, work: recordAndLook });
    },
    async sendDue() {
      nextSweepAt = 0;
      for (let left = 1; left > 0 || running.size > 0 || finished.length > 0; ) {
        left = await recordAndLook();
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
    hear(payload) {
      const { sender, merchantIds } = readWorkAnnouncement(payload);
      if (sender === holder || sender === ANY_SENDER) wake(merchantIds);
    },
    healthy: () => loop?.healthy() ?? false,
    async stop() {
      await loop?.stop();
      for (const merchant of merchants.values()) merchant.putBackAll(clock.now());
      await pTimeout(Promise.all(running), { milliseconds: partingMs, message: false });
      await fetch.close();
      await Promise.all(running);
      await record(false);
      await turnOffGone();
      await deleteLeases(db, holder);
    },
  };
}
