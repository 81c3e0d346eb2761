import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { StoredDispute } from './dispute.ts';
import { type DisputeRow, disputeColumns, disputeFromRow } from './store.ts';

/** A dispute with its owner's name, or the platform's name while the owner is unknown. */
export type OperatorDispute = StoredDispute & { readonly ownerName: string };

type OperatorDisputeRow = DisputeRow & { readonly owner_name: string };

const selectWithOwner = sql`
  select ${disputeColumns}, users.name as owner_name from disputes join users on users.id = disputes.merchant_id`;

/** Counting stops at this many disputes, so that a request's cost is bounded. Later ones cannot be paged to. */
const maxCounted = 50_000;

const views = {
  open: { condition: sql`disputes.status = 'open'`, order: sql`deadline_at, disputes.id` },
  closed: { condition: sql`disputes.status <> 'open'`, order: sql`resolved_at desc, disputes.id desc` },
} as const;

/**
 * Lists disputes of all merchants: open ones by their deadline, or closed ones by their end, newest first. The count
 * needs no order, but the same order makes PostgreSQL use the index instead of reading the whole table for the few open
 * disputes.
 */
export async function listDisputesForOperator(
  db: Db,
  view: keyof typeof views,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly disputes: OperatorDispute[]; readonly total: number }> {
  const { condition, order } = views[view];
  const [{ rows }, { rows: counts }] = await Promise.all([
    sql<OperatorDisputeRow>`${selectWithOwner} where ${condition} order by ${order} limit ${limit} offset ${offset}`.execute(
      db,
    ),
    sql<{ total: number }>`
      select count(*) as total
      from (select 1 from disputes where ${condition} order by ${order} limit ${maxCounted}) counted
    `.execute(db),
  ]);
  return { disputes: rows.map(toOperatorDispute), total: counts[0]?.total ?? 0 };
}

export async function findDisputeForOperator(
  db: Db,
  merchantId: number,
  id: string,
): Promise<OperatorDispute | undefined> {
  const { rows } = await sql<OperatorDisputeRow>`
    ${selectWithOwner} where disputes.merchant_id = ${merchantId} and disputes.id = ${id}
  `.execute(db);
  return rows[0] && toOperatorDispute(rows[0]);
}

function toOperatorDispute(row: OperatorDisputeRow): OperatorDispute {
  return { ...disputeFromRow(row), ownerName: row.owner_name };
}
