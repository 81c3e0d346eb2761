import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { codeOf } from '../../test/given.ts';
import { SubscriptionStand } from '../../test/subscription-stand.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { daysAfter } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { atHouse, PspUnknown } from '../psp/index.ts';
import { lockSubscription } from './store.ts';

let stand: SubscriptionStand;
beforeAll(async () => {
  stand = await SubscriptionStand.start();
});
afterAll(() => stand.gateway.stop());

const givenVarying = async () => {
  const today = stand.today();
  const created = await stand.given({ amount: null, first_day: daysAfter(today, 14) });
  await stand.allow(created);
  await stand.goTo(daysAfter(today, 6), 12);
  return created;
};

test('a cycle keeps its amount once there is a code for it, so that a code of less never pays for more', async () => {
  const created = await givenVarying();
  const path = `/subscriptions/${created.id}/cycles/1`;
  expect((await stand.call('PUT', path, { amount: 5 })).status).toBe(200);
  const code = await stand.codeForFirstCycle(created);
  expect(codeOf(await stand.call('PUT', path, { amount: 500 }))).toBe('409 CYCLE_TOO_LATE');
  await stand.gateway.bank.pay({ brCode: code ?? '' });
  await stand.wait(60);
  expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'paid', amount: 5 }]);
  expect(await stand.creditedCents(created)).toBe(500);
});

test('a code and a new amount that are asked for at once agree', async () => {
  for (let round = 0; round < 8; round += 1) {
    const created = await givenVarying();
    const path = `/subscriptions/${created.id}/cycles/1`;
    expect((await stand.call('PUT', path, { amount: 5 })).status).toBe(200);
    await Promise.all([
      stand.codeForFirstCycle(created),
      stand.call('PUT', path, { amount: 500 }),
      stand.call('PUT', path, { amount: 500 }),
    ]);
    const [cycle] = await stand.cyclesOf(created);
    for (const { amount_cents: cents } of await stand.chargesOf(created))
      expect(cents).toBe((cycle?.amount ?? 0) * 100);
  }
});

test('calls for a code that find none of them yet agree on one', async () => {
  const created = await givenVarying();
  expect((await stand.call('PUT', `/subscriptions/${created.id}/cycles/1`, { amount: 5 })).status).toBe(200);
  const calls = 4;
  const key = { merchantId: stand.merchant.id, id: created.id };
  // All of them have seen that the cycle has no code when the first of them goes on.
  const answers = await inTransaction(stand.gateway.deps, async (tx) => {
    await lockSubscription(tx, key);
    const asked = Array.from({ length: calls }, () => stand.codeForFirstCycle(created));
    await waitForBlockedTransactions(stand.db, calls);
    return asked;
  }).then((asked) => Promise.all(asked));
  const codes = new Set(answers.filter((code) => code !== undefined));
  expect(codes.size).toBe(1);
  expect(await stand.chargesOf(created)).toHaveLength(1);
});

test('the event of a cycle that was paid by a code before its debit names the charge of the code', async () => {
  const created = await givenVarying();
  expect((await stand.call('PUT', `/subscriptions/${created.id}/cycles/1`, { amount: 5 })).status).toBe(200);
  await stand.gateway.bank.pay({ brCode: (await stand.codeForFirstCycle(created)) ?? '' });
  await stand.wait(60);
  const [charge] = await stand.chargesOf(created);
  expect(await stand.paidEventsOf(created)).toMatchObject([
    { cycle: { number: 1, status: 'paid', payment_id: charge?.id } },
  ]);
});

describe('the code of a cycle that the merchant cancels', () => {
  const givenCode = async () => {
    const created = await givenVarying();
    const path = `/subscriptions/${created.id}/cycles/1`;
    expect((await stand.call('PUT', path, { amount: 5 })).status).toBe(200);
    const code = (await stand.codeForFirstCycle(created)) ?? '';
    return { created, path, code };
  };
  const tryToPay = (brCode: string) => stand.gateway.bank.pay({ brCode });

  test('can be paid no more, and no other is made', async () => {
    const { created, path, code } = await givenCode();
    expect((await stand.call('POST', `${path}/cancel`, {})).status).toBe(200);
    expect(codeOf(await stand.call('POST', `${path}/charge`, {}))).toBe('409 CYCLE_TOO_LATE');
    await stand.wait(60);
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'cancelled', reason: 'by_merchant' }]);
    expect(await stand.chargesOf(created)).toMatchObject([{ status: 'expired' }]);
    await expect(tryToPay(code)).rejects.toThrow();
  });

  test('pays it if the payer was faster than the bank was told', async () => {
    const { created, path, code } = await givenCode();
    await tryToPay(code);
    expect((await stand.call('POST', `${path}/cancel`, {})).status).toBe(200);
    await stand.wait(60);
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'paid' }]);
    expect(await stand.creditedCents(created)).toBe(500);
  });

  test('is removed once the bank answers, and until then the cycle does not end', async () => {
    const { created, path, code } = await givenCode();
    await stand.gateway.bank.setBehaviour({ charges: 'down' });
    expect((await stand.call('POST', `${path}/cancel`, {})).status).toBe(200);
    await stand.wait(60);
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'planned' }]);
    await stand.gateway.bank.setBehaviour({});
    await stand.wait(900);
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'cancelled' }]);
    await expect(tryToPay(code)).rejects.toThrow();
  });

  test('is removed too if it was being made when the cycle was cancelled', async () => {
    const created = await givenVarying();
    const path = `/subscriptions/${created.id}/cycles/1`;
    expect((await stand.call('PUT', path, { amount: 5 })).status).toBe(200);
    const { psp } = atHouse(stand.gateway.deps);
    const isMade = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    onTestFinished(() => answer.resolve());
    const spy = vi.spyOn(psp, 'createCharge').mockImplementationOnce(async (order) => {
      spy.mockRestore();
      const made = await psp.createCharge(order);
      isMade.resolve();
      await answer.promise;
      return made;
    });
    const asked = stand.codeForFirstCycle(created);
    await isMade.promise;
    expect((await stand.call('POST', `${path}/cancel`, {})).status).toBe(200);
    await stand.work();
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'planned' }]);
    answer.resolve();
    const code = (await asked) ?? '';
    await stand.wait(900);
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'cancelled' }]);
    await expect(tryToPay(code)).rejects.toThrow();
  });

  test('about whose Pix the merchant still decides stops no other work, and pays the cycle if it is accepted', async () => {
    const rules = { other_payer: null, late: null, doubled: null };
    await stand.call('PUT', '/payer-rules', { ...rules, other_payer: 'hold' });
    const { created, path, code } = await givenCode();
    await stand.gateway.bank.pay({ brCode: code });
    await stand.wait(60);
    expect((await stand.call('POST', `${path}/cancel`, {})).status).toBe(200);
    const removals = vi.spyOn(atHouse(stand.gateway.deps).psp, 'removeCharge');
    await stand.wait(60);
    expect(removals.mock.calls.length).toBeLessThanOrEqual(1);
    removals.mockRestore();
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'cancelled' }]);
    const { body } = await stand.call('GET', '/held-pix');
    const [held] = (body as { data: { id: string }[] }).data;
    expect((await stand.call('POST', `/held-pix/${held?.id}/accept`, {})).status).toBe(200);
    await stand.wait(60);
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'paid' }]);
    await stand.call('PUT', '/payer-rules', rules);
  });

  test('ends with the debit of a cycle that the bank has scheduled', async () => {
    const created = await stand.givenScheduled();
    const code = (await stand.codeForFirstCycle(created)) ?? '';
    expect((await stand.call('POST', `/subscriptions/${created.id}/cycles/1/cancel`, {})).status).toBe(200);
    await stand.wait(60);
    expect(await stand.cyclesOf(created)).toMatchObject([{ status: 'cancelled' }]);
    await expect(tryToPay(code)).rejects.toThrow();
    await stand.goTo(daysAfter(stand.today(), 7), 12);
    expect(await stand.creditedCents(created)).toBe(0);
  });

  test('ends with the subscription too, and so does its first payment', async () => {
    const { created, code } = await givenCode();
    const unpaid = await stand.given({
      authorization: 'pay',
      first_payment: { amount: 30 },
      first_day: daysAfter(stand.today(), 20),
    });
    for (const { id } of [created, unpaid])
      expect((await stand.call('POST', `/subscriptions/${id}/cancel`, {})).status).toBe(200);
    await stand.wait(60);
    for (const one of [created, unpaid])
      expect(await stand.chargesOf(one)).toMatchObject([{ status: 'expired' }]);
    await expect(tryToPay(code)).rejects.toThrow();
  });

  test('stays if the cycle was given up, because it is owed', async () => {
    const created = await stand.givenScheduled({ retry_days: [] });
    const none = [{ fromHour: 0, amount: 0 }];
    await stand.gateway.bank.control('PUT', `${await stand.recOf(created)}/debits`, { funds: none });
    await stand.goTo(daysAfter(await stand.firstDebitDay(created), 1), 12);
    expect((await stand.cyclesOf(created)).at(-1)).toMatchObject({ status: 'given_up' });
    const code = (await stand.codeForFirstCycle(created)) ?? '';
    expect((await stand.call('POST', `/subscriptions/${created.id}/cancel`, {})).status).toBe(200);
    await stand.wait(600);
    await tryToPay(code);
    await stand.wait(60);
    expect((await stand.cyclesOf(created)).at(-1)).toMatchObject({ status: 'paid' });
  });

  test.each(['removeCharge', 'createMandate'] as const)(
    'and the first payment of a subscription that it ends is removed later if %s had no answer',
    async (failing) => {
      const { psp } = atHouse(stand.gateway.deps);
      const fails = async () => {
        throw new PspUnknown('no answer');
      };
      const mandates = vi.spyOn(stand.recurring, 'createMandate');
      if (failing === 'createMandate') mandates.mockImplementation(fails);
      const unpaid = await stand.given({
        authorization: 'pay',
        first_payment: { amount: 30 },
        first_day: daysAfter(stand.today(), 20),
      });
      const [removals, looks] = [vi.spyOn(psp, 'removeCharge'), vi.spyOn(psp, 'findCharge')];
      if (failing === 'removeCharge') for (const call of [removals, looks]) call.mockImplementation(fails);
      expect((await stand.call('POST', `/subscriptions/${unpaid.id}/cancel`, {})).status).toBe(200);
      await stand.wait(60);
      for (const call of [mandates, removals, looks]) call.mockRestore();
      await stand.wait(3600);
      await stand.wait(3600);
      expect(await stand.chargesOf(unpaid)).toMatchObject([{ status: 'expired' }]);
      expect((await stand.read(unpaid)).mandate.status).toBe('cancelled');
    },
  );
});
