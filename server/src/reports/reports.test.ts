import { getWalletStats } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { movements, post, readAvailable } from '../ledger/index.ts';
import { newChargeIds } from '../payments/bank-ids.ts';
import { settleReceived } from '../payments/index.ts';
import { insertCharge, markChargesEnded } from '../payments/store.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { chargeStats, dailyStats } from './routes.ts';
import { walletStats } from './wallet-stats.ts';

/** The gateway's own Pix key. */
const pixKey = '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35';
const noon = (day: string) => new Date(`${day}T12:00:00-03:00`);

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

const depsAt = (now: Date) => ({
  db,
  clock: { now: () => now },
  config: { merchantAccounts: 'both' as const },
});
let serial = 0;

/** Creates a charge of R$ 10,00 with a fee of 10 cents, which at once has this status. */
async function givenCharge(
  merchantId: number,
  now: Date,
  status: 'paid' | 'expired' | 'pending',
): Promise<void> {
  const charge = {
    merchantId,
    connectionId: HOUSE_CONNECTION,
    ...newChargeIds(merchantId, now),
    status: 'pending',
    amountCents: 1000,
    feeCents: 10,
    reserveCents: 0,
    reserveDays: 0,
    expiresAt: now,
    callbackUrl: null,
    brCode: '',
    endToEndId: null,
    paidAt: null,
    refundedCents: 0,
    externalId: null,
    metadata: null,
    cancelledAt: null,
    dueDate: null,
    createdAt: now,
  } as const;
  serial += 1;
  const endToEndId = `E999999992026112112${String(serial).padStart(14, '0')}`;
  await inTransaction(depsAt(now), async (tx) => {
    const terms = { inRate: 100, fixInCents: 0, reserveRate: 0, reserveDays: 0 };
    await insertCharge(tx, { charge, terms, nextCheckAt: now });
    if (status === 'expired') await markChargesEnded(tx, [charge], 'expired');
  });
  if (status !== 'paid') return;
  const pix = { endToEndId, amountCents: 1000, paidAt: now, txid: charge.txid, pixKey, returns: [] };
  await inTransaction(depsAt(now), (tx) => settleReceived(tx, [pix], { id: HOUSE_CONNECTION, pixKey }));
}

test('days are those of São Paulo: received amounts, counts, and the balance at the end of each', async () => {
  const merchantId = await insertMerchant(db);
  await givenCharge(merchantId, new Date('2026-11-16T02:59:59Z'), 'paid'); // still the 15th in São Paulo
  await givenCharge(merchantId, noon('2026-11-17'), 'paid');
  await givenCharge(merchantId, noon('2026-11-17'), 'paid');
  await givenCharge(merchantId, noon('2026-11-17'), 'expired');
  await inTransaction(depsAt(noon('2026-11-18')), (tx) =>
    post(tx, movements.balanceAdjusted({ merchantId, reference: 'a-1', differenceCents: -500 })),
  );
  await givenCharge(merchantId, noon('2026-11-21'), 'paid');

  const { days } = await dailyStats(depsAt(noon('2026-11-21')), merchantId, 7);
  expect(days).toEqual([
    { day: '2026-11-15', received: 10, count: 1, balance: 9.9 },
    { day: '2026-11-16', received: 0, count: 0, balance: 9.9 },
    { day: '2026-11-17', received: 20, count: 2, balance: 29.7 },
    { day: '2026-11-18', received: 0, count: 0, balance: 24.7 },
    { day: '2026-11-19', received: 0, count: 0, balance: 24.7 },
    { day: '2026-11-20', received: 0, count: 0, balance: 24.7 },
    { day: '2026-11-21', received: 10, count: 1, balance: 34.6 },
  ]);
  const monthStats = await dailyStats(depsAt(noon('2026-11-21')), merchantId, 30);
  expect(monthStats.days.at(-1)).toEqual(days.at(-1));
  expect(await readAvailable(db, merchantId)).toBe(3460);
});

test('charges of a period are counted by their current status, whenever it was reached', async () => {
  const merchantId = await insertMerchant(db);
  await givenCharge(merchantId, new Date('2026-11-15T02:59:59Z'), 'paid'); // still the 14th in São Paulo
  await givenCharge(merchantId, noon('2026-11-15'), 'paid');
  await givenCharge(merchantId, noon('2026-11-17'), 'paid');
  await givenCharge(merchantId, noon('2026-11-17'), 'expired');
  await givenCharge(merchantId, noon('2026-11-21'), 'pending');
  await givenCharge(await insertMerchant(db), noon('2026-11-21'), 'paid');
  expect(await chargeStats(depsAt(noon('2026-11-21')), merchantId, 7)).toEqual({
    statuses: [
      { status: 'pending', count: 1, amount: 10 },
      { status: 'paid', count: 2, amount: 20 },
      { status: 'expired', count: 1, amount: 10 },
      { status: 'refunded', count: 0, amount: 0 },
      { status: 'error', count: 0, amount: 0 },
    ],
    complete: true,
  });
  const { statuses } = await chargeStats(depsAt(noon('2026-11-21')), merchantId, 30);
  expect(statuses[1]).toEqual({ status: 'paid', count: 3, amount: 30 });
});

test('the wallet has the merchant’s own values only, and the same ones in both formats', async () => {
  const [merchantId, other] = [await insertMerchant(db), await insertMerchant(db)];
  await givenCharge(other, noon('2026-11-20'), 'paid');
  for (const status of ['paid', 'paid', 'expired', 'pending'] as const)
    await givenCharge(merchantId, noon('2026-11-20'), status);
  const stats = getWalletStats.response.parse(await walletStats(depsAt(noon('2026-11-21')), merchantId));
  expect(stats).toMatchObject({
    total_transactions: 2,
    total_earned: 19.8,
    gross_revenue: 20,
    available_balance: 19.8,
    reserved_amount: 0,
    blocked_by_disputes: 0,
    deposits_count: 2,
    pending_deposits_count: 1,
    failed_transactions_count: 1,
    last_transaction_date: noon('2026-11-20').toISOString(),
    data: {
      stats: { totalTransactions: 2, totalEarned: 19.8, availableBalance: 19.8, blockedByDisputes: 0 },
      summary: { deposits: 2, pendingDeposits: 1, failedTransactions: 1, withdrawals: 0 },
    },
  });
});
