import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** An open item: a discrepancy that the operator examines and closes with evidence. */
export type OpenItemRow = {
  readonly id: string;
  readonly kind: string;
  readonly reference: string;
  readonly merchant_id: number;
  readonly connection_id: number;
  readonly detail: unknown;
  readonly opened_at: Date;
  readonly closed_at: Date | null;
  readonly evidence: string | null;
};

type Page = { readonly limit: number; readonly offset: number };

/** Lists open items, or closed ones; newest first. */
export function listItems(db: Db, closed: boolean, { limit, offset }: Page): Promise<OpenItemRow[]> {
  return db
    .selectFrom('open_items')
    .select([
      'id',
      'kind',
      'reference',
      'merchant_id',
      'connection_id',
      'detail',
      'opened_at',
      'closed_at',
      'evidence',
    ])
    .where('closed_at', closed ? 'is not' : 'is', null)
    .orderBy('opened_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Counts open items, or closed ones. Counting stops at `maxCount`. */
export async function countItems(db: Db, closed: boolean, maxCount: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from open_items where (closed_at is not null) = ${closed} order by opened_at desc limit ${maxCount}
    ) counted
  `.execute(db);
  return rows[0]?.count ?? 0;
}

export function findItem(
  db: Db,
  id: string,
): Promise<Pick<OpenItemRow, 'kind' | 'reference' | 'closed_at'> | undefined> {
  return db
    .selectFrom('open_items')
    .select(['kind', 'reference', 'closed_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export function lockItem(tx: Tx, id: string): Promise<OpenItemRow | undefined> {
  return tx.db.selectFrom('open_items').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export function closeLockedItem(
  tx: Tx,
  id: string,
  closure: { readonly evidence: string; readonly closedBy: number },
): Promise<OpenItemRow> {
  return tx.db
    .updateTable('open_items')
    .set({ closed_at: tx.now, closed_by: closure.closedBy, evidence: closure.evidence })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

const isWithdrawalUnfinished = ({ merchant_id, reference }: OpenItemRow) => sql`exists (
  select from withdrawals
  where merchant_id = ${merchant_id} and id::text = ${reference} and status in ('pending', 'processing'))`;
const isRefundUnfinished = ({ merchant_id, reference }: OpenItemRow) => sql`exists (
  select from refunds where merchant_id = ${merchant_id} and id::text = ${reference} and status = 'processing')`;

/**
 * SQL conditions that are true while the cause of an item still exists. Only for kinds whose cause is visible in the
 * database.
 */
const causeConditions: Readonly<Record<string, (item: OpenItemRow) => RawBuilder<unknown>>> = {
  'withdrawal-in-doubt': isWithdrawalUnfinished,
  'withdrawal-differs': isWithdrawalUnfinished,
  'payout-not-debited': isWithdrawalUnfinished,
  'refund-in-doubt': isRefundUnfinished,
  'refund-not-debited': isRefundUnfinished,
  'bank-balance-low': () => sql`exists (select from bank_balance where below_since is not null)`,
  // Recording a bank movement deletes the last comparison. Until the next one, the difference counts as existing.
  'balance-differs': () => sql`not exists (select from balance_comparison where difference_cents = 0)`,
  'received-differs': ({
    connection_id,
    reference,
    detail,
  }) => sql`${JSON.stringify(detail)}::jsonb ->> 'differs' = 'missing'
    and not exists (
      select from received_pix where end_to_end_id = ${reference} and connection_id = ${connection_id})`,
};

/** Whether the database shows that the cause of a locked item still exists; false for kinds without a condition. */
export async function doesCauseExist(tx: Tx, item: OpenItemRow): Promise<boolean> {
  const condition = causeConditions[item.kind]?.(item);
  if (condition === undefined) return false;
  const { rows } = await sql<{ exists: boolean }>`select ${condition} as "exists"`.execute(tx.db);
  return rows[0]?.exists ?? false;
}
