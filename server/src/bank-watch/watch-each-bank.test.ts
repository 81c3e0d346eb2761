import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { secondConnection, startSecondBank, type TwoBanks } from '../../test/second-bank.ts';
import { calendarDayOf } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { newIdEnvio } from '../payments/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { type AtBank, createBanks, HOUSE_CONNECTION, storeHints } from '../psp/index.ts';
import { processReturnHints } from '../refunds/book-returns-of-pix.ts';
import { lookUpWithdrawals } from '../withdrawals/index.ts';
import { leaseDay } from './day-store.ts';
import { bankWatchLoops, closeItem, type NewOpenItem, openItem } from './index.ts';
import { reconcileDay, reconcileDays } from './reconcile-days.ts';

// The gateway speaks for two accounts at two banks: the operator's own, and a second one.

let gateway: TestGateway;
let two: TwoBanks;
let merchantId: number;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  two = await startSecondBank(gateway);
  merchantId = await insertMerchant(gateway.deps.db);
  await two.openBooks(merchantId);
});
afterAll(async () => {
  await two.stop();
  await gateway.stop();
});

/** Runs each loop of the bank watch once, and returns the accounts whose balance was read. */
async function runLoops(): Promise<number[]> {
  const asked: number[] = [];
  const banks = [two.atHouse, two.atSecond].map(({ connection, callbacks, psp }) => ({
    connection,
    callbacks,
    psp: {
      ...psp,
      account: {
        readBalance: async () => {
          asked.push(connection.id);
          if (psp.account === undefined) throw new Error('The bank tells no balance');
          return psp.account.readBalance();
        },
      },
    },
  }));
  const [house, ...others] = banks;
  if (house === undefined) throw new Error('There is a house');
  for (const { work } of bankWatchLoops) await work({ ...gateway.deps, banks: createBanks(house, others) });
  return asked;
}

const readBalanceRows = () =>
  gateway.deps.db.selectFrom('bank_balance').select(['balance_cents', 'below_since']).execute();
const readDays = (day: string) =>
  gateway.deps.db
    .selectFrom('reconciled_days')
    .select(['connection_id', 'received_cents'])
    .where('day', '=', day)
    .orderBy('connection_id')
    .execute();
const open = (item: NewOpenItem) => inTransaction(gateway.deps, (tx) => openItem(tx, item));

test('the balance of another account changes nothing of what is known of the operator’s own', async () => {
  await two.receiveAt(two.atHouse, merchantId, 100);
  await two.testBank(secondConnection.id).moveMoney('deposit', 1_000_000);
  expect(await runLoops()).toEqual([1]);
  expect(await readBalanceRows()).toEqual([{ balance_cents: 10_000, below_since: null }]);
  // After two nights the days and the balance are compared as well.
  await two.advance(2 * 86_400);
  expect(new Set(await runLoops())).toEqual(new Set([1]));
  expect(await readBalanceRows()).toEqual([{ balance_cents: 10_000, below_since: null }]);
  const accounts = await gateway.deps.db.selectFrom('reconciled_days').select('connection_id').execute();
  expect(new Set(accounts.map((row) => row.connection_id))).toEqual(new Set([1, 2]));
});

test('the same day is compared at each account, and the comparison of one does not keep the other waiting', async () => {
  await two.receiveAt(two.atHouse, merchantId, 30);
  await two.receiveAt(two.atSecond, merchantId, 12);
  const day = calendarDayOf(gateway.deps.clock.now());
  await inTransaction(gateway.deps, (tx) =>
    leaseDay(tx, { connectionId: 2, day }, new Date(tx.now.getTime() + 60_000)),
  );
  await reconcileDay(two.atHouse, day);
  await expect(reconcileDay(two.atSecond, day)).rejects.toThrow('is being compared');
  await two.advance(61);
  await reconcileDay(two.atSecond, day);
  expect(await readDays(day)).toEqual([
    { connection_id: 1, received_cents: 3000 },
    { connection_id: 2, received_cents: 1200 },
  ]);
});

test('a Pix without a charge is the operator’s to examine at their own account only', async () => {
  const { bank, deps } = gateway;
  const elsewhere = await two.testBank(secondConnection.id).pay({ key: secondConnection.pixKey, amount: 70 });
  const inSuspense = await bank.pay({ key: deps.config.pixKey, amount: 80 });
  const day = calendarDayOf(deps.clock.now());
  const before = await readDays(day);
  await reconcileDay(two.atHouse, day);
  await reconcileDay(two.atSecond, day);
  const [atHouse, atSecond] = await readDays(day);
  expect(atHouse?.received_cents).toBe((before[0]?.received_cents ?? 0) + 8000);
  expect(atSecond?.received_cents).toBe(before[1]?.received_cents ?? 0);
  const booked = await deps.db
    .selectFrom('received_pix')
    .select('end_to_end_id')
    .where('end_to_end_id', 'in', [elsewhere, inSuspense])
    .execute();
  expect(booked).toEqual([{ end_to_end_id: inSuspense }]);
  const items = await deps.db.selectFrom('open_items').select('reference').execute();
  expect(items.map((item) => item.reference)).not.toContain(elsewhere);
});

test('what a merchant sends from an account of their own by other means is no difference, unlike an unknown order', async () => {
  const { db, clock } = gateway.deps;
  const sendAtSecond = async (idEnvio: string) => {
    const order = { idEnvio, amountCents: 900, pixKey: 'maria@example.com', note: '' };
    await two.atSecond.psp.payouts?.sendPayout(order);
    return idEnvio;
  };
  const byOtherMeans = await sendAtSecond('peloaplicativo');
  const unknownOrder = await sendAtSecond(newIdEnvio(merchantId));
  await two.advance(60);
  const { differences, sentCents } = await reconcileDay(two.atSecond, calendarDayOf(clock.now()));
  expect({ differences, sentCents }).toEqual({ differences: 1, sentCents: 900 });
  const items = await db
    .selectFrom('open_items')
    .select('reference')
    .where('kind', '=', 'sent-differs')
    .where('reference', 'in', [byOtherMeans, unknownOrder])
    .execute();
  expect(items).toEqual([{ reference: unknownOrder }]);
});

test('items about the same reference at two accounts are two, and are closed one by one', async () => {
  const day = '2026-10-01';
  const reference = `E${randomUUID().replaceAll('-', '').slice(0, 31)}`;
  const item = {
    kind: 'received-differs',
    connectionId: HOUSE_CONNECTION,
    reference,
    detail: { day },
  } as const;
  expect(await open(item)).toBe(true);
  expect(await open({ ...item, connectionId: 2 })).toBe(true);
  expect(await open({ ...item, connectionId: 2 })).toBe(false);
  const readOpenAccounts = async () =>
    (
      await gateway.deps.db
        .selectFrom('open_items')
        .select('connection_id')
        .where('reference', '=', reference)
        .where('closed_at', 'is', null)
        .orderBy('connection_id')
        .execute()
    ).map((row) => row.connection_id);
  expect(await readOpenAccounts()).toEqual([1, 2]);
  // The day agrees at the operator's own account: only its item ends.
  await gateway.advance(1);
  await reconcileDay(two.atHouse, day);
  expect(await readOpenAccounts()).toEqual([2]);
  const closure = {
    kind: 'received-differs',
    connectionId: HOUSE_CONNECTION,
    reference,
    evidence: 'Visto no banco.',
  } as const;
  expect(await inTransaction(gateway.deps, (tx) => closeItem(tx, closure))).toBe(false);
  expect(await inTransaction(gateway.deps, (tx) => closeItem(tx, { ...closure, connectionId: 2 }))).toBe(
    true,
  );
  expect(await readOpenAccounts()).toEqual([]);
});

test('the list of received Pix of each account is read up to a time of its own', async () => {
  const { db } = gateway.deps;
  const readPositions = async () => {
    const rows = await db.selectFrom('received_pix_list_position').selectAll().execute();
    return new Map(rows.map((row) => [row.connection_id, row.read_until]));
  };
  await reconcilePayments(two.atHouse);
  const before = await readPositions();
  await two.advance(600);
  await reconcilePayments(two.atSecond);
  const after = await readPositions();
  expect(after.get(1)).toEqual(before.get(1));
  expect(after.get(2)?.getTime()).toBeGreaterThan((after.get(1)?.getTime() ?? 0) + 500_000);
});

test.each<['return' | 'payout', (account: AtBank) => Promise<number>]>([
  ['return', processReturnHints],
  ['payout', lookUpWithdrawals],
])('a %s hint of one bank is never worked on at another', async (kind, work) => {
  const { db, clock } = gateway.deps;
  await db.deleteFrom('bank_hints').execute();
  const hint = { kind, reference: randomUUID().replaceAll('-', '') };
  await storeHints({ db, now: clock.now() }, 1, [hint]);
  const readHints = () => db.selectFrom('bank_hints').select(['connection_id', 'attempts']).execute();
  await work(two.atSecond);
  expect(await readHints()).toEqual([{ connection_id: 1, attempts: 0 }]);
  await work(two.atHouse);
  expect(await readHints()).not.toEqual([{ connection_id: 1, attempts: 0 }]);
});

test('an account is compared from the day on which it was entered, and not before', async () => {
  const { db, clock } = gateway.deps;
  await db.deleteFrom('reconciled_days').where('connection_id', '=', secondConnection.id).execute();
  const owner = await insertMerchant(db);
  const enteredAt = clock.now();
  expect(await insertConnection(db, owner, secondConnection.pixKey, enteredAt)).toBe(secondConnection.id);
  await two.advance(2 * 86_400);
  while ((await reconcileDays(two.atSecond)) > 0);
  const days = db
    .selectFrom('reconciled_days')
    .select('day')
    .where('connection_id', '=', secondConnection.id);
  expect((await days.orderBy('day').execute()).map(({ day }) => day)[0]).toBe(calendarDayOf(enteredAt));
});
