import { createdPayment, paymentStatus } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { calendarDayOf, daysAfter } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { auditLedger } from '../ledger/index.ts';
import { atHouse } from '../psp/index.ts';
import { cancelPayment, expireCharges } from './end-charges.ts';
import { computeFeeAndReserve } from './payment.ts';
import { reconcilePayments } from './reconcile-payments.ts';
import { settleReceived } from './settle-received.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  // A Monday without a holiday in the next two weeks, at noon in Brasília.
  await advanceTo('2027-01-11');
  const pix = { in: 1, out: 0, fixIn: 0.5, fixOut: 0 };
  const taxes = { pix, crypto: 0, reserve: { enabled: true, percentage: 10, liberationTime: 90 } };
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway), account: { taxes } });
});
afterEach(() => gateway.bank.setBehaviour({}));
afterAll(async () => {
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
  await gateway.stop();
});

async function advanceTo(day: string): Promise<void> {
  const noon = new Date(`${day}T15:00:00Z`).getTime();
  await gateway.advance(Math.max(0, Math.ceil((noon - gateway.deps.clock.now().getTime()) / 1000)));
}
const today = () => calendarDayOf(gateway.deps.clock.now());
const payer = { name: 'Francisco da Silva', document: '529.982.247-25' };
const late = {
  fine: { type: 'percent', value: 2 },
  interest: { type: 'percent', value: 1, per: 'month', days: 'calendar' },
};

async function charge(fields: Readonly<Record<string, unknown>> = {}) {
  const body = { amount: 100, payer, due_date: daysAfter(today(), 4), image: false, ...fields };
  return parseSuccess(createdPayment, await gateway.api('POST', '/pix/new', body, merchant));
}

async function statusOf({ id }: { readonly id: string }) {
  return parseSuccess(
    paymentStatus,
    await gateway.api('GET', `/pix/status/${id}`, undefined, { apiKey: merchant.apiKey }),
  );
}

/** Pays a code at the bank, and lets the gateway find the Pix in the bank's list. */
async function pay(payment: Readonly<Record<string, unknown>>): Promise<string> {
  const endToEndId = await gateway.bank.pay(payment);
  await gateway.advance(5);
  await reconcilePayments(atHouse(gateway.deps));
  return endToEndId;
}

const readCharge = ({ id }: { readonly id: string }) =>
  gateway.deps.db.selectFrom('charges').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const readSuspense = async (endToEndId: string) =>
  gateway.deps.db
    .selectFrom('received_pix')
    .select(['outcome', 'reason'])
    .where('end_to_end_id', '=', endToEndId)
    .executeTakeFirst();

describe('a charge with a due date', () => {
  test('is paid on its due date with its amount', async () => {
    const created = await charge(late);
    expect(created).toMatchObject({
      status: 'pending',
      billed_to: payer,
      due: { due_date: daysAfter(today(), 4), valid_after_due: 30, amount_today: 100 },
    });
    await advanceTo(created.due?.due_date ?? '');
    await pay({ brCode: created.content });
    expect(await statusOf(created)).toMatchObject({
      status: 'paid',
      amount: 100,
      due: { amount_today: null, parts: { original_amount: 100, fine_amount: 0 } },
    });
  });

  test('is paid late with fine and interest, on which the fee is counted too', async () => {
    const created = await charge(late);
    await advanceTo(daysAfter(created.due?.due_date ?? '', 10));
    expect((await statusOf(created)).due).toMatchObject({ amount_today: 102.33 });
    await pay({ brCode: created.content });
    const paid = await statusOf(created);
    expect(paid).toMatchObject({
      status: 'paid',
      amount: 102.33,
      due: { parts: { original_amount: 100, fine_amount: 2, interest_amount: 0.33 } },
    });
    const stored = await readCharge(created);
    const terms = {
      inRate: stored.in_rate,
      fixInCents: stored.fix_in_cents,
      reserveRate: stored.reserve_rate,
    };
    const { feeCents } = computeFeeAndReserve(102_33, { ...terms, reserveDays: stored.reserve_days });
    expect(feeCents).toBeGreaterThan(0);
    expect(paid.credited_amount).toBe((102_33 - feeCents) / 100);
  });

  test('is paid early with its discount', async () => {
    const created = await charge({
      discounts: [{ type: 'amount', value: 10, until: daysAfter(today(), 2) }],
      rebate: { type: 'amount', value: 5 },
    });
    await pay({ brCode: created.content });
    expect(await statusOf(created)).toMatchObject({
      status: 'paid',
      amount: 85,
      due: { parts: { original_amount: 100, rebate_amount: 5, discount_amount: 10 } },
    });
  });

  test('is found at the bank when its answer was lost', async () => {
    await gateway.bank.setBehaviour({ charges: 'accepted-then-timeout' });
    const created = await charge(late);
    expect(created).toMatchObject({ status: 'pending', content: expect.stringContaining('br.gov.bcb.pix') });
  });

  test('ends after its last day, and cannot be paid then', async () => {
    const created = await charge({ valid_after_due: 0 });
    await advanceTo(daysAfter(created.due?.valid_until ?? '', 1));
    expect((await statusOf(created)).status).toBe('expired');
    await expect(gateway.bank.pay({ brCode: created.content })).rejects.toThrow();
    await expireCharges(gateway.deps);
    expect(await statusOf(created)).toMatchObject({ status: 'expired', due: { amount_today: null } });
  });

  test('is cancelled at the bank', async () => {
    const created = await charge();
    await cancelPayment(gateway.deps, merchant.id, created.id);
    expect((await statusOf(created)).status).toBe('expired');
    await expect(gateway.bank.pay({ brCode: created.content })).rejects.toThrow();
  });

  test('is paid once, however often and by however many processes its Pix is booked', async () => {
    const created = await charge(late);
    await advanceTo(daysAfter(created.due?.due_date ?? '', 10));
    const endToEndId = await gateway.bank.pay({ brCode: created.content });
    const { psp, connection } = gateway.deps.banks.house;
    const pix = await psp.findReceivedPix(endToEndId);
    if (pix === undefined) throw new Error('the bank does not know the Pix');
    const second = { ...pix, endToEndId: `${endToEndId.slice(0, -4)}zzzz` };
    const booked = await Promise.all(
      [[pix], [pix, second], [second], [second, pix], [pix], [second]].map((received) =>
        inTransaction(gateway.deps, (tx) => settleReceived(tx, received, connection)),
      ),
    );
    expect(booked.reduce((sum, { credited }) => sum + credited, 0)).toBe(1);
    expect(booked.reduce((sum, { suspense }) => sum + suspense, 0)).toBe(1);
    expect(pix.amountCents).toBeGreaterThan(102_00);
    expect(await statusOf(created)).toMatchObject({ status: 'paid', amount: pix.amountCents / 100 });
  });

  test('is refunded up to what was paid', async () => {
    const created = await charge(late);
    await advanceTo(daysAfter(created.due?.due_date ?? '', 10));
    await pay({ brCode: created.content });
    const { amount } = await statusOf(created);
    const refund = (value: number) =>
      gateway.api('POST', `/pix/${created.id}/refund`, { amount: value }, merchant);
    expect(await refund(amount + 0.01)).toMatchObject({ status: 400 });
    expect((await refund(amount)).status).toBeLessThan(300);
  });
});

describe('money that does not pay a charge with a due date waits for the operator', () => {
  test('if the bank says parts that do not add up', async () => {
    const created = await charge(late);
    await advanceTo(daysAfter(created.due?.due_date ?? '', 10));
    await gateway.bank.setBehaviour({ valueParts: 'wrong' });
    const endToEndId = await pay({ brCode: created.content });
    expect(await readSuspense(endToEndId)).toEqual({ outcome: 'suspense', reason: 'wrong-amount' });
    expect((await statusOf(created)).status).toBe('pending');
  });

  test('if the bank does not say how a late amount is made up', async () => {
    const created = await charge(late);
    await advanceTo(daysAfter(created.due?.due_date ?? '', 10));
    await gateway.bank.setBehaviour({ valueParts: 'left-out' });
    const endToEndId = await pay({ brCode: created.content });
    expect(await readSuspense(endToEndId)).toEqual({ outcome: 'suspense', reason: 'wrong-amount' });
  });

  test('if somebody sends the bare amount past the charge when it is late', async () => {
    const created = await charge(late);
    const { txid } = await readCharge(created);
    await advanceTo(daysAfter(created.due?.due_date ?? '', 10));
    const { pixKey } = gateway.deps.banks.house.connection;
    const endToEndId = await pay({ key: pixKey, amount: 100, txid });
    expect(await readSuspense(endToEndId)).toEqual({ outcome: 'suspense', reason: 'wrong-amount' });
  });
});

test('a charge without a due date can name whom it is for, at the bank too', async () => {
  const created = await charge({ due_date: undefined });
  expect(created).toMatchObject({ billed_to: payer });
  expect(created.due).toBeUndefined();
  expect(await statusOf(created)).toMatchObject({ billed_to: payer });
});
