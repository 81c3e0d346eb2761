import { getCustomer, mayDo } from '@jangada/contract';
import { customerResponse, findCustomer } from '../customers/index.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { readTotals } from './owed.ts';

/** The endpoints that tell what customers owe. */
export function customerChargeRoutes(deps: Deps): Route[] {
  return [
    route(getCustomer, async ({ params, caller }) => {
      const customer = await findCustomer(deps.db, caller.accountId, params.id);
      if (customer === undefined) throw new Refusal('CUSTOMER_NOT_FOUND');
      const key = { merchantId: caller.accountId, customerId: customer.id };
      // A cashier sees the charges that they created today, and no sums of others.
      const totals = mayDo(caller.memberRole, 'read-charges') ? await readTotals(deps, key) : null;
      return { ...(await customerResponse(deps, caller, customer)), totals };
    }),
  ];
}
