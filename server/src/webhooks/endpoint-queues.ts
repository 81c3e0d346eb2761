import { laneKey, type ReceiverOrigin } from './lane-store.ts';

/** What is leased to this process and waits for its turn at an endpoint. */
export type EndpointQueues<T> = {
  /** Sends it now, or as soon as one before it has ended. */
  add(item: T): void;
  /** How many may be leased beyond those that are sent at once: none unless the endpoint answered quickly the last time. */
  ahead(lane: ReceiverOrigin): number;
  /** Gives up what has waited for longer than that, or everything. */
  dropOlderThan(milliseconds: number): void;
};

export type EndpointQueuesOptions<T> = {
  readonly atOnce: number;
  readonly ahead: number;
  /** Fulfilled when it has ended: whether the endpoint answers quickly. Never rejected. */
  readonly send: (item: T) => Promise<boolean>;
  /** Told of what is not going to be sent from here. */
  readonly drop: (items: readonly T[]) => void;
};

type Queue<T> = { sending: number; waiting: { readonly item: T; readonly since: number }[] };

// Endpoints that are known to answer quickly; when there are more, some of them are found out again.
const quickKept = 10_000;

/**
 * Keeps what was leased for endpoints that answer quickly ready to follow without another claim, which would take longer
 * than they do. One that does not answer quickly any more loses what waits for it, so that it holds nothing up.
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
