import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { createRecorder, explain, openPlannerSession, type Recorder } from '../../test/explain.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { inTransaction } from '../db/transaction.ts';
import {
  type DeliveryLogQuery,
  findLastScannedDelivery,
  selectDeliveriesInPeriod,
  selectDeliveryLog,
} from './log-store.ts';

let database: TestDatabase;
let recorder: Recorder;
let client: pg.Client;
const now = new Date('2026-10-02');
beforeAll(async () => {
  database = await createTestDatabase();
  recorder = createRecorder(database.ownerUrl);
  client = await openPlannerSession(database.ownerUrl);
});
afterAll(async () => {
  await Promise.all([client.end(), recorder.db.destroy()]);
  await database.drop();
});

/** One delivery a minute from that day on, few of which failed. */
async function givenDeliveries(count: number): Promise<number> {
  const merchantId = await insertMerchant(recorder.db);
  await sql`
    insert into webhook_deliveries
      (merchant_id, id, type, subject_id, url, receiver, state, body, due_at, created_at, finished_at)
    select ${merchantId}, 'evt_' || n || '_paid', 'payment.paid', gen_random_uuid(), 'https://loja.example/pix',
           'https://loja.example', case when n % 1000 = 7 then 'exhausted' else 'delivered' end, '{}', at, at, at
    from (select n, timestamptz '2026-09-01' + n * interval '1 minute' as at from generate_series(1, ${count}) n) made
  `.execute(recorder.db);
  await sql`vacuum (analyze) webhook_deliveries`.execute(recorder.db);
  return merchantId;
}

test('failures are found among many deliveries without reading the others', async () => {
  const merchantId = await givenDeliveries(20_000);
  const [from, to] = [new Date('2026-09-01'), new Date('2026-10-01')];
  const period = { merchantId, endpoint: 'callback', from, to, state: 'failed', limit: 1000 } as const;
  const asked = await recorder.record(async (db) => {
    expect(await selectDeliveryLog(db, { merchantId, state: 'failed', limit: 26 }, now)).toHaveLength(20);
    const found = await inTransaction({ db, clock: createAdjustableClock() }, (tx) =>
      selectDeliveriesInPeriod(tx, period),
    );
    expect(found).toHaveLength(20);
  });
  const reads = asked.filter((one) => one.sql.includes('webhook_deliveries'));
  expect(reads).toHaveLength(2);
  for (const read of reads) expect((await explain(client, read, 'custom')).buffers).toBeLessThan(200);
});

test('a rare type is searched in batches of deliveries, and found wherever it is', async () => {
  const merchantId = await givenDeliveries(10_000);
  await sql`
    update webhook_deliveries set type = 'refund.failed'
    where merchant_id = ${merchantId} and id in ('evt_8_paid', 'evt_2400_paid')
  `.execute(recorder.db);
  await sql`vacuum (analyze) webhook_deliveries`.execute(recorder.db);
  const found: string[] = [];
  let looks = 0;
  let query: DeliveryLogQuery = { merchantId, type: 'refund.failed', limit: 26 };
  const asked = await recorder.record(async (db) => {
    for (let before: string | undefined; looks === 0 || before !== undefined; looks += 1) {
      query = { ...query, before };
      found.push(...(await selectDeliveryLog(db, query, now, 2000)).map(({ id }) => id));
      before = await findLastScannedDelivery(db, query, 2000);
    }
  });
  expect(found).toEqual(['evt_2400_paid', 'evt_8_paid']);
  expect(looks).toBe(6);
  const [first, second] = asked.filter((one) => one.sql.includes('webhook_deliveries'));
  if (first === undefined || second === undefined) throw new Error('The log was not looked into.');
  for (const read of [first, second])
    expect((await explain(client, read, 'custom')).buffers).toBeLessThan(400);
});
