import { type QueryInput, transactionFeed } from '@jangada/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chargeIdSql } from '../../test/charge-id.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { newChargeIds } from './bank-ids.ts';
import { listTransactions } from './list-transactions.ts';
import type { Charge } from './payment.ts';
import { insertCharge, markChargesEnded } from './store.ts';

const config = { publicUrl: 'http://localhost' };
/** SQL of the time at which the charge with the number `n` is created. */
const secondsLater = `timestamptz '2026-11-20 03:00Z' + n * interval '1 second'`;

let database: TestDatabase;
let db: Db;
let merchantId: number;
/** The merchant's charges, in the order of the feed. */
const charges: Charge[] = [];
const begin = new Date('2026-11-20T22:00:00-03:00').getTime();
const clock = { now: () => new Date(begin) };

beforeAll(async () => {
  database = await createTestDatabase();
  // Without a limit for a statement: a cluster counts the many charges of a test one by one.
  db = createDb(createPool({ url: database.appUrl, statementTimeoutMs: 0 }));
  merchantId = await insertMerchant(db);
  const otherMerchant = await insertMerchant(db);
  // Ten minutes apart, some with equal times, across midnight in São Paulo.
  for (let index = 0; index < 37; index += 1) {
    const now = new Date(begin + Math.floor(index / 2) * 600_000);
    for (const owner of index % 5 === 0 ? [merchantId, otherMerchant] : [merchantId]) {
      const charge = newCharge(owner, 150 + index * 10, now);
      await inTransaction({ db, clock: { now: () => now } }, async (tx) => {
        const terms = { inRate: 0, fixInCents: 0, reserveRate: 0, reserveDays: 0 };
        await insertCharge(tx, { charge, terms, nextCheckAt: charge.expiresAt });
        if (index % 3 === 0) await markChargesEnded(tx, [charge], 'expired');
      });
      if (owner === merchantId) charges.push({ ...charge, status: index % 3 === 0 ? 'expired' : 'pending' });
    }
  }
  charges.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

function newCharge(owner: number, amountCents: number, createdAt: Date): Charge {
  return {
    merchantId: owner,
    connectionId: 1,
    ...newChargeIds(owner, createdAt),
    status: 'pending',
    amountCents,
    feeCents: 0,
    reserveCents: 0,
    reserveDays: 0,
    expiresAt: new Date(createdAt.getTime() + 1_800_000),
    callbackUrl: null,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    externalId: null,
    metadata: null,
    cancelledAt: null,
    dueDate: null,
    createdAt,
  };
}

const listFeed = (query: QueryInput<typeof transactionFeed> = {}) =>
  listTransactions({ db, clock, config }, merchantId, transactionFeed.query.parse(query));
const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

describe('the feed', () => {
  test('returns any page of any status, newest first, with its total and whether another page follows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 45 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(undefined, 'pending' as const, 'expired' as const, 'paid' as const),
        async (offset, limit, status) => {
          const expected = charges.filter((charge) => status === undefined || charge.status === status);
          const page = await listFeed({ offset, limit, status });
          expect(ids(page.data)).toEqual(ids(expected.slice(offset, offset + limit)));
          expect(page.total).toBe(expected.length);
          expect(page.next === null).toBe(page.data.length === 0 || offset + limit >= expected.length);
        },
      ),
      { numRuns: 100 },
    );
  });

  test('is read completely by cursor, each charge once', async () => {
    const seenIds: string[] = [];
    let before: string | null = null;
    do {
      const page = await listFeed({ limit: 7, ...(before === null ? {} : { before }) });
      seenIds.push(...ids(page.data));
      before = page.next;
    } while (before !== null);
    expect(seenIds).toEqual(ids(charges));
  });

  test('counts charges by status', async () => {
    const { counts } = await listFeed();
    const expired = charges.filter((charge) => charge.status === 'expired').length;
    expect(counts).toEqual({ all: 37, pending: 37 - expired, paid: 0, expired, refunded: 0, error: 0 });
  });

  test('filters by days of São Paulo', async () => {
    const page = await listFeed({ from: '2026-11-21', to: '2026-11-21', limit: 100 });
    const expected = charges.filter((charge) => charge.createdAt >= new Date('2026-11-21T00:00:00-03:00'));
    expect(ids(page.data)).toEqual(ids(expected));
    expect(page.total).toBe(expected.length);
  });

  test('searches by amount and by the beginning of an id, also within a status; other texts find nothing', async () => {
    const [charge] = charges;
    if (charge === undefined) throw new Error('no charges');
    const amount = (charge.amountCents / 100).toFixed(2).replace('.', ',');
    expect(ids((await listFeed({ search: amount })).data)).toEqual([charge.id]);
    expect(ids((await listFeed({ search: `R$ ${amount}` })).data)).toEqual([charge.id]);
    expect(ids((await listFeed({ search: charge.id.slice(0, 8) })).data)).toContain(charge.id);
    expect(ids((await listFeed({ search: charge.id })).data)).toEqual([charge.id]);
    const otherStatus = charge.status === 'pending' ? 'expired' : 'pending';
    for (const search of [amount, charge.id, charge.id.slice(0, 8)]) {
      expect(ids((await listFeed({ search, status: charge.status })).data), search).toContain(charge.id);
      expect(ids((await listFeed({ search, status: otherStatus })).data), search).not.toContain(charge.id);
    }
    for (const search of ["'; drop table charges", 'zzz', '%', 'E12345678', '9'.repeat(40)]) {
      expect((await listFeed({ search })).data, search).toEqual([]);
    }
  });

  test('refuses an invalid cursor', async () => {
    const invalidCursors = ['1.zz', `1.00000000-${'-'.repeat(27)}`].map((text) =>
      Buffer.from(text).toString('base64url'),
    );
    for (const before of ['x', 'MS4y', ...invalidCursors]) {
      await expect(listFeed({ before })).rejects.toMatchObject({ code: 'INVALID_QUERY' });
    }
  });
});

test('pages follow each other without a gap or a repetition, however many charges were created at one moment', async () => {
  const terms = { inRate: 0, fixInCents: 0, reserveRate: 0, reserveDays: 0 };
  const lists: QueryInput<typeof transactionFeed>[] = [
    {},
    { status: 'expired' },
    { status: 'pending' },
    { from: '2026-11-20', to: '2026-11-20' },
    { search: '1,50' },
    { search: '1,50', status: 'pending' },
    { search: '#pedido' },
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(0, 0, 0, 0, 1, 2, 1000), { minLength: 30, maxLength: 80 }),
      fc.integer({ min: 1, max: 9 }),
      async (offsetsMs, limit) => {
        const shop = await insertMerchant(db);
        const made = offsetsMs.map((offsetMs) => ({
          ...newCharge(shop, 150, new Date(begin + offsetMs)),
          externalId: 'pedido',
        }));
        await Promise.all(
          made.map((charge) =>
            insertCharge({ db, now: clock.now() }, { charge, terms, nextCheckAt: charge.expiresAt }),
          ),
        );
        const expired = new Set(made.slice(0, made.length / 3));
        await inTransaction({ db, clock }, (tx) => markChargesEnded(tx, [...expired], 'expired'));
        made.sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
        for (const list of lists) {
          const expected = made.filter(
            (charge) => list.status === undefined || (list.status === 'expired') === expired.has(charge),
          );
          const found: string[] = [];
          let before: string | undefined;
          do {
            const query = transactionFeed.query.parse({ ...list, limit, ...(before && { before }) });
            const page = await listTransactions({ db, clock, config }, shop, query);
            found.push(...ids(page.data));
            before = page.next ?? undefined;
          } while (before !== undefined);
          expect(found, JSON.stringify(list)).toEqual(ids(expected));
        }
      },
    ),
    { numRuns: 10 },
  );
});

test('charges are found by the beginning of their endToEndId, and listed newest first', async () => {
  const merchant = await insertMerchant(db);
  await sql`
    insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                         reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at)
    select ${merchant}, ${sql.raw(chargeIdSql(secondsLater))}, 'e' || n, 'pending', 150, 0, 0, 0, 0, 0, 0, now(),
           ${sql.raw(secondsLater)}, now()
    from generate_series(1, 30) n
  `.execute(db);
  // The later a charge was created, the earlier it was paid.
  await sql`
    update charges
    set status = 'paid', paid_at = now(),
        end_to_end_id = 'E1234567820261120' || lpad((9999 - substr(txid, 2)::int)::text, 4, '0') || '00000000000'
    where merchant_id = ${merchant} and txid <> 'e30'
  `.execute(db);
  const owner = createDb(createPool({ url: database.ownerUrl }));
  await sql`
    insert into received_pix (end_to_end_id, merchant_id, charge_id, outcome, amount_cents, paid_at, received_at)
    select end_to_end_id, merchant_id, id, 'credited', amount_cents, paid_at, paid_at
    from charges where merchant_id = ${merchant} and end_to_end_id is not null
  `.execute(owner);
  await owner.destroy();
  const find = async (search: string, offset = 0) =>
    listTransactions(
      { db, clock, config },
      merchant,
      transactionFeed.query.parse({ search, offset, limit: 20 }),
    );
  const firstPage = await find('E12345678');
  expect(firstPage).toMatchObject({ total: 29 });
  const secondPage = await find('E12345678', 20);
  const times = [...firstPage.data, ...secondPage.data].map(({ created_at }) => created_at);
  expect(times).toEqual([...new Set(times)].sort().reverse());
  expect(times).toHaveLength(29);
  const [newest] = firstPage.data;
  expect(ids((await find(newest?.end_to_end_id ?? '')).data)).toEqual(ids(firstPage.data.slice(0, 1)));
});

test('an offset beyond 10,000 is refused, except for the last page', async () => {
  const busy = await insertMerchant(db);
  await sql`
    insert into charges (merchant_id, id, txid, status, amount_cents, in_rate, fix_in_cents, reserve_rate,
                         reserve_days, fee_cents, reserve_cents, expires_at, created_at, updated_at)
    select ${busy}, ${sql.raw(chargeIdSql(secondsLater))}, 't' || n, 'pending', 150, 0, 0, 0, 0, 0, 0, now(),
           ${sql.raw(secondsLater)}, now()
    from generate_series(1, 10030) n
  `.execute(db);
  const pageAt = (offset: number) =>
    listTransactions({ db, clock, config }, busy, transactionFeed.query.parse({ offset }));
  expect((await pageAt(10_000)).data).toHaveLength(10);
  await expect(pageAt(10_010)).rejects.toMatchObject({ code: 'OFFSET_TOO_DEEP' });
  expect((await pageAt(10_020)).data).toHaveLength(10);
  expect((await pageAt(10_025)).data).toHaveLength(5);

  // With a filter, the count stops at 10,001, so the end is unknown and pages are read from the beginning.
  const filteredPageAt = (offset: number) =>
    listTransactions(
      { db, clock, config },
      busy,
      transactionFeed.query.parse({ offset, limit: 2, from: '2026-11-20' }),
    );
  const deepPage = await filteredPageAt(6000);
  expect(deepPage.data.map(({ created_at }) => created_at)).toEqual(
    [4030, 4029].map((n) => new Date(Date.parse('2026-11-20T03:00:00Z') + n * 1000).toISOString()),
  );
  expect(deepPage).toMatchObject({ total: 10_001, next: expect.any(String) });
  await expect(filteredPageAt(10_001)).rejects.toMatchObject({ code: 'OFFSET_TOO_DEEP' });
});
