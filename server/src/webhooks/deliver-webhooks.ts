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
  /** Owned by the sender, which closes it on stop. */
  readonly fetch: GuardedFetch;
};

/** Sends webhooks, many at a time. Any number of processes may send from one database. */
export type WebhookSender = Pick<Loop, 'healthy' | 'stop'> & {
  start(): void;
  /** Looks now for what these merchants have to send, or tells the process that sends for them. */
  wake(merchantIds: Iterable<number>): void;
  /** Looks now for what any merchant has to send. */
  wakeForAll(): void;
  /** Takes what another process announced (`WEBHOOK_WORK_CHANNEL`). */
  hear(payload: string): void;
  /**
   * Sends everything due now once, and resolves when every attempt is recorded. For callers that do not call `start`.
   */
  sendDue(): Promise<void>;
};

const everyMs = 500;
// Attempts that end within this time are recorded together, and merchants woken within it are read together.
const restMs = 50;
const merchantsAtOnce = 200;
// Longer than any attempt may take, so that only a dead process loses a lease.
const leaseMs = 30_000;
const renewMs = 22_000;
const longestAttemptMs = 15_000;
// Finds what no commit of this process and no announcement of another one named.
const sweepMs = 10_000;
// A delivery queued in memory may still be sent this long after another process turned its endpoint off.
const staleMs = 500;
// A merchant without anything to send is forgotten after this time.
const idleMs = 30_000;
// Time on shutdown for attempts in progress; then they are aborted and sent again later. In milliseconds.
const partingMs = 5000;

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { db, clock, log, fetch } = options;
  const holder = randomUUID();
  const merchants = new Map<number, MerchantWebhooks>();
  /** Merchants to look at next. */
  const woken = new Set<number>();
  /** Those of them of which no other process knows. */
  const unannounced = new Set<number>();
  /** When to look at a merchant again, because something is due then. */
  const wakeTimes = new Map<number, number>();
  /** Merchants with something that can perhaps be sent; the next in turn comes first. */
  const ready = new Set<MerchantWebhooks>();
  const running = new Set<Promise<unknown>>();
  /** Endpoints that answered 410 and are to be turned off, by id. */
  const gone = new Map<string, Pick<Delivery, 'merchantId'>>();
  let sending = 0;
  let finished: Finished[] = [];
  let nextSweepAt = 0;
  let loop: Loop | undefined;

  /** Records what ended, then looks for more. One after the other, so that nothing is read that is being recorded. */
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
    // However many merchants there are, sweeping takes a twentieth of the time at most.
    nextSweepAt = performance.now() + Math.max(sweepMs, 20 * (performance.now() - began));
  }

  /** Looks at the merchants that were woken. Returns how many are left. */
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
    // While all places of this process are taken, nothing more could be sent.
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

  /** Leases merchants to this process. Returns those that no other process sends for. */
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

  /** Tells the processes that send for these merchants what only this process knows. */
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

  /** Another process sends for the merchant; what is under way here is still recorded. */
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

  /** Callback origins that this process meets for the first time may be resting already. */
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

  /** Starts whatever may be sent now; merchants take turns, and so do the receivers of each. */
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

  /** Records what ended since the last time. */
  async function record(savesAllCursors: boolean): Promise<void> {
    const batch = finished;
    const ids = savesAllCursors
      ? [...merchants.keys()]
      : new Set(batch.map(({ delivery }) => delivery.merchantId));
    // A cursor counts everything that ended, so it is stored only with all of it.
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
