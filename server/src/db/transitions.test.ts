import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createDb, createPool } from './pool.ts';
import { transitions } from './transitions.ts';

let database: TestDatabase;
let owner: pg.Client;
let merchantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  const db = createDb(createPool({ url: database.appUrl }));
  merchantId = await insertMerchant(db);
  await db.destroy();
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await database.drop();
});

type Row = Readonly<Record<string, unknown>>;
const moment = '2026-11-20T12:00:00Z';

/** Valid rows by table: the common columns, and those of each status. */
const rows: Readonly<Record<'withdrawals' | 'refunds' | 'disputes', (status: string) => Row>> = {
  withdrawals: (status) => ({
    merchant_id: merchantId,
    id_envio: 'order',
    origin: 'panel',
    amount_cents: 5000,
    fee_cents: 150,
    key_type: 'email',
    pix_key: 'maria@example.com',
    created_at: moment,
    updated_at: moment,
    ...(status !== 'pending' && { send_count: 1, first_sent_at: moment, last_sent_at: moment }),
    ...(status === 'completed' && { completed_at: moment }),
  }),
  refunds: (status) => ({
    merchant_id: 0,
    end_to_end_id: 'E1',
    bank_refund_id: 'refund',
    origin: 'operator',
    amount_cents: 1000,
    created_at: moment,
    updated_at: moment,
    ...(status === 'completed' && { completed_at: moment }),
  }),
  disputes: (status) => ({
    merchant_id: merchantId,
    bank_dispute_id: 'dispute',
    end_to_end_id: 'E1',
    bank_status: 'open',
    disputed_cents: 1000,
    claimed_cents: 1000,
    deadline_at: moment,
    opened_at: moment,
    updated_at: moment,
    ...(status !== 'open' && { resolved_at: moment }),
  }),
};

/** The columns that must change with the status: a completed payout fails only when all of it was returned. */
function changesFor(table: string, from: string, to: string): Row {
  const isFullyReturned = table === 'withdrawals' && from === 'completed' && to === 'failed';
  return isFullyReturned ? { completed_at: moment, returned_cents: 4850 } : {};
}

/** Tries one status change on an inserted row. Everything is rolled back. */
async function tryTransition(table: keyof typeof rows, from: string, to: string): Promise<void> {
  const id = randomUUID();
  const before = { ...rows[table](from), id, status: from };
  // Not even to the same value may a cluster be told to change the merchant.
  const { merchant_id: _, ...columnsAfter } = rows[table](to);
  const after = { ...columnsAfter, status: to, ...changesFor(table, from, to) };
  await owner.query('begin');
  try {
    await owner.query(`alter table ${table} disable trigger user`);
    await owner.query(
      `insert into ${table} (${Object.keys(before)}) values (${Object.keys(before).map((_, index) => `$${index + 1}`)})`,
      Object.values(before),
    );
    await owner.query(`alter table ${table} enable trigger guard_${table}`);
    const columns = Object.keys(after).map((name, index) => `${name} = $${index + 2}`);
    await owner.query(`update ${table} set ${columns} where id = $1`, [id, ...Object.values(after)]);
  } finally {
    await owner.query('rollback');
  }
}

test.each(['withdrawals', 'refunds', 'disputes'] as const)(
  '%s change their status only along the listed transitions',
  async (table) => {
    const allowed: Readonly<Record<string, readonly string[]>> = transitions[table];
    const statuses = Object.keys(allowed);
    for (const from of statuses)
      for (const to of statuses.filter((status) => status !== from)) {
        const attempt = tryTransition(table, from, to);
        if (allowed[from]?.includes(to)) await expect(attempt, `${from} to ${to}`).resolves.toBeUndefined();
        else await expect(attempt, `${from} to ${to}`).rejects.toThrow('does not change this way');
      }
  },
);

test('the list contains every status that the tables allow', async () => {
  for (const [table, allowed] of Object.entries(transitions)) {
    const { rows } = await owner.query<{ definition: string }>(
      `select pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = $1::regclass and conname = $2`,
      [table, `${table}_status_check`],
    );
    const admitted = [...(rows[0]?.definition ?? '').matchAll(/'([a-z]+)'/g)].map(([, status]) => status);
    expect(admitted.toSorted(), table).toEqual(Object.keys(allowed).toSorted());
  }
});
