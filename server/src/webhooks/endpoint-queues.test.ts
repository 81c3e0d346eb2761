import { expect, test } from 'vitest';
import { createEndpointQueues } from './endpoint-queues.ts';

type Item = { readonly merchantId: number; readonly endpoint: string; readonly nth: number };

const endpoint = 'https://loja.example';
const item = (nth: number): Item => ({ merchantId: 1, endpoint, nth });

function opened() {
  const sent: number[] = [];
  const dropped: number[] = [];
  const ends: ((isQuick: boolean) => void)[] = [];
  const queues = createEndpointQueues<Item>({
    atOnce: 2,
    ahead: 10,
    send({ nth }) {
      sent.push(nth);
      const { promise, resolve } = Promise.withResolvers<boolean>();
      ends.push(resolve);
      return promise;
    },
    drop: (items) => dropped.push(...items.map(({ nth }) => nth)),
  });
  /** Ends the oldest call in progress. */
  const end = async (isQuick: boolean) => {
    ends.shift()?.(isQuick);
    await new Promise(setImmediate);
  };
  return { queues, sent, dropped, end };
}

test('an endpoint has a limit of concurrent calls, and the next starts when one ends', async () => {
  const { queues, sent, end } = opened();
  for (let nth = 0; nth < 4; nth += 1) queues.add(item(nth));
  expect(sent).toEqual([0, 1]);
  await end(true);
  expect(sent).toEqual([0, 1, 2]);
  queues.add({ ...item(9), merchantId: 2 });
  expect(sent).toEqual([0, 1, 2, 9]);
});

test('only an endpoint that responded quickly the last time has deliveries prefetched', async () => {
  const { queues, end } = opened();
  for (let nth = 0; nth < 2; nth += 1) queues.add(item(nth));
  const ahead = [queues.ahead(item(0))];
  await end(true);
  ahead.push(queues.ahead(item(0)), queues.ahead({ merchantId: 2, endpoint }));
  await end(false);
  expect([...ahead, queues.ahead(item(0))]).toEqual([0, 10, 0, 0]);
});

test('deliveries prefetched for an endpoint that became slow, or for too long, are released', async () => {
  const { queues, sent, dropped, end } = opened();
  for (let nth = 0; nth < 5; nth += 1) queues.add(item(nth));
  queues.dropOlderThan(60_000);
  expect(dropped).toEqual([]);
  await end(false);
  expect([sent, dropped]).toEqual([
    [0, 1],
    [2, 3, 4],
  ]);
  queues.add(item(5));
  queues.add(item(6));
  queues.dropOlderThan(0);
  expect([sent, dropped]).toEqual([
    [0, 1, 5],
    [2, 3, 4, 6],
  ]);
});
