import { expect, test } from 'vitest';
import { type DueEvent, judgeCalls } from './judge-calls.ts';
import { behaviourOf, type ReceivedCall } from './receivers-protocol.ts';

const dueEvents: DueEvent[] = [
  { event: 'a', endpoint: 1, behaviour: 'healthy' },
  { event: 'b', endpoint: 2, behaviour: 'healthy' },
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
  expect(behaviours.filter((behaviour) => behaviour === 'hanging')).toHaveLength(10);
  expect(behaviours.filter((behaviour) => behaviour === 'failing')).toHaveLength(50);
});

test('retries are counted apart from first calls, and the time of an event is that of its first call', () => {
  const judged = judgeCalls(dueEvents, [
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

test('an event that a healthy endpoint misses or receives twice, or that is not its own, voids the round', () => {
  const once = [call('a', 1, 10), call('b', 2, 12)];
  expect(judgeCalls(dueEvents, once).faults).toEqual([]);
  expect(judgeCalls(dueEvents, [call('a', 1, 10)]).faults).toHaveLength(1);
  expect(judgeCalls(dueEvents, [...once, call('b', 2, 13)]).faults).toHaveLength(1);
  expect(judgeCalls(dueEvents, [...once, call('b', 1, 13)]).faults).toHaveLength(1);
  expect(judgeCalls(dueEvents, [...once, call('unknown', 1, 13)]).faults).toHaveLength(1);
});
