import { type RawBuilder, sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { numberArray, textArray } from '../db/arrays.ts';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import { lockSeveral, ofMerchants } from '../db/sharding.ts';
import { retryOnConflict, type Tx } from '../db/transaction.ts';

/*
 * A call leases its idempotency key, that is, holds the exclusive right to the key until a deadline. Concurrent
 * requests for keys are batched into one statement (`db/batch-per-connection.ts`). All statements lock their keys in
 * the same order, so that they cannot deadlock.
 */

export type FullIdempotencyKey = {
  readonly merchantId: number;
  /** Method and path, as called. */
  readonly route: string;
  readonly key: string;
};

type IdempotencyLeaseRequest = FullIdempotencyKey & {
  readonly bodyHash: Buffer;
  readonly now: Date;
  /** The deadline of the lease. It also distinguishes the lease from earlier and later leases of the same key. */
  readonly leaseUntil: Date;
};

type Connection = Db | Tx['db'];

const batchOptions = { maxBatchSize: 200, maxConcurrentRuns: 1 } as const;

/**
 * Leases an idempotency key to one call. The key must be new, or the lease of an earlier call with an equal body must
 * have expired without a response. Returns undefined if the key is not available. `resumedId`: the id of the resource
 * that the earlier call recorded, if any. Of several concurrent calls with one key, only the first can lease the key;
 * the others are treated as if they had arrived later.
 */
export const leaseIdempotencyKey = batchPerConnection<
  IdempotencyLeaseRequest,
  { resumedId: string | undefined } | undefined
>({
  ...batchOptions,
  work: leaseKeys,
});

async function leaseKeys(db: Connection, requests: readonly IdempotencyLeaseRequest[]) {
  const firstByKey = new Map<string, IdempotencyLeaseRequest>();
  for (const request of requests) {
    const mapKey = mapKeyOf(request);
    if (!firstByKey.has(mapKey)) firstByKey.set(mapKey, request);
  }
  const firstRequests = [...firstByKey.values()];
  const { rows } = await retryOnConflict(() =>
    sql<{ merchant_id: number; route: string; key: string; resource_id: string | null }>`
      insert into idempotency_keys (merchant_id, route, key, body_hash, lease_until, created_at)
      select * from unnest(
        ${numberArray(firstRequests.map(({ merchantId }) => merchantId))}::bigint[],
        ${textArray(firstRequests.map(({ route }) => route))}::text[],
        ${textArray(firstRequests.map(({ key }) => key))}::text[],
        ${firstRequests.map(({ bodyHash }) => bodyHash)}::bytea[],
        ${firstRequests.map(({ leaseUntil }) => leaseUntil)}::timestamptz[],
        ${firstRequests.map(({ now }) => now)}::timestamptz[]
      ) request (merchant_id, route, key, body_hash, lease_until, created_at)
      order by merchant_id, route, key
      on conflict (merchant_id, route, key) do update set lease_until = excluded.lease_until
      where idempotency_keys.status is null and idempotency_keys.lease_until <= excluded.created_at
        and idempotency_keys.body_hash = excluded.body_hash
      returning merchant_id, route, key, resource_id
    `.execute(db),
  );
  const leased = new Map(
    rows.map(({ merchant_id: merchantId, route, key, resource_id }) => [
      firstByKey.get(mapKeyOf({ merchantId, route, key })),
      { resumedId: resource_id ?? undefined },
    ]),
  );
  // A request that is not the first for its key is not in the map.
  return requests.map((request) => leased.get(request));
}

/** The result is unambiguous because neither an id nor a key contains a space. */
function mapKeyOf({ merchantId, route, key }: FullIdempotencyKey): string {
  return `${merchantId} ${key} ${route}`;
}

/** A new key, to be leased by the statement that stores the resource of its call. */
export type IdempotencyKeyClaim = IdempotencyLeaseRequest & { readonly resourceId: string };

/**
 * The parts of a `with` clause that lease new keys in the statement that stores their resources. `unclaimed_resources`
 * contains the ids of resources whose key is not new; the statement must not store these resources.
 */
export function claimIdempotencyKeysCte(claims: readonly IdempotencyKeyClaim[]): RawBuilder<unknown> {
  return sql`
    claimed_keys as (
      insert into idempotency_keys (merchant_id, route, key, body_hash, lease_until, resource_id, created_at)
      select * from unnest(
        ${numberArray(claims.map(({ merchantId }) => merchantId))}::bigint[],
        ${textArray(claims.map(({ route }) => route))}::text[], ${textArray(claims.map(({ key }) => key))}::text[],
        ${claims.map(({ bodyHash }) => bodyHash)}::bytea[], ${claims.map(({ leaseUntil }) => leaseUntil)}::timestamptz[],
        ${textArray(claims.map(({ resourceId }) => resourceId))}::uuid[], ${claims.map(({ now }) => now)}::timestamptz[]
      ) claim (merchant_id, route, key, body_hash, lease_until, resource_id, created_at)
      order by merchant_id, route, key
      on conflict do nothing
      returning resource_id
    ),
    unclaimed_resources as (
      select id from unnest(${textArray(claims.map(({ resourceId }) => resourceId))}::uuid[]) id
      where id not in (select resource_id from claimed_keys)
    )`;
}

/** The response of a leased call, to be stored by the statement that completes its resource. */
export type IdempotentResponse = FullIdempotencyKey & {
  /** The deadline, which identifies the lease. */
  readonly leaseUntil: Date;
  readonly resourceId: string;
  readonly status: number;
  /** The body of the response, as JSON. */
  readonly answer: string;
};

/**
 * The part of a `with` clause that stores the responses of calls in the statement that completes their resources.
 * `completed` is a query for the ids of the resources that the statement completed. No response is stored for other
 * resources, or under a key that another call has taken over since.
 */
export function storeIdempotentResponsesCte(
  responses: readonly IdempotentResponse[],
  completed: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ofTheseMerchants = ofMerchants(
    'idempotency_keys.merchant_id',
    responses.map(({ merchantId }) => merchantId),
  );
  return sql`
    answered_keys as (
      update idempotency_keys set status = locked_keys.new_status, answer = locked_keys.new_answer::jsonb
      from (
        select merchant_id, route, key, lease_until, new_status, new_answer
        from idempotency_keys
        join unnest(
          ${numberArray(responses.map(({ merchantId }) => merchantId))}::bigint[],
          ${textArray(responses.map(({ route }) => route))}::text[], ${textArray(responses.map(({ key }) => key))}::text[],
          ${responses.map(({ leaseUntil }) => leaseUntil)}::timestamptz[],
          ${textArray(responses.map(({ resourceId }) => resourceId))}::uuid[],
          ${responses.map(({ status }) => status)}::integer[], ${textArray(responses.map(({ answer }) => answer))}::text[]
        ) response (merchant_id, route, key, callers_lease_until, completed_id, new_status, new_answer)
          using (merchant_id, route, key)
        where completed_id in (${completed}) and lease_until = callers_lease_until and status is null
          ${ofTheseMerchants}
        order by merchant_id, route, key
        ${lockSeveral('for update', 'idempotency_keys')}
      ) locked_keys
      where idempotency_keys.merchant_id = locked_keys.merchant_id and idempotency_keys.route = locked_keys.route
        and idempotency_keys.key = locked_keys.key and idempotency_keys.lease_until = locked_keys.lease_until
        and idempotency_keys.status is null
        ${ofTheseMerchants}
    )`;
}

type StoredIdempotencyKey = {
  readonly bodyHash: Buffer;
  /** The HTTP status of the stored response, or null while there is none. */
  readonly status: number | null;
  /** The parsed body of the stored response. */
  readonly body: unknown;
};

export const findIdempotencyKey = batchPerConnection<FullIdempotencyKey, StoredIdempotencyKey | undefined>({
  ...batchOptions,
  work: findKeys,
});

async function findKeys(db: Connection, keys: readonly FullIdempotencyKey[]) {
  const { rows } = await sql<{ ordinal: number; body_hash: Buffer; status: number | null; answer: unknown }>`
    select ordinal, body_hash, status, answer
    from idempotency_keys
    join ${unnestKeys(keys)} wanted (merchant_id, route, key, ordinal) using (merchant_id, route, key)
    where true ${ofMerchants(
      'idempotency_keys.merchant_id',
      keys.map(({ merchantId }) => merchantId),
    )}
  `.execute(db);
  const stored = new Map(
    rows.map(({ ordinal, body_hash: bodyHash, status, answer: body }) => [
      ordinal,
      { bodyHash, status, body },
    ]),
  );
  return keys.map((_, index) => stored.get(index + 1));
}

/**
 * A change of a lease: the id of the call's resource, its response, or the time of release, which ends the lease early.
 * Omitted parts do not change.
 */
type IdempotencyLeaseChange = FullIdempotencyKey & {
  /** The deadline, which identifies the lease. */
  readonly leaseUntil: Date;
  readonly resourceId?: string;
  readonly response?: { readonly status: number; readonly bodyJson: string };
  readonly releasedAt?: Date;
};

/** Updates a leased key. Returns false, and changes nothing, if another call has taken the key over since. */
export const updateIdempotencyLease = batchPerConnection<IdempotencyLeaseChange, boolean>({
  ...batchOptions,
  work: changeLeases,
});

async function changeLeases(db: Connection, changes: readonly IdempotencyLeaseChange[]): Promise<boolean[]> {
  const ofTheseMerchants = ofMerchants(
    'idempotency_keys.merchant_id',
    changes.map(({ merchantId }) => merchantId),
  );
  const { rows } = await retryOnConflict(() =>
    sql<{ ordinal: number }>`
      update idempotency_keys
      set resource_id = coalesce(locked_keys.new_resource_id, idempotency_keys.resource_id),
          status = locked_keys.new_status, answer = locked_keys.new_answer::jsonb,
          lease_until = coalesce(locked_keys.released_at, idempotency_keys.lease_until)
      from (
        select merchant_id, route, key, lease_until, ordinal, new_resource_id, new_status, new_answer, released_at
        from idempotency_keys
        join ${unnestKeys(changes)} wanted (merchant_id, route, key, ordinal) using (merchant_id, route, key)
        join unnest(
          ${changes.map(({ leaseUntil }) => leaseUntil)}::timestamptz[],
          ${textArray(changes.map(({ resourceId }) => resourceId ?? null))}::uuid[],
          ${changes.map(({ response }) => response?.status ?? null)}::integer[],
          ${textArray(changes.map(({ response }) => response?.bodyJson ?? null))}::text[],
          ${changes.map(({ releasedAt }) => releasedAt ?? null)}::timestamptz[]
        ) with ordinality change (callers_lease_until, new_resource_id, new_status, new_answer, released_at, ordinal) using (ordinal)
        where lease_until = callers_lease_until and status is null ${ofTheseMerchants}
        order by merchant_id, route, key
        ${lockSeveral('for update', 'idempotency_keys')}
      ) locked_keys
      where idempotency_keys.merchant_id = locked_keys.merchant_id and idempotency_keys.route = locked_keys.route
        and idempotency_keys.key = locked_keys.key and idempotency_keys.lease_until = locked_keys.lease_until
        and idempotency_keys.status is null
        ${ofTheseMerchants}
      returning locked_keys.ordinal
    `.execute(db),
  );
  const changed = new Set(rows.map(({ ordinal }) => ordinal));
  return changes.map((_, index) => changed.has(index + 1));
}

function unnestKeys(keys: readonly FullIdempotencyKey[]) {
  return sql`unnest(
    ${numberArray(keys.map(({ merchantId }) => merchantId))}::bigint[],
    ${textArray(keys.map(({ route }) => route))}::text[], ${textArray(keys.map(({ key }) => key))}::text[]
  ) with ordinality`;
}

// The API promises to store responses for a day; the extra hour protects a retry at the very end of that day.
const retentionMs = 25 * 3_600_000;
const deleteBatchSize = 5000;

/** Deletes idempotency keys and their stored responses when they are 25 hours old, in batches. */
export async function pruneIdempotencyKeys({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const createdBefore = new Date(clock.now().getTime() - retentionMs);
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('merchant_id', 'route', 'key'),
          'in',
          selectFrom('idempotency_keys')
            .select(['merchant_id', 'route', 'key'])
            .where('created_at', '<', createdBefore)
            .limit(deleteBatchSize)
            .$asTuple('merchant_id', 'route', 'key'),
        ),
      )
      .executeTakeFirst();
    if (numDeletedRows < deleteBatchSize) return;
  }
}
