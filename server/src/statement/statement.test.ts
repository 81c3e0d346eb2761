import { getStatement } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { movements, post } from '../ledger/index.ts';
import { readStatement } from './read-statement.ts';

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});

afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const noon = new Date('2026-11-21T12:00:00-03:00');
const after = (seconds: number) => new Date(noon.getTime() + seconds * 1000);
const depsAt = (now: Date) => ({ db, clock: { now: () => now } });
const postAt = (now: Date, entries: movements.LedgerEntry[]) =>
  inTransaction(depsAt(now), (tx) => post(tx, entries));

/** The entry of a payment without a fee. */
function paymentOf(merchantId: number, reference: string, amountCents: number, reserveCents = 0) {
  return movements.paymentReceived({ merchantId, reference, amountCents, feeCents: 0, reserveCents });
}

async function readPage(merchantId: number, query: Record<string, unknown> = {}, now = after(3600)) {
  const page = await readStatement(depsAt(now), merchantId, getStatement.query.parse(query));
  return getStatement.response.parse(page);
}

test('a payment is one line, with the paid amount, the fee and the reserve', async () => {
  const merchantId = await insertMerchant(db);
  const split = { amountCents: 10_000, feeCents: 99, reserveCents: 990 };
  await postAt(noon, movements.paymentReceived({ merchantId, reference: 'E1', ...split }));
  const line = { kind: 'payment', gross: 100, fee: 0.99, reserved: 9.9, subject_id: null };
  const available = await readPage(merchantId);
  expect(available.lines).toEqual([
    {
      id: 'payment-received-E1',
      at: noon.toISOString(),
      description: 'Pagamento recebido',
      amount: 89.11,
      balance: 89.11,
      subject_type: null,
      ...line,
    },
  ]);
  const reserved = await readPage(merchantId, { account: 'reserved' });
  expect(reserved.lines).toMatchObject([
    { description: 'Reserva retida de pagamento', amount: 9.9, ...line },
  ]);
  expect((await readPage(merchantId, { account: 'blocked' })).lines).toEqual([]);
});

test('a movement that takes from two balances is one line of a third, however short the page', async () => {
  const merchantId = await insertMerchant(db);
  await postAt(noon, paymentOf(merchantId, 'E2', 9000, 4500));
  for (const number of [1, 2, 3])
    await postAt(
      after(number),
      movements.disputeOpened({
        merchantId,
        reference: `d-${number}`,
        fromAvailableCents: 100,
        fromReservedCents: 50,
      }),
    );
  const amounts: number[] = [];
  for (let before: string | undefined; ; ) {
    const { lines, next } = await readPage(merchantId, { account: 'blocked', limit: 1, before });
    amounts.push(...lines.map(({ amount }) => amount));
    if (next === null) break;
    before = next;
  }
  expect(amounts).toEqual([1.5, 1.5, 1.5]);
});

test('at equal times credits come before debits, so that no balance is below zero', async () => {
  const merchantId = await insertMerchant(db);
  await postAt(noon, paymentOf(merchantId, 'z', 1000));
  await postAt(noon, movements.withdrawalRequested({ merchantId, reference: 'a', amountCents: 1000 }));
  await postAt(noon, paymentOf(merchantId, 'y', 500));
  const { lines } = await readPage(merchantId);
  expect(lines.map(({ amount, balance }) => [amount, balance])).toEqual([
    [-10, 5],
    [10, 15],
    [5, 5],
  ]);
});

describe('a movement that is committed during paging', () => {
  test('appears on a later page, with correct balances', async () => {
    const merchantId = await insertMerchant(db);
    for (const second of [1, 2, 3, 4, 5])
      await postAt(after(second), paymentOf(merchantId, `p-${second}`, 100));
    const now = after(6);
    const first = await readPage(merchantId, { limit: 2 }, now);
    // The transaction of this payment began before the first page was read, and is committed now.
    await postAt(after(2.5), paymentOf(merchantId, 'late', 7000));
    const second = await readPage(merchantId, { limit: 2, before: first.next ?? '' }, now);
    const third = await readPage(merchantId, { limit: 2, before: second.next ?? '' }, now);
    const shown = [...second.lines, ...third.lines].map(({ id, balance }) => [id.split('-').at(-1), balance]);
    expect(shown).toEqual([
      ['3', 73],
      ['late', 72],
      ['2', 2],
      ['1', 1],
    ]);
    expect(first.lines.map(({ balance }) => balance)).toEqual([5, 4]);
    expect(third).toMatchObject({ next: null, opening_balance: 0, closing_balance: 75 });
  });

  test('is not expected once the page’s last line is older than two minutes: the cursor has its balance', async () => {
    const merchantId = await insertMerchant(db);
    for (const second of [1, 2, 3]) await postAt(after(second), paymentOf(merchantId, `q-${second}`, 100));
    const first = await readPage(merchantId, { limit: 1 }, after(3600));
    expect(Buffer.from(first.next ?? '', 'base64url').toString()).toMatch(
      /^\d+\.0\.200\.\.payment received\.q-3$/,
    );
  });
});

test.each([
  [{}, '2026-10-23', '2026-11-21'],
  [{ to: '2026-03-10' }, '2026-02-09', '2026-03-10'],
  [{ from: '2026-11-01' }, '2026-11-01', '2026-11-21'],
  [{ from: '2025-11-22', to: '2026-11-22' }, '2025-11-22', '2026-11-22'],
])('%j is the period from %s to %s', async (query, from, to) => {
  expect(await readPage(await insertMerchant(db), query)).toMatchObject({ from, to });
});

test.each([
  [{ from: '2026-11-02', to: '2026-11-01' }],
  [{ from: '2025-11-20', to: '2026-11-21' }],
  [{ from: '2026-12-01' }],
])('%j is not a valid period', async (query) => {
  await expect(readPage(await insertMerchant(db), query)).rejects.toMatchObject({ code: 'PERIOD_INVALID' });
});

test.each(['x', '', Buffer.from('1.0.5..drop.').toString('base64url')])(
  '%j is not a valid cursor',
  async (before) => {
    await expect(readPage(await insertMerchant(db), { before })).rejects.toMatchObject({
      code: 'INVALID_QUERY',
    });
  },
);
