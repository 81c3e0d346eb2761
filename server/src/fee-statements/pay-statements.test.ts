import { getBalance, getChargeStats } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { parseSuccess } from '../../test/given.ts';
import {
  advanceToNextMonth,
  givenClosedStatement,
  listStatementsOf,
  makePix,
  readStatement,
  signInAgain,
} from '../../test/given-fees.ts';
import { compareReceived } from '../bank-watch/compare-received.ts';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atHouse } from '../psp/index.ts';
import { makeStatementCharge } from './make-charge.ts';

// Payments of fee statements by Pix, at the operator's own bank, which is Banco Sandbox.

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

const day = 86_400;
const book = () => reconcilePayments(gateway.deps);
const outcomeOf = async (endToEndId: string) =>
  gateway.deps.db
    .selectFrom('received_pix')
    .select(['outcome', 'reason', 'merchant_id', 'charge_id'])
    .where('end_to_end_id', '=', endToEndId)
    .executeTakeFirst();

test('a Pix to the code of a statement pays it, and what is owed is in the operator’s account', async () => {
  const { merchant, statement, feeCents } = await givenClosedStatement(gateway);
  expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({ fees_due: -feeCents });
  const bankBefore = await gateway.bank.balanceCents();
  const pix = await makePix(gateway, merchant, statement);
  expect(pix).toMatchObject({ amount: feeCents / 100 });
  expect(await makePix(gateway, merchant, statement)).toEqual(pix);
  expect(await readStatement(gateway, merchant, statement.id)).toMatchObject({ pix });

  const endToEndId = await gateway.bank.pay({ brCode: pix.content });
  await book();
  const paid = await readStatement(gateway, merchant, statement.id);
  expect(paid).toMatchObject({ status: 'paid', end_to_end_id: endToEndId, pix: null, paid_reference: null });
  expect(paid.paid_at).not.toBeNull();
  expect(await outcomeOf(endToEndId)).toEqual({
    outcome: 'fees',
    reason: null,
    merchant_id: merchant.id,
    charge_id: null,
  });
  expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({ fees_due: 0, fees: feeCents });
  expect((await gateway.bank.balanceCents()) - bankBefore).toBe(feeCents);
  const events = gateway.deps.db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('subject_id', '=', statement.id);
  const paidEvents = (await events.execute()).filter(({ type }) => type === 'fee_statement.paid');
  expect(paidEvents.map(({ body }) => JSON.parse(body))).toEqual([
    expect.objectContaining({ status: 'paid', end_to_end_id: endToEndId, statementId: statement.id }),
  ]);
  const notifications = gateway.deps.db.selectFrom('notifications').select('title');
  expect(await notifications.where('merchant_id', '=', merchant.id).execute()).toContainEqual({
    title: 'Fatura de tarifas paga',
  });
  const again = await gateway.api('POST', `/authed/fee-statements/${statement.id}/pix`, undefined, merchant);
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'FEE_STATEMENT_PAID' } } });
});

test('what pays a statement is neither a sale of the merchant nor their balance', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const read = async () => ({
    balance: parseSuccess(getBalance.response, await gateway.api('GET', '/balance', undefined, merchant)),
    charges: parseSuccess(
      getChargeStats.response,
      await gateway.api('GET', '/authed/stats/charges?days=90', undefined, merchant),
    ),
  });
  const before = await read();
  const pix = await makePix(gateway, merchant, statement);
  await gateway.bank.pay({ brCode: pix.content });
  await book();
  expect(await read()).toEqual(before);
});

test('a second payment of a statement waits in suspense', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const { content } = await makePix(gateway, merchant, statement);
  const first = await gateway.bank.pay({ brCode: content });
  const together = await gateway.bank.pay({ brCode: content, force: true });
  await book();
  const later = await gateway.bank.pay({ brCode: content, force: true });
  await book();
  const outcomes = await Promise.all([first, together, later].map(outcomeOf));
  expect(outcomes.map((pix) => pix?.outcome).toSorted()).toEqual(['fees', 'suspense', 'suspense']);
  expect(outcomes.filter((pix) => pix?.outcome === 'suspense')).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ reason: 'second-payment', merchant_id: 0 })),
  );
});

test('another amount than that of the statement does not pay it', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const { content, amount } = await makePix(gateway, merchant, statement);
  const endToEndId = await gateway.bank.pay({ brCode: content, amount: amount - 0.01, force: true });
  await book();
  expect(await outcomeOf(endToEndId)).toMatchObject({ outcome: 'suspense', reason: 'wrong-amount' });
  expect(await readStatement(gateway, merchant, statement.id)).toMatchObject({ status: 'open' });
});

test('an expired code is replaced, and a late payment of the old one still pays the statement', async () => {
  const given = await givenClosedStatement(gateway);
  const { statement } = given;
  const old = await makePix(gateway, given.merchant, statement);
  await gateway.advance(8 * day);
  const merchant = await signInAgain(gateway, given.merchant);
  expect((await readStatement(gateway, merchant, statement.id)).pix).toBeNull();
  const renewed = await makePix(gateway, merchant, statement);
  expect(renewed.txid).not.toBe(old.txid);
  const endToEndId = await gateway.bank.pay({ brCode: old.content, force: true });
  await book();
  expect(await outcomeOf(endToEndId)).toMatchObject({ outcome: 'fees' });
  expect(await readStatement(gateway, merchant, statement.id)).toMatchObject({ status: 'paid' });
  const second = await gateway.bank.pay({ brCode: renewed.content });
  await book();
  expect(await outcomeOf(second)).toMatchObject({ outcome: 'suspense', reason: 'second-payment' });
});

test('a code whose making the bank did not confirm is looked up under the same txid', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  await gateway.bank.setBehaviour({ charges: 'down' });
  const refused = await gateway.api(
    'POST',
    `/authed/fee-statements/${statement.id}/pix`,
    undefined,
    merchant,
  );
  expect(refused).toMatchObject({ status: 500, body: { error: { code: 'PAYMENT_PROCESSING_ERROR' } } });
  await gateway.bank.setBehaviour({});
  const stored = gateway.deps.db.selectFrom('fee_statement_charges').select('txid');
  const txids = await stored.where('statement_id', '=', statement.id).execute();
  const { txid } = await makePix(gateway, merchant, statement);
  expect(txids).toEqual([{ txid }]);
});

test('tabs that ask for the code at the same time get the same one', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const made = await Promise.all(
    Array.from({ length: 4 }, () => makeStatementCharge(gateway.deps, merchant.id, statement.id)),
  );
  expect(new Set(made.map(({ charge }) => charge.brCode)).size).toBe(1);
});

test('the day of the payment agrees with the bank’s list, and the books with the account', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const { content } = await makePix(gateway, merchant, statement);
  await gateway.bank.pay({ brCode: content });
  await book();
  const today = calendarDayOf(gateway.deps.clock.now());
  const window = { day: today, from: startOfDay(today), until: startOfDay(daysAfter(today, 1)) };
  expect(await compareReceived(atHouse(gateway.deps), window)).toMatchObject({ differences: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});

test('a statement of somebody else is neither shown nor paid for', async () => {
  const { statement } = await givenClosedStatement(gateway);
  const { merchant: other } = await givenClosedStatement(gateway);
  const path = `/authed/fee-statements/${statement.id}`;
  for (const [method, target] of [
    ['GET', path],
    ['GET', `${path}/export/csv`],
    ['POST', `${path}/pix`],
  ] as const)
    expect(await gateway.api(method, target, undefined, other)).toMatchObject({
      status: 404,
      body: { error: { code: 'FEE_STATEMENT_NOT_FOUND' } },
    });
});

test('the list goes by pages, newest month first', async () => {
  const { merchant: newcomer, statement } = await givenClosedStatement(gateway);
  await advanceToNextMonth(gateway);
  const merchant = await signInAgain(gateway, newcomer);
  const page = await gateway.api('GET', '/authed/fee-statements?pageSize=1&page=2', undefined, merchant);
  expect(page.body).toMatchObject({ statements: [], total: 1, page: 2, limit: 1 });
  expect((await listStatementsOf(gateway, merchant)).statements).toMatchObject([{ id: statement.id }]);
});
