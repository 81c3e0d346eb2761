import type { CustomerPage } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import { readNextDebits } from './next-debits.ts';
import { stateOf } from './payer-page.ts';
import { findMandates, listSubscriptions } from './store.ts';

/** More subscriptions of one customer are not read, which bounds the cost of a page that anybody may open. */
const maxShown = 50;

/** The subscriptions of a customer that have not ended, newest first, as the customer's page shows them. */
export async function readCustomerSubscriptions(
  db: Db,
  { merchantId, customerId }: { readonly merchantId: number; readonly customerId: string },
): Promise<CustomerPage['subscriptions']> {
  const all = await listSubscriptions(db, merchantId, { customerId, hasEnded: false }, { limit: maxShown });
  const ids = all.map(({ id }) => id);
  const [mandates, debits] = await Promise.all([
    findMandates(db, merchantId, ids),
    readNextDebits(db, merchantId, ids),
  ]);
  return all.flatMap((subscription) => {
    const mandate = mandates.get(subscription.id);
    const { contract, description, amountCents, period, firstDay } = subscription;
    if (mandate === undefined) return [];
    const found = { subscription, mandate };
    const nextDay = debits.dayOf(found);
    return [{ id: contract, description, amountCents, period, firstDay, nextDay, state: stateOf(found) }];
  });
}
