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

// All callback addresses of a merchant share one reader of the log. It reads no further while about this many of its
// events are unfinished. So that slow addresses do not stop it for the others, their deliveries are then stored.
const maxUnfinishedCallbackEvents = 256;
// A callback address is slow once the first delivery in its queue has waited this long.
const slowMs = 250;

/** A delivery in the memory of this process, waiting to be sent. */
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
  /** The circuit breaker, which pauses a receiver that repeatedly did not respond in time. */
  breaker: Breaker;
  /** More stored deliveries are due than the queue had room for. */
  hasMore: boolean;
};

/**
 * A reader of the merchant's log of events and its state. Each endpoint has a reader, and all callback addresses share
 * one.
 */
export type ReaderState = {
  /** The endpoint's id, or `ALL_CALLBACKS`. */
  readonly receiver: string;
  readonly reader: EventReader;
  /** The cursor as last stored in the database. */
  savedCursor: Position;
  isOn: boolean;
  /** The endpoint answered 410: it is sent nothing more, and is turned off once that answer is recorded. */
  isGone: boolean;
  /** The endpoint's URL, and when it was last turned on; both null for callback addresses. */
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
  /** Returns the signing secrets of a receiver. The sender sets this each time it has read the secrets. */
  secretsOf: (receiver: string) => readonly string[] = () => [];
  readonly #readerStates = new Map<string, ReaderState>();
  readonly #queues = new Map<string, ReceiverQueue>();
  /** Queues that may have something to send now, in the order of their turns. */
  readonly #ready = new Set<ReceiverQueue>();
  readonly #options: MerchantOptions;

  constructor(options: MerchantOptions) {
    this.id = options.id;
    this.#options = options;
  }

  get hasReadyDeliveries(): boolean {
    return this.#ready.size > 0;
  }

  /** Applies the merchant's changes since the last call: endpoints added, removed, moved, or turned off or on. */
  updateReaders(readers: readonly LogReader[], now: Date): void {
    const receiversOn = new Set(readers.map(({ receiver }) => receiver));
    for (const readerState of this.#readerStates.values()) {
      readerState.isOn = receiversOn.has(readerState.receiver);
      if (!readerState.isOn) this.#emptyQueue(this.#queueOf(readerState.receiver), now);
    }
    for (const { receiver, cursor, url, onSince, breaker } of readers) {
      const known = this.#readerStates.get(receiver);
      const isUnchanged = known !== undefined && known.onSince?.getTime() === onSince?.getTime();
      if (isUnchanged) {
        known.url = url;
        continue;
      }
      this.#readerStates.set(receiver, {
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
    return [...this.#readerStates.values()].flatMap(({ receiver, isOn }) =>
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
  readersWithRoom(now: Date): ReaderState[] {
    return [...this.#readerStates.values()].filter((readerState) => {
      if (!readerState.isOn || readerState.isGone) return false;
      if (readerState.receiver === ALL_CALLBACKS) {
        // This may make room: stored deliveries no longer hold up the reader.
        if (!this.#hasRoom(readerState)) this.#storeSlowCallbacks(now);
      } else if (this.#checkPaused(this.#queueOf(readerState.receiver), now)) return false;
      readerState.hasMore = !this.#hasRoom(readerState);
      return !readerState.hasMore;
    });
  }

  /** Queues stored deliveries that are due, as far as there is room for them. */
  queueRetries({ nextDueAt, deliveries }: DueRetries, now: Date): void {
    if (nextDueAt !== null) this.#options.scheduleRead(nextDueAt);
    for (const [receiver, receiverDeliveries] of Map.groupBy(deliveries, (delivery) => delivery.receiver)) {
      const readerState = this.#readerStates.get(receiver);
      if (isEndpoint(receiver) && (readerState?.isOn !== true || readerState.isGone)) continue;
      const queue = this.#queueOf(receiver);
      if (this.#checkPaused(queue, now)) continue;
      // What this process is sending, or has yet to record, is still stored as due.
      const newDeliveries = receiverDeliveries.filter(({ id }) => !this.unrecordedIds.has(id));
      const room = Math.max(0, PAGE_SIZE - queue.waiting.length);
      for (const delivery of newDeliveries.slice(0, room)) this.#enqueue(queue, delivery, undefined);
      queue.hasMore = newDeliveries.length > room || receiverDeliveries.length === PAGE_SIZE;
    }
  }

  /**
   * Queues a delivery for each event of a page that a reader has read from the log. The deliveries of a receiver that
   * is paused or slow are put off, and events that are too old are given up.
   */
  queueEvents(readerState: ReaderState, page: readonly LoggedEvent[], horizon: Position, now: Date): void {
    const { receiver, reader, url, onSince } = readerState;
    for (const event of reader.take(page, horizon)) {
      const isCallback = receiver === ALL_CALLBACKS;
      const id = isCallback ? event.id : `${event.id}.${shortEndpointId(receiver)}`;
      const address = isCallback ? event.callbackUrl : url;
      const expiresAt = event.createdAt.getTime() + DELIVERY_LIFETIME_MS;
      // A delivery that this process has queued, is sending or has yet to record would otherwise be sent twice.
      const isKnown = this.unrecordedIds.has(id);
      const hadExpiredWhenTurnedOn = onSince !== null && expiresAt < onSince.getTime();
      if (address === null || isKnown || hadExpiredWhenTurnedOn) {
        reader.finish(event.id);
        continue;
      }
      const queue = this.#queueOf(isCallback ? new URL(address).origin : receiver);
      // Once half of the shared reader's limit is used, deliveries to slow addresses are stored. Whether this one's
      // address is slow depends on the deliveries that waited before it.
      const isForSlowAddress =
        isCallback && reader.unfinishedCount > maxUnfinishedCallbackEvents / 2 && isSlow(queue);
      this.#enqueue(
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
      if (expiresAt < now.getTime()) this.#giveUpLast(queue, now);
      else if (this.#checkPaused(queue, now)) this.#emptyQueue(queue, now);
      else if (isForSlowAddress) this.#storeSlowCallbacks(now);
    }
    // A page that is not full was the end of the log.
    if (page.length < PAGE_SIZE) return;
    if (this.#hasRoom(readerState)) this.#options.scheduleRead('now');
    else readerState.hasMore = true;
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
      const url = this.#readerStates.get(queue.receiver)?.url ?? item.delivery.url;
      return { queue, item: { ...item, delivery: { ...item.delivery, url } } };
    }
    return undefined;
  }

  /**
   * Handles the end of an attempt. Without an attempt, because sending threw, the delivery is put back. Reads more work
   * when there is room again.
   */
  finishSending({ queue, item }: DeliveryInProgress, attempt: DeliveryAttempt | undefined, now: Date): void {
    queue.sendingCount -= 1;
    this.sendingCount -= 1;
    if (attempt === undefined) this.#forget(item);
    else this.#handleAttempt(queue, item, attempt, now);
    if (queue.waiting.length > 0) this.#ready.add(queue);
    const readerState = this.#readerStates.get(isEndpoint(queue.receiver) ? queue.receiver : ALL_CALLBACKS);
    const hasMoreEvents = readerState?.hasMore === true && this.#hasRoom(readerState);
    const hasMoreRetries = queue.hasMore && queue.waiting.length <= PAGE_SIZE / 4;
    if (hasMoreEvents || hasMoreRetries) this.#options.scheduleRead('now');
  }

  /** Empties all queues in memory. No delivery is lost: each is still stored, or its event is still in the log. */
  emptyQueues(now: Date): void {
    for (const queue of this.#queues.values()) this.#emptyQueue(queue, now);
  }

  /** The cursors that moved since they were last stored. The caller calls `markSaved` once it has stored one. */
  movedCursors(): (LogPosition & { readonly markSaved: () => void })[] {
    return [...this.#readerStates.values()].flatMap((readerState) => {
      const after = readerState.reader.cursor;
      const markSaved = () => {
        readerState.savedCursor = after;
      };
      return isBefore(readerState.savedCursor, after)
        ? [{ merchantId: this.id, receiver: readerState.receiver, after, markSaved }]
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

  #hasRoom({ receiver, reader }: ReaderState): boolean {
    if (receiver === ALL_CALLBACKS) return reader.unfinishedCount <= maxUnfinishedCallbackEvents - PAGE_SIZE;
    return this.#queueOf(receiver).waiting.length <= PAGE_SIZE / 2;
  }

  #enqueue(queue: ReceiverQueue, delivery: Delivery, reader: EventReader | undefined): void {
    this.unrecordedIds.add(delivery.id);
    queue.waiting.push({ delivery, reader, queuedAt: performance.now() });
    this.#ready.add(queue);
  }

  #handleAttempt(queue: ReceiverQueue, item: QueuedDelivery, attempt: DeliveryAttempt, now: Date): void {
    queue.breaker = breakerAfter(queue.breaker, attempt.error === 'timed-out', now);
    this.#finish(item, queue, { ...stateAfter(item.delivery, attempt, now, Math.random()), attempt });
    const readerState = this.#readerStates.get(queue.receiver);
    // The endpoint is turned off when this 410 (Gone) is recorded; until then this flag keeps anything else from being
    // sent.
    if (attempt.status === 410 && readerState !== undefined) readerState.isGone = true;
    if (readerState?.isGone === true || this.#checkPaused(queue, now)) this.#emptyQueue(queue, now);
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

  /** Returns whether a receiver is paused now. If so, schedules a read of the merchant's work for the pause's end. */
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
