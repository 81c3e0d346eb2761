import { transactionFeed } from '@jangada/contract';
import { decodeBrCode } from '@jangada/pix';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { insertMerchant, type MerchantTermsRow } from '../../test/merchant-row.ts';
import { withPsp } from '../../test/with-psp.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { createFiles } from '../files/index.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { createBacenCharges } from '../psp/bacen/charges.ts';
import { createBacenClient } from '../psp/bacen/client.ts';
import {
  type AtBank,
  connectHouse,
  createBanks,
  HOUSE_CONNECTION,
  type PixCharges,
  PspUnknown,
  storeNotices,
} from '../psp/index.ts';
import { createSecrets } from '../secrets.ts';
import { createPayment, type IdempotentCreation } from './create-payment.ts';
import { releaseReserves } from './credit-counters.ts';
import { expireCharges } from './end-charges.ts';
import { listTransactions } from './list-transactions.ts';
import { createNoticeProcessor } from './process-notices.ts';
import { writeReconciledUntil } from './received-store.ts';
import { reconcilePayments, rereadReceived } from './reconcile-payments.ts';
import { findCharge } from './store.ts';

// The life of a charge against Banco Sandbox: its creation, the notices of its payment, reconciliation, and its end.

let database: TestDatabase;
let bank: TestBank;
let deps: AtBank;
let clock: ReturnType<typeof createAdjustableClock>;
let merchantId: number;
/** Connects to the bank; `itemsPerPage` limits the pages of its lists. */
let connectToBank: (options?: { itemsPerPage?: number }) => PixCharges;

beforeAll(async () => {
  database = await createTestDatabase();
});

beforeEach(async () => {
  bank = await startTestBank();
  clock = createAdjustableClock();
  const config = readConfig({
    SANDBOX_PORT: String(bank.port),
    PSP_BASE_URL: `${bank.url}/v2`,
    PSP_TOKEN_URL: `${bank.url}/oauth/token`,
  });
  connectToBank = (options) => {
    const client = createBacenClient(config.psp);
    return createBacenCharges(client, config.pixKey, { name: 'Jangada', city: 'RECIFE' }, options);
  };
  const secrets = createSecrets(Buffer.alloc(32, 7));
  // The adapter of charges alone, without payouts and refunds.
  const house = { ...connectHouse(config), psp: connectToBank() };
  deps = {
    db: createDb(createPool({ url: database.appUrl })),
    clock,
    log: pino({ level: process.env['TEST_LOG'] ?? 'silent' }),
    config,
    secrets,
    ...house,
    banks: createBanks(house),
    files: createFiles({ config, secrets }),
  };
  merchantId = await newMerchant();
});

afterEach(async () => {
  expect(await auditLedger(deps.db)).toEqual([]);
  await deps.psp.close();
  await bank.stop();
  await deps.db.destroy();
});

afterAll(() => database.drop());

const newMerchant = (row: MerchantTermsRow = {}) => insertMerchant(deps.db, { in_rate: 99, ...row });
const create = (amount = 25.9, expiresInSeconds = 1800) =>
  createPayment(deps, { merchantId, amount, expiresInSeconds, callbackUrl: undefined });
const reload = (id: string) => findCharge(deps.db, merchantId, id);
const notify = (...endToEndIds: string[]) =>
  inTransaction(deps, (tx) =>
    storeNotices(tx, [
      {
        connectionId: HOUSE_CONNECTION,
        notices: endToEndIds.map((endToEndId) => ({ endToEndId, told: {} })),
      },
    ]),
  );
/** Moves the clocks of the gateway and of the bank. */
async function advance(seconds: number): Promise<void> {
  clock.shift(seconds * 1000);
  await bank.advance(seconds);
}
/** Processes all due notices. Returns their number. */
async function processDueNotices(processDeps: AtBank): Promise<number> {
  const processor = createNoticeProcessor(processDeps);
  const dueCount = await processor.sweep();
  await processor.waitUntilIdle(60_000);
  return dueCount;
}
const readInboxStates = async (endToEndId: string) => {
  const { rows } = await sql<{ state: string }>`
    select state from psp_inbox where notices::text like ${`%${endToEndId}%`} order by id
  `.execute(deps.db);
  return rows.map(({ state }) => state);
};

describe('creating a charge', () => {
  test('creates it at the bank and stores the bank’s code', async () => {
    const charge = await create(25.9);
    expect(charge).toMatchObject({ status: 'pending', amountCents: 2590, feeCents: 26 });
    expect(decodeBrCode(charge.brCode)).toMatchObject({ kind: 'dynamic' });
    expect(await reload(charge.id)).toEqual(charge);
  });

  test.each([
    [1.49, 'AMOUNT_TOO_SMALL'],
    [0, 'AMOUNT_INVALID'],
    [-5, 'AMOUNT_INVALID'],
    [10.001, 'AMOUNT_INVALID'],
    [Number.NaN, 'AMOUNT_INVALID'],
    [15_000.01, 'AMOUNT_TOO_LARGE'],
    [1e300, 'AMOUNT_INVALID'],
  ])('of R$ %d is refused as %s, and nothing is stored', async (amount, code) => {
    await expect(create(amount)).rejects.toMatchObject({ code });
    const stored = await deps.db
      .selectFrom('charges')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .execute();
    expect(stored).toEqual([]);
  });

  test('whose fee would reach its amount is refused', async () => {
    merchantId = await newMerchant({ fix_in_cents: 150 });
    await expect(create(1.5)).rejects.toMatchObject({ code: 'AMOUNT_BELOW_FEE' });
  });

  test('for an account that is not approved, or whose key is inactive, is refused', async () => {
    await deps.db.updateTable('users').set({ approved: false }).where('id', '=', merchantId).execute();
    await expect(create()).rejects.toMatchObject({ code: 'ACCOUNT_NOT_APPROVED' });
    await deps.db
      .updateTable('users')
      .set({ approved: true, api_active: false })
      .where('id', '=', merchantId)
      .execute();
    await expect(create()).rejects.toMatchObject({ code: 'API_KEY_INACTIVE' });
  });

  test('that the bank completed without a response is found by the txid', async () => {
    await bank.setBehaviour({ charges: 'accepted-then-timeout' });
    expect(await create()).toMatchObject({ status: 'pending' });
  });

  test('has an unknown outcome at an unavailable bank: an error is returned, and the charge ends if it is not found later', async () => {
    await bank.setBehaviour({ charges: 'down' });
    await expect(create()).rejects.toMatchObject({ code: 'PAYMENT_PROCESSING_ERROR' });
    const stored = await deps.db
      .selectFrom('charges')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .execute();
    expect(stored).toMatchObject([{ status: 'pending', br_code: '' }]);
    await bank.setBehaviour({});
    await advance(181);
    await expireCharges(deps);
    expect(await reload(stored[0]?.id ?? '')).toMatchObject({ status: 'error' });
  });
});

describe('a caller who retries under the same key', () => {
  /** The idempotency handle of a call, and the ids that the call remembered under its key. */
  const newHandle = (resumedId: string | undefined) => {
    const rememberedIds: string[] = [];
    return {
      rememberedIds,
      handle: {
        idempotency: {
          resumedId,
          remember: async (id: string) => void rememberedIds.push(id),
          saveResponse: (resourceId, body, complete) =>
            complete({ ...key, resourceId, answer: JSON.stringify(body) }),
        },
        toResponseBody: ({ id }) => ({ id }),
      } satisfies IdempotentCreation,
    };
  };
  const key = { merchantId: 1, route: 'POST /pix/new', key: 'none', leaseUntil: new Date(0), status: 201 };
  const newRequest = () => ({ merchantId, amount: 10, expiresInSeconds: 1800, callbackUrl: undefined });

  test('continues with the charge that the bank created without a response', async () => {
    const first = newHandle(undefined);
    await bank.setBehaviour({ charges: 'down' });
    await expect(createPayment(deps, newRequest(), first.handle)).rejects.toMatchObject({
      code: 'PAYMENT_PROCESSING_ERROR',
    });
    await bank.setBehaviour({});
    const retry = newHandle(first.rememberedIds[0]);
    const charge = await createPayment(deps, newRequest(), retry.handle);
    expect(charge.id).toBe(first.rememberedIds[0]);
    expect(retry.rememberedIds).toEqual([]);
  });

  test('gets a new charge if the first one failed', async () => {
    const first = newHandle(undefined);
    await bank.setBehaviour({ charges: 'down' });
    await expect(createPayment(deps, newRequest(), first.handle)).rejects.toMatchObject({
      code: 'PAYMENT_PROCESSING_ERROR',
    });
    await bank.setBehaviour({});
    await advance(181);
    await expireCharges(deps);
    expect(await reload(first.rememberedIds[0] ?? '')).toMatchObject({ status: 'error' });
    const retry = newHandle(first.rememberedIds[0]);
    const charge = await createPayment(deps, newRequest(), retry.handle);
    expect(charge).toMatchObject({ status: 'pending' });
    expect(retry.rememberedIds).toEqual([charge.id]);
  });
});

test('a charge that ended while the bank created it is never shown as open', async () => {
  const createAtBank = deps.psp.createCharge;
  const slowBankDeps = withPsp(deps, {
    ...deps.psp,
    // The bank takes so long that the expiry of charges ends this one before the bank's response.
    createCharge: async (order) => {
      await advance(181);
      await expireCharges(deps);
      return createAtBank(order);
    },
  });
  const outcome = createPayment(slowBankDeps, {
    merchantId,
    amount: 10,
    expiresInSeconds: 1800,
    callbackUrl: undefined,
  });
  await expect(outcome).rejects.toMatchObject({ code: 'PAYMENT_PROCESSING_ERROR' });
  const stored = await deps.db
    .selectFrom('charges')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .execute();
  expect(stored).toMatchObject([{ status: 'error', br_code: '' }]);
});

describe('a notice', () => {
  test('is booked only after a look-up at the bank', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const charge = await create();
    const endToEndId = await bank.pay({ brCode: charge.brCode });
    await notify(endToEndId, endToEndId);
    await notify(endToEndId);
    // Three notices in two rows of the inbox.
    expect(await processDueNotices(deps)).toBe(3);
    expect(await reload(charge.id)).toMatchObject({ status: 'paid', endToEndId });
    expect(await readInboxStates(endToEndId)).toEqual(['done', 'done']);
    expect(await readBalances(deps.db, merchantId)).toMatchObject({ available: 2564, fees: 26 });
  });

  test('of an unknown payment moves no money, is looked up again, and is refused after a day', async () => {
    const forged = 'E99999999202611211200abcdefghijk';
    await notify(forged);
    await processDueNotices(deps);
    expect(await readInboxStates(forged)).toEqual(['waiting']);
    await advance(86_400);
    await processDueNotices(deps);
    expect(await readInboxStates(forged)).toEqual(['refused']);
  });

  test('that cannot be booked is set aside and delays no others', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const [odd, plain] = [await create(), await create()];
    const [oddId, plainId] = [
      await bank.pay({ brCode: odd.brCode }),
      await bank.pay({ brCode: plain.brCode }),
    ];
    await notify(oddId, plainId);
    const find = deps.psp.findReceivedPix;
    const zeroAmountDeps = withPsp(deps, {
      ...deps.psp,
      // The bank reports an amount of zero for the odd Pix, which the database refuses.
      findReceivedPix: async (id) => {
        const pix = await find(id);
        return pix && id === oddId ? { ...pix, amountCents: 0 } : pix;
      },
    });
    await processDueNotices(zeroAmountDeps);
    expect(await reload(plain.id)).toMatchObject({ status: 'paid' });
    // The shared row is done; the odd notice waits in its own row.
    expect(await readInboxStates(oddId)).toEqual(['done', 'waiting']);
    await advance(2);
    await processDueNotices(deps);
    expect(await reload(odd.id)).toMatchObject({ status: 'paid' });
  });

  test('that the bank does not confirm at first is credited once it does', async () => {
    await bank.setBehaviour({ notifications: 'never', confirmations: 'not-found-first' });
    const charge = await create();
    const endToEndId = await bank.pay({ brCode: charge.brCode });
    await notify(endToEndId);
    await processDueNotices(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'pending' });
    await advance(2);
    await processDueNotices(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'paid' });
  });

  test('waits, however long, while the bank is unavailable', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const charge = await create();
    const endToEndId = await bank.pay({ brCode: charge.brCode });
    await bank.setBehaviour({ notifications: 'never', confirmations: 'down' });
    await notify(endToEndId);
    await processDueNotices(deps);
    await advance(3 * 86_400);
    await processDueNotices(deps);
    expect(await readInboxStates(endToEndId)).toEqual(['waiting']);
    await bank.setBehaviour({ notifications: 'never' });
    await advance(900);
    await processDueNotices(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'paid' });
  });
});

describe('reconciliation', () => {
  test('books a payment without a notice, once', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const charge = await create();
    await bank.pay({ brCode: charge.brCode });
    await bank.pay({ key: deps.config.pixKey, amount: 7.5 });
    expect(await reconcilePayments(deps)).toBe(2);
    expect(await reconcilePayments(deps)).toBe(0);
    expect(await reload(charge.id)).toMatchObject({ status: 'paid' });
  });

  test('does not advance past a period that the bank could not list', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    await reconcilePayments(deps);
    const before = await deps.db
      .selectFrom('received_pix_list_position')
      .select('read_until')
      .executeTakeFirstOrThrow();
    const charge = await create();
    await bank.pay({ brCode: charge.brCode });
    await bank.setBehaviour({ notifications: 'never', confirmations: 'down' });
    await advance(30);
    await expect(reconcilePayments(deps)).rejects.toBeInstanceOf(PspUnknown);
    expect(
      await deps.db.selectFrom('received_pix_list_position').select('read_until').executeTakeFirstOrThrow(),
    ).toEqual(before);
    await bank.setBehaviour({ notifications: 'never' });
    expect(await reconcilePayments(deps)).toBe(1);
  });

  test('finds later payments even if it had read into the future, because the clock was a day ahead', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    clock.shift(86_400_000);
    await reconcilePayments(deps);
    clock.shift(-86_400_000);
    await reconcilePayments(deps);
    const charge = await create(10, 86_400);
    await bank.pay({ brCode: charge.brCode });
    await advance(3 * 3600);
    expect(await reconcilePayments(deps)).toBe(1);
  });

  test('finds payments listed up to five minutes late, and reads every moment less than five times on average', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    await reconcilePayments(deps);
    const charge = await create(10, 86_400);
    const endToEndId = await bank.pay({ brCode: charge.brCode });
    const windowLengthsMs: number[] = [];
    let isHidden = true;
    // The bank lists the Pix late.
    const lateBankDeps = withPsp(deps, {
      ...deps.psp,
      async *listReceivedPix(from, to) {
        windowLengthsMs.push(to.getTime() - from.getTime());
        for await (const page of deps.psp.listReceivedPix(from, to))
          yield page.filter((pix) => !(isHidden && pix.endToEndId === endToEndId));
      },
    });
    let found = 0;
    for (let seconds = 0; seconds < 900; seconds += 20) {
      if (seconds >= 300) isHidden = false;
      await advance(20);
      found += await reconcilePayments(lateBankDeps);
    }
    expect(found).toBe(1);
    expect(await reload(charge.id)).toMatchObject({ status: 'paid' });
    const totalReadMs = windowLengthsMs.reduce((sum, lengthMs) => sum + lengthMs, 0);
    expect(totalReadMs).toBeLessThan(900_000 * 5);
  });

  test('finds a payment that its windows missed when the last two days are read again', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const charge = await create(10, 86_400);
    await bank.pay({ brCode: charge.brCode });
    await advance(36 * 3600);
    await inTransaction(deps, (tx) => writeReconciledUntil(tx, deps.connection.id, tx.now));
    expect(await reconcilePayments(deps)).toBe(0);
    expect(await rereadReceived(deps)).toBe(1);
  });

  test('reads a gap of several days in parts, to the last page', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    await reconcilePayments(deps);
    const charges = await Promise.all([1, 2, 3, 4, 5].map((reais) => create(reais * 10, 86_400)));
    for (const { brCode } of charges.slice(0, 3)) await bank.pay({ brCode });
    await advance(80_000);
    for (const { brCode } of charges.slice(3)) await bank.pay({ brCode });
    await advance(3 * 86_400);
    const smallPageDeps = withPsp(deps, connectToBank({ itemsPerPage: 2 }));
    expect(await reconcilePayments(smallPageDeps)).toBe(5);
    await smallPageDeps.psp.close();
  });
});

describe('the passing of time', () => {
  test('ends an unpaid charge a minute after its expiry', async () => {
    const charge = await create(10, 60);
    await advance(60);
    await expireCharges(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'pending' });
    await advance(61);
    await expireCharges(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'expired' });
  });

  test('shows a charge as expired from its expiry on, even before the bank is asked', async () => {
    const charge = await create(10, 60);
    const shownStatuses = async () => {
      const { data } = await listTransactions(deps, merchantId, transactionFeed.query.parse({}));
      return data.map(({ id, status }) => [id, status]);
    };
    clock.shift(charge.expiresAt.getTime() - clock.now().getTime() - 10_000);
    expect(await shownStatuses()).toEqual([[charge.id, 'pending']]);
    await advance(10);
    expect(await shownStatuses()).toEqual([[charge.id, 'expired']]);
    expect(await reload(charge.id)).toMatchObject({ status: 'pending' });
    await bank.pay({ brCode: charge.brCode, force: true });
    await reconcilePayments(deps);
    expect(await shownStatuses()).toEqual([[charge.id, 'paid']]);
  });

  test('does not end a paid charge, with or without a notice', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const charge = await create(10, 60);
    await bank.pay({ brCode: charge.brCode });
    await advance(121);
    await expireCharges(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'paid' });
  });

  test('ends due charges even if one of their payments cannot be booked', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const [odd, plain, unpaid] = [await create(10, 60), await create(10, 60), await create(10, 60)];
    for (const { brCode } of [odd, plain]) await bank.pay({ brCode });
    await advance(121);
    const find = deps.psp.findCharge;
    const zeroAmountDeps = withPsp(deps, {
      ...deps.psp,
      // The bank reports an amount of zero for the odd charge's Pix, which the database refuses.
      findCharge: async (txid) => {
        const atBank = await find(txid, 'immediate');
        if (atBank === undefined || txid !== odd.txid) return atBank;
        return { ...atBank, received: atBank.received.map((pix) => ({ ...pix, amountCents: 0 })) };
      },
    });
    await expireCharges(zeroAmountDeps);
    expect(await reload(plain.id)).toMatchObject({ status: 'paid' });
    expect(await reload(unpaid.id)).toMatchObject({ status: 'expired' });
    expect(await reload(odd.id)).toMatchObject({ status: 'pending' });
  });

  test('ends a charge without the bank’s response only after ten minutes, and credits late payments', async () => {
    await bank.setBehaviour({ notifications: 'never' });
    const charge = await create(10, 60);
    await bank.setBehaviour({ charges: 'down', notifications: 'never' });
    await advance(121);
    await expireCharges(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'pending' });
    await advance(600);
    await expireCharges(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'expired' });
    await bank.setBehaviour({ notifications: 'never' });
    await bank.pay({ brCode: charge.brCode, force: true });
    await reconcilePayments(deps);
    expect(await reload(charge.id)).toMatchObject({ status: 'paid' });
  });

  test('releases a reserve after its days, once', async () => {
    merchantId = await newMerchant({
      in_rate: 0,
      reserve_enabled: true,
      reserve_rate: 1000,
      reserve_days: 2,
    });
    const charge = await create(100);
    const endToEndId = await bank.pay({ brCode: charge.brCode });
    await notify(endToEndId);
    await processDueNotices(deps);
    expect(await readBalances(deps.db, merchantId)).toMatchObject({ available: 9000, reserved: 1000 });
    await advance(2 * 86_400 - 60);
    await releaseReserves(deps);
    expect(await readBalances(deps.db, merchantId)).toMatchObject({ reserved: 1000 });
    await advance(61);
    await Promise.all([releaseReserves(deps), releaseReserves(deps)]);
    expect(await readBalances(deps.db, merchantId)).toMatchObject({ available: 10_000, reserved: 0 });
  });
});
