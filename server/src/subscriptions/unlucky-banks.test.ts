import { decodeBrCode } from '@jangada/pix';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { SubscriptionStand } from '../../test/subscription-stand.ts';
import { daysAfter } from '../calendar-day.ts';
import { auditLedger } from '../ledger/index.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atHouse, type BankDebit, PspRefused, PspUnknown } from '../psp/index.ts';
import { takeHints } from './take-hints.ts';
import { workMandates } from './work-mandates.ts';

let stand: SubscriptionStand;

beforeAll(async () => {
  stand = await SubscriptionStand.start();
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  expect(await auditLedger(stand.db)).toEqual([]);
  await stand.gateway.stop();
});

const inDays = (count: number) => daysAfter(stand.today(), count);

test.each([
  ['pay', { amount: 30 }],
  ['offer', { amount: 30, due_date: '2027-03-05' }],
])(
  'the code of %s still contains the first payment after the bank was asked again',
  async (authorization, first_payment) => {
    const created = await stand.given({ authorization, first_payment, first_day: '2027-03-25' });
    const kind = decodeBrCode(created.code ?? '').kind;
    await stand.wait(45);
    await stand.wait(600);
    const later = await stand.read(created);
    expect(later.code).toBe(created.code);
    expect(decodeBrCode(later.code ?? '').kind).toBe(kind);
  },
);

/** Lets the first call reach the bank and loses its answer. */
function loseFirstAnswer(name: 'createMandate' | 'createDebit') {
  const { recurring } = stand;
  const original: (order: never) => Promise<unknown> = recurring[name];
  let calls = 0;
  return vi.spyOn(recurring, name).mockImplementation(async (order: unknown) => {
    const answer = await original(order as never);
    calls += 1;
    if (calls === 1) throw new PspUnknown('the answer was lost');
    return answer as never;
  });
}

const mandateOf = (id: string) =>
  stand.db
    .selectFrom('mandates')
    .select(['check_at', 'status'])
    .where('subscription_id', '=', id)
    .executeTakeFirstOrThrow();

test('a mandate whose making got no answer is found, and made once', async () => {
  const make = loseFirstAnswer('createMandate');
  const created = await stand.given({ first_day: inDays(20) });
  expect(created.code).toBeNull();
  await stand.wait(130);
  await stand.wait(130);
  expect(make).toHaveBeenCalledTimes(1);
  expect(await stand.read(created)).toMatchObject({
    status: 'waiting',
    code: expect.stringMatching(/^000201/),
    mandate: { status: 'created' },
  });
});

const pushed = {
  authorization: 'push',
  payer_account: { ispb: '12345678', branch: '1', number: '123' },
};

test('a request in the payer’s app that never reached the bank is made later', async () => {
  const push = vi.spyOn(stand.recurring, 'pushToPayer').mockRejectedValueOnce(new PspUnknown('no answer'));
  await stand.given({ ...pushed, first_day: inDays(20) });
  await stand.wait(3600);
  await stand.wait(3600);
  expect(push).toHaveBeenCalledTimes(2);
});

test('a request in the payer’s app that nobody answers ends the subscription', async () => {
  const created = await stand.given({ ...pushed, first_day: inDays(20) });
  await stand.goTo(inDays(9), 12);
  expect(await stand.read(created)).toMatchObject({
    status: 'ended',
    end: 'not_allowed',
    mandate: { status: 'cancelled' },
  });
});

test('a subscription that was ended before its mandate was made is never made', async () => {
  const make = vi.spyOn(stand.recurring, 'createMandate').mockRejectedValue(new PspUnknown('no answer'));
  const created = await stand.given({ first_day: inDays(20) });
  await stand.call('POST', `/subscriptions/${created.id}/cancel`, {});
  const callsBefore = make.mock.calls.length;
  await stand.wait(700);
  await stand.wait(700);
  expect(make).toHaveBeenCalledTimes(callsBefore);
  expect(await stand.read(created)).toMatchObject({ status: 'ended', mandate: { status: 'cancelled' } });
  expect(await mandateOf(created.id)).toMatchObject({ check_at: null });
});

test('a subscription that was ended while its mandate was being made is ended at the bank', async () => {
  loseFirstAnswer('createMandate');
  const created = await stand.given({ first_day: inDays(20) });
  await stand.call('POST', `/subscriptions/${created.id}/cancel`, {});
  await stand.wait(700);
  await stand.wait(700);
  expect(await stand.read(created)).toMatchObject({ status: 'ended', end: 'by_merchant' });
  expect(await stand.gateway.bank.control('GET', await stand.recOf(created))).toMatchObject({
    status: 'CANCELADA',
  });
});

test('a bank that refuses at once to make a mandate ends the subscription, and its reason is shown', async () => {
  vi.spyOn(stand.recurring, 'createMandate').mockRejectedValue(
    new PspRefused('refused', { code: 'RecOperacaoInvalida', reason: 'A conta não permite.' }),
  );
  expect(await stand.given({ first_day: inDays(20) })).toMatchObject({
    status: 'ended',
    end: 'by_bank',
    mandate: { reason: { code: 'RecOperacaoInvalida', text: 'A conta não permite.' } },
  });
});

test('a notice that comes while the mandate is read is not forgotten', async () => {
  const created = await stand.given({ first_day: inDays(20) });
  await stand.gateway.advance(40);
  const { findMandate } = stand.recurring;
  vi.spyOn(stand.recurring, 'findMandate').mockImplementationOnce(async (...args) => {
    const seen = await findMandate(...args);
    await stand.gateway.bank.control('POST', '/sandbox/recs', { brCode: created.code });
    await expect.poll(() => takeHints(stand.gateway.deps)).toBeGreaterThan(0);
    return seen;
  });
  await workMandates(stand.gateway.deps);
  await workMandates(stand.gateway.deps);
  expect(await stand.read(created)).toMatchObject({ status: 'active', mandate: { status: 'approved' } });
});

test('a debit whose order got no answer is made once', async () => {
  const today = stand.today();
  const created = await stand.given({ first_day: daysAfter(today, 14) });
  await stand.allow(created);
  loseFirstAnswer('createDebit');
  await stand.goTo(daysAfter(today, 16), 12);
  expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'paid' }]);
  expect(await stand.creditedCents(created)).toBe(9990);
});

test('a cycle whose code is paid is not debited, though somebody asks for another code at once', async () => {
  const subscription = await stand.givenScheduled();
  await stand.gateway.bank.pay({ brCode: await stand.codeForFirstCycle(subscription) });
  await stand.gateway.advance(2);
  await reconcilePayments(atHouse(stand.gateway.deps));
  const again = await stand.call('POST', `/subscriptions/${subscription.id}/cycles/1/charge`, {});
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'CHARGE_ALREADY_PAID' } } });
  await stand.goTo(inDays(7), 12);
  expect(await stand.cyclesOf(subscription)).toMatchObject([{ status: 'paid', reason: 'paid_otherwise' }]);
  expect(await stand.creditedCents(subscription)).toBe(9990);
});

test('a debit whose day the bank moves is still followed, and its new day is shown', async () => {
  const subscription = await stand.givenScheduled();
  const day = await stand.firstDebitDay(subscription);
  const { findDebit } = stand.recurring;
  const movedDay = daysAfter(day, 1);
  const move = (debit: BankDebit): BankDebit => ({
    ...debit,
    attempts: debit.attempts.map((attempt) => ({ ...attempt, date: movedDay })),
  });
  vi.spyOn(stand.recurring, 'findDebit').mockImplementation(async (txid) => {
    const seen = await findDebit(txid);
    return seen && move(seen);
  });
  await stand.goTo(daysAfter(day, 2), 12);
  expect(await stand.cyclesOf(subscription)).toMatchObject([
    { status: 'paid', attempts: [{ day: movedDay, status: 'paid' }] },
  ]);
});

/** A cycle that is paid by its code in the evening before the debit, while the bank does not take the debit back. */
async function givenBothPaid(meanwhile: (code: string) => Promise<unknown>) {
  const subscription = await stand.givenScheduled();
  const day = await stand.firstDebitDay(subscription);
  const brCode = await stand.codeForFirstCycle(subscription);
  await stand.goTo(daysAfter(day, -1), 18);
  vi.spyOn(stand.recurring, 'cancelDebit').mockRejectedValue(new PspUnknown('away'));
  await stand.gateway.bank.pay({ brCode });
  await stand.wait(60);
  const code = (await stand.chargesOf(subscription)).find(({ br_code }) => br_code === brCode);
  await meanwhile(code?.id ?? '');
  await stand.goTo(daysAfter(day, 1), 12);
  expect(await stand.cyclesOf(subscription)).toMatchObject([{ status: 'paid' }]);
  return subscription;
}

test('a debit is kept if the payment by code was given back already', async () => {
  const subscription = await givenBothPaid((code) =>
    stand.call('POST', `/pix/${code}/refund`, { id: 'r1', reason: 'Pago em dobro' }),
  );
  expect(await stand.refundsOf(subscription)).toEqual([9990]);
});

test('a second payment that cannot be given back is told so', async () => {
  const approve = (approved: boolean) =>
    stand.db.updateTable('users').set({ approved }).where('id', '=', stand.merchant.id).execute();
  const subscription = await givenBothPaid(() => approve(false));
  await approve(true);
  expect(await stand.refundsOf(subscription)).toEqual([]);
  const told = await stand.db
    .selectFrom('notifications')
    .select('title')
    .where('title', '=', 'Devolva um pagamento em dobro')
    .execute();
  expect(told).toHaveLength(1);
});

test('who pays is not asked of a debit: whoever allowed it pays it', async () => {
  await stand.call('PUT', '/payer-rules', { other_payer: 'hold', late: 'hold', doubled: 'hold' });
  const subscription = await stand.givenScheduled();
  await stand.goTo(inDays(7), 12);
  expect(await stand.cyclesOf(subscription)).toMatchObject([{ status: 'paid' }]);
  await stand.call('PUT', '/payer-rules', { other_payer: null, late: null, doubled: null });
});
