import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { StoredDispute } from './dispute.ts';
import { type DisputeRow, disputeFrom, selected } from './store.ts';

/** A dispute with the owner's name: the platform's while the owner is unknown. */
export type OperatorDispute = StoredDispute & { readonly ownerName: string };

type DeskRow = DisputeRow & { readonly owner_name: string };

const owned = sql`
  select ${selected}, users.name as owner_name from disputes join users on users.id = disputes.merchant_id`;

/** Counting and paging end here. */
const mostCounted = 50_000;

const views = {
  open: { holds: sql`disputes.status = 'open'`, order: sql`deadline_at, disputes.id` },
  closed: { holds: sql`disputes.status <> 'open'`, order: sql`resolved_at desc, disputes.id desc` },
} as const;

/**
 * Disputes of all merchants: the open ones by their deadline, the others by their end, newest first. In that order they
 * are counted too, by the index: another plan reads the whole table for the few that are open.
 */
export async function listDisputesForOperator(
  db: Db,
  view: keyof typeof views,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<{ readonly disputes: OperatorDispute[]; readonly total: number }> {
  const { holds, order } = views[view];
  const [{ rows }, { rows: counts }] = await Promise.all([
    sql<DeskRow>`${owned} where ${holds} order by ${order} limit ${limit} offset ${offset}`.execute(db),
    sql<{ total: number }>`
      select count(*) as total
      from (select from disputes where ${holds} order by ${order} limit ${mostCounted}) counted
    `.execute(db),
  ]);
  return { disputes: rows.map(deskDisputeFrom), total: counts[0]?.total ?? 0 };
}

export async function findDisputeForOperator(
  db: Db,
  merchantId: number,
  id: string,
): Promise<OperatorDispute | undefined> {
  const { rows } = await sql<DeskRow>`
    ${owned} where disputes.merchant_id = ${merchantId} and disputes.id = ${id}
  `.execute(db);
  return rows[0] && deskDisputeFrom(rows[0]);
}

function deskDisputeFrom(row: DeskRow): OperatorDispute {
  return { ...disputeFrom(row), ownerName: row.owner_name };
}
