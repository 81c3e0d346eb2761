import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { insertMerchant, type MerchantTermsRow } from '../../test/merchant-row.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { readMerchant } from '../identity/index.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { type BankReceivedPix, HOUSE_CONNECTION } from '../psp/index.ts';
import { newStaticTxid } from './bank-ids.ts';
import { noOptions } from './charge-options.ts';
import { buildChargeForPix } from './credit-counters.ts';
import { settleReceived } from './settle-received.ts';
import { insertCharge, MADE_WITH_DASHBOARD, MADE_WITH_PAYMENT_LINK } from './store.ts';

// A counter code is a printed, static QR Code: each Pix paid with it becomes a charge of its own
// (`credit-counters.ts`).

const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 12);
const ownKey = '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35';
const house = { id: HOUSE_CONNECTION, pixKey: ownKey };

let database: TestDatabase;
let db: Db;
const deps = () => ({ db, clock: machineClock });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});

afterAll(async () => {
  expect(await countDeadlocks(db)).toBe(0);
  expect(await auditLedger(db)).toEqual([]);
  await db.destroy();
  await database.drop();
});

let serial = 0;
/** A Pix as the bank confirms it, paid with the code or charge of this txid. */
const pixTo = (txid: string, amountCents: number, change: Partial<BankReceivedPix> = {}): BankReceivedPix => {
  serial += 1;
  const endToEndId = `E99999999202611211300${String(serial).padStart(12, '0')}`;
  return { endToEndId, amountCents, paidAt: new Date(), txid, pixKey: ownKey, returns: [], ...change };
};
const settle = (...received: BankReceivedPix[]) =>
  inTransaction(deps(), (tx) => settleReceived(tx, received, house));
const readSuspenseCents = async () => (await readBalances(db, 0)).suspense;
const chargesOf = (merchantId: number) =>
  db
    .selectFrom('charges')
    .leftJoin('charge_options', (join) =>
      join
        .onRef('charge_options.merchant_id', '=', 'charges.merchant_id')
        .onRef('charge_options.charge_id', '=', 'charges.id'),
    )
    .select(['status', 'amount_cents', 'end_to_end_id', 'made_with', 'counter_code_id'])
    .where('charges.merchant_id', '=', merchantId)
    .orderBy('amount_cents')
    .execute();
const countersOf = (merchantId: number) =>
  db
    .selectFrom('merchant_counters')
    .select(['pending_count', 'paid_count', 'gross_received_cents'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();

type GivenCode = { readonly merchantId: number; readonly id: string; readonly txid: string };

/** A new merchant's counter code. */
async function givenCode(terms: MerchantTermsRow = {}, row: { active?: boolean } = {}): Promise<GivenCode> {
  const merchantId = await insertMerchant(db, terms);
  const code = { merchantId, id: randomUUID(), txid: newStaticTxid(merchantId) };
  const now = new Date();
  await db
    .insertInto('counter_codes')
    .values({
      merchant_id: merchantId,
      id: code.id,
      txid: code.txid,
      name: 'Caixa 1',
      active: row.active ?? true,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return code;
}
const readCode = ({ id }: GivenCode) =>
  db
    .selectFrom('counter_codes')
    .select(['payments', 'received_cents', 'version'])
    .where('id', '=', id)
    .executeTakeFirst();

/** A charge of a merchant; with a link's id, one that the payment link created. */
async function givenCharge(merchantId: number, amountCents: number, paymentLinkId?: string) {
  const merchant = await readMerchant(db, merchantId);
  if (merchant === undefined) throw new Error('no merchant');
  const charge = buildChargeForPix(merchant, amountCents, new Date());
  const by = {
    requestId: null,
    madeWith: paymentLinkId === undefined ? MADE_WITH_DASHBOARD : MADE_WITH_PAYMENT_LINK,
  };
  const options = paymentLinkId === undefined ? undefined : { ...noOptions, paymentLinkId };
  await insertCharge(
    { db, now: charge.createdAt },
    { charge, terms: merchant, nextCheckAt: charge.createdAt, by, options },
  );
  return charge;
}

async function givenLink(merchantId: number): Promise<string> {
  const id = randomUUID();
  const now = new Date();
  await db
    .insertInto('payment_links')
    .values({
      merchant_id: merchantId,
      id,
      slug: id,
      title: 'Camiseta',
      active: true,
      created_at: now,
      updated_at: now,
    })
    .execute();
  return id;
}
const readLink = (id: string) =>
  db
    .selectFrom('payment_links')
    .select(['payments', 'received_cents'])
    .where('id', '=', id)
    .executeTakeFirst();

describe('a Pix paid with a counter code', () => {
  test('is credited next to a Pix whose charge another process pays meanwhile, and that one is kept in suspense', async () => {
    const code = await givenCode();
    const charge = await givenCharge(code.merchantId, 5000);
    const before = await readSuspenseCents();
    const isSettled = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const earlier = inTransaction(deps(), async (tx) => {
      await settleReceived(tx, [pixTo(charge.txid, 5000)], house);
      isSettled.resolve();
      await mayCommit.promise;
    });
    await isSettled.promise;
    // Reads the charge as unpaid, and waits for the other transaction at the merchant's balances.
    const later = settle(pixTo(charge.txid, 5000), pixTo(code.txid, 700));
    await waitForBlockedTransactions(db);
    mayCommit.resolve();
    await earlier;
    expect(await later).toEqual({ credited: 1, suspense: 1, alreadyBooked: 0 });
    expect(await readSuspenseCents()).toBe(before + 5000);
    expect(await readCode(code)).toMatchObject({ payments: 1, received_cents: 700 });
  });

  test('is not credited by the word of another account’s bank, for the code carries the key of the operator’s', async () => {
    const code = await givenCode();
    const told = [pixTo(code.txid, 700), pixTo(code.txid, 700, { pixKey: undefined })];
    const counts = await inTransaction(deps(), (tx) => settleReceived(tx, told, { ...house, id: 2 }));
    expect(counts).toEqual({ credited: 0, suspense: 0, alreadyBooked: 0 });
    expect(await readCode(code)).toMatchObject({ payments: 0 });
  });

  test('becomes a paid charge under the merchant’s current terms', async () => {
    const terms = {
      in_rate: 99,
      fix_in_cents: 50,
      reserve_enabled: true,
      reserve_rate: 1000,
      reserve_days: 30,
    };
    const code = await givenCode(terms);
    const pix = pixTo(code.txid, 10_000);
    expect(await settle(pix)).toEqual({ credited: 1, suspense: 0, alreadyBooked: 0 });
    // In cents: the fee is 99 + 50, and the reserve 10 % of the net 9,851.
    expect(await readBalances(db, code.merchantId)).toMatchObject({
      available: 8866,
      fees: 149,
      reserved: 985,
      psp: -10_000,
    });
    expect(await chargesOf(code.merchantId)).toEqual([
      {
        status: 'paid',
        amount_cents: 10_000,
        end_to_end_id: pix.endToEndId,
        made_with: 'counter-code',
        counter_code_id: code.id,
      },
    ]);
    expect(await readCode(code)).toEqual({ payments: 1, received_cents: 10_000, version: 1 });
    const notifications = await db
      .selectFrom('notifications')
      .select('body')
      .where('merchant_id', '=', code.merchantId)
      .execute();
    expect(notifications).toHaveLength(1);
  });

  test('settled by 32 concurrent callers, next to another Pix, moves money once and creates one charge', async () => {
    const code = await givenCode();
    const [first, second] = [pixTo(code.txid, 500), pixTo(code.txid, 700)];
    const settled = await Promise.all(
      Array.from({ length: 32 }, (_, n) =>
        n % 2 === 0 ? settle(first, second) : settle(second, first, second),
      ),
    );
    expect(settled.reduce((sum, { credited }) => sum + credited, 0)).toBe(2);
    expect(await readBalances(db, code.merchantId)).toMatchObject({ psp: -1200 });
    expect(await chargesOf(code.merchantId)).toHaveLength(2);
    expect(await readCode(code)).toMatchObject({ payments: 2, received_cents: 1200 });
    expect(await countersOf(code.merchantId)).toEqual({
      pending_count: 0,
      paid_count: 2,
      gross_received_cents: 1200,
    });
  });

  test('is credited even if the code is disabled and the amount is below the minimum of a charge', async () => {
    const code = await givenCode({ in_rate: 0 }, { active: false });
    expect(await settle(pixTo(code.txid, 1))).toMatchObject({ credited: 1 });
    expect(await readBalances(db, code.merchantId)).toMatchObject({ available: 1 });
  });

  test.each([
    ['that does not cover the fee', 50, {}, 'below-fee'],
    ['on another key', 500, { pixKey: 'loja@example.com' }, 'wrong-key'],
    ['of an unknown code', 500, { txid: `00000001${'A'.repeat(17)}` }, 'unknown-txid'],
  ])('%s is kept in suspense, without a charge', async (_name, cents, change, reason) => {
    const code = await givenCode({ fix_in_cents: 50 });
    const before = await readSuspenseCents();
    const pix = pixTo(code.txid, cents, change);
    expect(await settle(pix)).toEqual({ credited: 0, suspense: 1, alreadyBooked: 0 });
    expect(await readSuspenseCents()).toBe(before + cents);
    expect(await chargesOf(code.merchantId)).toEqual([]);
    const row = await db
      .selectFrom('received_pix')
      .select(['outcome', 'reason', 'merchant_id'])
      .where('end_to_end_id', '=', pix.endToEndId)
      .executeTakeFirst();
    expect(row).toEqual({ outcome: 'suspense', reason, merchant_id: 0 });
    expect(await readCode(code)).toMatchObject({ payments: 0 });
  });
});

test('settling a code’s payment next to another merchant’s does not deadlock with concurrent charges of both', async () => {
  const [low, high] = [await givenCode(), await givenCode()];
  const charge = await givenCharge(low.merchantId, 1000);
  const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const merchant = await readMerchant(db, low.merchantId);
  if (merchant === undefined) throw new Error('no merchant');
  // This transaction holds the counters of the low merchant, so that the others meet while they wait for it.
  const lockingTransaction = inTransaction(deps(), async (tx) => {
    await insertCharge(tx, {
      charge: buildChargeForPix(merchant, 1000, tx.now),
      terms: merchant,
      nextCheckAt: tx.now,
    });
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  const creations = [low, high].map(({ merchantId }) => givenCharge(merchantId, 1000));
  await waitForBlockedTransactions(db);
  const settlement = settle(pixTo(high.txid, 500), pixTo(charge.txid, 1000));
  await waitForBlockedTransactions(db, 2);
  release.resolve();
  await Promise.all([lockingTransaction, settlement, ...creations]);
  expect(await countDeadlocks(db)).toBe(0);
  expect(await readBalances(db, high.merchantId)).toMatchObject({ psp: -500 });
});

test('any mixture of Pix by codes, links and charges of many merchants, with concurrent creation, is booked once each', async () => {
  // `code`, `doubled` and `tiny`: a Pix paid with the code, once, in two batches, or below the fee. `link` and
  // `charge`: a Pix for a charge, of the link or not. `created`: no Pix, but a charge created meanwhile.
  const plannedKind = fc.constantFrom('code', 'doubled', 'tiny', 'link', 'charge', 'created');
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(plannedKind, fc.nat({ max: 3 }), fc.nat({ max: 3 })), {
        minLength: 4,
        maxLength: 30,
      }),
      async (plan) => {
        const codes = await Promise.all(Array.from({ length: 4 }, () => givenCode({ fix_in_cents: 3 })));
        const links = await Promise.all(codes.map(({ merchantId }) => givenLink(merchantId)));
        const suspenseBefore = await readSuspenseCents();
        const batches: BankReceivedPix[][] = [[], [], [], []];
        const [paymentsOfCodes, paymentsOfLinks] = [
          [0, 0, 0, 0],
          [0, 0, 0, 0],
        ];
        const creations: (() => Promise<unknown>)[] = [];
        let [receivedCents, tinyCents] = [0, 0];
        for (const [index, [kind, owner, batch]] of plan.entries()) {
          const [code, link, cents] = [codes[owner], links[owner], 100 + index];
          if (code === undefined || link === undefined) throw new Error('no such merchant');
          if (kind === 'created') {
            creations.push(() => givenCharge(code.merchantId, cents));
            continue;
          }
          const isOfCharge = kind === 'link' || kind === 'charge';
          const charge = isOfCharge
            ? await givenCharge(code.merchantId, cents, kind === 'link' ? link : undefined)
            : undefined;
          const pix = pixTo(charge?.txid ?? code.txid, kind === 'tiny' ? 3 : cents);
          // A tiny Pix does not cover the fee, so it is kept in suspense.
          if (kind === 'tiny') tinyCents += 3;
          else receivedCents += cents;
          if (kind === 'link') paymentsOfLinks[owner] = (paymentsOfLinks[owner] ?? 0) + 1;
          if (kind === 'code' || kind === 'doubled')
            paymentsOfCodes[owner] = (paymentsOfCodes[owner] ?? 0) + 1;
          batches[batch]?.push(pix);
          if (kind === 'doubled') batches[(batch + 1) % 4]?.push(pix);
        }
        await Promise.all([
          ...batches.map((batch) => settle(...batch)),
          ...creations.map((create) => create()),
        ]);
        await Promise.all(batches.map((batch) => settle(...batch.toReversed())));
        const balances = await Promise.all(codes.map(({ merchantId }) => readBalances(db, merchantId)));
        expect(balances.reduce((sum, { psp }) => sum - psp, 0)).toBe(receivedCents);
        expect((await readSuspenseCents()) - suspenseBefore).toBe(tinyCents);
        const codesAfter = await Promise.all(codes.map(readCode));
        expect(codesAfter.map((code) => code?.payments)).toEqual(paymentsOfCodes);
        expect((await Promise.all(links.map(readLink))).map((link) => link?.payments)).toEqual(
          paymentsOfLinks,
        );
      },
    ),
    { numRuns: propertyRuns },
  );
});
