import {
  type AdminFeeStatementsPage,
  adminFeeStatements,
  adminMarkFeeStatementPaid,
} from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenAdmin, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { givenClosedStatement, makePix, readStatement, signInAgain } from '../../test/given-fees.ts';
import { readUnwithdrawnFeesCents } from '../bank-watch/bank-movement-store.ts';
import { daysAfter, startOfDay } from '../calendar-day.ts';
import { readBalances } from '../ledger/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { feesAreOverdue, warnOverdue } from './index.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code}`;
const markPaid = (admin: GivenAdmin, id: string, reference = 'TED 4711 de 03/12') =>
  gateway.api('POST', `/admin/fee-statements/${id}/paid`, { reference }, { token: admin.token });
const listAll = async (admin: GivenAdmin, query = ''): Promise<AdminFeeStatementsPage> =>
  parseSuccess(
    adminFeeStatements.response,
    await gateway.api('GET', `/admin/fee-statements${query}`, undefined, { token: admin.token }),
  );
const titlesOf = async (merchantId: number) => {
  const rows = gateway.deps.db
    .selectFrom('notifications')
    .select('title')
    .where('merchant_id', '=', merchantId);
  return (await rows.orderBy('id').execute()).map(({ title }) => title);
};
const subjectsOf = async (merchantId: number) => {
  const rows = gateway.deps.db.selectFrom('mails').select('subject').where('user_id', '=', merchantId);
  return (await rows.where('kind', '=', 'fees').orderBy('created_at').execute()).map(
    ({ subject }) => subject,
  );
};
/** Moves the clocks to the first minutes of a calendar day in Brasília. */
async function advanceToDay(day: string): Promise<void> {
  const seconds = (startOfDay(day).getTime() - gateway.deps.clock.now().getTime()) / 1000;
  await gateway.advance(Math.ceil(seconds) + 60);
}

test('an administrator marks a statement as paid elsewhere: owed no more, and not in the account', async () => {
  const { merchant, statement, feeCents } = await givenClosedStatement(gateway);
  const admin = await givenAdmin(gateway);
  const inAccountBefore = await readUnwithdrawnFeesCents(gateway.deps.db);
  const before = await readBalances(gateway.deps.db, merchant.id);
  const paid = parseSuccess(adminMarkFeeStatementPaid.response, await markPaid(admin, statement.id));
  expect(paid).toMatchObject({
    status: 'paid',
    paid_reference: 'TED 4711 de 03/12',
    end_to_end_id: null,
    merchant: { id: String(merchant.id) },
  });
  const after = await readBalances(gateway.deps.db, merchant.id);
  expect(after).toEqual({ ...before, fees_due: 0, fees: before.fees - feeCents });
  expect(await readUnwithdrawnFeesCents(gateway.deps.db)).toBe(inAccountBefore);
  expect(await titlesOf(merchant.id)).toContain('Fatura de tarifas paga');
  expect(await subjectsOf(merchant.id)).toContain('Fatura de tarifas paga');
  const entry = await gateway.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_id', 'reason', 'after'])
    .where('action', '=', 'fee statement paid')
    .where('subject_id', '=', merchant.id)
    .executeTakeFirstOrThrow();
  expect(entry).toMatchObject({
    actor_id: admin.id,
    reason: 'TED 4711 de 03/12',
    after: { status: 'paid', statement: statement.id, amount_cents: feeCents },
  });
  expect(codeOf(await markPaid(admin, statement.id))).toBe('409 FEE_STATEMENT_PAID');
});

test('a Pix to a statement that was marked as paid waits in suspense', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const { content } = await makePix(gateway, merchant, statement);
  expect((await markPaid(await givenAdmin(gateway), statement.id)).status).toBe(200);
  const endToEndId = await gateway.bank.pay({ brCode: content });
  await reconcilePayments(gateway.deps);
  const pix = gateway.deps.db.selectFrom('received_pix').select(['outcome', 'reason']);
  expect(await pix.where('end_to_end_id', '=', endToEndId).executeTakeFirst()).toEqual({
    outcome: 'suspense',
    reason: 'second-payment',
  });
});

test('a payment that is marked and one that arrives at the same time pay the statement once', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const { content } = await makePix(gateway, merchant, statement);
  const admin = await givenAdmin(gateway);
  await gateway.bank.pay({ brCode: content });
  const [marked] = await Promise.all([markPaid(admin, statement.id), reconcilePayments(gateway.deps)]);
  expect([200, 409]).toContain(marked.status);
  expect(await readStatement(gateway, merchant, statement.id)).toMatchObject({
    status: 'paid',
    end_to_end_id: marked.status === 200 ? null : expect.stringMatching(/^E/),
  });
});

test('marking as paid takes a reference, and knows only statements that exist', async () => {
  const { statement } = await givenClosedStatement(gateway);
  const admin = await givenAdmin(gateway);
  expect(codeOf(await markPaid(admin, statement.id, '  '))).toBe('400 INVALID_BODY');
  expect(codeOf(await markPaid(admin, '00000000-0000-7000-8000-000000000000'))).toBe(
    '404 FEE_STATEMENT_NOT_FOUND',
  );
});

test('administrators find statements by merchant, number, state and being overdue', async () => {
  const { merchant, statement } = await givenClosedStatement(gateway);
  const { statement: other } = await givenClosedStatement(gateway);
  const admin = await givenAdmin(gateway);
  const idsOf = async (query: string) => (await listAll(admin, query)).statements.map(({ id }) => id);
  expect(await idsOf(`?search=${merchant.username}`)).toEqual([statement.id]);
  expect(await idsOf(`?search=${statement.number}`)).toEqual([statement.id]);
  expect(await idsOf('?search=nobody-of-this-name')).toEqual([]);
  await markPaid(admin, other.id);
  expect(await idsOf('?status=paid')).toContain(other.id);
  expect(await idsOf('?status=open')).not.toContain(other.id);
  // The other one was closed a month later, and is paid.
  const { statements, overdue, open_amount: openAmount } = await listAll(admin, '?overdue=1&pageSize=50');
  expect(statements.map(({ id }) => id)).toContain(statement.id);
  expect(statements.every(({ is_overdue, status }) => is_overdue && status === 'open')).toBe(true);
  expect(overdue).toBe(statements.length);
  expect(openAmount).toBeGreaterThanOrEqual(statement.amount);
});

test('a merchant is warned five days before charges stop, told when they do, and they go on after the payment', async () => {
  const given = await givenClosedStatement(gateway);
  const { statement } = given;
  const { id: merchantId } = given.merchant;
  const isOverdue = () => feesAreOverdue(gateway.deps, merchantId);
  const told = async () => {
    await warnOverdue(gateway.deps);
    const warnings = ['Fatura de tarifas vencida', 'Novas cobranças paradas'];
    return (await titlesOf(merchantId)).filter((title) => warnings.includes(title));
  };
  expect(statement.stops_on).toBe(daysAfter(statement.due_on, 15));
  await advanceToDay(daysAfter(statement.stops_on, -6));
  expect(await told()).toEqual([]);
  await advanceToDay(daysAfter(statement.stops_on, -5));
  expect(await told()).toEqual(['Fatura de tarifas vencida']);
  await advanceToDay(daysAfter(statement.stops_on, -1));
  expect(await told()).toEqual(['Fatura de tarifas vencida']);
  expect(await isOverdue()).toBe(false);
  await advanceToDay(statement.stops_on);
  expect(await told()).toEqual(['Fatura de tarifas vencida', 'Novas cobranças paradas']);
  expect(await told()).toHaveLength(2);
  expect((await subjectsOf(merchantId)).slice(1)).toEqual([
    'Fatura de tarifas vencida',
    'Novas cobranças paradas',
  ]);
  expect(await isOverdue()).toBe(true);
  const merchant = await signInAgain(gateway, given.merchant);
  const { content } = await makePix(gateway, merchant, statement);
  await gateway.bank.pay({ brCode: content });
  await reconcilePayments(gateway.deps);
  expect(await isOverdue()).toBe(false);
});

test('a merchant without statements owes nothing that stops charges', async () => {
  const { id } = await givenMerchant(gateway);
  expect(await feesAreOverdue(gateway.deps, id)).toBe(false);
});
