import { randomUUID } from 'node:crypto';
import { chargeStatuses } from '@jangada/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { transitions } from '../db/transitions.ts';
import { auditLedger } from '../ledger/index.ts';
import { newTimeId } from '../time-id.ts';

// The database itself, through triggers and constraints, refuses changes of charges that the gateway must never make,
// and keeps the counters of charges. These tests therefore write SQL, without the gateway's own code.

let database: TestDatabase;
let db: Db;
let client: pg.Client;
let merchantId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
  client = new pg.Client({ connectionString: database.appUrl });
  await client.connect();
  merchantId = await insertMerchant(db);
});

afterAll(async () => {
  await client.end();
  await db.destroy();
  await database.drop();
});

/** Inserts a charge of R$ 10,00. */
async function insertCharge(
  merchant: number,
  status: string,
  createdAt: Date | string = new Date(),
  id = newTimeId(new Date(createdAt)),
): Promise<string> {
  await client.query(
    `insert into charges (
       merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days, fee_cents,
       reserve_cents, expires_at, created_at, updated_at)
     values ($1, $2, $3, $4, 1000, 99, 0, 0, 0, 10, 0, now(), $5, now())`,
    [merchant, id, id, status, createdAt],
  );
  return id;
}

/** The database's words at the commit. A cluster says only that it could not commit. */
const differsFromRefunds = /differs from its refunds|could not commit/;

/** SQL that sets, with a new status, the columns that the status requires. */
const columnsOfStatus: Record<string, string> = {
  paid: `, end_to_end_id = 'E' || id::text, paid_at = '2026-11-20T12:00:00Z'`,
  refunded: `, end_to_end_id = coalesce(end_to_end_id, 'E' || id::text), paid_at = coalesce(paid_at, '2026-11-20T12:00:00Z'),
     refunded_cents = amount_cents`,
};

/** Changes the status in one transaction, which stays open if the database refuses: then the caller rolls back. */
const changeStatus = async (ids: readonly string[], status: string) => {
  await client.query('begin');
  if (status === 'refunded') await insertRefunds(ids, 1000);
  await client.query(`update charges set status = $1 ${columnsOfStatus[status] ?? ''} where id = any($2)`, [
    status,
    ids,
  ]);
  await client.query('commit');
};

/**
 * Inserts one completed refund for each charge. The database demands that a charge's `refunded_cents` equals the sum of
 * its completed refunds, so the caller must add the amount to it in the same transaction.
 */
const insertRefunds = (ids: readonly string[], cents: number) =>
  client.query(
    `insert into refunds (merchant_id, id, charge_id, end_to_end_id, bank_refund_id, origin, status, amount_cents,
                          created_at, updated_at, completed_at)
     select merchant_id, gen_random_uuid(), id, 'E' || id::text, gen_random_uuid()::text, 'bank', 'completed', $2,
            now(), now(), now()
     from charges where id = any($1)`,
    [ids, cents],
  );

/** The changes of status that lead a pending charge to each status. */
const stepsFromPending: Record<string, readonly string[]> = {
  pending: [],
  paid: ['paid'],
  expired: ['expired'],
  error: ['error'],
  refunded: ['paid', 'refunded'],
};

test('a charge changes status only along the allowed transitions', async () => {
  for (const from of chargeStatuses) {
    for (const to of chargeStatuses) {
      if (from === to) continue;
      const id = await insertCharge(merchantId, 'pending');
      for (const step of stepsFromPending[from] ?? []) await changeStatus([id], step);
      const change = changeStatus([id], to);
      if (transitions.charges[from].includes(to)) {
        await change;
        continue;
      }
      await expect(change, `${from} to ${to}`).rejects.toThrow(/does not change this way/);
      await client.query('rollback');
    }
  }
  expect(await findCounterDifferences()).toEqual([]);
});

test('a charge takes another account only with another txid, between accounts of the merchant’s own, before it has a code', async () => {
  const atHouse = await insertCharge(merchantId, 'pending');
  await expect(
    client.query('update charges set connection_id = 2, txid = $2 where id = $1', [atHouse, `${atHouse}-2`]),
  ).rejects.toThrow(/does not change this way/);
  const refusedMoves = [
    ['connection_id = 1, txid = $2', ''],
    ['connection_id = 3', ''],
    ['txid = $2', ''],
    ['connection_id = 3, txid = $2', "br_code = 'code'"],
    ['connection_id = 3, txid = $2', "status = 'error'"],
    ["connection_id = 3, txid = $2, br_code = 'code'", ''],
  ] as const;
  for (const [move, before] of refusedMoves) {
    const id = await insertOwnCharge();
    if (before !== '') await client.query(`update charges set ${before} where id = $1`, [id]);
    const values = move.includes('$2') ? [id, `${id}-2`] : [id];
    await expect(client.query(`update charges set ${move} where id = $1`, values), move).rejects.toThrow(
      /does not change this way/,
    );
  }
  const moved = await insertOwnCharge();
  await client.query('update charges set connection_id = 3, txid = $2 where id = $1', [moved, `${moved}-2`]);
});

/** Inserts a pending charge at account 2. */
async function insertOwnCharge(): Promise<string> {
  const now = new Date();
  const id = newTimeId(now);
  await client.query(
    `insert into charges (
       merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate, reserve_days, fee_cents,
       reserve_cents, connection_id, expires_at, created_at, updated_at)
     values ($1, $2, $3, 'pending', 1000, 99, 0, 0, 0, 10, 0, 2, now(), $4, now())`,
    [merchantId, id, id, now],
  );
  return id;
}

test('the id of a charge begins with the millisecond at which it was created, and that is all of its time', async () => {
  const [now, next] = [new Date('2026-11-21T12:00:00.123Z'), new Date('2026-11-21T12:00:00.124Z')];
  await insertCharge(merchantId, 'pending', now);
  const refused = /begins as pending, with the time in its id/;
  await expect(insertCharge(merchantId, 'pending', next, newTimeId(now))).rejects.toThrow(refused);
  await expect(insertCharge(merchantId, 'pending', now, newTimeId(next))).rejects.toThrow(refused);
  await expect(insertCharge(merchantId, 'pending', now, randomUUID())).rejects.toThrow(refused);
  await expect(insertCharge(merchantId, 'pending', '2026-11-21T12:00:00.123456Z')).rejects.toThrow(refused);
});

test('a charge begins as pending or error, with an existing merchant, and its refunded amount never decreases', async () => {
  for (const status of ['paid', 'expired', 'refunded']) {
    await expect(insertCharge(merchantId, status), status).rejects.toThrow(/begins as pending/);
  }
  await insertCharge(merchantId, 'error');
  await expect(insertCharge(9_999_999, 'pending')).rejects.toThrow(/a merchant who does not exist/);
  const id = await insertCharge(merchantId, 'pending');
  await changeStatus([id], 'paid');
  await client.query('begin');
  await insertRefunds([id], 5);
  await client.query('update charges set refunded_cents = 5 where id = $1', [id]);
  await client.query('commit');
  await expect(client.query('update charges set refunded_cents = 4 where id = $1', [id])).rejects.toThrow(
    /does not change this way/,
  );
  expect(await findCounterDifferences()).toEqual([]);
});

test('a charge’s refund totals equal its refunds and never exceed its amount, and a refund stays', async () => {
  const id = await insertCharge(merchantId, 'pending');
  const change = (changes: string) => client.query(`update charges set ${changes} where id = $1`, [id]);
  await expect(change('refunding_cents = 1')).rejects.toThrow(/does not change this way/);
  await changeStatus([id], 'paid');
  for (const changes of ['refunding_cents = 5', 'refunded_cents = 5'])
    await expect(change(changes), changes).rejects.toThrow(differsFromRefunds);
  await expect(insertRefunds([id], 5)).rejects.toThrow(differsFromRefunds);
  await expect(change('refunding_cents = 1001')).rejects.toThrow(/charges_refunds_within_payment/);
  await expect(change('refunding_cents = -1')).rejects.toThrow(/charges_refunds_within_payment/);
  await expect(change(`status = 'refunded', refunded_cents = 999`)).rejects.toThrow(/this way/);
  await expect(change('refunded_cents = 1000')).rejects.toThrow(/this way/);

  await client.query('begin');
  await insertRefunds([id], 600);
  await insertRefunds([id], 300);
  await change('refunded_cents = 900');
  await client.query('commit');
  await expect(
    client.query(`update refunds set status = 'failed' where charge_id = $1`, [id]),
  ).rejects.toThrow(/a refund does not change this way/);
});

test('a charge keeps all terms of its creation', async () => {
  const id = await insertCharge(merchantId, 'pending');
  for (const change of [
    `txid = 'other'`,
    'amount_cents = amount_cents + 1',
    'in_rate = in_rate + 1',
    'fix_in_cents = fix_in_cents + 1',
    'reserve_rate = reserve_rate + 1',
    'reserve_days = reserve_days + 1',
    'fee_cents = fee_cents + 1',
    'reserve_cents = reserve_cents + 1',
    `expires_at = '2031-01-01T12:00:00Z'`,
    `created_at = '2031-01-01T12:00:00Z'`,
  ]) {
    await expect(client.query(`update charges set ${change} where id = $1`, [id]), change).rejects.toThrow(
      /does not change this way/,
    );
  }
});

test('counters stay right when one statement changes charges of many merchants in different ways', async () => {
  const merchants = [merchantId, await insertMerchant(db), await insertMerchant(db)];
  const chargeIds: string[] = [];
  for (const merchant of merchants) {
    for (const status of chargeStatuses) {
      const id = await insertCharge(merchant, 'pending');
      for (const step of stepsFromPending[status] ?? []) await changeStatus([id], step);
      chargeIds.push(id);
    }
  }
  const paid = await client.query<{ id: string }>(
    `select id from charges where id = any($1) and status = 'paid'`,
    [chargeIds],
  );
  await client.query('begin');
  await insertRefunds(
    paid.rows.map((row) => row.id),
    1000,
  );
  // Expired and error charges become paid, each merchant's on a different day; refunded charges stay refunded.
  await client.query(
    `update charges
     set status = case status when 'pending' then 'expired' when 'paid' then 'refunded' when 'expired' then 'paid'
                              when 'error' then 'paid' else status end,
         end_to_end_id = case when status in ('error', 'expired') then 'E' || id::text else end_to_end_id end,
         paid_at = case when status in ('error', 'expired')
                        then (timestamp '2026-11-20 12:00' - merchant_id * interval '1 day') at time zone 'UTC'
                        else paid_at end,
         refunded_cents = case status when 'paid' then amount_cents else refunded_cents end
     where id = any($1)`,
    [chargeIds],
  );
  await client.query('commit');
  expect(await findCounterDifferences()).toEqual([]);
  // Each merchant had one charge of each status: pending is now expired, expired and error are paid, paid is refunded.
  const counters = await db
    .selectFrom('merchant_counters')
    .select(['pending_count', 'paid_count', 'expired_count', 'refunded_count', 'error_count'])
    .where('merchant_id', '=', merchants[1] ?? 0)
    .executeTakeFirst();
  expect(counters).toEqual({
    pending_count: 0,
    paid_count: 2,
    expired_count: 1,
    refunded_count: 2,
    error_count: 0,
  });
});

/** The audit's findings about counters and days. Other checks would fail: they demand a Pix for each paid charge. */
async function findCounterDifferences() {
  const counterChecks = ['a counter is what the charges say', 'a day counts what was paid on it'];
  return (await auditLedger(db)).filter(({ check }) => counterChecks.includes(check));
}
