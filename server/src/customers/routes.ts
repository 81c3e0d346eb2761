import {
  createCustomer as createEndpoint,
  listCustomers as listEndpoint,
  renewCustomerPage,
  updateCustomer as updateEndpoint,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { foldForSearch, seesCustomerDocuments } from './customer.ts';
import { customerResponse, customerResponses } from './customer-response.ts';
import { findLastScannedCustomer, listCustomers } from './store.ts';
import { changeCustomer, createCustomer, renewPage } from './write-customer.ts';

/** The endpoints of the register of customers, but the one that also tells what a customer owes (`customer-charges`). */
export function customerRoutes(deps: Deps): Route[] {
  return [
    route(listEndpoint, async ({ query, caller }) => {
      const search = foldForSearch((query.search ?? '').trim());
      const filter = {
        merchantId: caller.accountId,
        archived: query.status === 'archived',
        externalId: query.external_id,
        search: search === '' ? undefined : withoutPunctuation(search),
        searchesNamesOnly: !seesCustomerDocuments(caller),
      };
      const position = {
        limit: query.limit + 1,
        ...(query.before !== undefined && { after: decodeCursor(query.before) }),
      };
      // One row more than the page holds shows whether another page follows.
      const rows = await listCustomers(deps.db, filter, position);
      const page = rows.slice(0, query.limit);
      const hasMore = rows.length > query.limit;
      const last = hasMore ? page.at(-1) : await findLastScannedCustomer(deps.db, filter, position);
      const data = await customerResponses(deps, caller, page);
      return { data, next: last === undefined ? null : encodeCursor(last) };
    }),
    route(createEndpoint, async ({ body, caller, idempotency }) =>
      customerResponse(deps, caller, await createCustomer(deps, caller, body, idempotency)),
    ),
    route(updateEndpoint, async ({ params, body, caller }) =>
      customerResponse(deps, caller, await changeCustomer(deps, caller, params.id, body)),
    ),
    route(renewCustomerPage, async ({ params, caller }) =>
      customerResponse(deps, caller, await renewPage(deps, caller, params.id)),
    ),
  ];
}

/** A document is stored without the punctuation with which people type it. */
function withoutPunctuation(search: string): string {
  return /^[\d.\-/\s]+$/.test(search) ? search.replace(/\D/g, '') : search;
}
