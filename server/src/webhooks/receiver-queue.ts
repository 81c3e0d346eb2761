import type { Delivery } from './delivery.ts';
import type { EventReader } from './event-reader.ts';
import { type Breaker, CLOSED, isResting } from './retry-schedule.ts';

/** How many calls may be under way at once: for one receiver, for one merchant, and in this process. */
export const AT_ONCE = { receiver: 4, merchant: 32, process: 1024 };

/** A delivery in memory. `reader`: took it from the log; undefined if it is stored. */
export type Queued = {
  readonly delivery: Delivery;
  readonly reader: EventReader | undefined;
  /** By the machine's clock. */
  readonly queuedAt: number;
};

/** What waits in memory for one receiver. */
export type ReceiverQueue = {
  /** An endpoint's id, or a callback origin. */
  readonly receiver: string;
  readonly waiting: Queued[];
  sending: number;
  breaker: Breaker;
  /** More waits in the database than the queue had room for. */
  hasMore: boolean;
};

/** The queues of a merchant. */
export type MerchantQueues = {
  readonly byReceiver: Map<string, ReceiverQueue>;
  /** Those from which something can perhaps be sent; the next in turn comes first. */
  readonly ready: Set<ReceiverQueue>;
  sending: number;
};

export function newQueues(): MerchantQueues {
  return { byReceiver: new Map(), ready: new Set(), sending: 0 };
}

export function queueOf(queues: MerchantQueues, receiver: string): ReceiverQueue {
  const queue = queues.byReceiver.get(receiver) ?? {
    receiver,
    waiting: [],
    sending: 0,
    breaker: CLOSED,
    hasMore: false,
  };
  queues.byReceiver.set(receiver, queue);
  return queue;
}

/** Takes the next delivery that may be sent now, the receivers taking turns; undefined if there is none. */
export function nextToSend(
  queues: MerchantQueues,
  now: Date,
): { readonly queue: ReceiverQueue; readonly item: Queued } | undefined {
  if (queues.sending >= AT_ONCE.merchant) return undefined;
  for (const queue of queues.ready) {
    queues.ready.delete(queue);
    if (queue.sending >= placesOf(queue.breaker, now)) continue;
    const item = queue.waiting.shift();
    if (item === undefined) continue;
    if (queue.waiting.length > 0) queues.ready.add(queue);
    return { queue, item };
  }
  return undefined;
}

/** None while the receiver rests; one after a time-out or a rest, to see whether it responds again. */
function placesOf(breaker: Breaker, now: Date): number {
  if (isResting(breaker, now)) return 0;
  return breaker.timeouts > 0 ? 1 : AT_ONCE.receiver;
}
