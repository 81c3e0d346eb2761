import { adminCloseItem, adminOpenItems, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { closeItemByHand } from './close-item.ts';
import { countItems, listItems, type OpenItemRow } from './store.ts';

const limit = 50;
/** Counting ends there: so do the pages that may be asked for. */
const mostPages = 1000;

export function bankWatchRoutes(deps: Deps): Route[] {
  const { db } = deps;
  return [
    route(adminOpenItems, async ({ query: { closed, page } }) => {
      const [items, total] = await Promise.all([
        listItems(db, closed, { limit, offset: (page - 1) * limit }),
        countItems(db, closed, limit * mostPages),
      ]);
      return { items: items.map(itemFrom), total, page, limit };
    }),
    route(adminCloseItem, async ({ params, body, caller }) =>
      itemFrom(await closeItemByHand(deps, params.id, { evidence: body.evidence, closedBy: caller.userId })),
    ),
  ];
}

function itemFrom(row: OpenItemRow): ResponseOf<typeof adminCloseItem> {
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    user_id: row.merchant_id === 0 ? null : String(row.merchant_id),
    // Written by openItem alone, always as an object.
    detail: row.detail as Record<string, unknown>,
    opened_at: row.opened_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    evidence: row.evidence,
  };
}
