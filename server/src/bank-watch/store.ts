import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

export type OpenItemRow = {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly merchant_id: number;
  readonly detail: unknown;
  readonly opened_at: Date;
  readonly closed_at: Date | null;
  readonly evidence: string | null;
};

type Page = { readonly limit: number; readonly offset: number };

/** Open items, or closed ones; newest first. */
export function listItems(db: Db, closed: boolean, { limit, offset }: Page): Promise<OpenItemRow[]> {
  return db
    .selectFrom('open_items')
    .select(['id', 'kind', 'reference', 'merchant_id', 'detail', 'opened_at', 'closed_at', 'evidence'])
    .where('closed_at', closed ? 'is not' : 'is', null)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The number of items, counted up to `atMost`. */
export async function countItems(db: Db, closed: boolean, atMost: number): Promise<number> {
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from (
      select from open_items where (closed_at is not null) = ${closed} order by opened_at desc limit ${atMost}
    ) counted
  `.execute(db);
  return rows[0]?.found ?? 0;
}

export function lockItem(tx: Tx, id: string): Promise<OpenItemRow | undefined> {
  return tx.db.selectFrom('open_items').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function closeLockedItem(
  tx: Tx,
  id: string,
  end: { readonly evidence: string; readonly closedBy: number },
): Promise<OpenItemRow> {
  return tx.db
    .updateTable('open_items')
    .set({ closed_at: tx.now, closed_by: end.closedBy, evidence: end.evidence })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** By kind: whether the cause of an item still exists, where the database can show it. */
const standing = {
  'withdrawal-in-doubt': sql`exists (select from withdrawals where merchant_id = item.merchant_id
    and id::text = item.reference and status in ('pending', 'processing'))`,
  'withdrawal-differs': sql`exists (select from withdrawals where merchant_id = item.merchant_id
    and id::text = item.reference and status in ('pending', 'processing'))`,
  'payout-not-debited': sql`exists (select from withdrawals where merchant_id = item.merchant_id
    and id::text = item.reference and status in ('pending', 'processing'))`,
  'refund-in-doubt': sql`exists (select from refunds where merchant_id = item.merchant_id
    and id::text = item.reference and status = 'processing')`,
  'refund-not-debited': sql`exists (select from refunds where merchant_id = item.merchant_id
    and id::text = item.reference and status = 'processing')`,
  'bank-balance-low': sql`exists (select from bank_balance where below_since is not null)`,
  // No comparison since a movement was recorded: the difference is not known to be gone.
  'balance-differs': sql`not exists (select from balance_comparison where difference_cents = 0)`,
  'received-differs': sql`item.detail ->> 'differs' = 'missing'
    and not exists (select from received_pix where end_to_end_id = item.reference)`,
};

/** Whether the cause of a locked item still exists. */
export async function isItemStillTrue(
  tx: Tx,
  { id, kind }: Pick<OpenItemRow, 'id' | 'kind'>,
): Promise<boolean> {
  const stands = new Map(Object.entries(standing)).get(kind);
  if (stands === undefined) return false;
  const { rows } = await sql<{ stands: boolean }>`
    select ${stands} as stands from open_items item where id = ${id}
  `.execute(tx.db);
  return rows[0]?.stands ?? false;
}
