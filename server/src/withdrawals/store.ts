import type { PixKeyTypeName, WithdrawalStatus } from '@jangada/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { Withdrawal } from './withdrawal.ts';

type Connected = Db | Tx['db'];
export type WithdrawalRow = Selectable<DB['withdrawals']>;
export type WithdrawalColumns = Partial<Insertable<DB['withdrawals']>>;
type Key = Pick<Withdrawal, 'merchantId' | 'id'>;

export function withdrawalFrom(row: WithdrawalRow): Withdrawal {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    idEnvio: row.id_envio,
    // The table's CHECKs admit only these words.
    status: row.status as WithdrawalStatus,
    origin: row.origin as Withdrawal['origin'],
    amountCents: row.amount_cents,
    feeCents: row.fee_cents,
    keyType: row.key_type as PixKeyTypeName,
    pixKey: row.pix_key,
    callbackUrl: row.callback_url,
    endToEndId: row.end_to_end_id,
    errorCode: row.error_code,
    error: row.error,
    returnedCents: row.returned_cents,
    sends: row.sends,
    lookups: row.lookups,
    notFound: row.not_found,
    lastSentAt: row.last_sent_at,
    unknownSince: row.unknown_since,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    completedAt: row.completed_at,
  };
}

export type NewWithdrawal = Pick<
  Withdrawal,
  | 'merchantId'
  | 'id'
  | 'idEnvio'
  | 'origin'
  | 'amountCents'
  | 'feeCents'
  | 'keyType'
  | 'pixKey'
  | 'callbackUrl'
>;

/** Stores a new withdrawal, due now. Locks the merchant's counters: last in its transaction. */
export async function insertWithdrawal(tx: Tx, one: NewWithdrawal): Promise<Withdrawal> {
  const row = await tx.db
    .insertInto('withdrawals')
    .values({
      merchant_id: one.merchantId,
      id: one.id,
      id_envio: one.idEnvio,
      status: 'pending',
      origin: one.origin,
      amount_cents: one.amountCents,
      fee_cents: one.feeCents,
      key_type: one.keyType,
      pix_key: one.pixKey,
      callback_url: one.callbackUrl,
      due_at: tx.now,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return withdrawalFrom(row);
}

export async function findWithdrawal(
  db: Connected,
  merchantId: number,
  id: string,
): Promise<Withdrawal | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && withdrawalFrom(row);
}

/** The same, locked. */
export async function lockWithdrawal(tx: Tx, { merchantId, id }: Key): Promise<Withdrawal | undefined> {
  const row = await tx.db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && withdrawalFrom(row);
}

/** Changes a withdrawal that is locked. One that ends locks the merchant's counters: last in its transaction. */
export async function updateWithdrawal(
  tx: Tx,
  { merchantId, id }: Key,
  change: WithdrawalColumns,
): Promise<Withdrawal> {
  const row = await tx.db
    .updateTable('withdrawals')
    .set({ ...change, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return withdrawalFrom(row);
}

/** The one that is pending or processing, if any. */
export async function findOpenWithdrawal(db: Connected, merchantId: number): Promise<Withdrawal | undefined> {
  const row = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('status', 'in', [sql.lit('pending'), sql.lit('processing')])
    .executeTakeFirst();
  return row && withdrawalFrom(row);
}

/** A page of a merchant's withdrawals, newest first. */
export async function selectWithdrawals(
  db: Db,
  merchantId: number,
  page: { status: WithdrawalStatus | undefined; limit: number; offset: number },
): Promise<Withdrawal[]> {
  const { status, limit, offset } = page;
  const rows = await db
    .selectFrom('withdrawals')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return rows.map(withdrawalFrom);
}

export async function readWithdrawalCounts(db: Db, merchantId: number) {
  return db
    .selectFrom('merchant_counters')
    .select(['pending_withdrawals_count', 'completed_withdrawals_count', 'failed_withdrawals_count'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
}

/** What left since `from` and did not fail, in cents: of one merchant, or of all. */
export async function sumSentSince(
  db: Connected,
  from: Date,
  merchantId: number | undefined,
): Promise<number> {
  const { cents } = await db
    .selectFrom('withdrawals')
    .select(sql<number>`coalesce(sum(amount_cents), 0)::bigint`.as('cents'))
    .where('first_sent_at', '>=', from)
    .where('status', '<>', 'failed')
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .executeTakeFirstOrThrow();
  return cents;
}

/** What waits to leave, of all merchants, in cents. */
export async function sumWaiting(db: Connected): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents
    from withdrawals where status = 'pending'
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/** Whether a dispute left the merchant short, or in debt. */
export async function hasClaims(db: Connected, merchantId: number): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_balances')
    .select(['shortfall_cents', 'receivable_cents'])
    .where('merchant_id', '=', merchantId)
    .executeTakeFirstOrThrow();
  return row.shortfall_cents > 0 || row.receivable_cents < 0;
}
