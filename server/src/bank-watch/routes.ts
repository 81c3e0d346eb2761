import {
  adminBankMovements,
  adminCloseItem,
  adminOpenItems,
  adminReconciliation,
  adminRecordBankMovement,
  brlFromCents,
  centsFromBrl,
  type ResponseOf,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { requireFactor } from '../identity/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { readLastBalanceComparison } from './balance-store.ts';
import {
  type BankMovement,
  countBankMovements,
  listBankMovements,
  readUnwithdrawnFeesCents,
} from './bank-movement-store.ts';
import { closeItemManually } from './close-item.ts';
import { type ComparedDay, listComparedDays } from './day-store.ts';
import { recordBankMovement } from './record-bank-movement.ts';
import { countItems, listItems, type OpenItemRow } from './store.ts';

const pageSize = 50;
/** Items are counted only up to this many pages: nobody reads further, and the cost stays bounded. */
const maxPages = 1000;
const maxListedDays = 90;

export function bankWatchRoutes(deps: Deps): Route[] {
  const { db } = deps;
  return [
    route(adminOpenItems, async ({ query: { closed, page } }) => {
      const [items, total] = await Promise.all([
        listItems(db, closed, { limit: pageSize, offset: (page - 1) * pageSize }),
        countItems(db, closed, pageSize * maxPages),
      ]);
      return { items: items.map(itemFrom), total, page, limit: pageSize };
    }),
    route(adminCloseItem, async ({ params, body, caller, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const closure = { evidence: body.evidence, closedBy: caller.userId };
      return itemFrom(await closeItemManually(deps, params.id, closure));
    }),
    route(adminBankMovements, async ({ query: { page } }) => {
      const [movements, total, feesCents] = await Promise.all([
        listBankMovements(db, { limit: pageSize, offset: (page - 1) * pageSize }),
        countBankMovements(db),
        readUnwithdrawnFeesCents(db),
      ]);
      return {
        movements: movements.map(movementFrom),
        total,
        page,
        limit: pageSize,
        fees_balance: brlFromCents(feesCents),
      };
    }),
    route(adminRecordBankMovement, async ({ body, caller, stepUp, idempotency }) => {
      await requireFactor(deps, caller, stepUp);
      const { kind, description, happened_at } = body;
      const request = {
        kind,
        description,
        amountCents: centsFromBrl(body.amount) ?? 0,
        happenedAt: happened_at === undefined ? deps.clock.now() : new Date(happened_at),
        recordedBy: caller.userId,
      };
      return movementFrom(await recordBankMovement(deps, request, idempotency));
    }),
    route(adminReconciliation, async () => {
      const [days, comparison] = await Promise.all([
        listComparedDays(db, HOUSE_CONNECTION, maxListedDays),
        readLastBalanceComparison(db),
      ]);
      return {
        days: days.map(dayFrom),
        balance:
          comparison === undefined
            ? null
            : {
                compared_at: comparison.at.toISOString(),
                difference:
                  comparison.differenceCents === undefined ? null : brlFromCents(comparison.differenceCents),
              },
      };
    }),
  ];
}

function movementFrom(movement: BankMovement): ResponseOf<typeof adminRecordBankMovement> {
  return {
    id: movement.id,
    kind: movement.kind,
    amount: brlFromCents(movement.amountCents),
    description: movement.description,
    happened_at: movement.happenedAt.toISOString(),
    recorded_at: movement.recordedAt.toISOString(),
  };
}

function dayFrom(day: ComparedDay): ResponseOf<typeof adminReconciliation>['days'][number] {
  return {
    day: day.day,
    compared_at: day.comparedAt.toISOString(),
    received: brlFromCents(day.receivedCents),
    returned: brlFromCents(day.returnedCents),
    sent: brlFromCents(day.sentCents),
    differences: day.differences,
  };
}

function itemFrom(row: OpenItemRow): ResponseOf<typeof adminCloseItem> {
  return {
    id: row.id,
    kind: row.kind,
    reference: row.reference,
    user_id: row.merchant_id === 0 ? null : String(row.merchant_id),
    // Only `open-item.ts` writes this column, and always an object.
    detail: row.detail as Record<string, unknown>,
    opened_at: row.opened_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    evidence: row.evidence,
  };
}
