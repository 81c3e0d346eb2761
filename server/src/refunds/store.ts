import type { Refund, RefundStatus } from '@jangada/contract';
import { sql, type Updateable } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { isSharded } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { RefundBlockers, StoredRefund } from './refund.ts';

export type RefundKey = Pick<StoredRefund, 'merchantId' | 'id'>;

const columns = [
  'merchant_id',
  'id',
  'connection_id',
  'charge_id',
  'end_to_end_id',
  'external_id',
  'requested_cents',
  'bank_refund_id',
  'rtr_id',
  'origin',
  'status',
  'amount_cents',
  'reason',
  'error_code',
  'error',
  'send_count',
  'lookup_count',
  'not_found_count',
  'last_sent_at',
  'unknown_since',
  'created_at',
  'completed_at',
  'requested_by',
] as const;

type RefundRow = {
  merchant_id: number;
  id: string;
  connection_id: number;
  charge_id: string | null;
  end_to_end_id: string;
  external_id: string | null;
  requested_cents: number | null;
  bank_refund_id: string;
  rtr_id: string | null;
  origin: string;
  status: string;
  amount_cents: number;
  reason: string;
  error_code: string | null;
  error: string | null;
  send_count: number;
  lookup_count: number;
  not_found_count: number;
  last_sent_at: Date | null;
  unknown_since: Date | null;
  created_at: Date;
  completed_at: Date | null;
  requested_by: number | null;
};

function refundFromRow(row: RefundRow): StoredRefund {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    connectionId: row.connection_id,
    chargeId: row.charge_id,
    endToEndId: row.end_to_end_id,
    externalId: row.external_id,
    requestedCents: row.requested_cents,
    bankRefundId: row.bank_refund_id,
    rtrId: row.rtr_id,
    // The table's CHECKs admit only these words.
    origin: row.origin as Refund['origin'],
    madeBy: row.requested_by,
    status: row.status as RefundStatus,
    amountCents: row.amount_cents,
    reason: row.reason,
    errorCode: row.error_code,
    error: row.error,
    sendCount: row.send_count,
    lookupCount: row.lookup_count,
    notFoundCount: row.not_found_count,
    lastSentAt: row.last_sent_at,
    unknownSince: row.unknown_since,
    createdAt: row.created_at,
    completedAt: row.completed_at,
  };
}

const selectRefunds = (db: Db | Tx['db']) => db.selectFrom('refunds').select(columns);

/**
 * Stores a refund that is to be sent at `dueAt`, and wakes the sending loop after the commit. A return that the bank
 * made on its own is not sent: it has no `dueAt` but a `returnedAt`.
 */
export async function insertRefund(
  tx: Tx,
  refund: StoredRefund,
  { dueAt, returnedAt = null }: { dueAt: Date | null; returnedAt?: Date | null },
): Promise<void> {
  if (dueAt !== null) tx.wakeAfterCommit({ hasOrders: true });
  await tx.db
    .insertInto('refunds')
    .values({
      merchant_id: refund.merchantId,
      id: refund.id,
      connection_id: refund.connectionId,
      charge_id: refund.chargeId,
      end_to_end_id: refund.endToEndId,
      external_id: refund.externalId,
      requested_cents: refund.requestedCents,
      bank_refund_id: refund.bankRefundId,
      rtr_id: refund.rtrId,
      origin: refund.origin,
      status: refund.status,
      amount_cents: refund.amountCents,
      reason: refund.reason,
      error_code: refund.errorCode,
      error: refund.error,
      due_at: dueAt,
      created_at: refund.createdAt,
      updated_at: tx.now,
      completed_at: refund.completedAt,
      returned_at: returnedAt,
      requested_by: refund.madeBy,
    })
    .execute();
}

/** Sums the refunds that a member asked for since a moment, without those that failed. */
export async function sumRequestedBy(
  db: Db | Tx['db'],
  { merchantId, requestedBy, from }: { merchantId: number; requestedBy: number; from: Date },
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from refunds
    where merchant_id = ${merchantId} and requested_by = ${requestedBy} and created_at >= ${from} and status <> 'failed'
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

export async function findRefund(
  db: Db | Tx['db'],
  { merchantId, id }: RefundKey,
): Promise<StoredRefund | undefined> {
  const row = await selectRefunds(db)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && refundFromRow(row);
}

/** Reads and locks a refund. Its charge, or its Pix if it has no charge, must be locked first. */
export async function lockRefund(tx: Tx, { merchantId, id }: RefundKey): Promise<StoredRefund> {
  const row = await selectRefunds(tx.db)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return refundFromRow(row);
}

export async function findByExternalId(
  tx: Tx,
  merchantId: number,
  chargeId: string,
  externalId: string,
): Promise<StoredRefund | undefined> {
  const row = await selectRefunds(tx.db)
    .where('merchant_id', '=', merchantId)
    .where('charge_id', '=', chargeId)
    .where('external_id', '=', externalId)
    .executeTakeFirst();
  return row && refundFromRow(row);
}

const maxListed = 100;

/** Lists the refunds of a charge, newest first, at most `maxListed`. */
export async function listRefunds(db: Db, merchantId: number, chargeId: string): Promise<StoredRefund[]> {
  const rows = await selectRefunds(db)
    .where('merchant_id', '=', merchantId)
    .where('charge_id', '=', chargeId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(maxListed)
    .execute();
  return rows.map(refundFromRow);
}

/** Reads the refunds of one received Pix at an account, whatever their status. */
export async function readRefundsOfPix(
  db: Db | Tx['db'],
  { merchantId, endToEndId, connectionId }: Pick<StoredRefund, 'merchantId' | 'endToEndId' | 'connectionId'>,
): Promise<StoredRefund[]> {
  const rows = await selectRefunds(db)
    .where('merchant_id', '=', merchantId)
    .where('end_to_end_id', '=', endToEndId)
    .where('connection_id', '=', connectionId)
    .orderBy('id')
    .execute();
  return rows.map(refundFromRow);
}

/** Reads and locks due refunds of an account, earliest first. Skips those that another transaction has locked. */
export async function lockDueRefunds(tx: Tx, connectionId: number, limit: number): Promise<StoredRefund[]> {
  const due = selectRefunds(tx.db)
    .where('due_at', '<=', tx.now)
    .where('connection_id', '=', connectionId)
    .orderBy('due_at')
    .limit(limit);
  if (!isSharded()) return (await due.forUpdate().skipLocked().execute()).map(refundFromRow);
  // A cluster locks the rows of one merchant at a time. Each is read again, because another process may have had it.
  const locked: StoredRefund[] = [];
  for (const { merchant_id, id } of await due.execute()) {
    const row = await selectRefunds(tx.db)
      .where('merchant_id', '=', merchant_id)
      .where('id', '=', id)
      .where('due_at', '<=', tx.now)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (row !== undefined) locked.push(refundFromRow(row));
  }
  return locked;
}

/** Returns the accounts at which a refund is due. */
export async function findBanksWithDueRefunds(db: Db, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('refunds')
    .select('connection_id')
    .distinct()
    .where('due_at', '<=', now)
    .execute();
  return rows.map((row) => row.connection_id);
}

/** Updates a locked refund. */
export async function updateRefund(
  tx: Tx,
  { merchantId, id }: RefundKey,
  changes: Updateable<DB['refunds']>,
): Promise<StoredRefund> {
  const row = await tx.db
    .updateTable('refunds')
    .set({ ...changes, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
  return refundFromRow(row);
}

/**
 * Reads the reasons against a refund that come from disputes: of its Pix, and of its merchant. A lost dispute counts
 * while the bank may still take the amount that it granted the payer; only then does it have a `due_at`.
 */
export async function readRefundBlockers(
  db: Db | Tx['db'],
  merchantId: number,
  { connectionId, endToEndId }: { readonly connectionId: number; readonly endToEndId: string | null },
): Promise<RefundBlockers> {
  const { rows } = await sql<RefundBlockers>`
    select shortfall_cents > 0 or receivable_cents < 0 as "hasObligation",
           exists (
             select from disputes
             where merchant_id = ${merchantId} and connection_id = ${connectionId} and end_to_end_id = ${endToEndId}
               and (status = 'open' or (status = 'lost' and due_at is not null))) as "inDispute"
    from ledger_balances where merchant_id = ${merchantId} and connection_id = ${connectionId}
  `.execute(db);
  return rows[0] ?? { hasObligation: false, inDispute: false };
}

/**
 * Reads the state of the dispute of the refund's Pix: `open`, or `lost` while the bank may still take the amount that
 * it granted the payer (only then does a lost dispute have a `due_at`). Undefined if the Pix has no such dispute.
 */
export async function readDisputeState(
  tx: Tx,
  { merchantId, connectionId, endToEndId }: Pick<StoredRefund, 'merchantId' | 'connectionId' | 'endToEndId'>,
): Promise<'open' | 'lost' | undefined> {
  const { rows } = await sql<{ status: 'open' | 'lost' }>`
    select status from disputes
    where merchant_id = ${merchantId} and connection_id = ${connectionId} and end_to_end_id = ${endToEndId}
      and (status = 'open' or (status = 'lost' and due_at is not null))
    order by status = 'open' desc limit 1
  `.execute(tx.db);
  return rows[0]?.status;
}

/** Whether the refund's Pix was received for the same merchant, so that nobody gives back the money of another. */
export async function isOfOwnPix(
  tx: Tx,
  { merchantId, connectionId, endToEndId }: Pick<StoredRefund, 'merchantId' | 'connectionId' | 'endToEndId'>,
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('received_pix')
    .select('end_to_end_id')
    .where('end_to_end_id', '=', endToEndId)
    .where('connection_id', '=', connectionId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the ledger debited exactly the refund's amount. */
export async function isRefundDebited(
  tx: Tx,
  { merchantId, id, amountCents }: StoredRefund,
): Promise<boolean> {
  const { rows } = await sql`
    select from ledger_entries
    where merchant_id = ${merchantId} and reference = ${id}
      and event in ('refund requested', 'unmatched return requested') and in_transit_cents = ${amountCents}
  `.execute(tx.db);
  return rows.length === 1;
}

/**
 * Sums the completed and the pending returns of a Pix that no merchant owns, in integer cents. Such a Pix is at the
 * operator's own account.
 */
export async function sumReturnsOfUnmatchedPix(
  tx: Tx,
  endToEndId: string,
): Promise<{ refundedCents: number; refundingCents: number }> {
  const { rows } = await sql<{ refunded: number; refunding: number }>`
    select coalesce(sum(amount_cents) filter (where status = 'completed'), 0)::bigint as refunded,
           coalesce(sum(amount_cents) filter (where status = 'processing'), 0)::bigint as refunding
    from refunds
    where merchant_id = ${PLATFORM} and end_to_end_id = ${endToEndId} and connection_id = ${HOUSE_CONNECTION}
  `.execute(tx.db);
  return { refundedCents: rows[0]?.refunded ?? 0, refundingCents: rows[0]?.refunding ?? 0 };
}
