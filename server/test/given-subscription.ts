import { createSubscription, type Subscription } from '@jangada/contract';
import { calendarDayOf, daysAfter } from '../src/calendar-day.ts';
import { subscriptionLoops } from '../src/subscriptions/index.ts';
import type { TestGateway } from './gateway.ts';
import { type GivenMerchant, parseSuccess } from './given.ts';

/** Does the background work of subscriptions that is due now, and what follows from it at once. */
export async function workOnSubscriptions({ deps }: Pick<TestGateway, 'deps'>): Promise<void> {
  for (let round = 0; round < 20; round += 1) {
    let count = 0;
    for (const { work } of subscriptionLoops) count += await work(deps);
    if (count === 0) return;
  }
}

/**
 * Creates a subscription of varying amount whose payer has allowed the debits, and whose first cycle is planned, for
 * R$ 50,00.
 */
export async function givenSubscription(
  gateway: TestGateway,
  { apiKey }: Pick<GivenMerchant, 'apiKey'>,
): Promise<Subscription> {
  const body = {
    payer: { name: 'Ana Souza', document: '529.982.247-25' },
    description: 'Mensalidade',
    period: 'monthly',
    first_day: daysAfter(calendarDayOf(gateway.deps.clock.now()), 9),
    authorization: 'code',
  };
  const created = await gateway.api('POST', '/subscriptions', body, { apiKey });
  const subscription = parseSuccess(createSubscription.response, created);
  await gateway.bank.control('POST', '/sandbox/recs', { brCode: subscription.code });
  await gateway.advance(60);
  await workOnSubscriptions(gateway);
  await gateway.api('PUT', `/subscriptions/${subscription.id}/cycles/1`, { amount: 50 }, { apiKey });
  return subscription;
}
