import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { withPsp } from '../../test/with-psp.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createFiles } from '../files/index.ts';
import { auditLedger } from '../ledger/index.ts';
import { type AtBank, connectHouse, createBanks, HOUSE_CONNECTION } from '../psp/index.ts';
import { createSecrets } from '../secrets.ts';
import { newChargeIds } from './bank-ids.ts';
import { noOptions } from './charge-options.ts';
import { createPayment } from './create-payment.ts';
import type { Charge } from './payment.ts';
import { findCharge, insertCharge, markChargesEnded, openCharge } from './store.ts';

// Charges created or opened at the same time share statements: each must still get its own result.

let database: TestDatabase;
let bank: TestBank;
let deps: AtBank;
beforeAll(async () => {
  [database, bank] = await Promise.all([createTestDatabase(), startTestBank()]);
  const config = readConfig({
    SANDBOX_PORT: String(bank.port),
    PSP_BASE_URL: `${bank.url}/v2`,
    PSP_TOKEN_URL: `${bank.url}/oauth/token`,
  });
  const secrets = createSecrets(Buffer.alloc(32, 7));
  const house = connectHouse(config);
  deps = {
    db: createDb(createPool({ url: database.appUrl })),
    clock: createAdjustableClock(),
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    config,
    secrets,
    ...house,
    banks: createBanks(house),
    files: createFiles({ config, secrets }),
  };
});
afterAll(async () => {
  expect(await auditLedger(deps.db)).toEqual([]);
  await deps.psp.close();
  await bank.stop();
  await deps.db.destroy();
  await database.drop();
});

const terms = { inRate: 0, fixInCents: 0, reserveRate: 0, reserveDays: 0 };
const now = new Date('2026-11-21T12:00:00Z');
const anHourLater = new Date('2026-11-21T13:00:00Z');

function newCharge(merchantId: number, changes: Partial<Charge> = {}): Charge {
  return {
    merchantId,
    connectionId: HOUSE_CONNECTION,
    ...newChargeIds(merchantId, changes.createdAt ?? now),
    status: 'pending',
    amountCents: 1000,
    feeCents: 0,
    reserveCents: 0,
    reserveDays: 0,
    expiresAt: anHourLater,
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
    ...changes,
  };
}

const store = (charge: Charge) =>
  insertCharge({ db: deps.db, now }, { charge, terms, nextCheckAt: anHourLater });
const open = (charge: Charge, brCode: string) =>
  openCharge({ db: deps.db, now }, { charge, brCode, nextCheckAt: anHourLater });
const reload = (charge: Charge) => findCharge(deps.db, charge.merchantId, charge.id);
const countPending = async (merchantId: number) =>
  (
    await deps.db
      .selectFrom('merchant_counters')
      .select('pending_count')
      .where('merchant_id', '=', merchantId)
      .executeTakeFirstOrThrow()
  ).pending_count;

test('of charges stored in one batch, only the invalid ones fail', async () => {
  const merchantId = await insertMerchant(deps.db);
  const charges = Array.from({ length: 60 }, () => newCharge(merchantId));
  const repeatedId = newCharge(merchantId, { id: charges[3]?.id ?? '' });
  const idOfAnotherTime = newCharge(merchantId, {
    createdAt: anHourLater,
    id: newChargeIds(merchantId, now).id,
  });
  const zeroAmount = newCharge(merchantId, { amountCents: 0 });
  const unknownMerchant = newCharge(2_000_000_000);
  const invalid = new Set([repeatedId, idOfAnotherTime, zeroAmount, unknownMerchant]);
  const all = [
    ...charges.slice(0, 40),
    repeatedId,
    idOfAnotherTime,
    zeroAmount,
    ...charges.slice(40),
    unknownMerchant,
  ];
  const outcomes = await Promise.allSettled(all.map(store));
  const failed = all.filter((_, index) => outcomes[index]?.status === 'rejected');
  expect(new Set(failed)).toEqual(invalid);
  for (const charge of charges) expect(await reload(charge)).toEqual(charge);
  expect(await countPending(merchantId)).toBe(60);
});

test('of charges stored in one batch, each key gets one, and the others leave nothing behind', async () => {
  const merchantId = await insertMerchant(deps.db);
  const claimOf = (key: string, resourceId: string) => ({
    ...{ merchantId, route: 'POST /pix/new', key, bodyHash: Buffer.alloc(32), now, leaseUntil: anHourLater },
    resourceId,
  });
  const rows = Array.from({ length: 60 }, (_, nth) => {
    const charge = newCharge(merchantId, { metadata: { nth: String(nth) } });
    const options = { ...noOptions, description: `Pedido ${nth}` };
    // Three calls for each of fifteen keys, and fifteen calls without one.
    const claim = nth % 4 === 3 ? undefined : claimOf(`key ${nth >> 2}`, charge.id);
    return { charge, terms, nextCheckAt: anHourLater, options, claim };
  });
  const areStored = await Promise.all(rows.map((row) => insertCharge({ db: deps.db, now }, row)));
  for (let key = 0; key < 15; key += 1) {
    expect(areStored.slice(4 * key, 4 * key + 3).filter(Boolean)).toHaveLength(1);
    expect(areStored[4 * key + 3]).toBe(true);
  }
  const storedIds = rows.flatMap(({ charge }, nth) => (areStored[nth] === true ? charge.id : [])).sort();
  for (const table of ['charges', 'open_charges', 'charge_options', 'charge_metadata'] as const) {
    const { rows: found } = await sql<{ id: string }>`
      select ${sql.ref(table === 'charges' ? 'id' : 'charge_id')} as id from ${sql.table(table)}
      where merchant_id = ${merchantId} order by 1
    `.execute(deps.db);
    expect(
      found.map(({ id }) => id),
      table,
    ).toEqual(storedIds);
  }
  // A key is used for good.
  const late = newCharge(merchantId);
  const repeated = { charge: late, terms, nextCheckAt: anHourLater, claim: claimOf('key 3', late.id) };
  expect(await insertCharge({ db: deps.db, now }, repeated)).toBe(false);
  expect(await reload(late)).toBeUndefined();
});

test('of charges opened in one batch, those that have ended before stay ended', async () => {
  const merchants = [await insertMerchant(deps.db), await insertMerchant(deps.db)];
  const charges = Array.from({ length: 40 }, (_, nth) => newCharge(merchants[nth % 2] ?? 0));
  await Promise.all(charges.map(store));
  const ended = charges.filter((_, nth) => nth % 3 === 0);
  await inTransaction(deps, (tx) => markChargesEnded(tx, ended, 'error'));
  const areOpen = await Promise.all(charges.map((charge, nth) => open(charge, `code ${nth}`)));
  expect(areOpen).toEqual(charges.map((charge) => !ended.includes(charge)));
  for (const [nth, charge] of charges.entries())
    expect(await reload(charge)).toMatchObject(
      ended.includes(charge) ? { status: 'error', brCode: '' } : { status: 'pending', brCode: `code ${nth}` },
    );
});

test('two concurrent openings of one charge both report it as open', async () => {
  const charge = newCharge(await insertMerchant(deps.db));
  await store(charge);
  expect(await Promise.all([open(charge, 'code'), open(charge, 'code')])).toEqual([true, true]);
});

test('concurrent charges of many merchants each follow the terms and the approval of their own merchant', async () => {
  const merchants = await Promise.all(
    Array.from({ length: 8 }, (_, nth) => insertMerchant(deps.db, { in_rate: 100 * nth })),
  );
  const unapproved = await insertMerchant(deps.db);
  await deps.db.updateTable('users').set({ approved: false }).where('id', '=', unapproved).execute();
  const requests = Array.from({ length: 120 }, (_, nth) => ({
    merchantId: nth % 10 === 9 ? unapproved : (merchants[nth % 8] ?? 0),
    amount: 10 + nth,
    expiresInSeconds: 60 + nth,
    callbackUrl: undefined,
  }));
  const outcomes = await Promise.allSettled(requests.map((request) => createPayment(deps, request)));
  for (const [nth, outcome] of outcomes.entries()) {
    const { merchantId, amount, expiresInSeconds } = requests[nth] ?? {
      merchantId: 0,
      amount: 0,
      expiresInSeconds: 0,
    };
    if (merchantId === unapproved) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'ACCOUNT_NOT_APPROVED' } });
      continue;
    }
    if (outcome.status === 'rejected') throw outcome.reason;
    const charge = outcome.value;
    expect(charge).toMatchObject({
      merchantId,
      amountCents: amount * 100,
      feeCents: Math.round((amount * 100 * merchants.indexOf(merchantId)) / 100),
      status: 'pending',
    });
    expect(charge.expiresAt.getTime() - charge.createdAt.getTime()).toBe(expiresInSeconds * 1000);
    expect(await reload(charge)).toEqual(charge);
  }
});

test('a charge is stored before it is created at the bank, whatever else is in the batch', async () => {
  const merchantId = await insertMerchant(deps.db);
  const wasStored: boolean[] = [];
  const watchedDeps = withPsp(deps, {
    ...deps.psp,
    async createCharge(order) {
      const { rows } = await sql`
        select from charges where merchant_id = ${merchantId} and txid = ${order.txid}
      `.execute(deps.db);
      wasStored.push(rows.length === 1);
      return deps.psp.createCharge(order);
    },
  });
  const request = { merchantId, amount: 10, expiresInSeconds: 1800, callbackUrl: undefined };
  await Promise.all(Array.from({ length: 50 }, () => createPayment(watchedDeps, request)));
  expect(wasStored).toEqual(Array.from({ length: 50 }, () => true));
});

test('a single charge is sent to the database without waiting for a batch', async () => {
  const charge = newCharge(await insertMerchant(deps.db));
  const sent: string[] = [];
  const db = deps.db.withPlugin({
    transformQuery({ node }) {
      sent.push(node.kind);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const stored = insertCharge({ db, now }, { charge, terms, nextCheckAt: anHourLater });
  await Promise.resolve();
  expect(sent).toEqual(['RawNode']);
  await stored;
  await nextTurn();
  expect(await reload(charge)).toEqual(charge);
});
