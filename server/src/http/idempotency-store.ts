import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { numbers, texts } from '../db/arrays.ts';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import { retryOnConflict, type Tx } from '../db/transaction.ts';

/*
 * Concurrent requests for many keys are batched into one statement (`db/batch-per-connection.ts`). All of these
 * statements lock keys in the same order, so that they cannot deadlock.
 */

export type IdempotencyKeyName = {
  readonly merchantId: number;
  /** Method and path, as called. */
  readonly route: string;
  readonly key: string;
};

type IdempotencyLeaseRequest = IdempotencyKeyName & {
  readonly bodyHash: Buffer;
  readonly now: Date;
  /** Distinguishes this lease from the next one on the same key. */
  readonly leaseUntil: Date;
};

type Connected = Db | Tx['db'];

const together = { most: 200, atOnce: 1 } as const;

/**
 * Leases a new key, or one whose lease expired without an answer, for the same body. Returns the resource that the
 * previous lease had created, if any; undefined if the key is not available. Of several concurrent calls for one key
 * only the first can get it: the others are treated as if they had arrived later.
 */
export const leaseIdempotencyKey = batchPerConnection<
  IdempotencyLeaseRequest,
  { resumed: string | undefined } | undefined
>({
  ...together,
  work: claimKeys,
});

async function claimKeys(db: Connected, wanted: readonly IdempotencyLeaseRequest[]) {
  const first = new Map<string, IdempotencyLeaseRequest>();
  for (const one of wanted) if (!first.has(nameOf(one))) first.set(nameOf(one), one);
  const claims = [...first.values()];
  const { rows } = await retryOnConflict(() =>
    sql<{ merchant_id: number; route: string; key: string; resource_id: string | null }>`
      insert into idempotency_keys (merchant_id, route, key, body_hash, lease_until, created_at)
      select * from unnest(
        ${numbers(claims.map(({ merchantId }) => merchantId))}::bigint[],
        ${texts(claims.map(({ route }) => route))}::text[], ${texts(claims.map(({ key }) => key))}::text[],
        ${claims.map(({ bodyHash }) => bodyHash)}::bytea[],
        ${claims.map(({ leaseUntil }) => leaseUntil)}::timestamptz[], ${claims.map(({ now }) => now)}::timestamptz[]
      ) claim (merchant_id, route, key, body_hash, lease_until, created_at)
      order by merchant_id, route, key
      on conflict (merchant_id, route, key) do update set lease_until = excluded.lease_until
      where idempotency_keys.status is null and idempotency_keys.lease_until <= excluded.created_at
        and idempotency_keys.body_hash = excluded.body_hash
      returning merchant_id, route, key, resource_id
    `.execute(db),
  );
  const claimed = new Map(
    rows.map(({ merchant_id: merchantId, route, key, resource_id }) => [
      first.get(nameOf({ merchantId, route, key })),
      { resumed: resource_id ?? undefined },
    ]),
  );
  return wanted.map((one) => claimed.get(one));
}

/** Unambiguous because neither an id nor a key contains a space. */
function nameOf({ merchantId, route, key }: IdempotencyKeyName): string {
  return `${merchantId} ${key} ${route}`;
}

type StoredIdempotencyKey = {
  readonly bodyHash: Buffer;
  /** Null: not answered yet. */
  readonly status: number | null;
  readonly answer: unknown;
};

/** The stored state of a key. */
export const findKey = batchPerConnection<IdempotencyKeyName, StoredIdempotencyKey | undefined>({
  ...together,
  work: findKeys,
});

async function findKeys(db: Connected, names: readonly IdempotencyKeyName[]) {
  const { rows } = await sql<{ place: number; body_hash: Buffer; status: number | null; answer: unknown }>`
    select place, body_hash, status, answer
    from idempotency_keys
    join ${unnestNames(names)} named (merchant_id, route, key, place) using (merchant_id, route, key)
  `.execute(db);
  const found = new Map(
    rows.map(({ place, body_hash: bodyHash, status, answer }) => [place, { bodyHash, status, answer }]),
  );
  return names.map((_, at) => found.get(at + 1));
}

/** A change to a lease; omitted fields stay as they are. */
type IdempotencyLeaseChange = IdempotencyKeyName & {
  /** Identifies the lease. */
  readonly leaseUntil: Date;
  readonly resourceId?: string;
  readonly answered?: { readonly status: number; readonly answer: string };
  readonly releasedAt?: Date;
};

/** Updates a key still held by its lease. Returns false, and changes nothing, if the lease no longer holds it. */
export const updateIdempotencyLease = batchPerConnection<IdempotencyLeaseChange, boolean>({
  ...together,
  work: changeClaims,
});

async function changeClaims(db: Connected, changes: readonly IdempotencyLeaseChange[]): Promise<boolean[]> {
  const { rows } = await retryOnConflict(() =>
    sql<{ place: number }>`
      update idempotency_keys
      set resource_id = coalesce(held.new_resource_id, idempotency_keys.resource_id),
          status = held.new_status, answer = held.new_answer::jsonb,
          lease_until = coalesce(held.released_at, idempotency_keys.lease_until)
      from (
        select merchant_id, route, key, place, new_resource_id, new_status, new_answer, released_at
        from idempotency_keys
        join ${unnestNames(changes)} named (merchant_id, route, key, place) using (merchant_id, route, key)
        join unnest(
          ${changes.map(({ leaseUntil }) => leaseUntil)}::timestamptz[],
          ${texts(changes.map(({ resourceId }) => resourceId ?? null))}::uuid[],
          ${changes.map(({ answered }) => answered?.status ?? null)}::integer[],
          ${texts(changes.map(({ answered }) => answered?.answer ?? null))}::text[],
          ${changes.map(({ releasedAt }) => releasedAt ?? null)}::timestamptz[]
        ) with ordinality change (held_until, new_resource_id, new_status, new_answer, released_at, place) using (place)
        where lease_until = held_until and status is null
        order by merchant_id, route, key
        for update of idempotency_keys
      ) held
      where idempotency_keys.merchant_id = held.merchant_id and idempotency_keys.route = held.route
        and idempotency_keys.key = held.key
      returning held.place
    `.execute(db),
  );
  const changed = new Set(rows.map(({ place }) => place));
  return changes.map((_, at) => changed.has(at + 1));
}

function unnestNames(names: readonly IdempotencyKeyName[]) {
  return sql`unnest(
    ${numbers(names.map(({ merchantId }) => merchantId))}::bigint[],
    ${texts(names.map(({ route }) => route))}::text[], ${texts(names.map(({ key }) => key))}::text[]
  ) with ordinality`;
}

// The API promises a day; the extra hour protects a retry at the very end of it.
const keptMs = 25 * 3_600_000;
const batch = 5000;

/** Deletes the stored answers of keyed calls after their day, in batches. */
export async function pruneIdempotencyKeys({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs);
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('merchant_id', 'route', 'key'),
          'in',
          selectFrom('idempotency_keys')
            .select(['merchant_id', 'route', 'key'])
            .where('created_at', '<', before)
            .limit(batch)
            .$asTuple('merchant_id', 'route', 'key'),
        ),
      )
      .executeTakeFirst();
    if (numDeletedRows < batch) return;
  }
}
