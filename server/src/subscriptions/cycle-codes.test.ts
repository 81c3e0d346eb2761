import { afterAll, beforeAll, expect, test } from 'vitest';
import { codeOf } from '../../test/given.ts';
import { SubscriptionStand } from '../../test/subscription-stand.ts';
import { daysAfter } from '../calendar-day.ts';

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
