import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { auditLedger, type LedgerDiscrepancy, movements, post, readBalances } from './index.ts';

const runs = Number(process.env['PROPERTY_RUNS'] ?? 25);

let database: TestDatabase;
let db: Db;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});

afterAll(async () => {
  expect(await countDeadlocks(db)).toBe(0);
  await db.destroy();
  await database.drop();
});

/** `hold` requests a withdrawal; `together` moves the money of several merchants in one posting. */
type Step =
  | {
      readonly kind: 'pay';
      readonly merchant: number;
      readonly cents: number;
      readonly fee: number;
      readonly reserve: number;
    }
  | { readonly kind: 'hold'; readonly merchant: number; readonly cents: number }
  | { readonly kind: 'adjust'; readonly merchant: number; readonly difference: number }
  | { readonly kind: 'together'; readonly merchants: readonly number[]; readonly cents: number };

const merchant = fc.integer({ min: 0, max: 2 });
const cents = fc.integer({ min: 1, max: 5000 });
const stepArbitrary: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('pay' as const), merchant, cents, fee: fc.nat(50), reserve: fc.nat(50) }),
  fc.record({ kind: fc.constant('hold' as const), merchant, cents }),
  fc.record({
    kind: fc.constant('adjust' as const),
    merchant,
    difference: fc.integer({ min: -5000, max: 5000 }).filter((value) => value !== 0),
  }),
  fc.record({
    kind: fc.constant('together' as const),
    merchants: fc.shuffledSubarray([0, 1, 2], { minLength: 2 }),
    cents,
  }),
);

function entriesOf(step: Step, merchants: readonly number[], reference: string) {
  const id = (index: number) => merchants[index] ?? 0;
  switch (step.kind) {
    case 'pay':
      return movements.paymentReceived({
        merchantId: id(step.merchant),
        reference,
        amountCents: step.cents + step.fee + step.reserve,
        feeCents: step.fee,
        reserveCents: step.reserve,
      });
    case 'hold':
      return movements.withdrawalRequested({
        merchantId: id(step.merchant),
        reference,
        amountCents: step.cents,
      });
    case 'adjust':
      return movements.balanceAdjusted({
        merchantId: id(step.merchant),
        reference,
        differenceCents: step.difference,
      });
    case 'together':
      // One merchant's debit and others' credits, in any order of merchants, which could deadlock two writers.
      return step.merchants.flatMap((index, position) =>
        position === 0
          ? movements.withdrawalRequested({ merchantId: id(index), reference, amountCents: step.cents })
          : movements.toppedUp({ merchantId: id(index), reference, amountCents: step.cents }),
      );
  }
}

/** Selects the checks of entries and balances, because these books have no rows of charges or withdrawals. */
const concernsEntries = ({ check }: LedgerDiscrepancy) =>
  !/Pix|reserve|withdrawal|charge|audit log/.test(check);

test('under concurrent postings, balances are the sums of entries, add up to zero, and respect every floor', async () => {
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 24 }), async (steps) => {
      const merchants = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
      const outcomes = await Promise.allSettled(
        steps.map((step) => {
          serial += 1;
          const entries = entriesOf(step, merchants, `ref-${serial}`);
          return inTransaction({ db, clock: machineClock }, (tx) => post(tx, entries));
        }),
      );
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Refusal);
      }
      for (const id of merchants) {
        const balances = await readBalances(db, id);
        expect(Object.values(balances).reduce((sum, balance) => sum + balance, 0)).toBe(0);
        expect(Math.min(balances.available, balances.reserved, balances.in_transit)).toBeGreaterThanOrEqual(
          0,
        );
      }
    }),
    { numRuns: runs },
  );
  expect((await auditLedger(db)).filter(concernsEntries)).toEqual([]);
});

test('of many concurrent debits of the whole balance, exactly one succeeds', async () => {
  const merchantId = await insertMerchant(db);
  for (let round = 0; round < Math.max(runs / 5, 3); round += 1) {
    await inTransaction({ db, clock: machineClock }, (tx) =>
      post(tx, movements.toppedUp({ merchantId, reference: `top-${round}`, amountCents: 1 })),
    );
    await inTransaction({ db, clock: machineClock }, (tx) =>
      post(
        tx,
        movements.paymentReceived({
          merchantId,
          reference: `whole-${round}`,
          amountCents: 1000,
          feeCents: 0,
          reserveCents: 0,
        }),
      ),
    );
    const withdrawals = await Promise.allSettled(
      Array.from({ length: 32 }, (_, index) =>
        inTransaction({ db, clock: machineClock }, (tx) =>
          post(
            tx,
            movements.withdrawalRequested({
              merchantId,
              reference: `want-${round}-${index}`,
              amountCents: 1000,
            }),
          ),
        ),
      ),
    );
    expect(withdrawals.filter((withdrawal) => withdrawal.status === 'fulfilled')).toHaveLength(1);
  }
});
