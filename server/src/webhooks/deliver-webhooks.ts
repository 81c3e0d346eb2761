import { randomUUID } from 'node:crypto';
import pTimeout from 'p-timeout';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { GuardedFetch } from '../guarded-fetch/index.ts';
import { invariant } from '../invariant.ts';
import { type Loop, repeat } from '../jobs/index.ts';
import { ANY_SENDER, announceWork, readWorkAnnouncement } from './announce-work.ts';
import { attemptDelivery } from './attempt-delivery.ts';
import { type Delivery, type DeliveryAttempt, isEndpoint, stateAfter } from './delivery.ts';
import {
  type DueRetries,
  deleteLeases,
  type LoggedEvent,
  type LogPosition,
  type LogReader,
  readLog,
  selectBreakers,
  selectDue,
  selectMerchantsWithWork,
  selectReaders,
  takeLeases,
} from './delivery-store.ts';
import { shortEndpointId } from './endpoint-store.ts';
import { EventReader, isBefore, type Position } from './event-reader.ts';
import {
  AT_ONCE,
  type MerchantQueues,
  newQueues,
  nextToSend,
  type Queued,
  queueOf,
  type ReceiverQueue,
} from './receiver-queue.ts';
import { type Finished, recordFinished } from './record-outcomes.ts';
import { breakerAfter, DELIVERY_LIFETIME_MS, isResting } from './retry-schedule.ts';
import { CALLBACKS } from './secret-store.ts';
import { signingSecrets } from './secrets.ts';
import { turnOffWebhookEndpoint } from './turn-off-webhook-endpoint.ts';
import { eventOf } from './write-events.ts';

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
const restMs = 20;
const merchantsAtOnce = 200;
// Longer than any attempt may take, so that only a dead process loses a lease.
const leaseMs = 30_000;
const renewMs = 22_000;
const longestAttemptMs = 15_000;
// Finds what no commit of this process and no announcement of another one named.
const sweepMs = 10_000;
// What waits in memory may be sent although its endpoint was turned off in another process this long ago.
const staleMs = 500;
// A merchant without anything to send is forgotten after this time.
const idleMs = 30_000;
const queueSize = 64;
// All callback addresses share one reader, which stops at this number; then what waits for a slow one is stored, so that
// the reader goes on.
const openCallbacks = 256;
const slowMs = 250;
// Time on shutdown for attempts in progress; then they are aborted and sent again later. In milliseconds.
const partingMs = 5000;

/** A reader of a merchant's log in memory. */
type Reading = {
  /** An endpoint's id, or `CALLBACKS`. */
  readonly receiver: string;
  readonly reader: EventReader;
  savedCursor: Position;
  isOn: boolean;
  /** It answered 410 and is to be turned off. */
  isGone: boolean;
  url: string | null;
  onSince: Date | null;
  /** More waits in the log than there was room for. */
  hasMore: boolean;
};

/** A merchant whose webhooks this process sends. */
type Merchant = {
  readonly id: number;
  leasedUntil: number;
  /** When it was last looked at, by the machine's clock. */
  lookedAt: number;
  readonly readings: Map<string, Reading>;
  readonly queues: MerchantQueues;
  /** The ids of deliveries that are queued, under way, or not recorded yet. */
  readonly taken: Set<string>;
  secretsOf: (receiver: string) => readonly string[];
};

export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { db, clock, log, fetch } = options;
  const holder = randomUUID();
  const merchants = new Map<number, Merchant>();
  /** Merchants to look at next. */
  const woken = new Set<number>();
  /** Those of them of which no other process knows. */
  const unannounced = new Set<number>();
  /** When to look at a merchant again: something is due then, or another process may have let go of it. */
  const wakeTimes = new Map<number, number>();
  /** Merchants with something that can perhaps be sent; the next in turn comes first. */
  const ready = new Set<Merchant>();
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
    for (const id of await selectMerchantsWithWork(db, clock.now())) woken.add(id);
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

  function mustBeLookedAt({ id, leasedUntil, lookedAt, queues, taken }: Merchant, now: number): boolean {
    const age = performance.now() - lookedAt;
    if (taken.size === 0) {
      if (age > idleMs) merchants.delete(id);
      return false;
    }
    return leasedUntil - now < renewMs || (age > staleMs && taken.size > queues.sending);
  }

  async function lookAt(ids: readonly number[]): Promise<void> {
    const now = clock.now();
    const leased = await lease(ids, now);
    if (leased.length === 0) return;
    const leasedIds = leased.map(({ id }) => id);
    const [readers, due] = await Promise.all([
      selectReaders(db, leasedIds),
      selectDue(db, leasedIds, now, queueSize),
    ]);
    const readersOf = Map.groupBy(readers, ({ merchantId }) => merchantId);
    const retriesOf = new Map(due.map((one) => [one.merchantId, one]));
    for (const merchant of leased) updateReadings(merchant, readersOf.get(merchant.id) ?? []);
    await readSecrets(leased);
    const asked = leased.flatMap((merchant) => readingsWithRoom(merchant, now));
    const { pages, horizon } = await readLog(db, asked.map(positionOf), queueSize);
    await learnBreakers(asked, pages, due);
    for (const merchant of leased) queueRetries(merchant, retriesOf.get(merchant.id), now);
    for (const [index, { merchant, reading }] of asked.entries())
      queueEvents(merchant, reading, pages[index] ?? [], horizon, now);
    for (const merchant of leased) ready.add(merchant);
  }

  /** Leases merchants to this process. Returns those that no other process sends for. */
  async function lease(ids: readonly number[], now: Date): Promise<Merchant[]> {
    const asked = ids.filter((id) => (merchants.get(id)?.leasedUntil ?? 0) - now.getTime() < renewMs);
    const until = new Date(now.getTime() + leaseMs);
    const leases = asked.length === 0 ? [] : await takeLeases(db, asked, { holder, now, until });
    const others = new Map<number, string>();
    for (const { merchantId, holder: sender, until: leasedUntil } of leases) {
      if (sender === holder) merchantOf(merchantId).leasedUntil = leasedUntil.getTime();
      else {
        others.set(merchantId, sender);
        giveUp(merchantId, leasedUntil);
      }
    }
    const news = [...others].filter(([id]) => unannounced.has(id));
    for (const id of ids) unannounced.delete(id);
    for (const [sender, own] of Map.groupBy(news, ([, of]) => of))
      await announceWork(
        db,
        own.map(([id]) => id),
        sender,
      );
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

  function merchantOf(id: number): Merchant {
    const merchant = merchants.get(id) ?? {
      id,
      leasedUntil: 0,
      lookedAt: 0,
      readings: new Map(),
      queues: newQueues(),
      taken: new Set(),
      secretsOf: () => [],
    };
    merchants.set(id, merchant);
    return merchant;
  }

  /** Another process sends for the merchant; what is under way here is still recorded. */
  function giveUp(id: number, until: Date): void {
    wakeBy(id, until);
    const merchant = merchants.get(id);
    if (merchant === undefined) return;
    merchant.leasedUntil = 0;
    for (const queue of merchant.queues.byReceiver.values()) putBack(merchant, queue);
  }

  /** Follows what merchants changed: endpoints that are new, off, moved or on again. */
  function updateReadings(merchant: Merchant, readers: readonly LogReader[]): void {
    const on = new Map(readers.map((reader) => [reader.receiver, reader]));
    for (const reading of merchant.readings.values()) {
      reading.isOn = on.has(reading.receiver);
      if (!reading.isOn) putBack(merchant, queueOf(merchant.queues, reading.receiver));
    }
    for (const { receiver, cursor, url, onSince, breaker } of readers) {
      const known = merchant.readings.get(receiver);
      if (known !== undefined && known.onSince?.getTime() === onSince?.getTime()) {
        known.url = url;
        continue;
      }
      merchant.readings.set(receiver, {
        receiver,
        reader: known?.reader ?? new EventReader(cursor),
        savedCursor: known?.savedCursor ?? cursor,
        isOn: true,
        isGone: false,
        url,
        onSince,
        hasMore: false,
      });
      if (receiver !== CALLBACKS) queueOf(merchant.queues, receiver).breaker = breaker;
    }
  }

  async function readSecrets(leased: readonly Merchant[]): Promise<void> {
    const owners = leased.flatMap(({ id: merchantId, readings }) =>
      [...readings.values()].flatMap(({ receiver, isOn }) => (isOn ? [{ merchantId, receiver }] : [])),
    );
    const secretsOf = await signingSecrets(options, owners);
    for (const merchant of leased) {
      const secrets = new Map(
        owners.flatMap(({ merchantId, receiver }) =>
          merchantId === merchant.id ? [[receiver, secretsOf({ merchantId, receiver })] as const] : [],
        ),
      );
      merchant.secretsOf = (receiver) => secrets.get(isEndpoint(receiver) ? receiver : CALLBACKS) ?? [];
    }
  }

  /** Readings that may take another page of the log now. */
  function readingsWithRoom(merchant: Merchant, now: Date): Asked[] {
    return [...merchant.readings.values()].flatMap((reading) => {
      if (!reading.isOn || reading.isGone) return [];
      if (reading.receiver === CALLBACKS) {
        if (!hasRoom(merchant, reading)) storeSlowCallbacks(merchant, now);
      } else {
        const { breaker } = queueOf(merchant.queues, reading.receiver);
        if (isResting(breaker, now)) {
          wakeBy(merchant.id, breaker.restingUntil ?? now);
          return [];
        }
      }
      reading.hasMore = !hasRoom(merchant, reading);
      return reading.hasMore ? [] : [{ merchant, reading }];
    });
  }

  function hasRoom({ queues }: Merchant, { receiver, reader }: Reading): boolean {
    if (receiver === CALLBACKS) return reader.openCount <= openCallbacks - queueSize;
    return queueOf(queues, receiver).waiting.length <= queueSize / 2;
  }

  function storeSlowCallbacks({ queues }: Merchant, now: Date): void {
    for (const queue of queues.byReceiver.values()) {
      if (isEndpoint(queue.receiver) || !isSlow(queue)) continue;
      const items = queue.waiting.splice(0);
      for (const item of items) {
        if (item.reader === undefined) queue.waiting.push(item);
        else putOff(item, queue, now);
      }
    }
  }

  /** Callback origins that this process meets for the first time may be resting already. */
  async function learnBreakers(
    asked: readonly { readonly merchant: Merchant }[],
    pages: readonly (readonly LoggedEvent[])[],
    due: readonly DueRetries[],
  ): Promise<void> {
    const fresh = new Map<string, { readonly merchantId: number; readonly receiver: string }>();
    const meet = (merchantId: number, receiver: string) => {
      if (!isEndpoint(receiver) && merchants.get(merchantId)?.queues.byReceiver.has(receiver) === false)
        fresh.set(`${merchantId} ${receiver}`, { merchantId, receiver });
    };
    for (const [index, { merchant }] of asked.entries())
      for (const { callbackUrl } of pages[index] ?? [])
        if (callbackUrl !== null) meet(merchant.id, new URL(callbackUrl).origin);
    for (const { merchantId, deliveries } of due)
      for (const { receiver } of deliveries) meet(merchantId, receiver);
    for (const { merchantId, receiver, breaker } of await selectBreakers(db, [...fresh.values()]))
      queueOf(merchantOf(merchantId).queues, receiver).breaker = breaker;
  }

  function queueRetries(merchant: Merchant, retries: DueRetries | undefined, now: Date): void {
    if (retries === undefined) return;
    if (retries.nextDueAt !== null) wakeBy(merchant.id, retries.nextDueAt);
    for (const delivery of retries.deliveries) {
      if (merchant.taken.has(delivery.id)) continue;
      const reading = merchant.readings.get(delivery.receiver);
      if (isEndpoint(delivery.receiver) && (reading === undefined || reading.isGone)) continue;
      const queue = queueOf(merchant.queues, delivery.receiver);
      if (isResting(queue.breaker, now)) wakeBy(merchant.id, queue.breaker.restingUntil ?? now);
      else if (queue.waiting.length >= queueSize) queue.hasMore = true;
      else add(merchant, queue, delivery, undefined);
    }
  }

  function queueEvents(
    merchant: Merchant,
    reading: Reading,
    page: readonly LoggedEvent[],
    horizon: Position,
    now: Date,
  ): void {
    const { receiver, reader, url, onSince } = reading;
    for (const event of reader.take(page, horizon)) {
      const isCallback = receiver === CALLBACKS;
      const id = isCallback ? event.id : `${event.id}.${shortEndpointId(receiver)}`;
      const address = isCallback ? event.callbackUrl : url;
      const diesAt = event.createdAt.getTime() + DELIVERY_LIFETIME_MS;
      // What was held for too long is forgotten, and what ended a moment ago and is not recorded yet is not sent again.
      if (address === null || merchant.taken.has(id) || (onSince !== null && diesAt < onSince.getTime())) {
        reader.finish(event.id);
        continue;
      }
      const delivery: Delivery = {
        merchantId: merchant.id,
        id,
        type: event.type,
        subjectId: event.subjectId,
        receiver: isCallback ? new URL(address).origin : receiver,
        url: address,
        body: event.body,
        attempts: 0,
        createdAt: event.createdAt,
      };
      const queue = queueOf(merchant.queues, delivery.receiver);
      if (diesAt < now.getTime()) {
        merchant.taken.add(id);
        end(delivery, reader, queue, { state: 'exhausted', dueAt: now });
        continue;
      }
      const isPutOff = isCallback && reader.openCount > openCallbacks / 2 && isSlow(queue);
      add(merchant, queue, delivery, reader);
      if (isResting(queue.breaker, now)) putBack(merchant, queue);
      else if (isPutOff) storeSlowCallbacks(merchant, now);
    }
    if (page.length < queueSize) return;
    if (hasRoom(merchant, reading)) woken.add(merchant.id);
    else reading.hasMore = true;
  }

  function add(
    merchant: Merchant,
    queue: ReceiverQueue,
    delivery: Delivery,
    reader: EventReader | undefined,
  ): void {
    merchant.taken.add(delivery.id);
    queue.waiting.push({ delivery, reader, queuedAt: performance.now() });
    merchant.queues.ready.add(queue);
  }

  /** Stores a delivery to a callback address that cannot take it now, so that the reader of all of them goes on. */
  function putOff({ delivery, reader }: Queued, queue: ReceiverQueue, now: Date): void {
    end(delivery, reader, queue, { state: 'waiting', dueAt: queue.breaker.restingUntil ?? now });
  }

  /**
   * Empties a queue in memory. Nothing of it is lost: it is in the log or stored. Only where a callback address rests,
   * what came from the log is stored, so that the reader of all of them goes on.
   */
  function putBack(merchant: Merchant, queue: ReceiverQueue): void {
    const now = clock.now();
    const { restingUntil } = queue.breaker;
    const rests = isResting(queue.breaker, now);
    for (const item of queue.waiting.splice(0)) {
      if (rests && item.reader !== undefined && !isEndpoint(queue.receiver)) putOff(item, queue, now);
      else forget(merchant, item);
    }
    merchant.queues.ready.delete(queue);
    if (rests && restingUntil !== null) wakeBy(merchant.id, restingUntil);
  }

  function forget(merchant: Merchant, { delivery, reader }: Queued): void {
    merchant.taken.delete(delivery.id);
    reader?.putBack(eventOf(delivery.id));
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
        if (merchant.queues.ready.size > 0) wake([merchant.id]);
        continue;
      }
      const next = nextToSend(merchant.queues, now);
      if (next === undefined) continue;
      ready.add(merchant);
      tracked(send(merchant, next.queue, next.item));
    }
  }

  async function send(merchant: Merchant, queue: ReceiverQueue, item: Queued): Promise<void> {
    const reading = merchant.readings.get(queue.receiver);
    const delivery = { ...item.delivery, url: reading?.url ?? item.delivery.url };
    queue.sending += 1;
    merchant.queues.sending += 1;
    sending += 1;
    try {
      const secrets = merchant.secretsOf(queue.receiver);
      invariant(secrets.length > 0, 'a receiver is without a secret');
      const attempt = await attemptDelivery({ fetch, clock }, delivery, secrets);
      ended(merchant, queue, { ...item, delivery }, attempt);
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a webhook could not be sent');
      forget(merchant, item);
      wakeBy(merchant.id, new Date(clock.now().getTime() + leaseMs));
    }
    queue.sending -= 1;
    merchant.queues.sending -= 1;
    sending -= 1;
    if (queue.waiting.length > 0) merchant.queues.ready.add(queue);
    lookForMore(merchant, queue);
    ready.add(merchant);
    loop?.wake();
    startSome();
  }

  /** Looks for more in time, if more was left in the database and a queue runs low. */
  function lookForMore(merchant: Merchant, queue: ReceiverQueue): void {
    const reading = merchant.readings.get(isEndpoint(queue.receiver) ? queue.receiver : CALLBACKS);
    const hasMoreEvents = reading?.hasMore === true && hasRoom(merchant, reading);
    const hasMoreRetries = queue.hasMore && queue.waiting.length <= queueSize / 2;
    if (hasMoreEvents || hasMoreRetries) woken.add(merchant.id);
  }

  function ended(
    merchant: Merchant,
    queue: ReceiverQueue,
    { delivery, reader }: Queued,
    attempt: DeliveryAttempt,
  ): void {
    const now = clock.now();
    queue.breaker = breakerAfter(queue.breaker, attempt.error === 'timed-out', now);
    end(delivery, reader, queue, stateAfter(delivery, attempt, now, Math.random()), attempt);
    const reading = merchant.readings.get(queue.receiver);
    // An endpoint that answers 410 is turned off when this is recorded; until then nothing else is sent to it.
    if (attempt.status === 410 && reading !== undefined) reading.isGone = true;
    if (reading?.isGone === true || isResting(queue.breaker, now)) putBack(merchant, queue);
  }

  function end(
    delivery: Delivery,
    reader: EventReader | undefined,
    { breaker }: ReceiverQueue,
    { state, dueAt }: Pick<Finished, 'state' | 'dueAt'>,
    attempt?: DeliveryAttempt,
  ): void {
    reader?.finish(eventOf(delivery.id));
    finished.push({ delivery, attempt, state, dueAt, breaker });
  }

  /** Records what ended since the last time. */
  async function record(savesAllCursors: boolean): Promise<void> {
    const batch = finished;
    const touched = new Set(batch.map(({ delivery }) => delivery.merchantId));
    // Their cursors count everything that ended, so they are stored only with all of it.
    const moved = [...merchants.values()].flatMap((merchant) =>
      savesAllCursors || touched.has(merchant.id) ? movedReadings(merchant) : [],
    );
    if (batch.length === 0 && moved.length === 0) return;
    finished = [];
    try {
      await recordFinished(options, batch, moved);
    } catch (error) {
      finished = [...batch, ...finished];
      throw error;
    }
    for (const { reading, after } of moved) reading.savedCursor = after;
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

  function tracked(work: Promise<unknown>): void {
    const tracking = work.finally(() => running.delete(tracking));
    running.add(tracking);
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
      for (const { queues } of merchants.values()) {
        queues.ready.clear();
        for (const { waiting } of queues.byReceiver.values()) waiting.length = 0;
      }
      await pTimeout(Promise.all(running), { milliseconds: partingMs, message: false });
      await fetch.close();
      await Promise.all(running);
      await record(false);
      await turnOffGone();
      await deleteLeases(db, holder);
    },
  };
}

/** Whether something has waited for its turn for a while. */
function isSlow({ waiting: [first] }: ReceiverQueue): boolean {
  return first !== undefined && first.queuedAt < performance.now() - slowMs;
}

type Asked = { readonly merchant: Merchant; readonly reading: Reading };

function positionOf({ merchant, reading: { receiver, reader } }: Asked): LogPosition {
  return { merchantId: merchant.id, receiver, after: reader.readUntil };
}

function movedReadings({ id: merchantId, readings }: Merchant) {
  return [...readings.values()].flatMap((reading) => {
    const after = reading.reader.cursor;
    return isBefore(reading.savedCursor, after)
      ? [{ merchantId, receiver: reading.receiver, after, reading }]
      : [];
  });
}
