import { type DueChargeView, listDueCharges as listEndpoint, type QueryInput } from '@jangada/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chargeIdSql } from '../../test/charge-id.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createRecorder, explain, openPlannerSession, type Recorder } from '../../test/explain.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { findChargedBefore } from '../charge-batches/store.ts';
import type { Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { listDueCharges } from './list-due-charges.ts';

const now = new Date('2026-11-23T15:00:00Z');
const chargeCount = 100_000;
/** So many charges fall due on each day. */
const chargesADay = 50;

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

/** Charges that fall due from a thousand days ago to a thousand days ahead, created in another order. */
async function fill(db: Db): Promise<void> {
  await sql`
    insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days,
                         fee_cents, reserve_cents, expires_at, due_date, external_id, created_at, updated_at)
    select ${merchantId}::bigint, ${sql.raw(chargeIdSql('created_at'))}, 't' || n, 'pending', 1000 + n % 7, 0, 0, 0, 0, 0,
           0, ${now}::timestamptz + interval '2000 days',
           date '2026-11-23' - 1000 + (n * 37 % ${chargeCount}) / ${chargesADay}, 'fatura-' || n, created_at, ${now}::timestamptz
    from generate_series(1, ${chargeCount}) n,
      lateral (select ${now}::timestamptz - n * interval '1 minute') made (created_at)
  `.execute(db);
  await sql`
    insert into charge_options (merchant_id, charge_id, payer_name, payer_document)
    select merchant_id, id, 'Cliente ' || substr(txid, 2), '52998224725' from charges
  `.execute(db);
  // Two batches that are being worked off.
  await sql`
    with batch as (
      insert into charge_batches (merchant_id, id, size, made_with, created_at)
      select ${merchantId}::bigint, gen_random_uuid(), 10000, 'key', ${now}::timestamptz from generate_series(1, 2)
      returning merchant_id, id
    )
    insert into charge_batch_lines (merchant_id, batch_id, line, external_id, request, due_at)
    select merchant_id, id, n, 'linha-' || n, '{}', ${now} from batch, generate_series(1, 10000) n
  `.execute(db);
}

const read = (query: QueryInput<typeof listEndpoint>) => (db: Db) =>
  listDueCharges(
    { db, clock: { now: () => now }, config: { publicUrl: 'http://localhost' } },
    merchantId,
    listEndpoint.query.parse(query),
    { showsDocuments: true },
  );

/** Expects that each statement touches at most this many pages of 8 KiB, and scans no table. */
async function expectBounded(query: QueryInput<typeof listEndpoint>, maxBuffers: number): Promise<void> {
  const statements = await recorder.record(read(query));
  expect(statements.length).toBeGreaterThan(1);
  for (const statement of statements)
    for (const kind of ['custom', 'generic'] as const) {
      const { steps, buffers } = await explain(owner, statement, kind);
      expect(steps.filter((step) => step.startsWith('Seq Scan'))).toEqual([]);
      expect(buffers, steps.join(', ')).toBeLessThanOrEqual(maxBuffers);
    }
}

/** Each charge of the period costs a page of the table, and what the index adds. */
const buffersOf = (days: number, perCharge = 1) => Math.ceil(days * chargesADay * perCharge * 1.2) + 100;

test('a list and its sums read the charges of its period, and not the others', async () => {
  for (const view of [undefined, 'open', 'upcoming', 'today', 'overdue', 'paid', 'ended'] as const)
    await expectBounded({ ...(view && { view }) }, buffersOf(61));
  await expectBounded({ from: '2026-11-23', to: '2026-11-23' }, buffersOf(1, 5));
});

test('a later page reads no more than the first', async () => {
  const { next } = await read({ view: 'open', limit: 100 })(recorder.db);
  if (next === null) throw new Error('the list ends after a page');
  await expectBounded({ view: 'open', before: next }, buffersOf(61));
});

test('a search reads the payers of its period', async () => {
  for (const search of ['cliente 7', '529.982.247-25', 'pedido-1'])
    await expectBounded({ search }, buffersOf(61, 6));
});

test('charges without a due date are found in the period of their creation', async () => {
  const view: DueChargeView = 'undated';
  await expectBounded({ view, from: '2026-11-22', to: '2026-11-22' }, 1440 * 9);
});

test('the lines of a batch that were charged before, or wait in another, are found by their ids', async () => {
  const ids = Array.from({ length: 1000 }, (_, n) => `${n % 2 === 0 ? 'fatura' : 'linha'}-${n * 10}`);
  const lines = ids.map((external_id) => ({ external_id }));
  const find = (db: Db) =>
    inTransaction({ db, clock: { now: () => now } }, (tx) =>
      findChargedBefore(tx, { merchantId, id: '00000000-0000-0000-0000-000000000000' }, lines),
    );
  expect(await find(recorder.db)).toHaveLength(500);
  const statements = (await recorder.record(find)).filter(({ sql: text }) => text.includes('wanted'));
  expect(statements).toHaveLength(2);
  for (const statement of statements)
    for (const kind of ['custom', 'generic'] as const) {
      const { steps, buffers } = await explain(owner, statement, kind);
      expect(steps.join()).toMatch(/charge_batch_lines_waiting|charges_by_external_id/);
      expect(buffers, steps.join(', ')).toBeLessThanOrEqual(lines.length * 8);
    }
});
