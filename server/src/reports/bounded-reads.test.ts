import { listPayments as listEndpoint, type QueryInput, transactionFeed } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeIdSql } from '../../test/charge-id.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import {
  createRecorder,
  explain,
  openPlannerSession,
  type QueryPlan,
  type Recorder,
} from '../../test/explain.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import type { Db } from '../db/pool.ts';
import { listPayments, listTransactions } from '../payments/list-transactions.ts';
import { chargeStats, dailyStats } from './routes.ts';
import { walletStats } from './wallet-stats.ts';

const config = { publicUrl: 'http://localhost' };
const busyLink = '3c5e8f0a-91d4-4b7e-a6c2-5d0f7b1e9a83';

const paymentCount = 20_005;
const now = new Date('2026-11-21T15:00:00Z');

let database: TestDatabase;
let owner: pg.Client;
let recorder: Recorder;
let merchantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  recorder = createRecorder(database.ownerUrl);
  merchantId = await insertMerchant(recorder.db);
  await fill(recorder.db);
  owner = await openPlannerSession(database.ownerUrl);
  // The usual state after autovacuum.
  await owner.query('vacuum (analyze)');
});

afterAll(async () => {
  await owner.end();
  await recorder.db.destroy();
  await database.drop();
});

/**
 * Stores a merchant with many payments of few prices, a minute apart, and 3,000 other merchants, because PostgreSQL
 * always scans small tables.
 */
async function fill(db: Db): Promise<void> {
  await sql`
    insert into users (username, name, email, document, doc_type, password_hash, created_at, updated_at)
    select 'other-' || n, '', 'other-' || n || '@example.com', 'other-' || n, 'CPF', '', now(), now() from generate_series(1, 3000) n
  `.execute(db);
  await sql`
    insert into charge_runs (merchant_id, after_id, charges)
    select id, '00000000-0000-0000-0000-000000000000', 0 from users where username like 'other-%'
  `.execute(db);
  // Inserted in order of time, in several batches, so that offset 10,000 is at the end of a run.
  for (let oldest = paymentCount; oldest > 0; oldest -= 500)
    await insertCharges(db, sql`select ${merchantId}::bigint`, Math.max(oldest - 499, 1), oldest);
  await insertCharges(db, sql`select id from users where username like 'other-%'`, 1, 1);
  await sql`
    update charges
    set status = case when substr(txid, 2)::int % 10 = 0 then 'expired' else 'paid' end,
        end_to_end_id = case when substr(txid, 2)::int % 10 <> 0
          then 'E12345678' || to_char(created_at, 'YYYYMMDDHH24MI') || lpad(substr(txid, 2), 11, '0') end,
        paid_at = case when substr(txid, 2)::int % 10 <> 0 then created_at end
    where merchant_id = ${merchantId} and substr(txid, 2)::int % 50 <> 1
  `.execute(db);
  await sql`
    insert into received_pix (end_to_end_id, merchant_id, charge_id, outcome, amount_cents, paid_at, received_at)
    select end_to_end_id, merchant_id, id, 'credited', amount_cents, paid_at, paid_at
    from charges where end_to_end_id is not null
  `.execute(db);
  await sql`
    insert into charge_metadata (merchant_id, name, value, charge_id)
    select merchant_id, 'loja', metadata ->> 'loja', id from charges
  `.execute(db);
  await sql`
    insert into charge_options (merchant_id, charge_id, description, payment_link_id)
    select merchant_id, id, 'Pedido', case when metadata ->> 'loja' = '1' then ${busyLink}::uuid end
    from charges
  `.execute(db);
  for (const days of ['merchant_days', 'ledger_days']) {
    await sql`
      insert into ${sql.table(days)} (merchant_id, day)
      select id, date '2026-11-21' - n from users, generate_series(1, 10) n where username like 'other-%'
    `.execute(db);
  }
}

/** Inserts charges of each merchant, one for each minute between these two numbers of minutes ago. */
async function insertCharges(
  db: Db,
  merchants: RawBuilder<unknown>,
  fromMinutes: number,
  toMinutes: number,
): Promise<void> {
  await sql`
    insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days,
                         fee_cents, reserve_cents, expires_at, external_id, metadata, created_at, updated_at)
    select merchant_id, ${sql.raw(chargeIdSql('created_at'))}, 't' || n, 'pending', 1000 + n % 7, 0, 0, 0, 0, 0, 0,
           ${now}::timestamptz, 'pedido-' || n % 400, jsonb_build_object('loja', (n % 2)::text), created_at,
           ${now}::timestamptz
    from (${merchants}) merchant (merchant_id), generate_series(${fromMinutes}::int, ${toMinutes}::int) n,
      lateral (select ${now}::timestamptz - n * interval '1 minute') made (created_at)
  `.execute(db);
}

/** Returns two plans for each statement of a read: the plan for its parameters and the generic plan. */
async function plansOf(read: (db: Db) => Promise<unknown>): Promise<QueryPlan[]> {
  const statements = await recorder.record(read);
  expect(statements).not.toHaveLength(0);
  const plans: QueryPlan[] = [];
  for (const statement of statements)
    for (const kind of ['custom', 'generic'] as const) plans.push(await explain(owner, statement, kind));
  return plans;
}

/** Expects that each statement of a read touches at most this many buffers (pages of 8 kB) and scans no table. */
async function expectBounded(read: (db: Db) => Promise<unknown>, maxBuffers: number): Promise<void> {
  for (const { steps, buffers } of await plansOf(read)) {
    expect(steps.filter((step) => step.startsWith('Seq Scan'))).toEqual([]);
    expect(buffers, steps.join(', ')).toBeLessThanOrEqual(maxBuffers);
  }
}

const readFeed = (query: QueryInput<typeof transactionFeed>) => (db: Db) =>
  listTransactions({ db, clock: machineClock, config }, merchantId, transactionFeed.query.parse(query));

/** The cursor after `skipped` charges. */
async function cursorAt(skipped: number, query: QueryInput<typeof transactionFeed> = {}): Promise<string> {
  const { next } = await readFeed({ ...query, offset: skipped - 1, limit: 1 })(recorder.db);
  if (next === null) throw new Error('the feed ends before this position');
  return next;
}

/** Buffers for a page of ten rows: each row found by an index costs four. */
const pageBuffers = 60;
/** Buffers for 10,000 index entries and one page; reading all rows would take some 20,000. */
const indexWalkBuffers = 300;

describe('whatever a merchant has received, without a table scan', () => {
  test.each<[string, QueryInput<typeof transactionFeed>]>([
    ['the first page', {}],
    ['offset 10,000', { offset: 10_000 }],
    ['the last page', { offset: paymentCount - 10 }],
    ['a page of a status', { status: 'expired' }],
    ['the last page of a status', { status: 'expired', offset: 1990 }],
    ['an unused status', { status: 'refunded' }],
  ])('%s of the feed reads a few pages', async (_, query) => {
    await expectBounded(readFeed(query), pageBuffers);
  });

  test.each([100, 10_000, paymentCount - 100])('a cursor at depth %i reads a few pages', async (depth) => {
    await expectBounded(readFeed({ before: await cursorAt(Math.min(depth, 10_000)) }), pageBuffers);
    await expectBounded(
      readFeed({ before: await cursorAt(1000, { status: 'paid' }), status: 'paid' }),
      pageBuffers,
    );
  });

  test.each<[string, QueryInput<typeof transactionFeed>]>([
    ['an offset in a status', { offset: 8000, status: 'paid' }],
    ['a period', { from: '2026-11-10' }],
    ['a period of a status', { from: '2026-11-10', status: 'paid' }],
    ['a price', { search: '10,01' }],
  ])('%s is read from an index, not from the table', async (_, query) => {
    await expectBounded(readFeed(query), indexWalkBuffers);
  });

  test('an id or endToEndId, in full or its beginning, is found by an index', async () => {
    const { data } = await readFeed({ offset: 5000, status: 'paid' })(recorder.db);
    const [{ id, end_to_end_id } = { id: '', end_to_end_id: null }] = data;
    for (const search of [id, id.slice(0, 8), end_to_end_id ?? '', (end_to_end_id ?? '').slice(0, 20)]) {
      expect(search).not.toBe('');
      await expectBounded(readFeed({ search }), pageBuffers);
    }
  });

  test.each([
    ['an external_id', { external_id: 'pedido-7' }],
    ['an external_id of a status', { external_id: 'pedido-8', status: 'paid' }],
    ['a metadata value of half of the charges', { metadata_name: 'loja', metadata_value: '1' }],
    ['a metadata value of a status', { metadata_name: 'loja', metadata_value: '0', status: 'expired' }],
    [
      'a metadata value in a period',
      { metadata_name: 'loja', metadata_value: '1', from: '2026-11-01', to: '2026-11-12' },
    ],
    ['a link with half of the charges', { payment_link_id: busyLink }],
    ['an unused metadata value', { metadata_name: 'loja', metadata_value: '2' }],
  ] as const)('a page by %s reads little more than its rows', async (_, query) => {
    const read = (more: object) => (db: Db) =>
      listPayments(
        { db, clock: machineClock, config },
        merchantId,
        listEndpoint.query.parse({ ...query, ...more }),
      );
    await expectBounded(read({}), 4 * pageBuffers);
    const { next } = await read({})(recorder.db);
    if (next !== null) await expectBounded(read({ before: next }), 4 * pageBuffers);
  });

  test('a search without recent results does not read all charges', async () => {
    await expectBounded(readFeed({ search: '10,00', status: 'refunded' }), 7000);
    const withoutResults = { metadata_name: 'loja', metadata_value: '1', status: 'expired' };
    await expectBounded(
      (db) =>
        listPayments(
          { db, clock: machineClock, config },
          merchantId,
          listEndpoint.query.parse(withoutResults),
        ),
      31_000,
    );
    await expectBounded(
      readFeed({ search: 'ffffffff-ffff-ffff-ffff-ffffffffffff', status: 'paid' }),
      pageBuffers,
    );
    await expectBounded(readFeed({ search: `E99999999${'0'.repeat(23)}` }), pageBuffers);
  });

  test('the wallet, the counts and the days read a few pages', async () => {
    await expectBounded((db) => walletStats({ db }, merchantId), 20);
    await expectBounded((db) => dailyStats({ db, clock: { now: () => now } }, merchantId, 90), 20);
  });

  test('the outcomes of charges in a period read the newest 10,000 of them', async () => {
    const read = (db: Db) => chargeStats({ db, clock: { now: () => now } }, merchantId, 90);
    await expectBounded(read, 1500);
    const { statuses, complete } = await read(recorder.db);
    expect(statuses.reduce((sum, { count }) => sum + count, 0)).toBe(10_000);
    expect(complete).toBe(false);
  });
});
