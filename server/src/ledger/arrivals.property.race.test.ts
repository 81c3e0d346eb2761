import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createPatientPool } from '../../test/observer.ts';
import { machineClock } from '../clock.ts';
import { createDb, type Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { auditLedger, type LedgerDiscrepancy, lockBalances, movements, post, readBalances } from './index.ts';

const runs = Number(process.env['PROPERTY_RUNS'] ?? 25);

let database: TestDatabase;
let db: Db;
let serial = 0;
const newReference = () => {
  serial += 1;
  return `ref-${serial}`;
};
const inTx = <T>(work: (tx: Tx) => Promise<T>) => inTransaction({ db, clock: machineClock }, work);

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPatientPool({ url: database.appUrl }));
});

afterAll(async () => {
  expect(await countDeadlocks(db)).toBe(0);
  await db.destroy();
  await database.drop();
});

/** Opens a dispute: it blocks the available balance, and the rest of its amount is a shortfall. */
async function openDispute(tx: Tx, merchantId: number, cents: number): Promise<void> {
  const [balances] = await lockBalances(tx, [merchantId], HOUSE_CONNECTION);
  const id = randomUUID();
  const blocked = Math.min(cents, balances?.availableCents ?? 0);
  await post(
    tx,
    movements.disputeOpened({ merchantId, reference: id, fromAvailableCents: blocked, fromReservedCents: 0 }),
  );
  serial += 1;
  await tx.db
    .insertInto('disputes')
    .values({
      merchant_id: merchantId,
      id,
      bank_dispute_id: id,
      bank_status: 'open',
      end_to_end_id: id,
      status: 'open',
      disputed_cents: cents,
      claimed_cents: cents,
      blocked_cents: blocked,
      shortfall_cents: cents - blocked,
      deadline_at: tx.now,
      opened_at: new Date(serial),
      updated_at: tx.now,
    })
    .execute();
}

const receivePayments = (tx: Tx, payments: readonly { merchantId: number; cents: number }[]) =>
  post(
    tx,
    payments.flatMap(({ merchantId, cents }) =>
      movements.paymentReceived({
        merchantId,
        reference: newReference(),
        amountCents: cents + 2,
        feeCents: 1,
        reserveCents: 1,
      }),
    ),
  );

/** The bank takes an amount that was not blocked, so that the amount becomes a debt of the merchant. */
const loseUncoveredDispute = (tx: Tx, merchantId: number, cents: number) =>
  post(
    tx,
    movements.disputeLost({ merchantId, reference: newReference(), blockedCents: 0, uncoveredCents: cents }),
  );

const disputesOf = (merchantId: number) =>
  db
    .selectFrom('disputes')
    .select(['claimed_cents', 'blocked_cents', 'shortfall_cents'])
    .where('merchant_id', '=', merchantId)
    .orderBy('opened_at')
    .execute();

async function readPosition(merchantId: number) {
  const { available, blocked, receivable } = await readBalances(db, merchantId);
  const disputes = await disputesOf(merchantId);
  return { available, blocked, receivable, shortfalls: disputes.map((dispute) => dispute.shortfall_cents) };
}

/**
 * Selects the checks of balances and disputes, because these books have no rows of charges, withdrawals and the like.
 */
const concernsObligations = ({ check }: LedgerDiscrepancy) =>
  !/Pix|charge|withdrawal|reserve|refund/.test(check);

/** Calculates the expected balances of one merchant in a simple way. */
class Model {
  available = 0;
  blocked = 0;
  receivable = 0;
  shortfalls: number[] = [];

  openDispute(cents: number) {
    const blocked = Math.min(cents, this.available);
    this.available -= blocked;
    this.blocked += blocked;
    this.shortfalls.push(cents - blocked);
  }

  receive(cents: number) {
    this.available += cents;
    this.shortfalls = this.shortfalls.map((shortfall) => {
      const covered = Math.min(shortfall, this.available);
      this.available -= covered;
      this.blocked += covered;
      return shortfall - covered;
    });
    const repaid = Math.min(this.available, -this.receivable);
    this.available -= repaid;
    this.receivable += repaid;
  }

  loseUncoveredDispute(cents: number) {
    this.receivable -= cents;
    this.receive(0);
  }
}

const cents = fc.integer({ min: 1, max: 900 });
const merchantIndex = fc.integer({ min: 0, max: 2 });
const stepArbitrary = fc.oneof(
  fc.record({
    kind: fc.constant('payments' as const),
    payments: fc.array(fc.record({ merchantIndex, cents }), { minLength: 1, maxLength: 5 }),
  }),
  fc.record({
    kind: fc.constantFrom('dispute' as const, 'debt' as const, 'withdrawal' as const),
    merchantIndex,
    cents,
  }),
);
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never;

describe('money that arrives for a merchant with obligations', () => {
  test('covers shortfalls, oldest first, then debts, and only the rest is available, as in a simple model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(stepArbitrary, { minLength: 1, maxLength: 25 }), async (steps) => {
        const merchants = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
        const models = merchants.map(() => new Model());
        const merchantAt = (index: number) => ({
          id: merchants[index] ?? 0,
          model: models[index] ?? new Model(),
        });
        for (const step of steps) await applyStep(step, merchantAt);
        for (const [index, id] of merchants.entries()) {
          expect(await readPosition(id)).toEqual({ ...models[index] });
        }
      }),
      { numRuns: runs },
    );
    expect((await auditLedger(db)).filter(concernsObligations)).toEqual([]);
  });

  async function applyStep(
    step: Step,
    merchantAt: (index: number) => { id: number; model: Model },
  ): Promise<void> {
    if (step.kind === 'payments') {
      const payments = step.payments.map((payment) => ({ ...payment, ...merchantAt(payment.merchantIndex) }));
      await inTx((tx) =>
        receivePayments(
          tx,
          payments.map((payment) => ({ merchantId: payment.id, cents: payment.cents })),
        ),
      );
      for (const payment of payments) payment.model.receive(payment.cents);
      return;
    }
    const { id, model } = merchantAt(step.merchantIndex);
    if (step.kind === 'dispute') {
      await inTx((tx) => openDispute(tx, id, step.cents));
      model.openDispute(step.cents);
    } else if (step.kind === 'debt') {
      await inTx((tx) => loseUncoveredDispute(tx, id, step.cents));
      model.loseUncoveredDispute(step.cents);
    } else {
      const cause = { merchantId: id, reference: newReference(), amountCents: step.cents };
      const withdrawal = inTx((tx) => post(tx, movements.withdrawalRequested(cause)));
      if (model.available < step.cents) {
        await expect(withdrawal).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' });
      } else {
        await withdrawal;
        model.available -= step.cents;
      }
    }
  }

  test('covers each obligation in full and loses nothing, with concurrent settlements and new obligations', async () => {
    for (let round = 0; round < Math.max(runs / 5, 4); round += 1) {
      const merchants = [await insertMerchant(db), await insertMerchant(db), await insertMerchant(db)];
      const id = (index: number) => merchants[index % 3] ?? 0;
      const operations = Array.from({ length: 48 }, (_, index) => (tx: Tx) => {
        // Many payments, each call for three merchants in another order, while each merchant gets obligations.
        if (index % 3 === 0) return openDispute(tx, id(index / 3), 500);
        if (index % 11 === 0) return loseUncoveredDispute(tx, id(index), 70);
        if (index % 13 === 0) {
          const cause = { merchantId: id(index), reference: newReference(), amountCents: 300 };
          return post(tx, movements.withdrawalRequested(cause));
        }
        return receivePayments(
          tx,
          [index + 1, index, index + 2].map((number) => ({ merchantId: id(number), cents: 100 })),
        );
      });
      const outcomes = await Promise.allSettled(operations.map((work) => inTx(work)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toBeInstanceOf(Refusal);
      }
      for (const merchantId of merchants) {
        const balances = await readBalances(db, merchantId);
        const disputes = await disputesOf(merchantId);
        const shortfall = disputes.reduce((sum, dispute) => sum + dispute.shortfall_cents, 0);
        const claimed = disputes.reduce((sum, dispute) => sum + dispute.claimed_cents, 0);
        expect(balances.blocked).toBe(disputes.reduce((sum, dispute) => sum + dispute.blocked_cents, 0));
        expect(balances.blocked + shortfall).toBe(claimed);
        if (shortfall > 0 || balances.receivable < 0) expect(balances.available).toBe(0);
      }
    }
    expect((await auditLedger(db)).filter(concernsObligations)).toEqual([]);
  });

  test('cannot become available while an obligation is open: the database refuses it', async () => {
    const merchantId = await insertMerchant(db);
    await inTx((tx) => openDispute(tx, merchantId, 100));
    // Without the look for obligations, as if this one were opened after it.
    const postedUnseen = sql`
      select post(now(), array[${merchantId}::bigint], '{1}', '{payment received}', array[${newReference()}], '{10}', '{0}',
                  '{0}', '{0}', '{0}', '{0}', '{-10}', '{0}', '{0}', '{0}', '{}')`.execute(db);
    await expect(postedUnseen).rejects.toThrow(/ledger_claims_first/);
    expect(await readPosition(merchantId)).toEqual({
      available: 0,
      blocked: 0,
      receivable: 0,
      shortfalls: [100],
    });
  });
});
