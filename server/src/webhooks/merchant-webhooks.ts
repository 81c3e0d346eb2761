import { type Delivery, type DeliveryAttempt, isEndpoint, stateAfter } from './delivery.ts';
import type { DueRetries, LoggedEvent, LogPosition, LogReader } from './delivery-store.ts';
import { shortEndpointId } from './endpoint-store.ts';
import { EventReader, isBefore, type Position } from './event-reader.ts';
import type { FinishedDelivery } from './record-outcomes.ts';
import {
  type Breaker,
  breakerAfter,
  CLOSED_BREAKER,
  DELIVERY_LIFETIME_MS,
  isPaused,
} from './retry-schedule.ts';
import { ALL_CALLBACKS, type SecretOwner } from './secret-store.ts';
import { eventIdOfDelivery } from './write-events.ts';

/** How many calls may be under way at once: for one receiver, for one merchant, and in one process. */
export const MAX_CONCURRENT = { receiver: 4, merchant: 32, process: 1024 };

/**
 * How many events one read takes from the log for each reader, and how many stored deliveries for each receiver. A
 * queue in memory holds about as many.
 */
export const PAGE_SIZE = 64;

// All callback addresses of a merchant share one reader, which reads no further while about this many of its events are
// unfinished. So that slow addresses do not stop it for the others, the deliveries that wait for them are then stored.
const maxUnfinishedCallbackEvents = 256;
// A callback address is slow once the first delivery in its queue has waited this long.
const slowMs = 250;

/** A delivery in the memory of this process. */
type QueuedDelivery = {
  readonly delivery: Delivery;
  /** The reader that took the event from the log; undefined for a delivery read from `webhook_deliveries`. */
  readonly reader: EventReader | undefined;
  /** As returned by `performance.now()`. */
  readonly queuedAt: number;
};

/** The queue of one receiver in memory. */
type ReceiverQueue = {
  /** An endpoint's id, or the origin (scheme, host and port) of callback addresses. */
  readonly receiver: string;
  readonly waiting: QueuedDelivery[];
  sendingCount: number;
  breaker: Breaker;
  /** More stored deliveries are due than the queue had room for. */
  hasMore: boolean;
};

/** An endpoint, or all callback addresses of the merchant, as a reader of the merchant's log of events. */
export type Reading = {
  /** An endpoint's id, or `CALLBACKS`. */
  readonly receiver: string;
  readonly reader: EventReader;
  savedCursor: Position;
  isOn: boolean;
  /** The endpoint answered 410: it is sent nothing more, and is turned off once that answer is recorded. */
  isGone: boolean;
  url: string | null;
  onSince: Date | null;
  /** The log may hold more events than there was room for. */
  hasMore: boolean;
};

/** A delivery that is being sent now, and the queue it came from. */
export type DeliveryInProgress = { readonly queue: ReceiverQueue; readonly item: QueuedDelivery };

export type MerchantOptions = {
  readonly id: number;
  /** Called with the outcome of each delivery, which the caller records. */
  readonly onFinished: (finished: FinishedDelivery) => void;
  /** Called when more work for this merchant must be read from the database: at this time, or immediately. */
  readonly scheduleRead: (at: Date | 'now') => void;
};

/**
 * The webhooks of one merchant in the memory of the process that sends them: how far its readers have come, which
 * deliveries wait, and which are being sent.
 */
export class MerchantWebhooks {
  readonly id: number;
  /** When this process's lease ends, in milliseconds by the gateway's clock; 0 without a lease. */
  leasedUntil = 0;
  /** When work for this merchant was last read from the database, as returned by `performance.now()`. */
  lastReadAt = 0;
  /** The ids of deliveries that are queued, under way, or not recorded yet. */
  readonly unrecordedIds = new Set<string>();
  sendingCount = 0;
  secretsOf: (receiver: string) => readonly string[] = () => [];
  readonly #readings = new Map<string, Reading>();
  readonly #queues = new Map<string, ReceiverQueue>();
  /** Queues that may have something to send now, in the order of their turns. */
  readonly #ready = new Set<ReceiverQueue>();
  readonly #options: MerchantOptions;

  constructor(options: MerchantOptions) {
    this.id = options.id;
    this.#options = options;
  }

  get hasReady(): boolean {
    return this.#ready.size > 0;
  }

  /** Applies the merchant's changes since the last call: endpoints added, removed, moved, or turned off or on. */
  updateReaders(readers: readonly LogReader[], now: Date): void {
    const on = new Set(readers.map(({ receiver }) => receiver));
    for (const reading of this.#readings.values()) {
      reading.isOn = on.has(reading.receiver);
      if (!reading.isOn) this.#emptyQueue(this.#queueOf(reading.receiver), now);
    }
    for (const { receiver, cursor, url, onSince, breaker } of readers) {
      const known = this.#readings.get(receiver);
      if (known !== undefined && known.onSince?.getTime() === onSince?.getTime()) {
        known.url = url;
        continue;
      }
      this.#readings.set(receiver, {
        receiver,
        reader: known?.reader ?? new EventReader(cursor),
        savedCursor: known?.savedCursor ?? cursor,
        isOn: true,
        isGone: false,
        url,
        onSince,
        hasMore: false,
      });
      if (receiver !== ALL_CALLBACKS) this.setBreaker(receiver, breaker);
    }
  }

  /** The receivers that are on. Their secrets are needed to sign deliveries. */
  get secretOwners(): SecretOwner[] {
    return [...this.#readings.values()].flatMap(({ receiver, isOn }) =>
      isOn ? [{ merchantId: this.id, receiver }] : [],
    );
  }

  hasQueueFor(receiver: string): boolean {
    return this.#queues.has(receiver);
  }

  setBreaker(receiver: string, breaker: Breaker): void {
    this.#queueOf(receiver).breaker = breaker;
  }

  /** The readers that may take another page of the log now. */
  readingsWithRoom(now: Date): Reading[] {
    return [...this.#readings.values()].filter((reading) => {
      if (!reading.isOn || reading.isGone) return false;
      if (reading.receiver === ALL_CALLBACKS) {
        if (!this.#hasRoom(reading)) this.#storeSlowCallbacks(now);
      } else if (this.#checkPaused(this.#queueOf(reading.receiver), now)) return false;
      reading.hasMore = !this.#hasRoom(reading);
      return !reading.hasMore;
    });
  }

  queueRetries({ nextDueAt, deliveries }: DueRetries, now: Date): void {
    if (nextDueAt !== null) this.#options.scheduleRead(nextDueAt);
    for (const [receiver, own] of Map.groupBy(deliveries, (delivery) => delivery.receiver)) {
      const reading = this.#readings.get(receiver);
      if (isEndpoint(receiver) && (reading?.isOn !== true || reading.isGone)) continue;
      const queue = this.#queueOf(receiver);
      if (this.#checkPaused(queue, now)) continue;
      const fresh = own.filter(({ id }) => !this.unrecordedIds.has(id));
      const room = Math.max(0, PAGE_SIZE - queue.waiting.length);
      for (const delivery of fresh.slice(0, room)) this.#add(queue, delivery, undefined);
      queue.hasMore = fresh.length > room || own.length === PAGE_SIZE;
    }
  }

  queueEvents(reading: Reading, page: readonly LoggedEvent[], horizon: Position, now: Date): void {
    const { receiver, reader, url, onSince } = reading;
    for (const event of reader.take(page, horizon)) {
      const isCallback = receiver === ALL_CALLBACKS;
      const id = isCallback ? event.id : `${event.id}.${shortEndpointId(receiver)}`;
      const address = isCallback ? event.callbackUrl : url;
      const diesAt = event.createdAt.getTime() + DELIVERY_LIFETIME_MS;
      // Skips an event that was already more than three days old when its endpoint was turned on, and a delivery that
      // this process has queued, is sending or has yet to record, which would otherwise be sent twice.
      if (
        address === null ||
        this.unrecordedIds.has(id) ||
        (onSince !== null && diesAt < onSince.getTime())
      ) {
        reader.finish(event.id);
        continue;
      }
      const queue = this.#queueOf(isCallback ? new URL(address).origin : receiver);
      // Once half of the shared reader's limit is used, deliveries to slow addresses are stored. Whether this one's
      // address is slow depends on the deliveries that waited before it.
      const isForSlowAddress =
        isCallback && reader.unfinishedCount > maxUnfinishedCallbackEvents / 2 && isSlow(queue);
      this.#add(
        queue,
        {
          merchantId: this.id,
          id,
          type: event.type,
          subjectId: event.subjectId,
          receiver: queue.receiver,
          url: address,
          body: event.body,
          attempts: 0,
          createdAt: event.createdAt,
        },
        reader,
      );
      if (diesAt < now.getTime()) this.#giveUpLast(queue, now);
      else if (this.#checkPaused(queue, now)) this.#emptyQueue(queue, now);
      else if (isForSlowAddress) this.#storeSlowCallbacks(now);
    }
    if (page.length < PAGE_SIZE) return;
    if (this.#hasRoom(reading)) this.#options.scheduleRead('now');
    else reading.hasMore = true;
  }

  /** Takes the next delivery that may be sent now; undefined if there is none. The receivers take turns. */
  startNext(now: Date): DeliveryInProgress | undefined {
    if (this.sendingCount >= MAX_CONCURRENT.merchant) return undefined;
    for (const queue of this.#ready) {
      this.#ready.delete(queue);
      if (queue.sendingCount >= maxConcurrentSends(queue.breaker, now)) continue;
      const item = queue.waiting.shift();
      if (item === undefined) continue;
      if (queue.waiting.length > 0) this.#ready.add(queue);
      queue.sendingCount += 1;
      this.sendingCount += 1;
      const url = this.#readings.get(queue.receiver)?.url ?? item.delivery.url;
      return { queue, item: { ...item, delivery: { ...item.delivery, url } } };
    }
    return undefined;
  }

  /** Frees the place of a delivery that was being sent. Without an attempt, because sending threw, it is put back. */
  finishSending({ queue, item }: DeliveryInProgress, attempt: DeliveryAttempt | undefined, now: Date): void {
    queue.sendingCount -= 1;
    this.sendingCount -= 1;
    if (attempt === undefined) this.#forget(item);
    else this.#handleAttempt(queue, item, attempt, now);
    if (queue.waiting.length > 0) this.#ready.add(queue);
    const reading = this.#readings.get(isEndpoint(queue.receiver) ? queue.receiver : ALL_CALLBACKS);
    const hasMoreEvents = reading?.hasMore === true && this.#hasRoom(reading);
    const hasMoreRetries = queue.hasMore && queue.waiting.length <= PAGE_SIZE / 4;
    if (hasMoreEvents || hasMoreRetries) this.#options.scheduleRead('now');
  }

  /** Empties all queues in memory. No delivery is lost: each is still stored, or its event is still in the log. */
  emptyQueues(now: Date): void {
    for (const queue of this.#queues.values()) this.#emptyQueue(queue, now);
  }

  /** The cursors that moved since they were last stored. The caller calls `saved` once it has stored one. */
  movedCursors(): (LogPosition & { readonly saved: () => void })[] {
    return [...this.#readings.values()].flatMap((reading) => {
      const after = reading.reader.cursor;
      const saved = () => {
        reading.savedCursor = after;
      };
      return isBefore(reading.savedCursor, after)
        ? [{ merchantId: this.id, receiver: reading.receiver, after, saved }]
        : [];
    });
  }

  #queueOf(receiver: string): ReceiverQueue {
    const queue = this.#queues.get(receiver) ?? {
      receiver,
      waiting: [],
      sendingCount: 0,
      breaker: CLOSED_BREAKER,
      hasMore: false,
    };
    this.#queues.set(receiver, queue);
    return queue;
  }

  #hasRoom({ receiver, reader }: Reading): boolean {
    if (receiver === ALL_CALLBACKS) return reader.unfinishedCount <= maxUnfinishedCallbackEvents - PAGE_SIZE;
    return this.#queueOf(receiver).waiting.length <= PAGE_SIZE / 2;
  }

  #add(queue: ReceiverQueue, delivery: Delivery, reader: EventReader | undefined): void {
    this.unrecordedIds.add(delivery.id);
    queue.waiting.push({ delivery, reader, queuedAt: performance.now() });
    this.#ready.add(queue);
  }

  #handleAttempt(queue: ReceiverQueue, item: QueuedDelivery, attempt: DeliveryAttempt, now: Date): void {
    queue.breaker = breakerAfter(queue.breaker, attempt.error === 'timed-out', now);
    this.#finish(item, queue, { ...stateAfter(item.delivery, attempt, now, Math.random()), attempt });
    const reading = this.#readings.get(queue.receiver);
    // The endpoint is turned off when this 410 is recorded; until then this flag keeps anything else from being sent.
    if (attempt.status === 410 && reading !== undefined) reading.isGone = true;
    if (reading?.isGone === true || this.#checkPaused(queue, now)) this.#emptyQueue(queue, now);
  }

  /** Gives up the delivery that was added last, because its event is too old to be sent. */
  #giveUpLast(queue: ReceiverQueue, now: Date): void {
    const item = queue.waiting.pop();
    if (item !== undefined) this.#finish(item, queue, { state: 'exhausted', dueAt: now, attempt: undefined });
  }

  #finish(
    { delivery, reader }: QueuedDelivery,
    { breaker }: ReceiverQueue,
    outcome: Pick<FinishedDelivery, 'state' | 'dueAt' | 'attempt'>,
  ): void {
    reader?.finish(eventIdOfDelivery(delivery.id));
    this.#options.onFinished({ delivery, breaker, ...outcome });
  }

  /** Returns whether a receiver is paused now. If so, more work for the merchant is read when the pause ends. */
  #checkPaused({ breaker }: ReceiverQueue, now: Date): boolean {
    const isNowPaused = isPaused(breaker, now);
    if (isNowPaused && breaker.pausedUntil !== null) this.#options.scheduleRead(breaker.pausedUntil);
    return isNowPaused;
  }

  /**
   * Empties a queue in memory. If its callback address is paused, the deliveries that came from the log are stored,
   * because otherwise their events would hold up the reader that all callback addresses share.
   */
  #emptyQueue(queue: ReceiverQueue, now: Date): void {
    const storesEvents = !isEndpoint(queue.receiver) && this.#checkPaused(queue, now);
    for (const item of queue.waiting.splice(0)) {
      if (storesEvents && item.reader !== undefined) this.#storeForLater(item, queue, now);
      else this.#forget(item);
    }
    this.#ready.delete(queue);
  }

  /** Removes a delivery from memory, so that it is read from the database again. */
  #forget({ delivery, reader }: QueuedDelivery): void {
    this.unrecordedIds.delete(delivery.id);
    reader?.putBack(eventIdOfDelivery(delivery.id));
  }

  /** Stores the deliveries to slow callback addresses, so that the reader they share with the others can go on. */
  #storeSlowCallbacks(now: Date): void {
    for (const queue of this.#queues.values()) {
      if (isEndpoint(queue.receiver) || !isSlow(queue)) continue;
      for (const item of queue.waiting.splice(0)) {
        if (item.reader === undefined) queue.waiting.push(item);
        else this.#storeForLater(item, queue, now);
      }
    }
  }

  /** Stores a delivery to a callback address that is paused or slow. It is due at the end of the pause, or now. */
  #storeForLater(item: QueuedDelivery, queue: ReceiverQueue, now: Date): void {
    const dueAt = queue.breaker.pausedUntil ?? now;
    this.#finish(item, queue, { state: 'waiting', dueAt, attempt: undefined });
  }
}

/**
 * How many deliveries may be under way to a receiver: none while it is paused, and one after a time-out or a pause, to
 * find out whether it responds again.
 */
function maxConcurrentSends(breaker: Breaker, now: Date): number {
  if (isPaused(breaker, now)) return 0;
  return breaker.timeouts > 0 ? 1 : MAX_CONCURRENT.receiver;
}

/** Whether the first delivery in a queue has waited longer than `slowMs`. */
function isSlow({ waiting: [first] }: ReceiverQueue): boolean {
  return first !== undefined && first.queuedAt < performance.now() - slowMs;
}
