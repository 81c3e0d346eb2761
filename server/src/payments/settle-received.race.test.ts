import { randomUUID } from 'node:crypto';
import { liveMessage } from '@jangada/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { insertMerchant, type MerchantTermsRow } from '../../test/merchant-row.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { auditLedger, movements, postThrough, readBalances } from '../ledger/index.ts';
import type { LedgerEntry } from '../ledger/movements.ts';
import { readAnnouncement } from '../outbox/index.ts';
import { type BankReceivedPix, HOUSE_CONNECTION } from '../psp/index.ts';
import { newChargeIds } from './bank-ids.ts';
import { type Charge, computeFeeAndReserve } from './payment.ts';
import { callSettle, type NewReceivedPix } from './received-store.ts';
import { settleAtAccounts, settleReceived } from './settle-received.ts';
import { findCharge, insertCharge, markChargesEnded } from './store.ts';

const propertyRuns = Number(process.env['PROPERTY_RUNS'] ?? 20);
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
const newEndToEndId = () => {
  serial += 1;
  return `E99999999202611211200${String(serial).padStart(12, '0')}`;
};

/** A stored, pending charge under these terms. */
async function givenCharge(
  merchantId: number,
  amountCents = 10_000,
  row: MerchantTermsRow = {},
  connectionId = HOUSE_CONNECTION,
): Promise<Charge> {
  const terms = {
    inRate: row.in_rate ?? 99,
    fixInCents: row.fix_in_cents ?? 0,
    reserveRate: row.reserve_rate ?? 0,
    reserveDays: row.reserve_days ?? 0,
  };
  return inTransaction(deps(), async (tx) => {
    const charge: Charge = {
      externalId: null,
      metadata: null,
      cancelledAt: null,
      dueDate: null,
      merchantId,
      connectionId,
      ...newChargeIds(merchantId, tx.now),
      status: 'pending',
      amountCents,
      ...computeFeeAndReserve(amountCents, terms),
      reserveDays: terms.reserveDays,
      expiresAt: new Date(tx.now.getTime() + 1_800_000),
      callbackUrl: 'https://loja.example/pix',
      brCode: '',
      endToEndId: null,
      paidAt: null,
      refundedCents: 0,
      createdAt: tx.now,
    };
    await insertCharge(tx, { charge, terms, nextCheckAt: charge.expiresAt });
    return charge;
  });
}

const pixFor = (charge: Charge, change: Partial<BankReceivedPix> = {}): BankReceivedPix => ({
  endToEndId: newEndToEndId(),
  amountCents: charge.amountCents,
  paidAt: new Date(),
  txid: charge.txid,
  pixKey: ownKey,
  returns: [],
  ...change,
});

const settle = (...received: BankReceivedPix[]) =>
  inTransaction(deps(), (tx) => settleReceived(tx, received, house));
const readSuspenseCents = () => readBalances(db, 0).then((balances) => balances.suspense);
const countRows = async (table: 'events' | 'notifications', merchantId: number) => {
  const row = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row?.count;
};

/** The types of the messages that open screens of the merchant get. */
const readMessageTypes = async (merchantId: number) => {
  const rows = await db.selectFrom('outbox').select('payload').orderBy('id').execute();
  return rows
    .flatMap(({ payload }) => readAnnouncement(payload ?? ''))
    .filter((announcement) => announcement.merchantId === merchantId)
    .map(({ message }) => liveMessage.parse(JSON.parse(message)).type);
};

describe('a confirmed Pix', () => {
  test('is credited by its charge’s terms, with webhook, notification and messages to open screens', async () => {
    const merchantId = await insertMerchant(db);
    const charge = await givenCharge(merchantId, 10_000, {
      in_rate: 99,
      fix_in_cents: 50,
      reserve_rate: 1000,
      reserve_days: 30,
    });
    expect(await settle(pixFor(charge))).toEqual({ credited: 1, suspense: 0, alreadyBooked: 0 });
    // In cents: the fee is 99 + 50, and the reserve 10 % of the net 9,851.
    expect(await readBalances(db, merchantId)).toMatchObject({
      available: 8866,
      fees: 149,
      reserved: 985,
      psp: -10_000,
    });
    expect(await findCharge(db, merchantId, charge.id)).toMatchObject({ status: 'paid' });
    expect(await countRows('events', merchantId)).toBe(1);
    expect(await countRows('notifications', merchantId)).toBe(1);
    expect(await readMessageTypes(merchantId)).toEqual(['notification', 'charge']);
  });

  test('settled by 32 concurrent callers moves money once', async () => {
    const merchantId = await insertMerchant(db);
    const pix = pixFor(await givenCharge(merchantId));
    const settled = await Promise.all(Array.from({ length: 32 }, () => settle(pix, pix)));
    expect(settled.filter(({ credited }) => credited === 1)).toHaveLength(1);
    expect(await readBalances(db, merchantId)).toMatchObject({ available: 9901 });
    expect(await countRows('events', merchantId)).toBe(1);
  });

  test('that pays a charge a second time goes to suspense, even if both are settled concurrently', async () => {
    const merchantId = await insertMerchant(db);
    const charge = await givenCharge(merchantId);
    const before = await readSuspenseCents();
    // Four Pix pay the charge: one is credited, three are not.
    await Promise.all([
      settle(pixFor(charge)),
      settle(pixFor(charge)),
      settle(pixFor(charge), pixFor(charge)),
    ]);
    expect(await readBalances(db, merchantId)).toMatchObject({ available: 9901 });
    expect(await readSuspenseCents()).toBe(before + 30_000);
  });

  test('that another process books after it was found new is left to that process, and the others are booked', async () => {
    const merchantId = await insertMerchant(db);
    const charges = [
      await givenCharge(merchantId),
      await givenCharge(merchantId),
      await givenCharge(merchantId),
    ];
    const [first, second, third] = charges.map((charge) => pixFor(charge));
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    const isSettled = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const earlier = inTransaction(deps(), async (tx) => {
      await settleReceived(tx, [second], house);
      isSettled.resolve();
      await mayCommit.promise;
    });
    await isSettled.promise;
    // Reads that all three are new, and waits for the other transaction at the second.
    const later = settle(first, second, third);
    await waitForBlockedTransactions(db);
    mayCommit.resolve();
    await earlier;
    expect(await later).toEqual({ credited: 2, suspense: 0, alreadyBooked: 1 });
    expect(await readBalances(db, merchantId)).toMatchObject({ available: 3 * 9901 });
    expect(await countRows('events', merchantId)).toBe(3);
  });

  test('is written only with its entry in the books, in full and for its owner', async () => {
    const merchantId = await insertMerchant(db);
    const charge = await givenCharge(merchantId);
    const pix: NewReceivedPix = {
      ...pixFor(charge),
      account: house,
      merchantId,
      chargeId: charge.id,
      outcome: 'credited',
      reason: null,
    };
    const entry = {
      merchantId,
      reference: pix.endToEndId,
      amountCents: 10_000,
      feeCents: 99,
      reserveCents: 0,
    };
    const settleAs = (received: NewReceivedPix, entries: readonly LedgerEntry[]) =>
      inTransaction(deps(), (tx) =>
        postThrough(tx, entries, async (posting) => {
          const call = {
            arePixInserted: false,
            areChargesStoredLater: false,
            reserves: [],
            publishCalls: [],
          };
          return (await callSettle(tx, { ...call, posting, received: [received] })).isSettled;
        }),
      );
    const other = await insertMerchant(db);
    for (const wrong of [
      [],
      movements.paymentReceived({ ...entry, amountCents: 9999 }),
      movements.paymentReceived({ ...entry, reference: 'E-other' }),
      movements.paymentReceived({ ...entry, merchantId: other }),
      movements.unmatchedReceived(entry),
    ])
      await expect(settleAs(pix, wrong), JSON.stringify(wrong)).rejects.toThrow(/is not posted in full/);
    await settleAs(pix, movements.paymentReceived(entry));
    expect(await readBalances(db, merchantId)).toMatchObject({ available: 9901 });
  });

  test('that was written beside one that is booked already cannot be committed unless it is posted', async () => {
    const merchantId = await insertMerchant(db);
    const booked = pixFor(await givenCharge(merchantId));
    await settle(booked);
    const received = [booked, pixFor(await givenCharge(merchantId))].map(
      (pix): NewReceivedPix => ({
        ...pix,
        account: house,
        merchantId: 0,
        chargeId: null,
        outcome: 'suspense',
        reason: null,
      }),
    );
    const entries = received.flatMap(({ endToEndId, amountCents }) =>
      movements.unmatchedReceived({ reference: endToEndId, amountCents }),
    );
    const settleOnce = (arePixInserted: boolean) =>
      inTransaction(deps(), (tx) =>
        postThrough(tx, entries, async (posting) => {
          const call = {
            arePixInserted,
            areChargesStoredLater: false,
            reserves: [],
            publishCalls: [],
          };
          const { alreadyBooked } = await callSettle(tx, { ...call, posting, received });
          expect(alreadyBooked).toEqual([booked.endToEndId]);
          return true;
        }),
      );
    await expect(settleOnce(false)).rejects.toThrow('a received Pix was not posted');
    await expect(settleOnce(true)).rejects.toThrow('a received Pix was not claimed');
    expect(await readBalances(db, merchantId)).toMatchObject({ available: 9901 });
  });

  test('that arrives after its charge expired is credited', async () => {
    const merchantId = await insertMerchant(db);
    const charge = await givenCharge(merchantId);
    await inTransaction(deps(), (tx) => markChargesEnded(tx, [charge], 'expired'));
    expect(await settle(pixFor(charge))).toMatchObject({ credited: 1 });
    expect(await findCharge(db, merchantId, charge.id)).toMatchObject({ status: 'paid' });
  });

  test.each([
    ['without a txid', { txid: undefined }, 'no-txid'],
    ['with another merchant’s txid', { txid: 'x'.repeat(32) }, 'unknown-txid'],
    ['with a txid that looks like ours', { txid: newChargeIds(1, new Date()).txid }, 'unknown-txid'],
    ['with a static code’s short txid', { txid: 'PEDIDO1' }, 'unknown-txid'],
    ['of another amount', { amountCents: 9999 }, 'wrong-amount'],
    ['on another key', { pixKey: 'loja@example.com' }, 'wrong-key'],
  ])('%s is kept in suspense and leaves the charge unchanged', async (_name, change, reason) => {
    const merchantId = await insertMerchant(db);
    const charge = await givenCharge(merchantId);
    const before = await readSuspenseCents();
    const pix = pixFor(charge, change);
    expect(await settle(pix)).toEqual({ credited: 0, suspense: 1, alreadyBooked: 0 });
    expect(await readSuspenseCents()).toBe(before + pix.amountCents);
    expect(await findCharge(db, merchantId, charge.id)).toMatchObject({ status: 'pending' });
    const row = await db
      .selectFrom('received_pix')
      .select(['outcome', 'reason', 'merchant_id'])
      .where('end_to_end_id', '=', pix.endToEndId)
      .executeTakeFirst();
    expect(row).toEqual({ outcome: 'suspense', reason, merchant_id: 0 });
  });
});

test('a charge is paid by the word of its own bank, and of no other', async () => {
  const merchantId = await insertMerchant(db);
  const charge = await givenCharge(merchantId);
  const other = { id: 2, pixKey: 'loja@example.com' };
  const told = [
    pixFor(charge),
    pixFor(charge, { pixKey: other.pixKey }),
    pixFor(charge, { pixKey: undefined }),
  ];
  const before = await readSuspenseCents();
  const counts = await inTransaction(deps(), (tx) => settleReceived(tx, told, other));
  // Money that arrives at an account of a merchant's own without a charge is the merchant's business.
  expect(counts).toEqual({ credited: 0, suspense: 0, alreadyBooked: 0 });
  expect(await readSuspenseCents()).toBe(before);
  expect(await findCharge(db, merchantId, charge.id)).toMatchObject({ status: 'pending', endToEndId: null });
  expect(await settle(...told.slice(0, 1))).toMatchObject({ credited: 1 });
});

test('what one bank says of a Pix neither books nor blocks the Pix of another account with the same id', async () => {
  const merchantId = await insertMerchant(db);
  const pixKey = 'loja@example.com';
  const other = { id: await insertConnection(db, merchantId, pixKey), pixKey };
  const charges = [
    await givenCharge(merchantId),
    await givenCharge(merchantId, 10_000, {}, other.id),
  ] as const;
  const endToEndId = newEndToEndId();
  const atOther = pixFor(charges[1], { endToEndId, pixKey: other.pixKey });
  const settleAtOther = () => inTransaction(deps(), (tx) => settleReceived(tx, [atOther], other));
  expect(await settleAtOther()).toEqual({ credited: 1, suspense: 0, alreadyBooked: 0 });
  expect(await settle(pixFor(charges[0], { endToEndId }))).toEqual({
    credited: 1,
    suspense: 0,
    alreadyBooked: 0,
  });
  expect(await settleAtOther()).toEqual({ credited: 0, suspense: 0, alreadyBooked: 1 });
  for (const { id } of charges)
    expect(await findCharge(db, merchantId, id)).toMatchObject({ status: 'paid', endToEndId });
  // Money at the merchant's own account never becomes money that the operator's account pays out.
  expect(await readBalances(db, merchantId)).toMatchObject({
    available: 9901,
    psp: -10_000,
    fees: 198,
    fees_due: -99,
  });
  expect(await readBalances(db, merchantId, other.id)).toMatchObject({
    available: 10_000,
    psp: -10_000,
    fees: 0,
  });
});

test('Pix of several accounts are booked together, each by the word of the bank of its account', async () => {
  const merchantIds = [await insertMerchant(db), await insertMerchant(db)] as const;
  const accounts = await Promise.all(
    merchantIds.map(async (id) => {
      const pixKey = `loja${id}@example.com`;
      return { id: await insertConnection(db, id, pixKey), pixKey };
    }),
  );
  const [first = house, second = house] = accounts;
  const atHouse = await givenCharge(merchantIds[0]);
  const atFirst = await givenCharge(merchantIds[0], 7000, {}, first.id);
  const atSecond = await givenCharge(merchantIds[1], 500, {}, second.id);
  const sharedId = newEndToEndId();
  const before = await readSuspenseCents();
  const told = [
    { ...pixFor(atHouse, { endToEndId: sharedId }), account: house },
    { ...pixFor(atFirst, { endToEndId: sharedId, pixKey: first.pixKey }), account: first },
    // Told twice by its own bank.
    { ...pixFor(atFirst, { endToEndId: sharedId, pixKey: first.pixKey }), account: first },
    // Another bank's word about a charge of the second account.
    { ...pixFor(atSecond, { pixKey: first.pixKey }), account: first },
    { ...pixFor(atSecond, { pixKey: second.pixKey }), account: second },
    { ...pixFor(atHouse), account: house },
  ];
  const settleTold = () => inTransaction(deps(), (tx) => settleAtAccounts(tx, told));
  expect(await settleTold()).toEqual({ credited: 3, suspense: 1, alreadyBooked: 0 });
  expect(await settleTold()).toEqual({ credited: 0, suspense: 0, alreadyBooked: 4 });
  // The second payment of the charge at the operator's account.
  expect(await readSuspenseCents()).toBe(before + 10_000);
  for (const { merchantId, id } of [atHouse, atFirst, atSecond])
    expect(await findCharge(db, merchantId, id)).toMatchObject({ status: 'paid' });
  expect(await readBalances(db, merchantIds[0])).toMatchObject({ available: 9901 });
  expect(await readBalances(db, merchantIds[1], second.id)).toMatchObject({ available: 500 });
});

test('the database refuses suspense at an account of a merchant’s own, and a Pix that pays another account’s charge', async () => {
  const merchantId = await insertMerchant(db);
  const connectionId = await insertConnection(db, merchantId, 'feira@example.com');
  const charge = await givenCharge(merchantId);
  const settleAs = (pix: NewReceivedPix, entries: readonly LedgerEntry[]) =>
    inTransaction(deps(), (tx) =>
      postThrough(tx, entries, async (posting) => {
        const call = { arePixInserted: false, areChargesStoredLater: false, reserves: [], publishCalls: [] };
        return (await callSettle(tx, { ...call, posting, received: [pix] })).isSettled;
      }),
    );
  const pix = { ...pixFor(charge), account: { ...house, id: connectionId } };
  const reference = pix.endToEndId;
  await expect(
    settleAs(
      { ...pix, merchantId: 0, chargeId: null, outcome: 'suspense', reason: 'no-txid' },
      movements.unmatchedReceived({ reference, amountCents: pix.amountCents }),
    ),
  ).rejects.toThrow('is not posted in full');
  await expect(
    settleAs(
      { ...pix, merchantId, chargeId: charge.id, outcome: 'credited', reason: null },
      movements.ownPaymentReceived({ merchantId, connectionId, reference, amountCents: 10_000 }),
    ),
  ).rejects.toThrow('a charge was paid meanwhile');
});

test('the database refuses to move a charge to another account', async () => {
  const { merchantId, id } = await givenCharge(await insertMerchant(db));
  const moved = db
    .updateTable('charges')
    .set({ connection_id: 2 })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
  await expect(moved).rejects.toThrow('a charge does not change this way');
});

test('a Pix is credited to a charge only if every character of its txid is the charge’s', async () => {
  const merchantId = await insertMerchant(db);
  const charge = await givenCharge(merchantId);
  for (let nth = 0; nth < charge.txid.length; nth += 1) {
    const other = charge.txid.charAt(nth) === '1' ? '2' : '1';
    const txid = charge.txid.slice(0, nth) + other + charge.txid.slice(nth + 1);
    expect(await settle(pixFor(charge, { txid })), txid).toMatchObject({ credited: 0, suspense: 1 });
  }
  expect(await settle(pixFor(charge))).toMatchObject({ credited: 1 });
});

test('a paid charge cannot be closed as expired or become pending again', async () => {
  const merchantId = await insertMerchant(db);
  const charge = await givenCharge(merchantId);
  await settle(pixFor(charge));
  const closed = await inTransaction(deps(), (tx) => markChargesEnded(tx, [charge], 'expired'));
  expect(closed).toEqual([]);
  await expect(
    db.updateTable('charges').set({ status: 'pending' }).where('id', '=', charge.id).execute(),
  ).rejects.toThrow(/does not change this way/);
});

test('a charge keeps its terms, its identity and its payment', async () => {
  const merchantId = await insertMerchant(db);
  const [open, paid] = [await givenCharge(merchantId), await givenCharge(merchantId)];
  await settle(pixFor(paid));
  const changes: [Charge, Record<string, unknown>][] = [
    [open, { id: randomUUID() }],
    [open, { merchant_id: 0 }],
    [open, { reserve_days: 9 }],
    [open, { in_rate: 0 }],
    [open, { fee_cents: 0 }],
    [open, { status: 'paid' }],
    [open, { paid_at: new Date() }],
    [paid, { end_to_end_id: 'E99999999202611211200zzzzzzzzzzz' }],
    [paid, { paid_at: new Date(0) }],
  ];
  for (const [{ id }, change] of changes) {
    await expect(
      db.updateTable('charges').set(change).where('id', '=', id).execute(),
      JSON.stringify(change),
    ).rejects.toThrow(/does not change this way|violates|is not allowed/);
  }
});

test('any mixture of valid, repeated, late and unmatched Pix, in any concurrent batches, is booked once each', async () => {
  // `doubled`: the same Pix twice. `second`: a second Pix for the charge. `amount`: not the charge's amount. `expiring`: the
  // charge expires meanwhile.
  const plannedKind = fc.constantFrom(
    'valid',
    'doubled',
    'second',
    'amount',
    'no txid',
    'expired',
    'expiring',
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(plannedKind, fc.integer({ min: 0, max: 3 })), { minLength: 1, maxLength: 30 }),
      async (plan) => {
        const merchants = [await insertMerchant(db), await insertMerchant(db)];
        const platformBefore = await readBalances(db, 0);
        const batches: BankReceivedPix[][] = [[], [], [], []];
        const expiring: Charge[] = [];
        const amounts = new Map<string, number>();
        for (const [index, [kind, batch]] of plan.entries()) {
          const charge = await givenCharge(merchants[index % 2] ?? 0, 200 + index);
          if (kind === 'expired')
            await inTransaction(deps(), (tx) => markChargesEnded(tx, [charge], 'expired'));
          if (kind === 'expiring') expiring.push(charge);
          const pix = pixFor(charge, {
            ...(kind === 'no txid' && { txid: undefined }),
            ...(kind === 'amount' && { amountCents: 7 }),
          });
          const received = [pix];
          if (kind === 'second') received.push(pixFor(charge));
          if (kind === 'doubled') received.push(pix);
          for (const [offset, receivedPix] of received.entries()) {
            amounts.set(receivedPix.endToEndId, receivedPix.amountCents);
            batches[(batch + offset) % 4]?.push(receivedPix);
          }
        }
        const expire = () => inTransaction(deps(), (tx) => markChargesEnded(tx, expiring, 'expired'));
        await Promise.all([...batches.map((batch) => settle(...batch)), expire(), expire()]);
        await Promise.all(batches.toReversed().map((batch) => settle(...batch.toReversed())));
        const receivedCents = [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
        const balances = await Promise.all([...merchants, 0].map((id) => readBalances(db, id)));
        expect(balances.reduce((sum, { psp }) => sum - psp, 0) + platformBefore.psp).toBe(receivedCents);
      },
    ),
    { numRuns: propertyRuns },
  );
  expect(await auditLedger(db)).toEqual([]);
});
