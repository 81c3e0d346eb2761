import { expect, test } from 'vitest';
import { behaviourOf } from './behaviour.ts';
import { judgeCalls, type ToldEvent } from './judge-calls.ts';
import type { ReceivedCall } from './receivers-protocol.ts';

const told: ToldEvent[] = [
  { event: 'a', endpoint: 1, behaviour: 'well' },
  { event: 'b', endpoint: 2, behaviour: 'well' },
  { event: 'c', endpoint: 7, behaviour: 'failing' },
  { event: 'd', endpoint: 0, behaviour: 'hanging' },
];
const call = (event: string, endpoint: number, atMs: number): ReceivedCall => ({
  event,
  endpoint,
  atMs,
  status: 204,
});

test('one endpoint in a hundred hangs and five fail', () => {
  const behaviours = Array.from({ length: 1000 }, (_, endpoint) => behaviourOf(endpoint));
  expect(behaviours.filter((one) => one === 'hanging')).toHaveLength(10);
  expect(behaviours.filter((one) => one === 'failing')).toHaveLength(50);
});

test('retries are counted separately, and times are those of first calls', () => {
  const judged = judgeCalls(told, [
    call('a', 1, 10),
    call('c', 7, 11),
    call('b', 2, 12),
    call('c', 7, 20),
    call('c', 7, 30),
  ]);
  expect(judged.faults).toEqual([]);
  expect(judged.troubled).toEqual({
    failing: { first: 1, retries: 2 },
    hanging: { first: 0, retries: 0 },
  });
  expect([...judged.firstMs]).toEqual([
    ['a', 10],
    ['c', 11],
    ['b', 12],
  ]);
});

test('an event that a healthy endpoint misses, receives twice or receives for another voids the round', () => {
  const once = [call('a', 1, 10), call('b', 2, 12)];
  expect(judgeCalls(told, once).faults).toEqual([]);
  expect(judgeCalls(told, [call('a', 1, 10)]).faults).toHaveLength(1);
  expect(judgeCalls(told, [...once, call('b', 2, 13)]).faults).toHaveLength(1);
  expect(judgeCalls(told, [...once, call('b', 1, 13)]).faults).toHaveLength(1);
  expect(judgeCalls(told, [...once, call('unknown', 1, 13)]).faults).toHaveLength(1);
});
