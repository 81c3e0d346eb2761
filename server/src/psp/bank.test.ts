import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { type AtBank, atBank, atEachBank, type ConnectedBank, createBanks, isPspUnknown } from './bank.ts';
import { type Psp, PspUnknown } from './psp.ts';

// The work of these tests calls no bank.
const bankOf = (id: number): ConnectedBank => ({
  connection: { id, pixKey: `key ${id}` },
  callbacks: { adapter: 'bacen', webhookCidrs: [] },
  psp: {} as Psp,
});
const deps = { banks: createBanks(bankOf(1), [bankOf(2), bankOf(3)]) } as Deps;

test('work at one account finds its bank, and none if the account is unknown', () => {
  expect(atBank(deps, 2).connection.pixKey).toBe('key 2');
  expect(() => atBank(deps, 4)).toThrow('no bank is connected as 4');
});

test('work at each bank adds up', async () => {
  expect(await atEachBank(deps, async ({ connection }) => connection.id)).toBe(6);
});

test('a failure at one bank leaves the work at the others to end, and is then thrown as it is', async () => {
  const done: number[] = [];
  const failure = new Error('no answer');
  const work =
    (failing: readonly number[]) =>
    async ({ connection: { id } }: AtBank) => {
      if (failing.includes(id)) throw failure;
      await sleep(5);
      done.push(id);
      return 1;
    };
  await expect(atEachBank(deps, work([1]))).rejects.toBe(failure);
  expect(done.toSorted()).toEqual([2, 3]);
  await expect(atEachBank(deps, work([1, 2]))).rejects.toThrow('the work failed at 2 banks');
});

test('a failure at several banks is an unknown outcome if it is one at each', () => {
  const unknown = new PspUnknown('no answer');
  expect([unknown, new AggregateError([unknown, unknown])].map(isPspUnknown)).toEqual([true, true]);
  const defects = [new Error('a defect'), new AggregateError([unknown, new Error('a defect')])];
  expect(defects.map(isPspUnknown)).toEqual([false, false]);
});
