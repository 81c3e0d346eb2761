import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenBalance, givenMerchant } from '../../test/given.ts';
import {
  advanceToNextMonth,
  at,
  givenDirectMerchant,
  listStatementsOf,
  readStatement,
  receiveOwn,
  signInAgain,
} from '../../test/given-fees.ts';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { closeFeeStatements } from './index.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

const today = () => calendarDayOf(gateway.deps.clock.now());
const monthsAgo = (months: number) => {
  let day = `${today().slice(0, 7)}-01`;
  for (let month = 0; month < months; month += 1) day = `${daysAfter(day, -1).slice(0, 7)}-01`;
  return day;
};
const monthOf = (day: string) => day.slice(0, 7);
const minutesAfter = (day: string, minutes: number) => new Date(startOfDay(day).getTime() + minutes * 60_000);
const brl = (cents: number) => cents / 100;

async function eventsOf(merchantId: number) {
  const rows = await gateway.deps.db
    .selectFrom('events')
    .select(['type', 'body'])
    .where('merchant_id', '=', merchantId)
    .orderBy('id')
    .execute();
  return rows.flatMap(({ type, body }) => (type.startsWith('fee_statement.') ? [JSON.parse(body)] : []));
}

test('a month is closed by the days of Brasília when it is over, and its merchant is told', async () => {
  const merchant = await givenDirectMerchant(gateway);
  const [month, next] = [monthsAgo(1), monthsAgo(0)];
  const lastDay = daysAfter(next, -1);
  const receiveAt = (moment: Date, cents: number) =>
    receiveOwn(at(gateway.deps, moment), merchant.account, cents);
  const first = await receiveAt(minutesAfter(month, 0), 50_00);
  // It is the next month in UTC already.
  const last = [
    await receiveAt(minutesAfter(lastDay, 1439), 70_00),
    await receiveAt(minutesAfter(lastDay, 1438), 80_00),
  ];
  const running = await receiveAt(minutesAfter(next, 0), 90_00);
  const inMonth = at(gateway.deps, minutesAfter(lastDay, 1439));
  expect(await closeFeeStatements(inMonth)).toBe(0);
  expect(await closeFeeStatements(at(gateway.deps, minutesAfter(next, 11)))).toBe(1);

  const page = await listStatementsOf(gateway, merchant);
  const lastSum = last.reduce((sum, fee) => sum + fee);
  expect(page).toMatchObject({
    total: 1,
    open_amount: brl(first + lastSum),
    oldest_open: { month: monthOf(month), amount: brl(first + lastSum) },
    running: { month: monthOf(today()), fees: 1, amount: brl(running), days: [{ day: next, fees: 1 }] },
  });
  const [statement] = page.statements;
  expect(statement).toMatchObject({
    month: monthOf(month),
    number: `${monthOf(month).replace('-', '')}-${merchant.id}`,
    fees: 3,
    amount: brl(first + lastSum),
    status: 'open',
    due_on: `${monthOf(next)}-10`,
    stops_on: `${monthOf(next)}-25`,
  });
  const { days } = await readStatement(gateway, merchant, statement?.id ?? '');
  expect(days).toEqual([
    { day: month, fees: 1, amount: brl(first) },
    { day: lastDay, fees: 2, amount: brl(lastSum) },
  ]);

  expect(await eventsOf(merchant.id)).toEqual([
    expect.objectContaining({
      type: 'fee_statement.closed',
      statementId: statement?.id,
      month: monthOf(month),
      status: 'open',
      amount: brl(first + lastSum),
      due_on: `${monthOf(next)}-10`,
    }),
  ]);
  const notifications = gateway.deps.db.selectFrom('notifications').select('title');
  expect(await notifications.where('merchant_id', '=', merchant.id).execute()).toContainEqual({
    title: 'Fatura de tarifas fechada',
  });
  const mail = await gateway.deps.db
    .selectFrom('mails')
    .select('body')
    .where('user_id', '=', merchant.id)
    .where('kind', '=', 'fees')
    .executeTakeFirstOrThrow();
  expect(mail.body).toContain(`${gateway.deps.config.publicUrl}/fees`);
  expect(mail.body).toContain(`10/${monthOf(next).slice(5)}/${next.slice(0, 4)}`);
});

test('processes that close at the same time make one statement, while fees go on falling due', async () => {
  const other = await startTestGateway({ startsWork: false, sharedGateway: gateway });
  const merchant = await givenDirectMerchant(gateway);
  const month = monthsAgo(1);
  const before = await receiveOwn(at(gateway.deps, minutesAfter(month, 5)), merchant.account, 60_00);
  const failures: unknown[] = [];
  const log = Object.create(gateway.deps.log, {
    error: { value: (failure: unknown) => failures.push(failure) },
  });
  const work = [gateway, other, gateway, other, gateway, other, gateway, other].map(({ deps }) =>
    closeFeeStatements({ ...deps, log }),
  );
  const meanwhile = Array.from({ length: 6 }, () => receiveOwn(gateway.deps, merchant.account, 10_00));
  const closed = await Promise.all(work);
  const fees = await Promise.all(meanwhile);
  await other.stop();
  expect(failures).toEqual([]);
  expect(closed.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 1]);
  const { statements, running } = await listStatementsOf(gateway, merchant);
  expect(statements.map(({ amount }) => amount)).toEqual([brl(before)]);
  expect(running).toMatchObject({ fees: 6, amount: brl(fees.reduce((sum, fee) => sum + fee)) });
});

test('months that were not closed in time are closed one by one, each due when there is time to pay', async () => {
  const merchant = await givenDirectMerchant(gateway);
  const fees = [];
  for (const month of [monthsAgo(3), monthsAgo(1)])
    fees.push(await receiveOwn(at(gateway.deps, minutesAfter(month, 5)), merchant.account, 40_00));
  const late = daysAfter(monthsAgo(0), 19);
  expect(await closeFeeStatements(at(gateway.deps, minutesAfter(late, 60)))).toBe(2);
  const { statements } = await listStatementsOf(gateway, merchant);
  expect(statements.map(({ month, amount, due_on }) => ({ month, amount, due_on }))).toEqual([
    { month: monthOf(monthsAgo(1)), amount: brl(fees[1] ?? 0), due_on: daysAfter(late, 9) },
    { month: monthOf(monthsAgo(3)), amount: brl(fees[0] ?? 0), due_on: daysAfter(late, 9) },
  ]);
});

test('a fee that is booked after its month was closed belongs to the next statement', async () => {
  const newcomer = await givenDirectMerchant(gateway);
  const lastDay = daysAfter(monthsAgo(0), -1);
  const inTime = await receiveOwn(at(gateway.deps, minutesAfter(lastDay, 1430)), newcomer.account, 40_00);
  expect(await closeFeeStatements(gateway.deps)).toBe(1);
  const late = await receiveOwn(at(gateway.deps, minutesAfter(lastDay, 1439)), newcomer.account, 30_00);
  expect(await closeFeeStatements(gateway.deps)).toBe(0);
  const before = await listStatementsOf(gateway, newcomer);
  expect(before.running).toMatchObject({ fees: 1, amount: brl(late), days: [{ day: lastDay }] });

  await advanceToNextMonth(gateway);
  await closeFeeStatements(gateway.deps);
  const merchant = await signInAgain(gateway, newcomer);
  const { statements, running } = await listStatementsOf(gateway, merchant);
  expect(statements.map(({ month, amount }) => ({ month, amount }))).toEqual([
    { month: monthOf(monthsAgo(1)), amount: brl(late) },
    { month: monthOf(monthsAgo(2)), amount: brl(inTime) },
  ]);
  expect(running.fees).toBe(0);
});

test('a merchant who is paid into the operator’s account gets no statement', async () => {
  const pooled = await givenMerchant(gateway);
  await givenBalance(gateway, pooled, 100);
  await advanceToNextMonth(gateway);
  await closeFeeStatements(gateway.deps);
  expect(await listStatementsOf(gateway, await signInAgain(gateway, pooled))).toMatchObject({
    total: 0,
    running: { fees: 0, amount: 0, days: [] },
  });
});

test('a merchant whose books are wrong keeps no other merchant’s month open', async () => {
  const [broken, merchant] = [await givenDirectMerchant(gateway), await givenDirectMerchant(gateway)];
  for (const { account } of [broken, merchant]) await receiveOwn(gateway.deps, account, 40_00);
  await advanceToNextMonth(gateway);
  const { ownerUrl } = gateway.database;
  await changeOwed(ownerUrl, broken.id, -1);
  expect(await closeFeeStatements(gateway.deps)).toBe(1);
  await changeOwed(ownerUrl, broken.id, 1);
  expect(await closeFeeStatements(gateway.deps)).toBe(1);
});

/** Changes what the books say that a merchant owes, without an entry. */
async function changeOwed(ownerUrl: string, merchantId: number, cents: number): Promise<void> {
  const { createDb, createPool } = await import('../db/pool.ts');
  const owner = createDb(createPool({ url: ownerUrl, max: 1 }));
  await sql`
    update ledger_balances set fees_due_cents = fees_due_cents + ${cents}, fees_cents = fees_cents - ${cents}
    where merchant_id = ${merchantId} and connection_id = 1
  `.execute(owner);
  await owner.destroy();
}
