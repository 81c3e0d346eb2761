import type { DisputeStatus } from '@jangada/contract';
import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import { lockSeveral } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { PLATFORM } from '../ledger/index.ts';
import type { BankDispute } from '../psp/index.ts';
import type { StoredDispute, ToldDispute } from './dispute.ts';
import { type ContestedPix, findDisputedPixOf } from './disputed-pix-store.ts';

type Reader = Db | Tx['db'];

const columns = [
  'merchant_id',
  'id',
  'connection_id',
  'bank_dispute_id',
  'protocol',
  'charge_id',
  'end_to_end_id',
  'status',
  'bank_status',
  'reason',
  'disputed_cents',
  'claimed_cents',
  'blocked_cents',
  'shortfall_cents',
  'returned_cents',
  'deadline_at',
  'defence',
  'defended_at',
  'defence_sent_at',
  'warned_hours',
  'due_at',
  'opened_at',
  'resolved_at',
] as const satisfies readonly (keyof DB['disputes'])[];

export const disputeColumns = sql.join(columns.map((column) => sql.ref(`disputes.${column}`)));

export type DisputeRow = {
  merchant_id: number;
  id: string;
  connection_id: number;
  bank_dispute_id: string;
  protocol: string;
  charge_id: string | null;
  end_to_end_id: string;
  status: string;
  bank_status: string;
  reason: string;
  disputed_cents: number;
  claimed_cents: number;
  blocked_cents: number;
  shortfall_cents: number;
  returned_cents: number;
  deadline_at: Date;
  defence: string | null;
  defended_at: Date | null;
  defence_sent_at: Date | null;
  warned_hours: number | null;
  due_at: Date | null;
  opened_at: Date;
  resolved_at: Date | null;
};

export function disputeFromRow(row: DisputeRow): StoredDispute {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    connectionId: row.connection_id,
    bankDisputeId: row.bank_dispute_id,
    protocol: row.protocol,
    chargeId: row.charge_id,
    endToEndId: row.end_to_end_id,
    // The table's CHECKs admit only these words.
    status: row.status as DisputeStatus,
    bankStatus: row.bank_status as StoredDispute['bankStatus'],
    reason: row.reason,
    disputedCents: row.disputed_cents,
    claimedCents: row.claimed_cents,
    blockedCents: row.blocked_cents,
    shortfallCents: row.shortfall_cents,
    returnedCents: row.returned_cents,
    deadlineAt: row.deadline_at,
    defence: row.defence,
    defendedAt: row.defended_at,
    defenceSentAt: row.defence_sent_at,
    warnedHours: row.warned_hours,
    dueAt: row.due_at,
    openedAt: row.opened_at,
    resolvedAt: row.resolved_at,
  };
}

export type NewDispute = Omit<StoredDispute, 'defence' | 'defendedAt' | 'defenceSentAt'>;

/** Stores a dispute. Returns false if the dispute is known already. */
export async function insertDispute(tx: Tx, dispute: NewDispute): Promise<boolean> {
  const inserted = await tx.db
    .insertInto('disputes')
    .values({
      merchant_id: dispute.merchantId,
      id: dispute.id,
      connection_id: dispute.connectionId,
      bank_dispute_id: dispute.bankDisputeId,
      protocol: dispute.protocol,
      charge_id: dispute.chargeId,
      end_to_end_id: dispute.endToEndId,
      status: dispute.status,
      bank_status: dispute.bankStatus,
      reason: dispute.reason,
      disputed_cents: dispute.disputedCents,
      claimed_cents: dispute.claimedCents,
      blocked_cents: dispute.blockedCents,
      shortfall_cents: dispute.shortfallCents,
      returned_cents: dispute.returnedCents,
      deadline_at: dispute.deadlineAt,
      warned_hours: dispute.warnedHours,
      due_at: dispute.dueAt,
      opened_at: dispute.openedAt,
      updated_at: tx.now,
      resolved_at: dispute.resolvedAt,
    })
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'connection_id', 'bank_dispute_id']).doNothing(),
    )
    .returning('id')
    .execute();
  return inserted.length > 0;
}

/**
 * Finds a merchant's dispute by the bank's id, which is known at its own account only. Does not lock it, because the
 * balances must be locked before a dispute.
 */
export async function findDisputeByBankId(
  tx: Tx,
  merchantId: number,
  { connectionId, disputeId }: Pick<ToldDispute, 'connectionId' | 'disputeId'>,
): Promise<StoredDispute | undefined> {
  const row = await tx.db
    .selectFrom('disputes')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('connection_id', '=', connectionId)
    .where('bank_dispute_id', '=', disputeId)
    .executeTakeFirst();
  return row && disputeFromRow(row);
}

/** Locks a dispute. If the caller is going to move money, it must have locked the merchant's balances before. */
export async function lockDispute(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<StoredDispute | undefined> {
  const row = await tx.db
    .selectFrom('disputes')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && disputeFromRow(row);
}

/**
 * Locks the disputes for which the bank may take money of a Pix, in the order in which taken money is attributed to
 * them: the open one first, then the newest lost one that is not fully returned. Claimed amounts do not matter for the
 * order, since an earlier dispute may have claimed all the money that a later one also disputes.
 */
export async function lockOpenAndLostDisputes(
  tx: Tx,
  merchantId: number,
  { connectionId, endToEndId }: ContestedPix,
): Promise<StoredDispute[]> {
  const { rows } = await sql<DisputeRow>`
    select ${disputeColumns} from disputes
    where merchant_id = ${merchantId} and connection_id = ${connectionId} and end_to_end_id = ${endToEndId}
      and status in ('open', 'lost')
    order by status = 'open' desc, returned_cents < disputed_cents desc, opened_at desc, id desc
    for update
  `.execute(tx.db);
  return rows.map(disputeFromRow);
}

/**
 * Sums the amounts that the disputes of a locked Pix already claim (`claimedCents`), and the returns that the bank made
 * on its own but that none of these disputes accounts for (`otherReturnsCents`). In integer cents.
 */
export async function sumDisputeClaims(
  tx: Tx,
  merchantId: number,
  { connectionId, endToEndId }: ContestedPix,
): Promise<{ claimedCents: number; otherReturnsCents: number }> {
  const { rows } = await sql<{ claimed: number; returned: number; accounted: number }>`
    select coalesce(sum(blocked_cents + shortfall_cents), 0)::bigint as claimed,
           coalesce(sum(returned_cents), 0)::bigint as accounted,
           (select coalesce(sum(amount_cents), 0)::bigint from refunds
            where merchant_id = ${merchantId} and connection_id = ${connectionId} and end_to_end_id = ${endToEndId}
              and origin = 'bank' and status = 'completed') as returned
    from disputes
    where merchant_id = ${merchantId} and connection_id = ${connectionId} and end_to_end_id = ${endToEndId}
  `.execute(tx.db);
  const { claimed = 0, returned = 0, accounted = 0 } = rows[0] ?? {};
  return { claimedCents: claimed, otherReturnsCents: Math.max(returned - accounted, 0) };
}

export function hasOpenDispute(
  tx: Tx,
  merchantId: number,
  { connectionId, endToEndId }: ContestedPix,
): Promise<boolean> {
  return tx.db
    .selectFrom('disputes')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('connection_id', '=', connectionId)
    .where('end_to_end_id', '=', endToEndId)
    .where('status', '=', 'open')
    .executeTakeFirst()
    .then((row) => row !== undefined);
}

export type DisputeUpdate = Partial<
  Pick<
    StoredDispute,
    | 'status'
    | 'bankStatus'
    | 'claimedCents'
    | 'blockedCents'
    | 'shortfallCents'
    | 'returnedCents'
    | 'deadlineAt'
    | 'defence'
    | 'defendedAt'
    | 'defenceSentAt'
    | 'warnedHours'
    | 'dueAt'
    | 'resolvedAt'
  >
>;

/** Updates only the fields of a locked dispute that `change` contains. */
export async function updateDispute(
  tx: Tx,
  { merchantId, id }: Pick<StoredDispute, 'merchantId' | 'id'>,
  change: DisputeUpdate,
): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('disputes')
    .set({
      status: change.status,
      bank_status: change.bankStatus,
      claimed_cents: change.claimedCents,
      blocked_cents: change.blockedCents,
      shortfall_cents: change.shortfallCents,
      returned_cents: change.returnedCents,
      deadline_at: change.deadlineAt,
      defence: change.defence,
      defended_at: change.defendedAt,
      defence_sent_at: change.defenceSentAt,
      warned_hours: change.warnedHours,
      resolved_at: change.resolvedAt,
      due_at: change.dueAt,
      updated_at: tx.now,
    })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  invariant(numUpdatedRows === 1n, 'a dispute that was locked is there');
}

/** Locks a merchant's disputes with a shortfall, oldest first. The merchant's balances must be locked before. */
export async function lockDisputesWithShortfall(tx: Tx, merchantId: number): Promise<StoredDispute[]> {
  const rows = await tx.db
    .selectFrom('disputes')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('shortfall_cents', '>', 0)
    .orderBy('opened_at')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(disputeFromRow);
}

/**
 * Returns the status that we last stored for each dispute that the bank of an account listed, by the bank's id. Unknown
 * disputes are absent.
 */
export async function readBankStatuses(
  db: Db,
  connectionId: number,
  listed: readonly BankDispute[],
): Promise<Map<string, BankDispute['status']>> {
  if (listed.length === 0) return new Map();
  const owners = await findOwners(
    db,
    connectionId,
    listed.map(({ endToEndId }) => endToEndId),
  );
  const { rows } = await sql<{ bank_dispute_id: string; bank_status: BankDispute['status'] }>`
    select disputes.bank_dispute_id, disputes.bank_status
    from unnest(${numberArray(owners)}::bigint[], ${textArray(listed.map(({ disputeId }) => disputeId))}::text[])
      listed (merchant_id, bank_dispute_id)
    join disputes using (merchant_id, bank_dispute_id)
    where disputes.connection_id = ${connectionId}
  `.execute(db);
  return new Map(rows.map((row) => [row.bank_dispute_id, row.bank_status]));
}

/** Returns the merchants of the Pix that the bank of an account names, in the same order; the platform if unknown. */
async function findOwners(
  db: Reader,
  connectionId: number,
  endToEndIds: readonly string[],
): Promise<number[]> {
  const pix = await findDisputedPixOf(db, connectionId, endToEndIds);
  return endToEndIds.map((endToEndId) => pix.get(endToEndId)?.merchantId ?? PLATFORM);
}

/**
 * Makes the open disputes of these Pix at an account due now. Returns the Pix that have any dispute there, open or
 * ended.
 */
export async function makeDisputesDue(
  tx: Tx,
  connectionId: number,
  endToEndIds: readonly string[],
): Promise<Set<string>> {
  const owners = await findOwners(tx.db, connectionId, endToEndIds);
  const { rows } = await sql<{ end_to_end_id: string }>`
    with disputed_pix as (
      select merchant_id, end_to_end_id
      from unnest(${numberArray(owners)}::bigint[], ${textArray(endToEndIds)}::text[])
        requested (merchant_id, end_to_end_id)
    ), made_due as (
      update disputes set due_at = ${tx.now}
      from (
        select disputes.merchant_id, disputes.id
        from disputed_pix join disputes using (merchant_id, end_to_end_id)
        where connection_id = ${connectionId} and status = 'open'
        order by disputes.merchant_id, disputes.id
        ${lockSeveral('for update', 'disputes')}
      ) open
      where disputes.merchant_id = open.merchant_id and disputes.id = open.id and disputes.status = 'open'
    )
    select distinct end_to_end_id from disputed_pix join disputes using (merchant_id, end_to_end_id)
    where connection_id = ${connectionId}
  `.execute(tx.db);
  return new Set(rows.map((row) => row.end_to_end_id));
}

/** Leases an account's due disputes until `until`, earliest first. */
export async function leaseDueDisputes(
  tx: Tx,
  connectionId: number,
  until: Date,
  limit: number,
): Promise<StoredDispute[]> {
  const { rows } = await sql<DisputeRow>`
    update disputes set due_at = ${until}
    from (
      select merchant_id, id from disputes
      where connection_id = ${connectionId} and due_at <= ${tx.now} order by due_at limit ${limit}
      ${lockSeveral('for update skip locked')}
    ) due
    where disputes.merchant_id = due.merchant_id and disputes.id = due.id and disputes.due_at <= ${tx.now}
    returning ${disputeColumns}
  `.execute(tx.db);
  return rows.map(disputeFromRow);
}

/**
 * The last reading of the disputes at an account. `at`: when the bank's list was last polled. `until`: the moment up to
 * which every listed dispute is booked.
 */
export type DisputePoll = { readonly at: Date; readonly until: Date };

export async function readLastDisputePoll(db: Db, connectionId: number): Promise<DisputePoll | undefined> {
  const row = await db
    .selectFrom('dispute_list_position')
    .select(['read_at', 'read_until'])
    .where('connection_id', '=', connectionId)
    .executeTakeFirst();
  return row && { at: row.read_at, until: row.read_until };
}

export async function saveDisputePoll(
  tx: Tx,
  connectionId: number,
  { at, until }: DisputePoll,
): Promise<void> {
  await sql`
    insert into dispute_list_position (connection_id, read_at, read_until) values (${connectionId}, ${at}, ${until})
    on conflict (connection_id) do update set read_at = excluded.read_at, read_until = excluded.read_until
  `.execute(tx.db);
}

export async function findDispute(
  db: Reader,
  merchantId: number,
  id: string,
): Promise<StoredDispute | undefined> {
  const row = await db
    .selectFrom('disputes')
    .select(columns)
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && disputeFromRow(row);
}

export type DisputePage = {
  readonly disputes: StoredDispute[];
  readonly total: number;
  readonly open: number;
};

/**
 * Lists a page of a merchant's disputes, newest first. `total` counts those with the status, `open` the open ones
 * whatever the status.
 */
export async function listDisputes(
  db: Db,
  merchantId: number,
  { status, limit, offset }: { status: DisputeStatus | undefined; limit: number; offset: number },
): Promise<DisputePage> {
  const statusFilter = status ?? null;
  const [{ rows }, { rows: counts }] = await Promise.all([
    sql<DisputeRow>`
      select ${disputeColumns} from disputes
      where merchant_id = ${merchantId} and (${statusFilter}::text is null or status = ${statusFilter})
      order by opened_at desc, id desc limit ${limit} offset ${offset}
    `.execute(db),
    sql<{ total: number; open: number }>`
      select count(*) filter (where ${statusFilter}::text is null or status = ${statusFilter}) as total,
             count(*) filter (where status = 'open') as open
      from disputes where merchant_id = ${merchantId}
    `.execute(db),
  ]);
  return { disputes: rows.map(disputeFromRow), total: counts[0]?.total ?? 0, open: counts[0]?.open ?? 0 };
}
