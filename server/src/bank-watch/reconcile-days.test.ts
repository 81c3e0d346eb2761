import {
  adminBankMovements,
  adminOpenItems,
  adminReconciliation,
  login,
  type ResponseOf,
} from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenCharge,
  givenMerchant,
  givenPin,
  givenWithdrawal,
  parseSuccess,
} from '../../test/given.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { backgroundLoops } from '../background-work.ts';
import { calendarDayOf, daysAfter, startOfDay } from '../calendar-day.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { compareBalance } from './compare-balance.ts';
import type { StartedDay } from './day-store.ts';
import { dueDays, reconcileDay, reconcileDays } from './reconcile-days.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
/** A connection as the database's owner, which can change data that the gateway itself cannot. */
let owner: Db;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  const pix = { in: 0.99, out: 0, fixIn: 0, fixOut: 1.5 };
  const taxes = { pix, crypto: 0, reserve: { enabled: true, percentage: 10, liberationTime: 2 } };
  merchant = await givenMerchant(gateway, { account: { taxes } });
  await givenPin(gateway, merchant);
  owner = createDb(createPool({ url: gateway.database.ownerUrl, max: 1 }));
  await advanceTo(10);
});
afterAll(async () => {
  await owner.destroy();
  await gateway.stop();
});

const now = () => gateway.deps.clock.now();

/** Moves the clock to this hour of the next day. */
async function advanceTo(hour: number): Promise<void> {
  const then = startOfDay(daysAfter(calendarDayOf(now()), 1)).getTime() + hour * 3_600_000;
  await gateway.advance((then - now().getTime()) / 1000);
}

/** Runs all background work but the comparison of days, until nothing is pending, and moves the clock meanwhile. */
async function runUntilSettled(): Promise<void> {
  for (let round = 0; round < 200; round += 1) {
    for (const { work, name } of backgroundLoops) if (name !== 'bank days') await work(gateway.deps);
    const { rows } = await sql<{ open: number }>`
      select (select count(*) from bank_hints) + (select count(*) from withdrawals where status in ('pending', 'processing'))
           + (select count(*) from refunds where status = 'processing') as open`.execute(gateway.deps.db);
    if (Number(rows[0]?.open) === 0) return;
    await gateway.advance(1);
  }
  throw new Error('something stays pending');
}

async function withdraw(amount: number): Promise<{ id: string }> {
  const { username, password } = merchant;
  const { token } = parseSuccess(login.response, await gateway.api('POST', '/login', { username, password }));
  const withdrawal = await givenWithdrawal(gateway, { token }, { amount });
  await runUntilSettled();
  return withdrawal;
}

async function refund(chargeId: string, amount: number): Promise<void> {
  const response = await gateway.api(
    'POST',
    `/pix/${chargeId}/refund`,
    { amount, reason: 'Troca' },
    { apiKey: merchant.apiKey },
  );
  expect(response.status).toBeLessThan(300);
  await runUntilSettled();
}

/** The credentials of a new administrator, because sessions expire as days pass. */
const asAdmin = async () => ({ token: (await givenAdmin(gateway)).token });

async function recordMovement(kind: string, amount: number): Promise<void> {
  const body = { kind, amount, description: 'Extrato do banco' };
  expect(await gateway.api('POST', '/admin/bank-movements', body, await asAdmin())).toMatchObject({
    status: 201,
  });
}

async function listOpenItems(): Promise<ResponseOf<typeof adminOpenItems>['items']> {
  const response = await gateway.api('GET', '/admin/open-items', undefined, await asAdmin());
  return parseSuccess(adminOpenItems.response, response).items;
}

async function readReconciliation(): Promise<ResponseOf<typeof adminReconciliation>> {
  return parseSuccess(
    adminReconciliation.response,
    await gateway.api('GET', '/admin/reconciliation', undefined, await asAdmin()),
  );
}

/** Compares the balance until a difference is confirmed. */
async function compareTwice(): Promise<void> {
  await compareBalance(gateway.deps);
  await gateway.advance(600);
  await compareBalance(gateway.deps);
}

test('a week of payments, refunds, payouts, a tariff and withdrawn fees matches the bank to the cent', async () => {
  const expected: object[] = [];
  for (let number = 1; number <= 7; number += 1) {
    const day = calendarDayOf(now());
    const { chargeId } = await givenBalance(gateway, merchant, 100 + number);
    await givenBalance(gateway, merchant, 0.5 + 2 * number);
    // A Pix without a charge.
    if (number === 2) await gateway.bank.pay({ key: gateway.deps.config.pixKey, amount: 7.77 });
    await runUntilSettled();
    await refund(chargeId, 10.01);
    if (number % 2 === 0) await withdraw(40 + number);
    if (number === 3) await gateway.bank.moveMoney('tariff', 123);
    if (number === 5) await gateway.bank.moveMoney('withdrawal', 100);
    expected.unshift({
      day,
      received: (10_000 + 100 * number + 50 + 200 * number + (number === 2 ? 777 : 0)) / 100,
      returned: 10.01,
      sent: number % 2 === 0 ? (4000 + 100 * number - 150) / 100 : 0,
      differences: 0,
    });
    await advanceTo(10);
  }
  while ((await reconcileDays(gateway.deps)) > 0);
  expect((await readReconciliation()).days.slice(0, 7)).toMatchObject(expected);
  expect(await listOpenItems()).toEqual([]);
  // A busy day, compared in parts.
  const busyDay = daysAfter(calendarDayOf(now()), -6);
  await reconcileDay(gateway.deps, busyDay, 2);
  expect((await readReconciliation()).days.find(({ day }) => day === busyDay)).toMatchObject(
    expected[5] ?? {},
  );

  await compareTwice();
  expect(await listOpenItems()).toMatchObject([
    { kind: 'balance-differs', reference: 'account', detail: { difference_cents: -223 } },
  ]);
  await recordMovement('tariff', 1.23);
  expect((await readReconciliation()).balance).toBeNull();
  await compareBalance(gateway.deps);
  expect(await listOpenItems()).toHaveLength(1);
  await recordMovement('fees-taken', 1);
  await compareBalance(gateway.deps);
  expect(await listOpenItems()).toEqual([]);
  expect((await readReconciliation()).balance).toMatchObject({ difference: 0 });
  await gateway.bank.moveMoney('deposit', 5000);
  await recordMovement('top-up', 50);
  await compareBalance(gateway.deps);
  expect((await readReconciliation()).balance).toMatchObject({ difference: 0 });

  const { movements, total, fees_balance } = parseSuccess(
    adminBankMovements.response,
    await gateway.api('GET', '/admin/bank-movements', undefined, await asAdmin()),
  );
  expect([total, movements.map(({ kind, amount }) => [kind, amount])]).toEqual([
    3,
    [
      ['top-up', 50],
      ['fees-taken', 1],
      ['tariff', 1.23],
    ],
  ]);
  const { rows } = await sql<{
    cents: number;
  }>`select sum(fees_cents)::bigint as cents from ledger_balances`.execute(gateway.deps.db);
  expect(fees_balance).toBe((rows[0]?.cents ?? 0) / 100);
});

test('a bank movement is recorded once per idempotency key, with who recorded it, and never without an amount', async () => {
  const body = { kind: 'tariff', amount: 0.01, description: 'Tarifa de teste' };
  const admin = await givenAdmin(gateway);
  const options = { token: admin.token, headers: { 'idempotency-key': 'tariff-1' } };
  const first = await gateway.api('POST', '/admin/bank-movements', body, options);
  expect(await gateway.api('POST', '/admin/bank-movements', body, options)).toMatchObject({
    status: 201,
    body: first.body,
  });
  expect(
    await gateway.api('POST', '/admin/bank-movements', { ...body, amount: 0 }, await asAdmin()),
  ).toMatchObject({
    status: 400,
    body: { error: { code: 'AMOUNT_INVALID' } },
  });
  const { db } = gateway.deps;
  const entries = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('action', '=', 'bank movement recorded')
    .execute();
  expect(entries.at(-1)).toMatchObject({
    actor_id: admin.id,
    subject_id: 0,
    after: { kind: 'tariff', amount_cents: 1 },
  });
  expect(entries.filter(({ reason }) => reason === 'Tarifa de teste')).toHaveLength(1);
  await gateway.bank.moveMoney('tariff', 1);
});

test('a difference stays open until the balance is compared again after a recorded movement', async () => {
  await gateway.bank.moveMoney('tariff', 500);
  await compareTwice();
  const items = await listOpenItems();
  expect(items).toMatchObject([{ kind: 'balance-differs', detail: { difference_cents: -500 } }]);
  const close = async () =>
    gateway.api(
      'POST',
      `/admin/open-items/${items[0]?.id}/close`,
      { evidence: 'Conferido no extrato.' },
      await asAdmin(),
    );
  // Together these two movements change nothing, so the next comparison finds the same difference. If the item could be
  // closed before, that difference would never be reported again.
  await recordMovement('tariff', 0.01);
  await recordMovement('top-up', 0.01);
  expect((await readReconciliation()).balance).toBeNull();
  expect(await close()).toMatchObject({ status: 409, body: { error: { code: 'ITEM_STANDS' } } });
  await compareTwice();
  expect(await listOpenItems()).toMatchObject([{ id: items[0]?.id, detail: { difference_cents: -500 } }]);
  await recordMovement('tariff', 5);
  await compareBalance(gateway.deps);
  expect(await listOpenItems()).toEqual([]);
});

/** Changes rows of a table without its triggers. */
async function tamper(table: string, change: () => Promise<unknown>): Promise<void> {
  await sql`alter table ${sql.table(table)} disable trigger user`.execute(owner);
  await change();
  await sql`alter table ${sql.table(table)} enable trigger user`.execute(owner);
}

test('a payout in progress is no difference', async () => {
  await givenBalance(gateway, merchant, 60);
  await gateway.bank.setBehaviour({ payouts: 'slow' });
  const { username, password } = merchant;
  const { token } = parseSuccess(login.response, await gateway.api('POST', '/login', { username, password }));
  const { id } = await givenWithdrawal(gateway, { token }, { amount: 50 });
  const { db } = gateway.deps;
  const withdrawal = db.selectFrom('withdrawals').select('end_to_end_id').where('id', '=', id);
  for (
    let round = 0;
    (await withdrawal.executeTakeFirstOrThrow()).end_to_end_id === null && round < 20;
    round += 1
  ) {
    for (const { work } of backgroundLoops) await work(gateway.deps);
    await gateway.advance(5);
  }
  expect(await withdrawal.executeTakeFirstOrThrow()).not.toEqual({ end_to_end_id: null });
  await db.deleteFrom('balance_comparison').execute();
  await compareBalance(gateway.deps);
  expect((await readReconciliation()).balance).toMatchObject({ difference: 0 });
  await gateway.bank.setBehaviour({});
  await runUntilSettled();
});

test('concurrent comparisons count as one, so that an arriving payment is no difference', async () => {
  const { content } = await givenCharge(gateway, merchant, { amount: 40 });
  await gateway.bank.pay({ brCode: content });
  await gateway.deps.db.deleteFrom('balance_comparison').execute();
  await runConcurrently(6, () => compareBalance(gateway.deps));
  expect((await readReconciliation()).balance).toMatchObject({ difference: 40 });
  expect((await listOpenItems()).filter(({ kind }) => kind === 'balance-differs')).toEqual([]);
  await runUntilSettled();
  await gateway.advance(600);
  await compareBalance(gateway.deps);
  expect((await readReconciliation()).balance).toMatchObject({ difference: 0 });
});

describe('a deviation from the bank’s list is found', () => {
  let day: string;
  beforeEach(async () => {
    await advanceTo(10);
    day = calendarDayOf(now());
  });

  /** Compares this day, after moving the clock to its end if needed. */
  async function compareDay(): Promise<{ differences: number; items: object[] }> {
    if (calendarDayOf(now()) === day) await advanceTo(3);
    const { differences } = await reconcileDay(gateway.deps, day);
    return { differences, items: (await listOpenItems()).filter(({ detail }) => detail['day'] === day) };
  }

  async function expectAgreement(): Promise<void> {
    expect(await compareDay()).toEqual({ differences: 0, items: [] });
  }

  test('a Pix without a notice is booked, and then no difference', async () => {
    await gateway.bank.setBehaviour({ notifications: 'never' });
    const endToEndId = await gateway.bank.pay({ key: gateway.deps.config.pixKey, amount: 12.34 });
    await gateway.bank.setBehaviour({});
    await expectAgreement();
    const pix = await gateway.deps.db
      .selectFrom('received_pix')
      .selectAll()
      .where('end_to_end_id', '=', endToEndId)
      .execute();
    expect(pix).toMatchObject([{ amount_cents: 1234, outcome: 'suspense' }]);
  });

  test('a Pix booked with a different amount', async () => {
    const { endToEndId } = await givenBalance(gateway, merchant, 20);
    const setBookedAmount = (cents: number) =>
      tamper('received_pix', () =>
        owner
          .updateTable('received_pix')
          .set({ amount_cents: cents })
          .where('end_to_end_id', '=', endToEndId)
          .execute(),
      );
    await setBookedAmount(2001);
    expect(await compareDay()).toMatchObject({
      differences: 1,
      items: [
        {
          kind: 'received-differs',
          reference: endToEndId,
          user_id: String(merchant.id),
          detail: { differs: 'amount' },
        },
      ],
    });
    await setBookedAmount(2000);
    await expectAgreement();
  });

  test('a booked Pix that the bank never received', async () => {
    const { endToEndId } = await givenBalance(gateway, merchant, 21);
    const forgedId = 'E99999999202611211200forged00001';
    await sql`
      insert into received_pix (end_to_end_id, merchant_id, outcome, reason, amount_cents, paid_at, received_at)
      select ${forgedId}, 0, 'suspense', 'no-txid', 500, paid_at, received_at from received_pix
      where end_to_end_id = ${endToEndId}`.execute(owner);
    expect(await compareDay()).toMatchObject({
      differences: 1,
      items: [{ kind: 'received-differs', reference: forgedId, detail: { differs: 'unlisted' } }],
    });
    await owner.deleteFrom('received_pix').where('end_to_end_id', '=', forgedId).execute();
    await expectAgreement();
  });

  test('a return made by the bank itself and not booked within a day', async () => {
    const { endToEndId } = await givenBalance(gateway, merchant, 22);
    await runUntilSettled();
    const dispute = await gateway.bank.openDispute({ endToEndId });
    await gateway.bank.resolveDispute(dispute, { accepted: true, returnSeconds: 0 });
    await advanceTo(3);
    // Before an item is opened, the bank's returns are looked up and booked.
    expect(await compareDay()).toEqual({ differences: 1, items: [] });
    await advanceTo(11);
    expect(await compareDay()).toMatchObject({
      differences: 1,
      items: [{ kind: 'returned-differs', detail: { differs: 'unbooked', end_to_end_id: endToEndId } }],
    });
    await runUntilSettled();
    await expectAgreement();
  });

  test('a refund booked with a different amount, or never made by the bank', async () => {
    const { chargeId, endToEndId } = await givenBalance(gateway, merchant, 23);
    await refund(chargeId, 5);
    const changeRefund = (values: {
      amount_cents?: number;
      bank_refund_id?: string;
      rtr_id?: string | null;
    }) =>
      tamper('refunds', () =>
        owner.updateTable('refunds').set(values).where('end_to_end_id', '=', endToEndId).execute(),
      );
    const { bank_refund_id, rtr_id } = await owner
      .selectFrom('refunds')
      .select(['bank_refund_id', 'rtr_id'])
      .where('end_to_end_id', '=', endToEndId)
      .executeTakeFirstOrThrow();
    await changeRefund({ amount_cents: 501 });
    expect(await compareDay()).toMatchObject({ differences: 1, items: [] });
    await advanceTo(11);
    expect(await compareDay()).toMatchObject({
      differences: 1,
      items: [{ kind: 'returned-differs', detail: { differs: 'amount', booked: { amount_cents: 501 } } }],
    });
    await changeRefund({ amount_cents: 500, bank_refund_id: 'another', rtr_id: null });
    const { differences, items } = await compareDay();
    expect(differences).toBe(2);
    expect(items).toMatchObject([
      expect.objectContaining({ kind: 'returned-differs', reference: 'another' }),
      expect.objectContaining({ kind: 'returned-differs', reference: rtr_id }),
    ]);
    await changeRefund({ bank_refund_id, rtr_id });
    await expectAgreement();
  });

  test('a payout that the ledger never debited', async () => {
    await gateway.deps.psp.payouts?.sendPayout({
      idEnvio: `thief${day.replaceAll('-', '')}`,
      amountCents: 100,
      pixKey: 'ladrao@example.com',
      note: '',
    });
    await gateway.advance(60);
    expect(await compareDay()).toMatchObject({
      differences: 1,
      items: [{ kind: 'sent-differs', detail: { differs: 'unknown', at_bank: { amount_cents: 100 } } }],
    });
    const [item] = (await listOpenItems()).filter(({ kind }) => kind === 'sent-differs');
    const closure = { evidence: 'Enviado pelo operador, lançado como retirada.' };
    await gateway.api('POST', `/admin/open-items/${item?.id}/close`, closure, await asAdmin());
    await expectAgreement();
    await recordMovement('fees-taken', 1);
    // The loop that reads the bank's list finds it too, and stops payouts.
    await runUntilSettled();
    await gateway.deps.db.updateTable('gateway').set({ payouts_stopped_because: null }).execute();
  });

  test('a payout with a different amount, a returned one that is not booked, and one that the bank never made', async () => {
    await givenBalance(gateway, merchant, 100);
    const { id } = await withdraw(30);
    const change = (values: { fee_cents?: number; id_envio?: string; returned_cents?: number }) =>
      tamper('withdrawals', () =>
        owner.updateTable('withdrawals').set(values).where('id', '=', id).execute(),
      );
    const { id_envio, fee_cents } = await owner
      .selectFrom('withdrawals')
      .select(['id_envio', 'fee_cents'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const expectDifference = async (field: string) =>
      expect(await compareDay()).toMatchObject({
        items: [{ kind: 'sent-differs', user_id: String(merchant.id), detail: { differs: field } }],
      });
    await change({ fee_cents: 0 });
    await expectDifference('amount');
    await change({ fee_cents, returned_cents: 1 });
    await expectDifference('returned');
    await change({ returned_cents: 0, id_envio: `${id_envio.slice(0, 8)}another` });
    const { differences, items } = await compareDay();
    expect(differences).toBe(2);
    expect(items).toHaveLength(2);
    await change({ id_envio });
    await expectAgreement();
  });
});

describe('the days due for comparison:', () => {
  const timeOf = (text: string) => new Date(`${text}:00-03:00`);
  const comparedDay = (day: string, comparedAt: string, differences = 0): StartedDay => ({
    day,
    comparedAt: timeOf(comparedAt),
    differences,
    leasedUntil: undefined,
  });

  test.each<[string, string, StartedDay[], string[]]>([
    ['a day that has not ended', '2026-11-20T23:00', [], []],
    ['a day that ended less than three hours ago', '2026-11-21T02:59', [], []],
    ['a day that ended', '2026-11-21T03:00', [], ['2026-11-20']],
    ['all missed days', '2026-11-23T12:00', [], ['2026-11-20', '2026-11-21', '2026-11-22']],
    [
      'no day that was compared tonight',
      '2026-11-21T12:00',
      [comparedDay('2026-11-20', '2026-11-21T03:01')],
      [],
    ],
    [
      'a day again in its second night',
      '2026-11-22T03:00',
      [comparedDay('2026-11-20', '2026-11-21T03:01')],
      ['2026-11-20', '2026-11-21'],
    ],
    [
      'a day no more in its fourth night',
      '2026-11-24T03:00',
      ['2026-11-20', '2026-11-21', '2026-11-22', '2026-11-23'].map((day) =>
        comparedDay(day, '2026-11-23T03:01'),
      ),
      ['2026-11-21', '2026-11-22', '2026-11-23'],
    ],
    [
      'an older day while it differs',
      '2026-12-10T03:00',
      Array.from({ length: 20 }, (_, index) =>
        comparedDay(daysAfter('2026-11-20', index), '2026-12-09T03:01', index === 1 ? 1 : 0),
      ),
      ['2026-11-21', '2026-12-07', '2026-12-08', '2026-12-09'],
    ],
    [
      'no day that another process compares',
      '2026-11-21T03:00',
      [{ day: '2026-11-20', comparedAt: undefined, differences: 0, leasedUntil: timeOf('2026-11-21T03:05') }],
      [],
    ],
  ])('%s', (_, now, startedDays, due) => {
    expect(dueDays('2026-11-20', timeOf(now), startedDays)).toEqual(due);
  });
});
