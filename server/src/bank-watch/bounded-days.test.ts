import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createRecorder, explain, openPlannerSession, type Recorder } from '../../test/explain.ts';
import type { Db } from '../db/pool.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { countBookedPix, listBookedPix, sumBookedPix } from './booked-store.ts';

let database: TestDatabase;
let recorder: Recorder;
let owner: pg.Client;

beforeAll(async () => {
  database = await createTestDatabase();
  recorder = createRecorder(database.ownerUrl);
  // A hundred days with a thousand Pix each, stored roughly in order of time.
  await sql`
    insert into received_pix (end_to_end_id, merchant_id, outcome, reason, amount_cents, paid_at, received_at)
    select 'E' || n, 0, 'suspense', 'no-txid', 100,
           timestamptz '2026-08-01T03:00:00Z' + n * interval '86.4 seconds' - (n % 7) * interval '1 minute', now()
    from generate_series(1, 100000) n`.execute(recorder.db);
  owner = await openPlannerSession(database.ownerUrl);
  await owner.query('vacuum (analyze)');
});

afterAll(async () => {
  await owner.end();
  await recorder.db.destroy();
  await database.drop();
});

const connection = { id: HOUSE_CONNECTION, pixKey: 'loja@example.com' };
const window = { from: new Date('2026-09-10T03:00:00Z'), until: new Date('2026-09-11T03:00:00Z') };

// A buffer is a page of the table or of an index that a statement reads.
test.each<[string, (db: Db) => Promise<unknown>]>([
  ['summed', (db) => sumBookedPix({ db, connection }, window)],
  ['counted', (db) => countBookedPix({ db, connection }, window, 20_000)],
  ['listed', (db) => listBookedPix({ db, connection }, window, '', 1000)],
])('the Pix received on one day are %s without reading the other days', async (_, read) => {
  const { rows } = await owner.query("select pg_relation_size('received_pix') / 8192 as page_count");
  const [statement] = await recorder.record(read);
  expect(statement).toBeDefined();
  for (const kind of ['custom', 'generic'] as const) {
    const { buffers, steps } = await explain(owner, statement ?? { sql: '', parameters: [] }, kind);
    expect(buffers, steps.join(', ')).toBeLessThan(Number(rows[0].page_count) / 10);
  }
});
