import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { at, givenOwnAccount, type OwnAccount, receiveOwn } from '../../test/given-fees.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { auditLedger, movements, post, readBalances } from '../ledger/index.ts';
import { newIdEnvio, settleReceived } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { insertCharge, newStatementTxid } from './charge-store.ts';
import { readDueFees } from './due-fees-store.ts';
import { monthOf, sumCents } from './fee-statement.ts';
import { closeFeeStatements } from './index.ts';
import { markStatementPaidByOperator } from './mark-paid.ts';
import { findStatement, listStatementDays, listStatements } from './store.ts';

// Payments and withdrawals at accounts of merchants' own, closings and payments of fees, in any order and at the same
// time: what the books say is due is always what the open statements and the days without a statement add up to.

const runs = Number(process.env['PROPERTY_RUNS'] ?? 12);
const withdrawalFeeCents = 150;

let gateway: TestGateway;
let admin: number;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await insertMerchant(gateway.deps.db);
  await sql`update users set role = 'ADMIN' where id = ${admin}`.execute(gateway.deps.db);
});
afterAll(async () => {
  expect(await countDeadlocks(gateway.deps.db)).toBe(0);
  await gateway.stop();
});

/** `minutes`: how long before the latest time the step happens, as a transaction that commits late. */
type Movement = { readonly merchant: number; readonly cents: number; readonly minutes: number };
type Step =
  | ({ readonly kind: 'receive' } & Movement)
  | ({ readonly kind: 'withdraw' } & Movement)
  | { readonly kind: 'pay'; readonly merchant: number }
  | { readonly kind: 'mark'; readonly merchant: number }
  | { readonly kind: 'pass'; readonly days: number }
  | { readonly kind: 'close' };

const merchant = fc.integer({ min: 0, max: 1 });
const cents = fc.integer({ min: 200, max: 90_000 });
const minutes = fc.integer({ min: 0, max: 5 });
const movement = { merchant, cents, minutes };
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('receive' as const), ...movement }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('withdraw' as const), ...movement }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('pay' as const), merchant }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('mark' as const), merchant }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('close' as const) }) },
);

async function withdrawOwn(
  deps: TestGateway['deps'],
  { merchantId, connection }: OwnAccount,
  amountCents: number,
) {
  const [id, now] = [randomUUID(), deps.clock.now()];
  const cause = { merchantId, connectionId: connection.id, reference: id, amountCents };
  await inTransaction(deps, async (tx) => {
    await post(tx, movements.withdrawalRequested(cause));
    await sql`
      insert into withdrawals (merchant_id, id, connection_id, id_envio, status, origin, amount_cents, fee_cents, key_type,
                               pix_key, created_at, updated_at)
      values (${merchantId}, ${id}, ${connection.id}, ${newIdEnvio(merchantId)}, 'pending', 'panel', ${amountCents},
              ${withdrawalFeeCents}, 'email', 'maria@example.com', ${now}, ${now})
    `.execute(tx.db);
  });
  await inTransaction(deps, async (tx) => {
    await post(tx, movements.withdrawalCompleted({ ...cause, feeCents: withdrawalFeeCents }));
    const row = sql`where merchant_id = ${merchantId} and id = ${id}`;
    await sql`update withdrawals set status = 'processing', send_count = 1, first_sent_at = ${now} ${row}`.execute(
      tx.db,
    );
    await sql`update withdrawals set status = 'completed', completed_at = ${now} ${row}`.execute(tx.db);
  });
}

async function firstOpen(merchantId: number) {
  const { statements } = await listStatements(gateway.deps.db, merchantId, { limit: 100, offset: 0 });
  return statements.find(({ state }) => state === 'open');
}

/** Pays the merchant's newest open statement by a Pix that the operator's bank confirmed. */
async function payNewest(deps: TestGateway['deps'], { merchantId }: OwnAccount): Promise<void> {
  const open = await firstOpen(merchantId);
  if (open === undefined) return;
  const now = deps.clock.now();
  const txid = newStatementTxid(merchantId);
  const charge = { merchantId, statementId: open.id, txid, brCode: '', createdAt: now, expiresAt: now };
  await inTransaction(deps, (tx) => insertCharge(tx, charge));
  const pix = {
    endToEndId: `E${randomBytes(15).toString('hex')}`,
    amountCents: open.amountCents,
    paidAt: now,
    txid,
    pixKey: deps.connection.pixKey,
    returns: [],
  };
  await inTransaction(deps, (tx) => settleReceived(tx, [pix], deps.connection));
}

async function markNewest(deps: TestGateway['deps'], { merchantId }: OwnAccount): Promise<void> {
  const open = await firstOpen(merchantId);
  if (open === undefined) return;
  try {
    await markStatementPaidByOperator(deps, { id: open.id, actorId: admin, reference: 'TED 1' });
  } catch (error) {
    // Another step of the same moment paid it first.
    if (!(error instanceof Refusal && error.code === 'FEE_STATEMENT_PAID')) throw error;
  }
}

async function expectToAddUp({ merchantId }: OwnAccount, accruedCents: number): Promise<void> {
  const { db } = gateway.deps;
  const { statements } = await listStatements(db, merchantId, { limit: 100, offset: 0 });
  const { unclosedDays } = await readDueFees(db, merchantId);
  const sumOf = (state: string) =>
    statements.filter((one) => one.state === state).reduce((sum, { amountCents }) => sum + amountCents, 0);
  const { fees_due: due } = await readBalances(db, merchantId);
  expect({ due: 0 - due, accrued: accruedCents }).toEqual({
    due: sumOf('open') + sumCents(unclosedDays),
    accrued: sumOf('open') + sumOf('paid') + sumCents(unclosedDays),
  });
  expect(new Set(statements.map(({ month }) => month)).size).toBe(statements.length);
  for (const one of statements) {
    const days = await listStatementDays(db, one);
    expect(sumCents(days)).toBe(one.amountCents);
    expect(days.every(({ day }) => monthOf(day) <= one.month)).toBe(true);
    expect(await findStatement(db, merchantId, one.id)).toEqual(one);
  }
}

/** Two merchants, what fell due of each, and the steps that change it. */
class Month {
  readonly accrued = [0, 0];
  now = startOfDay('2026-11-28');
  readonly accounts: readonly OwnAccount[];
  /** A merchant has one withdrawal under way at most. */
  readonly #withdrawals = [Promise.resolve(), Promise.resolve()];

  constructor(accounts: readonly OwnAccount[]) {
    this.accounts = accounts;
  }

  /** Moves to the first moments of a day, when a step that commits late belongs to the day before. */
  pass(days: number): void {
    this.now = new Date(startOfDay(daysAfter(calendarDayOf(this.now), days)).getTime() + 120_000);
  }

  async take(one: Step): Promise<void> {
    const deps = at(gateway.deps, this.now);
    if (one.kind === 'close') await closeFeeStatements(deps);
    if (one.kind === 'close' || one.kind === 'pass') return;
    const account = this.accounts[one.merchant];
    invariant(account !== undefined, 'there are two merchants');
    if (one.kind === 'pay') return payNewest(deps, account);
    if (one.kind === 'mark') return markNewest(deps, account);
    const late = at(gateway.deps, new Date(this.now.getTime() - one.minutes * 60_000));
    const fee =
      one.kind === 'receive'
        ? await receiveOwn(late, account, one.cents)
        : await this.#withdraw(late, account, one);
    this.accrued[one.merchant] = (this.accrued[one.merchant] ?? 0) + fee;
  }

  async #withdraw(
    deps: TestGateway['deps'],
    account: OwnAccount,
    { merchant: index, cents: amount }: Movement,
  ) {
    const earlier = this.#withdrawals[index] ?? Promise.resolve();
    this.#withdrawals[index] = earlier.then(() => withdrawOwn(deps, account, amount));
    await this.#withdrawals[index];
    return withdrawalFeeCents;
  }
}

test('the fees due are the open statements and the days without one, whatever happens at the same time', async () => {
  const { db } = gateway.deps;
  const terms = { in_rate: 99, fix_in_cents: 20 };
  const rounds = fc.array(fc.array(step, { maxLength: 5 }), { minLength: 3, maxLength: 14 });
  const property = fc.asyncProperty(rounds, async (steps) => {
    const accounts: OwnAccount[] = [];
    for (const _ of [0, 1]) accounts.push(await givenOwnAccount(db, await insertMerchant(db, terms)));
    const month = new Month(accounts);
    for (const round of steps) {
      month.pass(round.reduce((sum, one) => sum + (one.kind === 'pass' ? one.days : 0), 0));
      await Promise.all(round.map((one) => month.take(one)));
      for (const [index, account] of accounts.entries())
        await expectToAddUp(account, month.accrued[index] ?? 0);
    }
    expect(await auditLedger(db)).toEqual([]);
  });
  await fc.assert(property, { numRuns: runs });
});
