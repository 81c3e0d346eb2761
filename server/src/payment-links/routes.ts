import { createPaymentLink, getPaymentLink, listPaymentLinks, updatePaymentLink } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { decodeCursor, encodeCursor } from '../list-cursor.ts';
import { Refusal } from '../refusal.ts';
import { type StoredPaymentLink, toPaymentLinkResponse } from './payment-link.ts';
import { findLastScannedLink, findLink, listLinks } from './store.ts';
import { changeLink, createLink } from './write-link.ts';

/** The endpoints of payment links. Each is declared in the contract and handled by one operation of this module. */
export function paymentLinkRoutes(deps: Deps): Route[] {
  const toResponse = (link: StoredPaymentLink) =>
    toPaymentLinkResponse(link, deps.config.publicUrl, deps.clock.now());
  return [
    route(listPaymentLinks, async ({ query, caller }) => {
      const filter = { merchantId: caller.accountId, status: query.status, now: deps.clock.now() };
      const position = {
        limit: query.limit + 1,
        ...(query.before !== undefined && { after: decodeCursor(query.before) }),
      };
      // One row more than the page holds shows whether another page follows.
      const rows = await listLinks(deps.db, filter, position);
      const links = rows.slice(0, query.limit);
      const hasMore = rows.length > query.limit;
      // A list with a filter stops after a limited number of scanned links. The next page then begins where it stopped.
      const lastLink = hasMore ? links.at(-1) : await findLastScannedLink(deps.db, filter, position);
      return { data: links.map(toResponse), next: lastLink === undefined ? null : encodeCursor(lastLink) };
    }),
    route(createPaymentLink, async ({ body, caller, idempotency }) =>
      toResponse(await createLink(deps, caller.accountId, body, idempotency)),
    ),
    route(getPaymentLink, async ({ params, caller }) => {
      const link = await findLink(deps.db, caller.accountId, params.id);
      if (link === undefined) throw new Refusal('PAYMENT_LINK_NOT_FOUND');
      return toResponse(link);
    }),
    route(updatePaymentLink, async ({ params, body, caller }) =>
      toResponse(await changeLink(deps, caller.accountId, params.id, body)),
    ),
  ];
}
