import type {
  Authorization,
  MandateStatusShown,
  Metadata,
  SubscriptionEnd,
  SubscriptionPeriod,
  SubscriptionStatus,
} from '@jangada/contract';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { DB } from '../db/schema.ts';
import type { Tx } from '../db/transaction.ts';
import type { ListCursor } from '../list-cursor.ts';
import type { PayerAccount, StoredMandate, StoredSubscription } from './subscription.ts';

// The tables' CHECKs admit only the words of the types that the rows are read as.
type Reader = Db | Tx['db'];
export type SubscriptionKey = Pick<StoredSubscription, 'merchantId' | 'id'>;
function subscriptionFrom(row: Selectable<DB['subscriptions']>): StoredSubscription {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    connectionId: row.connection_id,
    contract: row.contract,
    payer: { name: row.payer_name, document: row.payer_document },
    customerId: row.customer_id,
    description: row.description,
    amountCents: row.amount_cents,
    minMaximumCents: row.min_maximum_cents,
    period: row.period as SubscriptionPeriod,
    firstDay: row.first_day,
    lastDay: row.last_day,
    retryDays: row.retry_days,
    authorizedBy: row.authorized_by as Authorization,
    payerAccount: row.payer_account as PayerAccount | null,
    firstCents: row.first_cents,
    firstDueDay: row.first_due_day,
    firstChargeId: row.first_charge_id,
    externalId: row.external_id,
    metadata: row.metadata as Metadata | null,
    status: row.status as SubscriptionStatus,
    endReason: row.end_reason as SubscriptionEnd | null,
    endedAt: row.ended_at,
    nextNumber: row.next_number,
    planAt: row.plan_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function mandateFrom(row: Selectable<DB['mandates']>): StoredMandate {
  return {
    merchantId: row.merchant_id,
    subscriptionId: row.subscription_id,
    connectionId: row.connection_id,
    locationId: row.location_id,
    idRec: row.id_rec,
    brCode: row.br_code,
    status: row.status as MandateStatusShown,
    allowedBy: row.allowed_by as Authorization | null,
    approvedAt: row.approved_at,
    endedAt: row.ended_at,
    endCode: row.end_code,
    endText: row.end_text,
    endedBy: row.ended_by,
    pushId: row.push_id,
    cancelSince: row.cancel_since,
    checks: row.checks,
    createdAt: row.created_at,
  };
}

export type NewSubscriptionRow = Omit<
  StoredSubscription,
  'status' | 'endReason' | 'endedAt' | 'nextNumber' | 'planAt' | 'updatedAt' | 'firstChargeId'
> & {
  readonly by: {
    readonly requestId: string | null;
    readonly madeWith: string;
    readonly createdBy: number | null;
  };
};

/** Stores a subscription and its mandate, which is due at the bank from `checkAt` on. */
export async function insertSubscription(tx: Tx, row: NewSubscriptionRow, checkAt: Date): Promise<void> {
  await tx.db
    .insertInto('subscriptions')
    .values({
      merchant_id: row.merchantId,
      id: row.id,
      connection_id: row.connectionId,
      contract: row.contract,
      payer_name: row.payer.name,
      payer_document: row.payer.document,
      customer_id: row.customerId,
      description: row.description,
      amount_cents: row.amountCents,
      min_maximum_cents: row.minMaximumCents,
      period: row.period,
      first_day: row.firstDay,
      last_day: row.lastDay,
      retry_days: [...row.retryDays],
      authorized_by: row.authorizedBy,
      payer_account: row.payerAccount && JSON.stringify(row.payerAccount),
      first_cents: row.firstCents,
      first_due_day: row.firstDueDay,
      external_id: row.externalId,
      metadata: row.metadata && JSON.stringify(row.metadata),
      request_id: row.by.requestId,
      made_with: row.by.madeWith,
      created_by: row.by.createdBy,
      created_at: row.createdAt,
      updated_at: row.createdAt,
    })
    .execute();
  await tx.db
    .insertInto('mandates')
    .values({
      merchant_id: row.merchantId,
      subscription_id: row.id,
      connection_id: row.connectionId,
      check_at: checkAt,
      created_at: row.createdAt,
      updated_at: row.createdAt,
    })
    .execute();
}

export async function findSubscription(
  db: Reader,
  { merchantId, id }: SubscriptionKey,
): Promise<StoredSubscription | undefined> {
  const row = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row && subscriptionFrom(row);
}

/** Locks a subscription. Whoever changes it, its mandate or its cycles locks it first. */
export async function lockSubscription(
  tx: Tx,
  { merchantId, id }: SubscriptionKey,
): Promise<StoredSubscription | undefined> {
  const row = await tx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && subscriptionFrom(row);
}

export async function updateSubscription(
  tx: Tx,
  { merchantId, id }: SubscriptionKey,
  changes: Partial<
    Pick<DB['subscriptions'], 'end_reason' | 'ended_at' | 'plan_at' | 'first_charge_id'> & {
      status: SubscriptionStatus;
      next_number: number;
    }
  >,
): Promise<void> {
  await tx.db
    .updateTable('subscriptions')
    .set({ ...changes, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .execute();
}

export async function findMandate(
  db: Reader,
  { merchantId, id }: SubscriptionKey,
): Promise<StoredMandate | undefined> {
  const row = await db
    .selectFrom('mandates')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('subscription_id', '=', id)
    .executeTakeFirst();
  return row && mandateFrom(row);
}

type MandateChanges = Partial<
  Pick<
    Selectable<DB['mandates']>,
    | 'location_id'
    | 'id_rec'
    | 'br_code'
    | 'code_at'
    | 'allowed_by'
    | 'approved_at'
    | 'ended_at'
    | 'end_code'
    | 'end_text'
    | 'ended_by'
    | 'push_id'
    | 'cancel_since'
    | 'check_at'
    | 'checks'
  > & { status: MandateStatusShown }
>;

export async function updateMandate(
  tx: Tx,
  { merchantId, subscriptionId }: Pick<StoredMandate, 'merchantId' | 'subscriptionId'>,
  changes: MandateChanges,
): Promise<void> {
  await tx.db
    .updateTable('mandates')
    .set({ ...changes, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('subscription_id', '=', subscriptionId)
    .execute();
}

/** The accounts at which a mandate, or a cycle, is to be worked on. */
export async function findBanksWithDueWork(
  db: Db,
  table: 'mandates' | 'cycles',
  now: Date,
): Promise<number[]> {
  const connection =
    table === 'mandates'
      ? sql`select distinct connection_id as id from mandates where check_at <= ${now}`
      : sql`select distinct subscriptions.connection_id as id from cycles
            join subscriptions on subscriptions.merchant_id = cycles.merchant_id
              and subscriptions.id = cycles.subscription_id
            where cycles.check_at <= ${now}`;
  const { rows } = await sql<{ id: number }>`${connection}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Leases mandates of an account that are due: nobody else works on them before `until`. */
export async function leaseDueMandates(
  tx: Tx,
  connectionId: number,
  until: Date,
  limit: number,
): Promise<StoredMandate[]> {
  const { rows } = await sql<Selectable<DB['mandates']>>`
    update mandates set check_at = ${until}, checks = mandates.checks + 1
    from (
      select merchant_id, subscription_id from mandates
      where check_at <= ${tx.now} and connection_id = ${connectionId}
      order by check_at limit ${limit} for update skip locked
    ) due
    where mandates.merchant_id = due.merchant_id and mandates.subscription_id = due.subscription_id
    returning mandates.*
  `.execute(tx.db);
  return rows.map(mandateFrom);
}

/** Subscriptions whose next cycle is to be planned, the longest due first. */
export async function listSubscriptionsToPlan(db: Db, now: Date, limit: number): Promise<SubscriptionKey[]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(['merchant_id', 'id'])
    .where('plan_at', '<=', now)
    .orderBy('plan_at')
    .limit(limit)
    .execute();
  return rows.map(({ merchant_id, id }) => ({ merchantId: merchant_id, id }));
}

export type SubscriptionFilter = {
  readonly status?: SubscriptionStatus | undefined;
  readonly externalId?: string | undefined;
  readonly customerId?: string | undefined;
  /** Whether it is at its end; undefined finds all. */
  readonly hasEnded?: boolean | undefined;
  readonly search?: string | undefined;
  /** For whoever sees documents masked, who could otherwise try the hidden digits. */
  readonly searchesNamesOnly?: boolean;
};

/** Subscriptions of an account, newest first. */
export async function listSubscriptions(
  db: Reader,
  merchantId: number,
  { status, externalId, customerId, hasEnded, search, searchesNamesOnly }: SubscriptionFilter,
  { limit, after }: { readonly limit: number; readonly after?: ListCursor | undefined },
): Promise<StoredSubscription[]> {
  const text = search?.trim() ?? '';
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
  const document = searchesNamesOnly ? '' : text.replace(/[^0-9A-Za-z]/g, '').toUpperCase();
  const rows = await db
    .selectFrom('subscriptions')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .$if(status !== undefined, (query) => query.where('status', '=', status as string))
    .$if(externalId !== undefined, (query) => query.where('external_id', '=', externalId as string))
    .$if(customerId !== undefined, (query) => query.where('customer_id', '=', customerId as string))
    .$if(hasEnded !== undefined, (query) => query.where('ended_at', hasEnded ? 'is not' : 'is', null))
    .$if(text !== '', (query) =>
      query.where((eb) =>
        eb.or([
          eb('payer_name', 'ilike', pattern),
          eb('description', 'ilike', pattern),
          ...(document === '' ? [] : [eb('payer_document', '=', document)]),
        ]),
      ),
    )
    .$if(after !== undefined, (query) => query.where('id', '<', after?.id as string))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map(subscriptionFrom);
}

export async function findMandates(
  db: Reader,
  merchantId: number,
  ids: readonly string[],
): Promise<ReadonlyMap<string, StoredMandate>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('mandates')
    .selectAll()
    .where('merchant_id', '=', merchantId)
    .where('subscription_id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.subscription_id, mandateFrom(row)]));
}

/** Makes due what the bank called about: mandates by their idRec. */
export async function wakeMandates(tx: Tx, connectionId: number, idRecs: readonly string[]): Promise<void> {
  if (idRecs.length === 0) return;
  await tx.db
    .updateTable('mandates')
    .set({ check_at: tx.now, checks: 0 })
    .where('id_rec', 'in', idRecs)
    .where('connection_id', '=', connectionId)
    .execute();
}

/** How many subscriptions of an account have each status, and how many ended since `since` for each reason. */
export async function countSubscriptions(db: Reader, merchantId: number, since: Date) {
  const { rows } = await sql<{ status: string; end_reason: SubscriptionEnd | null; count: number }>`
    select status, end_reason, count(*)::int as count from subscriptions
    where merchant_id = ${merchantId} and (status <> 'ended' or ended_at >= ${since})
    group by status, end_reason
  `.execute(db);
  return rows;
}

/** Subscriptions whose next cycles fall due on the same days, with the sum of their amounts. */
export type SharedRhythm = Pick<StoredSubscription, 'firstDay' | 'lastDay' | 'period' | 'nextNumber'> & {
  readonly count: number;
  readonly cents: number;
};

/** The rhythms of all subscriptions of an account of which more cycles are to be planned. */
export async function listRhythms(db: Reader, merchantId: number): Promise<SharedRhythm[]> {
  const { rows } = await sql<SharedRhythm>`
    select first_day as "firstDay", last_day as "lastDay", period, next_number as "nextNumber",
      count(*)::int as count, coalesce(sum(amount_cents), 0)::bigint as cents
    from subscriptions where merchant_id = ${merchantId} and plan_at is not null
    group by first_day, last_day, period, next_number
  `.execute(db);
  return rows;
}
