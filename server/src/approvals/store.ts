import type { ApprovalKind, ApprovalStatus } from '@jangada/contract';
import { type Insertable, type Selectable, sql } from 'kysely';
import { textArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { GivenApproval } from './count-approvals.ts';
import type { HistoryEntry, ProvenRequest } from './replay-history.ts';
import { showApprovalChange } from './show-change.ts';

type DbOrTx = Db | Tx['db'];
export type RequestRow = Omit<Selectable<DB['approval_requests']>, 'kind' | 'status'> & {
  readonly kind: ApprovalKind;
  readonly status: ApprovalStatus;
};
export type RequestKey = { readonly merchantId: number; readonly id: string };

// The table's CHECKs admit only these words.
const requestFromRow = (row: Selectable<DB['approval_requests']>) => row as RequestRow;

export async function insertRequest(
  tx: Tx,
  request: Insertable<DB['approval_requests']>,
): Promise<RequestRow> {
  await showApprovalChange(tx, request.merchant_id);
  return requestFromRow(
    await tx.db.insertInto('approval_requests').values(request).returningAll().executeTakeFirstOrThrow(),
  );
}

export async function findRequest(
  db: DbOrTx,
  { merchantId, id }: RequestKey,
): Promise<RequestRow | undefined> {
  const row = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && requestFromRow(row);
}

export async function lockRequest(
  { db }: Tx,
  { merchantId, id }: RequestKey,
): Promise<RequestRow | undefined> {
  const row = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && requestFromRow(row);
}

/** Finds the request about a subject that has not ended. */
export async function findWaitingRequest(
  db: DbOrTx,
  merchantId: number,
  kind: ApprovalKind,
  subject: string,
): Promise<RequestRow | undefined> {
  const row = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('status', 'in', ['open', 'approved'])
    .executeTakeFirst();
  return row && requestFromRow(row);
}

/** Locks the requests of one kind that wait, of an account. */
export async function selectWaitingOfKind(
  { db }: Tx,
  merchantId: number,
  kind: ApprovalKind,
): Promise<RequestRow[]> {
  const rows = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', kind)
    .where('status', 'in', ['open', 'approved'])
    .orderBy('created_at')
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map(requestFromRow);
}

/** Finds the request about an order to the bank, whatever became of it: an order has one at most. */
export async function findOrderRequest(
  db: DbOrTx,
  merchantId: number,
  kind: 'withdrawal' | 'refund',
  orderId: string,
): Promise<RequestRow | undefined> {
  const row = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('kind', '=', kind)
    .where('subject', '=', orderId)
    .executeTakeFirst();
  return row && requestFromRow(row);
}

export type RequestChange =
  | { readonly status: 'open' | 'approved' }
  | {
      readonly status: 'rejected' | 'cancelled' | 'expired';
      readonly ended_at: Date;
      readonly ended_by?: number | null;
      readonly reason?: string | null;
    }
  | {
      readonly status: 'done';
      readonly ended_at: Date;
      /** The `entryCount` of the policy under which its approvals were counted. If the history went on since, the transaction is run again. */
      readonly history_seq: number;
    };

export async function updateRequest(
  tx: Tx,
  { merchant_id, id }: Pick<RequestRow, 'merchant_id' | 'id'>,
  change: RequestChange,
): Promise<void> {
  await showApprovalChange(tx, merchant_id);
  await tx.db
    .updateTable('approval_requests')
    .set(change)
    .where('merchant_id', '=', merchant_id)
    .where('id', '=', id)
    .execute();
}

const maxListed = 100;

/** Lists the requests of an account, newest first: those that wait, or the last that ended. */
export async function selectRequests(
  db: Db,
  merchantId: number,
  filter: { readonly isWaiting: boolean; readonly madeBy?: number },
): Promise<RequestRow[]> {
  const rows = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('status', filter.isWaiting ? 'in' : 'not in', ['open', 'approved'])
    .$if(filter.madeBy !== undefined, (query) => query.where('made_by', '=', filter.madeBy ?? 0))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxListed)
    .execute();
  return rows.map(requestFromRow);
}

export async function selectAllRequests(db: DbOrTx, merchantId: number): Promise<RequestRow[]> {
  const rows = await db
    .selectFrom('approval_requests')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(requestFromRow);
}

/** The names of people. */
export async function selectPeople(db: Db, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'name'])
    .where('id', 'in', [...userIds])
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The requests that have run out of time, in any account. */
export async function selectExpired(db: Db, now: Date): Promise<RequestKey[]> {
  const rows = await db
    .selectFrom('approval_requests')
    .select(['merchant_id', 'id'])
    .where('status', 'in', ['open', 'approved'])
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(100)
    .execute();
  return rows.map(({ merchant_id, id }) => ({ merchantId: merchant_id, id }));
}

export type StoredApproval = GivenApproval & {
  readonly requestId: string;
  readonly name: string;
  readonly approvedAt: Date;
};

/** The approvals of some requests of an account, in the order in which they were given. */
export async function selectApprovals(
  db: DbOrTx,
  merchantId: number,
  requestIds: readonly string[],
): Promise<StoredApproval[]> {
  if (requestIds.length === 0) return [];
  const rows = await db
    .selectFrom('approvals')
    .innerJoin('users', 'users.id', 'approvals.user_id')
    .select(['request_id', 'user_id', 'key_id', 'proof', 'approved_at', 'users.name'])
    .where('merchant_id', '=', merchantId)
    .where('request_id', 'in', [...requestIds])
    .orderBy('approved_at')
    .orderBy('user_id')
    .execute();
  return rows.map((row) => ({
    requestId: row.request_id,
    userId: row.user_id,
    keyId: row.key_id,
    proof: row.proof,
    name: row.name,
    approvedAt: row.approved_at,
  }));
}

/** Stores an approval. Returns false if the person approved the request before. */
export async function insertApproval(
  tx: Tx,
  { merchantId, id }: RequestKey,
  { userId, keyId, proof }: GivenApproval,
): Promise<boolean> {
  await showApprovalChange(tx, merchantId);
  const row = await tx.db
    .insertInto('approvals')
    .values({
      merchant_id: merchantId,
      request_id: id,
      user_id: userId,
      key_id: keyId,
      proof: JSON.stringify(proof),
      approved_at: tx.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteApproval(
  tx: Tx,
  { merchantId, id }: RequestKey,
  userId: number,
): Promise<boolean> {
  await showApprovalChange(tx, merchantId);
  const row = await tx.db
    .deleteFrom('approvals')
    .where('merchant_id', '=', merchantId)
    .where('request_id', '=', id)
    .where('user_id', '=', userId)
    .returning('user_id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an account ever had a policy. Most never did, and cost no more than this. */
export async function hasHistory(db: DbOrTx, merchantId: number): Promise<boolean> {
  const row = await db
    .selectFrom('approval_history')
    .select('seq')
    .where('merchant_id', '=', merchantId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function selectHistory(db: DbOrTx, merchantId: number): Promise<HistoryEntry[]> {
  const rows = await db
    .selectFrom('approval_history')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({
    seq: row.seq,
    kind: row.kind,
    requestId: row.request_id,
    userId: row.user_id,
    keyId: row.key_id,
    pixKey: row.pix_key,
    mark: row.mark,
    at: row.at,
  }));
}

/** The requests to which a history refers, with their approvals. */
export async function selectProvenRequests(
  db: DbOrTx,
  merchantId: number,
  requestIds: readonly string[],
): Promise<Map<string, ProvenRequest>> {
  if (requestIds.length === 0) return new Map();
  const [documents, approvals] = [
    await db
      .selectFrom('approval_requests')
      .select(['id', 'document'])
      .where('merchant_id', '=', merchantId)
      .where('id', 'in', [...requestIds])
      .execute(),
    await selectApprovals(db, merchantId, requestIds),
  ];
  return new Map(
    documents.map(({ id, document }) => [
      id,
      { document, approvals: approvals.filter(({ requestId }) => requestId === id) },
    ]),
  );
}

export async function insertHistory(
  tx: Tx,
  entry: Omit<Insertable<DB['approval_history']>, 'seq' | 'at'>,
): Promise<void> {
  await showApprovalChange(tx, entry.merchant_id);
  await tx.db
    .insertInto('approval_history')
    .values({ ...entry, at: tx.now })
    .execute();
}

/** A person with the role to approve, and the factors that they have now. */
export type Candidate = {
  readonly userId: number;
  readonly name: string;
  readonly email: string;
  readonly passkeys: readonly { readonly id: string; readonly public_key: string }[];
  readonly totp: string | null;
  readonly staffSince: Date | null;
  readonly staffBy: number | null;
};

const factorColumns = sql`
  u.id as "userId", u.name, u.email, u.staff_since as "staffSince", u.staff_by as "staffBy",
  (select 'totp:' || encode(sha256(t.sealed_secret), 'hex') from totp_factors t
   where t.user_id = u.id and t.confirmed_at is not null) as totp,
  coalesce((select jsonb_agg(jsonb_build_object(
      'id', translate(rtrim(replace(encode(p.credential_id, 'base64'), e'\n', ''), '='), '+/', '-_'),
      'public_key', translate(rtrim(replace(encode(p.public_key, 'base64'), e'\n', ''), '='), '+/', '-_'))
      order by p.created_at, p.id)
    from passkeys p where p.user_id = u.id), '[]') as passkeys`;

/** The members who may approve in an account. For the operator (account 0): its administrators. */
export async function selectCandidates(db: DbOrTx, merchantId: number): Promise<Candidate[]> {
  const query =
    merchantId === 0
      ? sql<Candidate>`select ${factorColumns} from users u
          where u.role = 'ADMIN' and u.frozen_at is null order by u.id`
      : sql<Candidate>`select ${factorColumns} from members m join users u on u.id = m.user_id
          where m.merchant_id = ${merchantId} and m.role in ('owner', 'finance') and u.frozen_at is null
          order by m.added_at, u.id`;
  return (await query.execute(db)).rows;
}

/**
 * Returns which of some people still have the role to approve in an account, and locks their membership until commit:
 * who is removed meanwhile is removed afterwards.
 */
export async function lockAllowedApprovers(
  { db }: Tx,
  merchantId: number,
  userIds: readonly number[],
): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const ids = sql.join([...userIds]);
  const query =
    merchantId === 0
      ? sql<{ id: number }>`select id from users
          where id in (${ids}) and role = 'ADMIN' and frozen_at is null order by id for share`
      : sql<{ id: number }>`select m.user_id as id from members m join users u on u.id = m.user_id
          where m.merchant_id = ${merchantId} and m.user_id in (${ids}) and m.role in ('owner', 'finance')
            and u.frozen_at is null
          order by m.user_id for share of m`;
  return new Set((await query.execute(db)).rows.map(({ id }) => id));
}

/**
 * Sums the orders below an amount that left an account, or wait to leave, since a moment, in cents. What keys send to
 * approved destinations has limits of its own and is left out.
 */
export async function sumBelow(
  db: DbOrTx,
  merchantId: number,
  {
    since,
    belowCents,
    exceptId,
    destinations,
  }: {
    readonly since: Date;
    readonly belowCents: number;
    readonly exceptId: string;
    readonly destinations: readonly string[];
  },
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from (
      select amount_cents from withdrawals
      where merchant_id = ${merchantId} and (created_at >= ${since} or stored_at >= now() - interval '1 day')
        and id <> ${exceptId}
        and amount_cents < ${belowCents} and (first_sent_at is not null or status in ('pending', 'processing'))
        and not (origin = 'api' and pix_key = any(${textArray(destinations)}::text[]))
      union all
      select amount_cents from refunds
      where merchant_id = ${merchantId} and (created_at >= ${since} or stored_at >= now() - interval '1 day')
        and id <> ${exceptId}
        and amount_cents < ${belowCents} and origin <> 'bank' and (first_sent_at is not null or status = 'processing')) moved
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/** Sums what API keys sent to a destination, or are about to send, since a moment, in cents. */
export async function sumSentByKeys(
  db: DbOrTx,
  merchantId: number,
  { since, pixKey, exceptId }: { readonly since: Date; readonly pixKey: string; readonly exceptId: string },
): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from withdrawals
    where merchant_id = ${merchantId} and (created_at >= ${since} or stored_at >= now() - interval '1 day')
        and id <> ${exceptId} and origin = 'api'
      and pix_key = ${pixKey} and (first_sent_at is not null or status in ('pending', 'processing'))
  `.execute(db);
  return rows[0]?.cents ?? 0;
}
