import { transactionFeed } from '@jangada/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { auditLedger } from '../ledger/index.ts';
import { listTransactions } from './list-transactions.ts';

const config = { publicUrl: 'http://localhost' };

const runs = Number(process.env['PROPERTY_RUNS'] ?? 15);

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await testDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 12 }));
});

afterAll(async () => {
  const differences = await auditLedger(db);
  // The payments in these tests have no Pix and no transfers.
  expect(differences.filter(({ check }) => !/Pix|a payment is split/.test(check))).toEqual([]);
  expect(await countDeadlocks(db)).toBe(0);
  await db.destroy();
  await database.drop();
});

type Insertion = {
  readonly merchants: readonly number[];
  /** The number of charges for each merchant. */
  readonly count: number;
  /** The charges are created between this second of the day and `seconds` later. */
  readonly from: number;
  readonly seconds: number;
};

/** Inserts charges in one statement. Many have equal times, and they are in no order of time. */
async function insertCharges(on: Db, { merchants, count, from, seconds }: Insertion): Promise<void> {
  await sql`
    insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                         reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at)
    select merchant_id, id, id::text, case when n % 40 = 0 then 'error' else 'pending' end, 150, 0, 0, 0, 0, 0, 0, now(),
           timestamptz '2026-11-20 03:00Z' + (${from} + floor(random() * ${seconds + 1}::int)) * interval '1 second', now()
    from (
      select merchant_id, n, gen_random_uuid() as id
      from unnest(${merchants}::bigint[]) merchant_id, generate_series(1, ${count}::int) n
    ) made
  `.execute(on);
}

/** Ends about a third of a merchant's open charges. */
async function endThird(on: Db, merchantId: number, end: 'expired' | 'paid'): Promise<void> {
  const paid = sql.lit(end === 'paid');
  await sql`
    update charges
    set status = ${end}, paid_at = case when ${paid} then created_at end,
        end_to_end_id = case when ${paid} then 'E' || substr(txid, 1, 31) end
    where (merchant_id, id) in (
      select merchant_id, id from charges
      where merchant_id = ${merchantId} and status = 'pending' and hashtext(txid) % 3 = 0
      order by id for update)
  `.execute(on);
}

async function expectPage(on: Db, merchantId: number, offset: number, limit: number): Promise<void> {
  const page = await listTransactions(
    { db: on, clock: machineClock, config },
    merchantId,
    transactionFeed.query.parse({ offset, limit }),
  );
  const { rows } = await sql<{ id: string }>`
    select id from charges where merchant_id = ${merchantId} order by created_at desc, id desc
    limit ${limit} offset ${offset}`.execute(on);
  expect(
    page.data.map(({ id }) => id),
    `${limit} at ${offset}`,
  ).toEqual(rows.map(({ id }) => id));
}

async function countRuns(merchantId: number): Promise<number> {
  const { rows } = await sql`select from charge_runs where merchant_id = ${merchantId}`.execute(db);
  return rows.length;
}

const merchantIndex = fc.integer({ min: 0, max: 1 });
const plannedStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert' as const),
      merchants: fc.shuffledSubarray([0, 1], { minLength: 1 }),
      count: fc.integer({ min: 1, max: 1100 }),
      // The charges' time is up to 700 seconds before or after the time of the step.
      ahead: fc.integer({ min: -700, max: 700 }),
      seconds: fc.constantFrom(0, 1, 60, 1000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      merchant: merchantIndex,
      end: fc.constantFrom('expired' as const, 'paid' as const),
    }),
  },
);
const pageRequest = fc.record({
  merchant: merchantIndex,
  perMille: fc.integer({ min: 0, max: 1000 }),
  limit: fc.integer({ min: 1, max: 100 }),
});

test('any page of the feed equals that of a plain offset, whenever its charges were created and stored', async () => {
  let maxRuns = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(plannedStep, { minLength: 8, maxLength: 16 }),
      fc.array(pageRequest, { minLength: 20, maxLength: 20 }),
      async (steps, pageRequests) => {
        const merchants = [await insertMerchant(db), await insertMerchant(db)];
        const totals = [0, 0];
        for (const [nth, step] of steps.entries()) {
          if (step.kind === 'end') {
            await endThird(db, merchants[step.merchant] ?? 0, step.end);
            continue;
          }
          const merchantIds = step.merchants.map((index) => merchants[index] ?? 0);
          await insertCharges(db, { ...step, merchants: merchantIds, from: 1000 + nth * 300 + step.ahead });
          for (const index of step.merchants) totals[index] = (totals[index] ?? 0) + step.count;
        }
        for (const { merchant, perMille, limit } of pageRequests) {
          const offset = Math.min(Math.round(((totals[merchant] ?? 0) * perMille) / 1000), 10_000);
          await expectPage(db, merchants[merchant] ?? 0, offset, limit);
        }
        for (const merchantId of merchants) maxRuns = Math.max(maxRuns, await countRuns(merchantId));
      },
    ),
    { numRuns: runs },
  );
  expect(maxRuns).toBeGreaterThan(2);
});

test('every snapshot has correct pages while clocks differ and charges are stored, dropped, paid and expire', async () => {
  const merchants = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
  const merchantAt = (nth: number) => merchants[nth % merchants.length] ?? 0;
  let writing = true;
  const insertions = Array.from({ length: 150 }, (_, nth): Insertion => {
    // Of four processes one is ten minutes ahead, and one is ten minutes behind.
    const ahead = [0, 600, 0, -600][nth % 4] ?? 0;
    return {
      merchants: nth % 5 === 0 ? [...merchants].reverse() : [merchantAt(nth)],
      count: 1 + ((nth * 37) % 300),
      from: 1000 + nth * 60 + ahead,
      seconds: nth % 30,
    };
  });
  const write = pMap(
    [...insertions.entries()],
    async ([nth, insertion]) => {
      if (nth % 7 === 3) await endThird(db, merchantAt(nth), nth % 2 === 0 ? 'expired' : 'paid');
      const stored = db.transaction().execute(async (tx) => {
        await insertCharges(tx, insertion);
        if (nth % 9 === 4) throw new Error('dropped');
      });
      await (nth % 9 === 4 ? expect(stored).rejects.toThrow('dropped') : stored);
    },
    { concurrency: 6 },
  ).finally(() => {
    writing = false;
  });
  const read = pMap(
    [0, 1],
    async (reader) => {
      for (let nth = reader; writing; nth += 1)
        await db
          .transaction()
          .setIsolationLevel('repeatable read')
          .setAccessMode('read only')
          .execute((snapshot) => expectPage(snapshot, merchantAt(nth), (nth * 211) % 5000, 10));
    },
    { concurrency: 2 },
  );
  await Promise.all([write, read]);
  for (const merchantId of merchants) {
    expect(await countRuns(merchantId)).toBeGreaterThan(2);
    for (let offset = 0; offset < 5000; offset += 97) await expectPage(db, merchantId, offset, 10);
  }
});

test('the audit reports a run with a wrong count', async () => {
  const owner = createDb(createPool({ url: database.ownerUrl, max: 1 }));
  const merchantId = await insertMerchant(db);
  await insertCharges(db, { merchants: [merchantId], count: 1500, from: 0, seconds: 100 });
  const change = (by: number) =>
    sql`update charge_runs set charges = charges + ${by} where merchant_id = ${merchantId}`.execute(owner);
  const check = 'a run counts the charges that were made in it';
  await change(1);
  expect(await auditLedger(db)).toContainEqual(expect.objectContaining({ merchantId, check }));
  await change(-1);
  await owner.destroy();
});
