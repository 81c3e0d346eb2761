import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createRecorder } from '../test/explain.ts';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import { backgroundLoops } from './background-work.ts';
import type { Deps } from './deps.ts';
import {
  type ConnectedBank,
  createBanks,
  expectAt,
  findBusyBanks,
  type Psp,
  PspUnknown,
} from './psp/index.ts';

// The gateway speaks for 450 accounts of merchants' own, at which nothing goes on.
const ownIds = Array.from({ length: 450 }, (_, index) => index + 2);

let gateway: TestGateway;
/** The calls to each bank, by connection. */
let calls: Map<number, string[]>;
let recorder: ReturnType<typeof createRecorder>;
let deps: Deps;
/** The banks that answer nothing. */
const silentIds = new Set<number>();

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  recorder = createRecorder(gateway.database.appUrl);
  const { house } = gateway.deps.banks;
  const own = ownIds.map((id): ConnectedBank => {
    const connection = { id, pixKey: `loja-${id}@example.com` };
    return { ...house, connection, psp: createEmptyPsp(id, gateway.deps.banks.house.psp) };
  });
  deps = { ...gateway.deps, db: recorder.db, banks: createBanks(house, own) };
  calls = new Map();
}, 120_000);
afterAll(async () => {
  await recorder.db.destroy();
  await gateway.stop();
});
beforeEach(() => {
  calls = new Map();
});

/** A bank at whose account nothing ever happens. */
function createEmptyPsp(id: number, psp: Psp): Psp {
  const called = (name: string) => {
    calls.set(id, [...(calls.get(id) ?? []), name]);
    if (silentIds.has(id)) throw new PspUnknown('no answer');
  };
  const list = (name: string) =>
    // biome-ignore lint/correctness/useYield: the list is empty
    async function* () {
      called(name);
    };
  if (psp.payouts === undefined || psp.disputes === undefined) throw new Error('Banco Sandbox has both');
  return {
    ...psp,
    listReceivedPix: list('received'),
    findNoticeUrl: async () => {
      called('notice address');
      return undefined;
    },
    registerNoticeUrl: async () => {},
    payouts: { ...psp.payouts, listPayouts: list('sent') },
    disputes: { ...psp.disputes, listDisputes: list('disputes') },
  };
}

/** Runs each loop this many times, and returns the number of statements. */
async function runLoops(times: number): Promise<number> {
  const statements = await recorder.record(async () => {
    for (let run = 0; run < times; run += 1)
      for (const { name, work } of backgroundLoops) if (name !== 'failover') await work(deps);
  });
  return statements.length;
}

/** Runs the loops until no look runs and none is due. A turn ends before the looks at many accounts have ended. */
async function runUntilIdle(): Promise<void> {
  let callsBefore: number;
  do {
    callsBefore = countCalls();
    await runLoops(1);
    const kinds = ['received', 'sent', 'disputes', 'days', 'daily'];
    await expect.poll(() => kinds.flatMap((kind) => findBusyBanks(deps, `look: ${kind}`))).toEqual([]);
  } while (countCalls() > callsBefore);
}
const countCalls = () => [...calls.values()].reduce((sum, { length }) => sum + length, 0);

const calledAt = (id: number) => calls.get(id) ?? [];

test('accounts are looked at at once when they are first seen', async () => {
  await runUntilIdle();
  for (const id of ownIds) expect(new Set(calledAt(id)).size, `${id}`).toBe(4);
});

test('accounts at rest cost no calls, and as many statements as none', async () => {
  const banks = createBanks(gateway.deps.banks.house);
  const withAccounts = await runLoops(1);
  const withOne = deps;
  deps = { ...deps, banks };
  const without = await runLoops(1);
  deps = withOne;
  expect([...calls.keys()]).toEqual([]);
  // Each kind of look asks once what is due.
  expect(withAccounts - without).toBeLessThanOrEqual(10);
});

test('in an hour at rest, each account’s lists of received Pix and of disputes are read once', async () => {
  await gateway.advance(3600);
  await runUntilIdle();
  for (const id of ownIds) expect(calledAt(id).toSorted(), `${id}`).toEqual(['disputes', 'received']);
});

test('one turn looks at all accounts that are due, however many', async () => {
  await gateway.advance(3600);
  await backgroundLoops.find(({ name }) => name === 'reconciliation')?.work(deps);
  await expect.poll(() => ownIds.filter((id) => calledAt(id).includes('received')).length).toBe(450);
  await runUntilIdle();
});

test('an account at which something is expected is looked at soon, and often until then', async () => {
  const [busy = 0, idle = 0] = ownIds;
  await expectAt(deps, [busy], ['received'], new Date(deps.clock.now().getTime() + 1000));
  await runLoops(1);
  expect(calledAt(busy)).toEqual([]);
  for (let looks = 1; looks <= 3; looks += 1) {
    await gateway.advance(20);
    await runLoops(1);
    expect(calledAt(busy)).toHaveLength(looks);
  }
  expect(calledAt(idle)).toEqual([]);
  // Ten minutes later nothing is expected any more.
  await gateway.advance(1200);
  await runLoops(1);
  calls.clear();
  await gateway.advance(60);
  await runLoops(1);
  expect(calledAt(busy)).toEqual([]);
});

test('what is expected about the same time is written once', async () => {
  const [, , busy = 0] = ownIds;
  const until = new Date(deps.clock.now().getTime() + 1_800_000);
  const expectPayments = () => expectAt(deps, [busy], ['received', 'disputes'], until);
  expect(await recorder.record(expectPayments)).toHaveLength(1);
  expect(await recorder.record(expectPayments)).toHaveLength(0);
  expect(await recorder.record(() => expectAt(deps, [1], ['received'], until))).toHaveLength(0);
});

test('a look that failed is made again after longer and longer, and at no other account', async () => {
  const [, , , silent = 0] = ownIds;
  silentIds.add(silent);
  await gateway.advance(3600);
  await runUntilIdle();
  calls.clear();
  const lookTimes: number[] = [];
  const readDue = async () => {
    const { db } = gateway.deps;
    const looks = db.selectFrom('bank_looks').select(['due_at', 'failures']).where('kind', '=', 'received');
    return looks.where('connection_id', '=', silent).executeTakeFirstOrThrow();
  };
  for (let failures = 1; failures <= 7; failures += 1) {
    const { due_at, failures: counted } = await readDue();
    expect(counted).toBe(failures);
    const seconds = Math.ceil((due_at.getTime() - deps.clock.now().getTime()) / 1000);
    lookTimes.push(seconds);
    await gateway.advance(seconds);
    await runUntilIdle();
  }
  expect(lookTimes.toSorted((a, b) => a - b)).toEqual(lookTimes);
  expect(lookTimes.at(-1)).toBe(600);
  silentIds.delete(silent);
});

test('accounts are compared at night, one after the other, each day once', async () => {
  const countComparisons = () => calledAt(ownIds[0] ?? 0).filter((name) => name === 'sent').length;
  await gateway.advance(86_400);
  await runUntilIdle();
  const first = countComparisons();
  expect(first).toBeGreaterThan(0);
  await runLoops(3);
  expect(countComparisons()).toBe(first);
  // The daily look has seen to it that the bank knows where to send its notices.
  expect(calledAt(ownIds[0] ?? 0)).toContain('notice address');
});
