import { getStatement } from '@jangada/contract';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import {
  createRecorder,
  explain,
  openPlannerSession,
  type Recorder,
  type Statement,
} from '../../test/explain.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import type { Db } from '../db/pool.ts';
import type { ReadReplica } from '../db/read-replica.ts';
import { createStatementExporter } from './export-statement.ts';
import { readStatement } from './read-statement.ts';
import { sumReservesByReleaseDay } from './store.ts';

const paymentCount = 20_000;
/** This many payments were settled together, with equal times. */
const paymentsPerSettlement = 100;
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
  await owner.query('vacuum (analyze)');
});

afterAll(async () => {
  await owner.end();
  await recorder.db.destroy();
  await database.drop();
});

/** No change of an account, for each entry of a posting. */
const nothing = sql`array_agg(0::bigint)`;

/** Stores payments of a busy week and few other movements, for this merchant and as many for another one. */
async function fill(db: Db): Promise<void> {
  const other = await insertMerchant(db);
  /** For every `every`-th number of a payment, inserts an entry with these changes of accounts. */
  const insertMovements = (
    merchant: number,
    event: string,
    { available = 0, reserved = 0, blocked = 0, in_transit = 0, fees = 0 },
    every: number,
  ) =>
    sql`
    select post(
      ${now}::timestamptz - settlement * interval '50 minutes', array_agg(${merchant}::bigint),
      array_agg(1), array_agg(${event}::text), array_agg(left(md5(n::text), 8) || n), array_agg(${available}::bigint),
      array_agg(${reserved}::bigint), array_agg(${blocked}::bigint), array_agg(${in_transit}::bigint), ${nothing},
      ${nothing}, array_agg(${-(available + reserved + blocked + in_transit + fees)}::bigint),
      array_agg(${fees}::bigint), ${nothing}, ${nothing}, '{}')
    from (
      select n, n / ${paymentsPerSettlement}::int as settlement from generate_series(1, ${paymentCount}::int) n
    ) payment
    where n % ${every}::int = 0
    group by settlement`.execute(db);
  for (const merchant of [merchantId, other]) {
    await insertMovements(merchant, 'payment received', { available: 900, fees: 10 }, 1);
    await insertMovements(merchant, 'unmatched assigned', { available: 90, reserved: 10 }, 2);
    await insertMovements(merchant, 'withdrawal requested', { available: -500, in_transit: 500 }, 5000);
    await insertMovements(merchant, 'dispute opened', { available: -5, reserved: -5, blocked: 10 }, 4000);
  }
}

const readPage = (query: Record<string, unknown>) => (db: Db) =>
  readStatement({ db, clock: { now: () => now } }, merchantId, getStatement.query.parse(query));

/**
 * Expects that each statement of a read touches at most this many buffers (pages of 8 kB) and does not scan the ledger.
 */
async function expectBounded(read: (db: Db) => Promise<unknown>, maxBuffers: number): Promise<void> {
  const statements = await recorder.record(read);
  const plans = [];
  for (const statement of statements.filter(({ sql }) => !/^(begin|start|commit|set)/.test(sql)))
    for (const kind of ['custom', 'generic'] as const) plans.push(await explain(owner, statement, kind));
  expect(plans.length).toBeGreaterThan(0);
  for (const { steps, buffers } of plans) {
    expect(steps.filter((step) => step === 'Seq Scan ledger_entries')).toEqual([]);
    expect(buffers, steps.join(', ')).toBeLessThanOrEqual(maxBuffers);
  }
}

/** Buffers for 25 lines, other movements at the times of the first and last line, and an index probe per event. */
const pageBuffers = 150;

/** The cursor after `skipped` lines. */
async function cursorAt(skipped: number, query: Record<string, unknown> = {}): Promise<string> {
  let next: string | null = null;
  for (let readCount = 0; readCount < skipped; readCount += 100)
    next = (await readPage({ ...query, limit: 100, ...(next !== null && { before: next }) })(recorder.db))
      .next;
  return next ?? '';
}

describe('an export', () => {
  const days = { from: '2026-11-01', to: '2026-11-21' } as const;
  const exportCsv = (ownerId: number) =>
    createStatementExporter({ db: recorder.db, clock: { now: () => now } })(ownerId, {
      ...days,
      format: 'csv',
      account: 'available',
    });

  test('reads settled entries at the replica, and what may still change at the primary', async () => {
    const replicaRecorder = createRecorder(database.ownerUrl);
    const replica = { maxLagMs: 10_000, current: () => replicaRecorder.db } as ReadReplica;
    const readFrom = async (to: string) => {
      let atReplica: readonly Statement[] = [];
      const atPrimary = await recorder.record(async () => {
        atReplica = await replicaRecorder.record(async () => {
          const exportFile = createStatementExporter({ db: recorder.db, clock: { now: () => now }, replica });
          const request = { from: '2026-11-01', to, format: 'csv', account: 'available' } as const;
          const { content, onEnd } = await exportFile(merchantId, request);
          for await (const _ of content);
          onEnd();
        });
      });
      const pagesIn = (statements: readonly Statement[]) =>
        statements.filter(({ sql }) => sql.includes('limit $')).length;
      return { replica: pagesIn(atReplica), primary: pagesIn(atPrimary) };
    };
    const untilYesterday = await readFrom('2026-11-20');
    const untilToday = await readFrom('2026-11-21');
    await replicaRecorder.db.destroy();
    expect(untilYesterday.replica).toBeGreaterThan(5);
    expect(untilToday.primary).toBe(untilYesterday.primary + 1);
  });

  test('of many pages has every line once, and running balances without gaps', async () => {
    const { content, onEnd } = await exportCsv(merchantId);
    let file = '';
    for await (const part of content) file += part;
    onEnd();
    const rows = file.trimEnd().split('\r\n').slice(1);
    const cents = (cell = '') => Number(cell.replace(',', ''));
    let balance = 0;
    const ids = new Set<string>();
    for (const row of rows) {
      const cells = row.split(';');
      balance += cents(cells[4]);
      expect(cents(cells[8])).toBe(balance);
      ids.add(`${cells[3]} ${cells[9]}`);
    }
    const { closing_balance } = await readPage({})(recorder.db);
    expect(balance).toBe(Math.round(100 * closing_balance));
    expect(ids.size).toBe(rows.length);
    expect(rows.length).toBe(paymentCount + paymentCount / 2 + paymentCount / 5000 + paymentCount / 4000);
  });

  test('of too many lines is refused', async () => {
    const id = await insertMerchant(recorder.db);
    await sql`
      select post(
        ${now}::timestamptz - interval '1 hour', array_agg(${id}::bigint), array_agg(1), array_agg('balance adjusted'::text),
        array_agg('busy ' || n), array_agg(1::bigint), ${nothing}, ${nothing}, ${nothing}, ${nothing}, ${nothing},
        ${nothing}, ${nothing}, ${nothing}, array_agg(-1::bigint), '{}')
      from generate_series(1, 100001) n`.execute(recorder.db);
    await expect(exportCsv(id)).rejects.toMatchObject({ code: 'EXPORT_TOO_LONG' });
  });
});

describe('whatever moved a balance, without a table scan', () => {
  test.each([
    ['the first page', {}],
    ['a page of a rare kind', { kind: 'withdrawal' }],
    ['a page of a kind without lines', { kind: 'adjustment' }],
    ['a short period long ago', { from: '2026-11-15', to: '2026-11-15' }],
    ['the reserved balance', { account: 'reserved' }],
    ['the blocked balance', { account: 'blocked' }],
  ])('%s reads a few pages', async (_, query) => {
    await expectBounded(readPage(query), pageBuffers);
  });

  test.each([200, 5000, 20_000])(
    'a page at depth %i, in the middle of a busy day, reads a few pages too',
    async (depth) => {
      await expectBounded(readPage({ before: await cursorAt(depth) }), pageBuffers);
      const ofPayments = { kind: 'payment' };
      await expectBounded(
        readPage({ ...ofPayments, before: await cursorAt(depth, ofPayments) }),
        pageBuffers,
      );
    },
  );

  test('the schedule of reserves does not read released ones', async () => {
    await expectBounded((db) => sumReservesByReleaseDay(db, merchantId), 20);
  });
});
