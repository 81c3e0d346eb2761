import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { DatabaseUnavailable } from '../db/outage.ts';
import type { Deps } from '../deps.ts';
import { type AtBank, type ConnectedBank, createBanks } from './bank.ts';
import { findBusyBanks, stopTurns, takeTurn } from './bank-turns.ts';
import type { Psp } from './psp.ts';

// The work of these tests calls no bank.
const bankOf = (id: number): ConnectedBank => ({
  connection: { id, pixKey: `key ${id}` },
  callbacks: { adapter: 'bacen', webhookCidrs: [] },
  psp: {} as Psp,
});
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

let logged: { err: { message: string }; connectionId: number; failures: number }[];
const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
function depsWith(own: number): Deps {
  return { log, banks: createBanks(bankOf(1), range(2, own + 1).map(bankOf)) } as Deps;
}

/** Work that ends at a bank only when the test says so. */
function createGate() {
  const started: number[] = [];
  const ends = new Map<number, PromiseWithResolvers<number>>();
  return {
    started,
    work: async ({ connection: { id } }: AtBank) => {
      started.push(id);
      const end = Promise.withResolvers<number>();
      ends.set(id, end);
      return end.promise;
    },
    end: (id: number, processedCount = 0) => ends.get(id)?.resolve(processedCount),
  };
}

beforeEach(() => {
  logged = [];
});

test('what is processed at all banks adds up', async () => {
  expect(await takeTurn(depsWith(2), 'work', async ({ connection }) => connection.id)).toBe(6);
});

test('only the named banks have a turn, and of those only the ones that are connected', async () => {
  const turn = takeTurn(depsWith(2), 'work', async ({ connection }) => connection.id, [3, 99]);
  expect(await turn).toBe(3);
});

test('while the work hangs at one bank, turns end and start it at the others, and there only again once it ended', async () => {
  const deps = depsWith(2);
  const gate = createGate();
  const done: number[] = [];
  const work = async (bank: AtBank) => {
    if (bank.connection.id === 2) return gate.work(bank);
    done.push(bank.connection.id);
    return 0;
  };
  for (let turns = 0; turns < 3; turns += 1) await takeTurn(deps, 'work', work);
  expect(done.toSorted()).toEqual([1, 1, 1, 3, 3, 3]);
  expect(gate.started).toEqual([2]);
  expect(findBusyBanks(deps, 'work')).toEqual([2]);
  expect(findBusyBanks(deps, 'other work')).toEqual([]);
  // What it processed counts in the next turn, which starts it again.
  gate.end(2, 5);
  await expect.poll(() => findBusyBanks(deps, 'work')).toEqual([]);
  expect(await takeTurn(deps, 'work', work)).toBe(5);
  expect(gate.started).toEqual([2, 2]);
});

test('a failing bank is reported, and paused alone', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const deps = depsWith(2);
  const done: number[] = [];
  const work = async ({ connection: { id } }: AtBank) => {
    done.push(id);
    if (id === 2) throw new Error('no answer');
    return 1;
  };
  expect(await takeTurn(deps, 'work', work)).toBe(2);
  expect(await takeTurn(deps, 'work', work)).toBe(2);
  expect(done.toSorted()).toEqual([1, 1, 2, 3, 3]);
  expect(logged).toMatchObject([{ err: { message: 'no answer' }, connectionId: 2, failures: 1 }]);
  // After the pause it is tried again, and the next pause is longer.
  expect(findBusyBanks(deps, 'work')).toEqual([2]);
  vi.advanceTimersByTime(1000);
  expect(findBusyBanks(deps, 'work')).toEqual([]);
  await takeTurn(deps, 'work', work);
  expect(logged.at(-1)).toMatchObject({ connectionId: 2, failures: 2 });
});

test('an outage of the database is no failure of a bank, and fails the turn', async () => {
  const deps = depsWith(1);
  const outage = new DatabaseUnavailable('away');
  const work = async () => {
    throw outage;
  };
  await expect(takeTurn(deps, 'work', work)).rejects.toBe(outage);
  expect(logged).toEqual([]);
  expect(findBusyBanks(deps, 'work')).toEqual([]);
});

test('a failure at the only bank is thrown as it is', async () => {
  const failure = new Error('no answer');
  const turn = takeTurn(depsWith(0), 'work', async () => {
    throw failure;
  });
  await expect(turn).rejects.toBe(failure);
});

test('few banks are called at once, the operator’s own always, and hanging ones give their places to the others', async () => {
  const deps = depsWith(20);
  const gate = createGate();
  let most = 0;
  const running = new Set<number>();
  const work = async (bank: AtBank) => {
    const { id } = bank.connection;
    if (id <= 9) return gate.work(bank);
    running.add(id);
    most = Math.max(most, running.size);
    await new Promise((resolve) => setImmediate(resolve));
    running.delete(id);
    return 1;
  };
  const turn = takeTurn(deps, 'work', work);
  // The operator's own and eight others hang, so no other starts before their places are free.
  expect(gate.started).toEqual([]);
  await Promise.resolve();
  await expect.poll(() => gate.started).toEqual(range(1, 9));
  await turn;
  await expect.poll(() => findBusyBanks(deps, 'work')).toEqual(range(1, 9));
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
  expect(await takeTurn(deps, 'work', work)).toBe(12 + 12);
});

test('a shutdown waits for what still runs, and starts nothing that waits', async () => {
  const deps = depsWith(9);
  const gate = createGate();
  const turn = takeTurn(deps, 'work', gate.work);
  await expect.poll(() => gate.started).toEqual(range(1, 9));
  let isStopped = false;
  const stopping = stopTurns(deps.banks, 60_000).then(() => {
    isStopped = true;
  });
  for (const id of range(1, 8)) gate.end(id);
  await turn;
  expect(isStopped).toBe(false);
  gate.end(9);
  await stopping;
  expect(gate.started).toEqual(range(1, 9));
});
