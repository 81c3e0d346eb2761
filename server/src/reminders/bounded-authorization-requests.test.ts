import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createRecorder, explain, openPlannerSession, type Recorder } from '../../test/explain.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { addMs } from '../clock.ts';
import type { Db } from '../db/pool.ts';
import { selectUnauthorized } from './authorization-store.ts';

const now = new Date('2026-11-23T15:00:00Z');
const dayMs = 86_400_000;

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

/** 100,000 subscriptions of 1,000 days, of which one in ten waits for ever. */
async function fill(db: Db): Promise<void> {
  await sql`
    insert into customers (merchant_id, id, name, document, email, search_text, page_token, stop_token, created_at,
                           updated_at)
    select ${merchantId}::bigint, gen_random_uuid(), 'Ana Souza', lpad(n::text, 11, '0'), 'ana' || n || '@example.com', 'ana',
           n, n, ${now}::timestamptz - n * interval '864 seconds', ${now}
    from generate_series(1, 100000) n
  `.execute(db);
  await sql`
    insert into subscriptions (merchant_id, id, connection_id, contract, payer_name, payer_document, customer_id,
                               description, period, first_day, retry_days, authorized_by, status, created_at, updated_at)
    select merchant_id, gen_random_uuid(), 1, lpad(page_token, 30, '0'), name, document, id, 'Mensalidade', 'monthly',
           '2026-12-01', '{}', 'code', case when page_token like '%0' then 'waiting' else 'active' end, created_at, ${now}
    from customers
  `.execute(db);
  await sql`
    insert into mandates (merchant_id, subscription_id, connection_id, id_rec, br_code, code_at, status, created_at,
                          updated_at)
    select merchant_id, id, 1, contract, 'a code', created_at, case status when 'waiting' then 'created' else 'approved' end,
           created_at, ${now}
    from subscriptions
  `.execute(db);
  await sql`
    insert into debit_reminders (merchant_id, subscription_id, number, kind, customer_id, created_at)
    select merchant_id, id, 0, 'authorization', customer_id, created_at
    from subscriptions where status = 'waiting' and created_at < ${addMs(now, -dayMs)}
  `.execute(db);
}

const first = { kind: 'authorization', since: addMs(now, -7 * dayMs) } as const;
const again = {
  kind: 'authorization_again',
  since: addMs(now, -14 * dayMs),
  askedBefore: addMs(now, -3 * dayMs),
} as const;

const after = { codeAt: addMs(now, -5 * dayMs), subscriptionId: '00000000-0000-0000-0000-000000000000' };

test.each([first, again, { ...again, after }])(
  'who is to be asked is found among 100,000 subscriptions by an index',
  async (kind) => {
    const read = (db: Db) => selectUnauthorized(db, { merchantId, ...kind, limit: 50 });
    const [statement, ...others] = await recorder.record(read);
    expect(others).toEqual([]);
    if (statement === undefined) throw new Error('nothing was read');
    for (const planned of ['custom', 'generic'] as const) {
      const { steps, buffers } = await explain(owner, statement, planned);
      expect(steps.filter((step) => step.startsWith('Seq Scan'))).toEqual([]);
      expect(buffers, steps.join(', ')).toBeLessThanOrEqual(1000);
    }
  },
);
