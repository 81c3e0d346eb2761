import { sql } from 'kysely';
import type { TimeWindow } from '../calendar-day.ts';
import { textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import type { AtBank } from '../psp/index.ts';
import { type NewOpenItem, type OpenItemKind, openItemWithState } from './open-item.ts';

/** An item about a difference, found at the account whose bank's lists are compared. */
export type AccountDifference = Omit<NewOpenItem, 'connectionId'>;

/** A window of time: a calendar day, or a part of one. */
export type DayWindow = TimeWindow & { readonly day: string };

/**
 * Opens an item for the operator about a difference at the account of the comparison. Returns the number of differences
 * to count: 1, or 0 if an administrator has closed an item with the same detail (`explained`).
 */
export async function reportDifference(deps: AtBank, difference: AccountDifference): Promise<number> {
  const item = { ...difference, connectionId: deps.connection.id };
  const state = await inTransaction(deps, (tx) => openItemWithState(tx, item));
  if (state === 'new') deps.log.error({ ...item }, "the bank's list differs from the ledger");
  return state === 'explained' ? 0 : 1;
}

/**
 * Returns the states of the items of this kind with these references, by reference. `explained`: an administrator
 * closed the item. Items that the gateway itself closed are left out. `connectionId`: the account at which the items
 * were found, for references that only its bank knows; omitted for our own ids.
 */
export async function findItemStates(
  db: Db,
  kind: OpenItemKind,
  references: readonly string[],
  connectionId?: number,
): Promise<Map<string, 'open' | 'explained'>> {
  if (references.length === 0) return new Map();
  const { rows } = await sql<{ reference: string; isOpen: boolean }>`
    select reference, bool_or(closed_at is null) as "isOpen" from open_items
    where kind = ${kind} and reference = any(${textArray(references)}::text[])
      and (${connectionId ?? null}::int is null or connection_id = ${connectionId ?? null})
      and (closed_at is null or closed_by is not null)
    group by reference
  `.execute(db);
  return new Map(rows.map(({ reference, isOpen }) => [reference, isOpen ? 'open' : 'explained']));
}
