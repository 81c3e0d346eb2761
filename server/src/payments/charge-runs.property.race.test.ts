import { transactionFeed } from '@jangada/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import pMap from 'p-map';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargeIdSql } from '../../test/charge-id.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { auditLedger } from '../ledger/index.ts';
import { listTransactions } from './list-transactions.ts';

// The feed finds a page at an offset by the stored counts of runs: blocks of consecutive charges (`feed-store.ts`).
// These tests compare its pages with those of a plain SQL offset.

const config = { publicUrl: 'http://localhost' };

const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 15);

let database: TestDatabase;
let db: Db;
/** Without a limit for a statement, like that of `npm run ledger:verify`: at full numbers the audit reads many charges. */
let auditDb: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl, max: 12 }));
  auditDb = createDb(createPool({ url: database.appUrl, max: 1, statementTimeoutMs: 0 }));
});

afterAll(async () => {
  const differences = await auditLedger(auditDb);
  // The payments in these tests have no Pix and no transfers.
  expect(differences.filter(({ check }) => !/Pix|a payment is split/.test(check))).toEqual([]);
  expect(await countDeadlocks(db)).toBe(0);
  await db.destroy();
  await auditDb.destroy();
  await database.drop();
});

type Insertion = {
  readonly merchants: readonly number[];
  /** The number of charges for each merchant. */
  readonly countPerMerchant: number;
  /** The charges are created between this second of the day and `spanSeconds` later. */
  readonly fromSecond: number;
  readonly spanSeconds: number;
};

/** Inserts charges in one statement. Many have equal times of creation, and they are in no order of time. */
async function insertCharges(
  connection: Db,
  { merchants, countPerMerchant, fromSecond, spanSeconds }: Insertion,
): Promise<void> {
  await sql`
    insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                         reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at)
    select merchant_id, id, id::text, case when n % 40 = 0 then 'error' else 'pending' end, 150, 0, 0, 0, 0, 0, 0, now(),
           created_at, now()
    from (
      select merchant_id, n, created_at, ${sql.raw(chargeIdSql('created_at'))} as id
      from (
        select merchant_id, n, timestamptz '2026-11-20 03:00Z'
          + (${fromSecond} + floor(random() * ${spanSeconds + 1}::int)) * interval '1 second' as created_at
        from unnest(${merchants}::bigint[]) merchant_id, generate_series(1, ${countPerMerchant}::int) n
      ) made
    ) new_charge
  `.execute(connection);
}

/** Ends about a third of a merchant's open charges. */
async function endThird(connection: Db, merchantId: number, status: 'expired' | 'paid'): Promise<void> {
  const isPaid = sql.lit(status === 'paid');
  await sql`
    update charges
    set status = ${status}, paid_at = case when ${isPaid} then created_at end,
        end_to_end_id = case when ${isPaid} then 'E' || substr(txid, 1, 31) end
    where (merchant_id, id) in (
      select merchant_id, id from charges
      where merchant_id = ${merchantId} and status = 'pending' and hashtext(txid) % 3 = 0
      order by id for update)
  `.execute(connection);
}

/** Expects that the page of the feed has the charges of a plain SQL offset. */
async function expectPage(connection: Db, merchantId: number, offset: number, limit: number): Promise<void> {
  const page = await listTransactions(
    { db: connection, clock: machineClock, config },
    merchantId,
    transactionFeed.query.parse({ offset, limit }),
  );
  const { rows } = await sql<{ id: string }>`
    select id from charges where merchant_id = ${merchantId} order by created_at desc, id desc
    limit ${limit} offset ${offset}`.execute(connection);
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
      countPerMerchant: fc.integer({ min: 1, max: 1100 }),
      /** How far the charges' first time of creation is after (or, if negative, before) the time of the step. */
      aheadSeconds: fc.integer({ min: -700, max: 700 }),
      spanSeconds: fc.constantFrom(0, 1, 60, 1000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      merchant: merchantIndex,
      status: fc.constantFrom('expired' as const, 'paid' as const),
    }),
  },
);
const pageRequest = fc.record({
  merchant: merchantIndex,
  /** The page's offset in thousandths of the merchant's charges. */
  offsetPerMille: fc.integer({ min: 0, max: 1000 }),
  limit: fc.integer({ min: 1, max: 100 }),
});

test('any page of the feed equals the page of a plain offset, whenever its charges were created and stored', async () => {
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
            await endThird(db, merchants[step.merchant] ?? 0, step.status);
            continue;
          }
          const merchantIds = step.merchants.map((index) => merchants[index] ?? 0);
          await insertCharges(db, {
            ...step,
            merchants: merchantIds,
            fromSecond: 1000 + nth * 300 + step.aheadSeconds,
          });
          for (const index of step.merchants) totals[index] = (totals[index] ?? 0) + step.countPerMerchant;
        }
        for (const { merchant, offsetPerMille, limit } of pageRequests) {
          const offset = Math.min(Math.round(((totals[merchant] ?? 0) * offsetPerMille) / 1000), 10_000);
          await expectPage(db, merchants[merchant] ?? 0, offset, limit);
        }
        for (const merchantId of merchants) maxRuns = Math.max(maxRuns, await countRuns(merchantId));
      },
    ),
    { numRuns: propertyRuns },
  );
  expect(maxRuns).toBeGreaterThan(2);
});

test('every snapshot has correct pages while clocks differ and charges are stored, rolled back, paid or expire', async () => {
  const merchants = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
  const merchantAt = (nth: number) => merchants[nth % merchants.length] ?? 0;
  const deps = { db, clock: machineClock };
  let isWriting = true;
  const insertions = Array.from({ length: 150 }, (_, nth): Insertion => {
    // As if by four processes: the clock of one is ten minutes ahead, that of another ten minutes behind.
    const aheadSeconds = [0, 600, 0, -600][nth % 4] ?? 0;
    return {
      merchants: nth % 5 === 0 ? [...merchants].reverse() : [merchantAt(nth)],
      countPerMerchant: 1 + ((nth * 37) % 300),
      fromSecond: 1000 + nth * 60 + aheadSeconds,
      spanSeconds: nth % 30,
    };
  });
  const write = pMap(
    [...insertions.entries()],
    async ([nth, insertion]) => {
      const status = nth % 2 === 0 ? 'expired' : 'paid';
      if (nth % 7 === 3) await inTransaction(deps, (tx) => endThird(tx.db, merchantAt(nth), status));
      const isRolledBack = nth % 9 === 4;
      const stored = inTransaction(deps, async (tx) => {
        await insertCharges(tx.db, insertion);
        if (isRolledBack) throw new Error('rolled back');
      });
      await (isRolledBack ? expect(stored).rejects.toThrow('rolled back') : stored);
    },
    { concurrency: 6 },
  ).finally(() => {
    isWriting = false;
  });
  const read = pMap(
    [0, 1],
    async (reader) => {
      for (let nth = reader; isWriting; nth += 1)
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
  // The application may not change counts of runs; the owner of the tables may.
  const ownerDb = createDb(createPool({ url: database.ownerUrl, max: 1 }));
  const merchantId = await insertMerchant(db);
  await insertCharges(db, {
    merchants: [merchantId],
    countPerMerchant: 1500,
    fromSecond: 0,
    spanSeconds: 100,
  });
  const addToCounts = (difference: number) =>
    sql`update charge_runs set charges = charges + ${difference} where merchant_id = ${merchantId}`.execute(
      ownerDb,
    );
  const check = 'a run counts the charges that were made in it';
  await addToCounts(1);
  expect(await auditLedger(auditDb)).toContainEqual(expect.objectContaining({ merchantId, check }));
  await addToCounts(-1);
  await ownerDb.destroy();
});
