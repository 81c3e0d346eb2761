import type { ReceiverOrigin } from './delivery.ts';
import { laneKey } from './lane-store.ts';

/** Deliveries leased to this process that wait for their turn at an endpoint. */
export type EndpointQueues<T> = {
  /** Sends it now, or as soon as an earlier one has ended. */
  add(item: T): void;
  /** How many may be leased in addition to those sent at once: none unless the endpoint's last response was quick. */
  ahead(lane: ReceiverOrigin): number;
  /** Drops the whole queue of an endpoint in which an item has waited at least this long; 0 drops all. */
  dropOlderThan(milliseconds: number): void;
};

export type EndpointQueuesOptions<T> = {
  readonly atOnce: number;
  readonly ahead: number;
  /** Resolves when the attempt has ended, with whether the endpoint is quick. Must not reject. */
  readonly send: (item: T) => Promise<boolean>;
  /** Called with items that will not be sent from here. */
  readonly drop: (items: readonly T[]) => void;
};

type Queue<T> = { sending: number; waiting: { readonly item: T; readonly since: number }[] };

// Endpoints known to be quick; when the set is full it is cleared and relearned.
const quickKept = 10_000;

/**
 * Queues deliveries leased for quick endpoints, to send them without another claim, which would take longer than the
 * attempt. If an endpoint is no longer quick, its queue is dropped so that it blocks nothing.
 */
export function createEndpointQueues<T extends ReceiverOrigin>(
  options: EndpointQueuesOptions<T>,
): EndpointQueues<T> {
  const queues = new Map<string, Queue<T>>();
  const quick = new Set<string>();

  function start(key: string, queue: Queue<T>, item: T): void {
    queue.sending += 1;
    void options.send(item).then((isQuick) => {
      queue.sending -= 1;
      remember(key, isQuick);
      if (!isQuick) drop(queue);
      const next = queue.waiting.shift();
      if (next !== undefined) start(key, queue, next.item);
      else if (queue.sending === 0) queues.delete(key);
    });
  }

  function remember(key: string, isQuick: boolean): void {
    if (quick.size >= quickKept) quick.clear();
    if (isQuick) quick.add(key);
    else quick.delete(key);
  }

  function drop({ waiting }: Queue<T>): void {
    if (waiting.length > 0) options.drop(waiting.splice(0).map(({ item }) => item));
  }

  return {
    add(item) {
      const key = laneKey(item);
      const queue = queues.get(key) ?? { sending: 0, waiting: [] };
      queues.set(key, queue);
      if (queue.sending < options.atOnce) start(key, queue, item);
      else queue.waiting.push({ item, since: performance.now() });
    },
    ahead: (lane) => (quick.has(laneKey(lane)) ? options.ahead : 0),
    dropOlderThan(milliseconds) {
      const before = performance.now() - milliseconds;
      for (const queue of queues.values())
        if (queue.waiting.some(({ since }) => since <= before)) drop(queue);
    },
  };
}
