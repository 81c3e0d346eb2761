import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenCharge, givenMerchant } from '../../test/given.ts';
import { withPsp } from '../../test/with-psp.ts';
import { type BankReceivedPix, HOUSE_CONNECTION, type Psp, PspUnknown, storeNotices } from '../psp/index.ts';
import { createNoticeProcessor } from './process-notices.ts';

// Notices that arrive together share calls to the bank and transactions; a single notice waits for no others.

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  merchant = await givenMerchant(gateway);
});
beforeEach(() => gateway.bank.setBehaviour({ notifications: 'never' }));
afterAll(() => gateway.stop());

/** Creates charges and pays them; returns the Pix as the bank lists them. */
async function payCharges(count: number): Promise<BankReceivedPix[]> {
  const ids = await Promise.all(
    Array.from({ length: count }, async () => {
      const { content } = await givenCharge(gateway, merchant);
      return gateway.bank.pay({ brCode: content });
    }),
  );
  const found = await Promise.all(ids.map((id) => gateway.deps.psp.findReceivedPix(id)));
  return found.filter((pix) => pix !== undefined);
}

/** Stores notices of these Pix, and leases them. */
const storeNoticesOf = (pix: readonly BankReceivedPix[], claimedAt?: Date) =>
  storeNotices({ db: gateway.deps.db, now: gateway.deps.clock.now() }, [
    {
      connectionId: HOUSE_CONNECTION,
      isLeased: true,
      notices: pix.map(({ endToEndId, paidAt }) => ({
        endToEndId,
        claimedAt: claimedAt ?? paidAt,
        told: {},
      })),
    },
  ]);

/** The bank, with its calls recorded. */
function watchedBank(changes: Partial<Psp> = {}) {
  const bank = { ...gateway.deps.psp, ...changes };
  const lookUps = vi.spyOn(bank, 'findReceivedPix');
  const lists = vi.spyOn(bank, 'listReceivedPix');
  return { lookUps, lists, deps: withPsp(gateway.deps, bank) };
}

async function countCredited(pix: readonly BankReceivedPix[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from received_pix
    where outcome = 'credited' and end_to_end_id = any(${pix.map(({ endToEndId }) => endToEndId)}::text[])
  `.execute(gateway.deps.db);
  return rows[0]?.count ?? 0;
}

/** Runs pending promises, but no timers and no I/O. */
async function runMicrotasks(): Promise<void> {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
}

describe('a single payment', () => {
  test('is looked up without waiting, and booked as soon as the bank responds', async () => {
    const [pix] = await payCharges(1);
    const bankResponse = Promise.withResolvers<BankReceivedPix | undefined>();
    const { lookUps, lists, deps } = watchedBank({ findReceivedPix: () => bankResponse.promise });
    const transactions = vi.spyOn(deps.db, 'transaction');
    const processor = createNoticeProcessor(deps);
    const notices = await storeNoticesOf(pix === undefined ? [] : [pix]);

    processor.take(notices);
    await runMicrotasks();
    expect(lookUps).toHaveBeenCalledTimes(1);
    expect(transactions).not.toHaveBeenCalled();

    bankResponse.resolve(pix);
    await runMicrotasks();
    expect(transactions).toHaveBeenCalledTimes(1);
    expect(lists).not.toHaveBeenCalled();
    transactions.mockRestore();
    await processor.waitUntilIdle(60_000);
    expect(await countCredited(pix === undefined ? [] : [pix])).toBe(1);
  });
});

test('notices are confirmed over the present connection of their bank, also after it was connected anew', async () => {
  const all = await payCharges(2);
  const { banks } = gateway.deps;
  let present = banks.house;
  const processor = createNoticeProcessor({ ...gateway.deps, banks: { ...banks, of: () => present } });
  for (const pix of all) {
    let isClosed = false;
    const { findReceivedPix } = banks.house.psp;
    const find = async (id: string) => {
      if (isClosed) throw new PspUnknown('the connection was closed');
      return findReceivedPix(id);
    };
    present = { ...banks.house, psp: { ...banks.house.psp, findReceivedPix: find } };
    processor.take(await storeNoticesOf([pix]));
    await processor.waitUntilIdle(60_000);
    isClosed = true;
  }
  expect(await countCredited(all)).toBe(2);
});

test('an account whose bank cannot be connected stops the notices of no other account', async () => {
  const [pix] = await payCharges(1);
  const { db, clock, banks } = gateway.deps;
  const broken = {
    connection: { id: 99, pixKey: 'quebrada@example.com' },
    callbacks: banks.house.callbacks,
    get psp(): Psp {
      throw new Error('the credentials cannot be opened');
    },
  };
  const find = (id: number) => (id === 99 ? broken : banks.find(id));
  const withBroken = { ...banks, find, of: (id: number) => (id === 99 ? broken : banks.of(id)) };
  const processor = createNoticeProcessor({ ...gateway.deps, banks: withBroken });
  const notice = { endToEndId: pix?.endToEndId ?? '', claimedAt: clock.now(), told: {} };
  const ofBoth = [99, HOUSE_CONNECTION].map((connectionId) => ({ connectionId, notices: [notice] }));
  await storeNotices({ db, now: clock.now() }, ofBoth);
  expect(await processor.sweep()).toBe(1);
  await processor.waitUntilIdle(60_000);
  expect(await countCredited(pix === undefined ? [] : [pix])).toBe(1);
  await db.updateTable('psp_inbox').set({ state: 'done' }).where('connection_id', '=', 99).execute();
});

describe('concurrent payments', () => {
  test('take one list call to the bank and few transactions', async () => {
    const all = await payCharges(60);
    const { lookUps, lists, deps } = watchedBank();
    const transactions = vi.spyOn(deps.db, 'transaction');
    const processor = createNoticeProcessor(deps);
    processor.take(await storeNoticesOf(all));
    await processor.waitUntilIdle(60_000);
    expect(await countCredited(all)).toBe(60);
    expect([lookUps.mock.calls.length, lists.mock.calls.length]).toEqual([0, 1]);
    expect(transactions.mock.calls.length).toBeLessThan(5);
    transactions.mockRestore();
  });

  test('are booked except for an invalid one, which waits alone', async () => {
    const all = await payCharges(60);
    const odd = all[37]?.endToEndId;
    const list = gateway.deps.psp.listReceivedPix;
    const { deps } = watchedBank({
      // The database refuses this amount, which no bank sends.
      async *listReceivedPix(from, to) {
        for await (const page of list(from, to))
          yield page.map((pix) => (pix.endToEndId === odd ? { ...pix, amountCents: 0 } : pix));
      },
    });
    const processor = createNoticeProcessor(deps);
    processor.take(await storeNoticesOf(all));
    await processor.waitUntilIdle(60_000);
    expect(await countCredited(all)).toBe(59);
    const { rows } = await sql<{ outcome: string; size: number }>`
      select outcome, size from psp_inbox where state = 'waiting' and notices::text like ${`%${odd}%`}
    `.execute(gateway.deps.db);
    expect(rows).toEqual([{ outcome: 'could not be booked', size: 1 }]);
  });

  test.each<[string, Partial<Psp>]>([
    [
      'refuses its list',
      {
        // biome-ignore lint/correctness/useYield: it throws before it yields.
        async *listReceivedPix() {
          throw new PspUnknown('no lists today');
        },
      },
    ],
    [
      'never completes its list',
      {
        async *listReceivedPix() {
          yield await new Promise<BankReceivedPix[]>(() => {});
        },
      },
    ],
    [
      'lists none of the payments',
      {
        async *listReceivedPix() {
          yield [];
        },
      },
    ],
  ])('are looked up one by one at a bank that %s', async (_, changes) => {
    const all = await payCharges(8);
    const { lookUps, deps } = watchedBank(changes);
    const processor = createNoticeProcessor(deps);
    processor.take(await storeNoticesOf(all));
    await processor.waitUntilIdle(60_000);
    expect(await countCredited(all)).toBe(8);
    expect(lookUps).toHaveBeenCalledTimes(8);
  });

  test('are found whatever their claimed times; those with wrong times are looked up individually', async () => {
    const all = await payCharges(12);
    const wrongTimes = [new Date(0), new Date(Number.NaN), new Date('2999-01-01')];
    const { lookUps, lists, deps } = watchedBank();
    const processor = createNoticeProcessor(deps);
    const notices = await storeNoticesOf(all);
    processor.take(
      notices.map((notice, index) => ({ ...notice, claimedAt: wrongTimes[index] ?? notice.claimedAt })),
    );
    await processor.waitUntilIdle(60_000);
    expect(await countCredited(all)).toBe(12);
    expect([lists.mock.calls.length, lookUps.mock.calls.length]).toEqual([1, 3]);
  });

  test('are looked up once, even if the bank takes longer than the lease', async () => {
    const all = await payCharges(8);
    const slowResponse = Promise.withResolvers<void>();
    const find = gateway.deps.psp.findReceivedPix;
    const { lookUps, deps } = watchedBank({
      async *listReceivedPix() {
        yield [];
      },
      findReceivedPix: (id) => slowResponse.promise.then(() => find(id)),
    });
    const processor = createNoticeProcessor(deps);
    processor.take(await storeNoticesOf(all));
    await expect.poll(() => lookUps.mock.calls.length).toBe(8);
    await gateway.advance(11);
    await processor.sweep();
    slowResponse.resolve();
    await processor.waitUntilIdle(60_000);
    expect(await countCredited(all)).toBe(8);
    const lookedUpIds = lookUps.mock.calls.map(([id]) => id);
    expect(all.map(({ endToEndId }) => lookedUpIds.filter((id) => id === endToEndId).length)).toEqual(
      Array(8).fill(1),
    );
  });

  test('are taken by another process once the lease of a process that is gone has expired', async () => {
    const processor = createNoticeProcessor(gateway.deps);
    const all = await payCharges(20);
    // Nobody processes what was leased here, as after a crash.
    await storeNoticesOf(all);
    while ((await processor.sweep()) > 0) await processor.waitUntilIdle(60_000);
    expect(await countCredited(all)).toBe(0);
    await gateway.advance(11);
    expect(await processor.sweep()).toBe(20);
    await processor.waitUntilIdle(60_000);
    expect(await countCredited(all)).toBe(20);
  });
});
