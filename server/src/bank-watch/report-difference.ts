import { sql } from 'kysely';
import type { TimeWindow } from '../calendar-day.ts';
import { texts } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type NewOpenItem, type OpenItemKind, openItemReturningPrevious } from './open-item.ts';

/** Part of a day. */
export type DayWindow = TimeWindow & { readonly day: string };

/** Returns the number of open differences: none if an administrator has explained it. */
export async function reportDifference(deps: Deps, item: NewOpenItem): Promise<number> {
  const put = await inTransaction(deps, (tx) => openItemReturningPrevious(tx, item));
  if (put === 'opened') deps.log.error({ ...item }, "the bank's list differs from the ledger");
  return put === 'explained' ? 0 : 1;
}

/** Which of these references already have an item of this kind: open, or closed by an administrator. */
export async function findItems(
  db: Db,
  kind: OpenItemKind,
  references: readonly string[],
): Promise<Map<string, 'standing' | 'explained'>> {
  if (references.length === 0) return new Map();
  const { rows } = await sql<{ reference: string; stands: boolean }>`
    select reference, bool_or(closed_at is null) as stands from open_items
    where kind = ${kind} and reference = any(${texts(references)}::text[])
      and (closed_at is null or closed_by is not null)
    group by reference
  `.execute(db);
  return new Map(rows.map(({ reference, stands }) => [reference, stands ? 'standing' : 'explained']));
}
