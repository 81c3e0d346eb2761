import { expect, test } from 'vitest';
import { createWorkQueue } from '../work-queue.ts';
import { hashPassword, verifyPassword } from './password.ts';

test('the queue starts items in order, a limited number in parallel, and refuses those beyond its length', async () => {
  const runInQueue = createWorkQueue({ parallel: 2, waiting: 3 });
  const started: number[] = [];
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const results = gates.map(({ promise }, index) =>
    runInQueue(async () => {
      started.push(index);
      await promise;
      return index;
    }).catch((error) => error.code),
  );
  expect(await results[5]).toBe('OVERLOADED');
  expect(started).toEqual([0, 1]);
  gates[1]?.resolve();
  expect(await results[1]).toBe(1);
  await Promise.resolve();
  expect(started).toEqual([0, 1, 2]);
  for (const { resolve } of gates) resolve();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4, 'OVERLOADED']);
});

test('lanes take turns, and in a full queue the longest lane loses its last item', async () => {
  const runInQueue = createWorkQueue({ parallel: 1, waiting: 4 });
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const add = (lane: string, name: string) =>
    runInQueue(async () => {
      await gate.promise;
      done.push(name);
    }, lane).catch((error) => done.push(`${name} ${error.code}`));
  const items = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'b1', 'b2', 'b3', 'c1'].map((name) =>
    add(name.slice(0, 1), name),
  );
  gate.resolve();
  await Promise.all(items);
  const refused = ['a6 OVERLOADED', 'a5 OVERLOADED', 'a4 OVERLOADED', 'a3 OVERLOADED', 'b3 OVERLOADED'];
  expect(done.filter((name) => name.includes(' ')).toSorted()).toEqual(refused.toSorted());
  expect(done.filter((name) => !name.includes(' '))).toEqual(['a1', 'a2', 'b1', 'c1', 'b2']);
});

test('a failed item frees its slot', async () => {
  const runInQueue = createWorkQueue({ parallel: 1, waiting: 1 });
  const failing = runInQueue(() => Promise.reject(new Error('no')));
  const nextItem = runInQueue(async () => 'done');
  await expect(failing).rejects.toThrow('no');
  expect(await nextItem).toBe('done');
});

test('a password matches only its own hash, and never a missing one', async () => {
  const hash = await hashPassword('uma senha boa');
  expect(await hashPassword('uma senha boa')).not.toBe(hash);
  expect(await verifyPassword(hash, 'uma senha boa')).toBe(true);
  expect(await verifyPassword(hash, 'uma senha ruim')).toBe(false);
  expect(await verifyPassword(undefined, 'uma senha boa')).toBe(false);
});
