import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import { retryOnConflict, type Tx } from '../db/transaction.ts';

/*
 * What is asked of many keys at the same time is one statement (`db/batch-per-connection.ts`). All of these statements lock keys
 * in one order, so that none waits for another that waits for it.
 */

export type IdempotencyKeyName = {
  readonly merchantId: number;
  /** Method and path, as called. */
  readonly route: string;
  readonly key: string;
};

export type IdempotencyLeaseRequest = IdempotencyKeyName & {
  readonly bodyHash: Buffer;
  readonly now: Date;
  /** Tells this claim from the next one on the same key. */
  readonly leaseUntil: Date;
};

type Connected = Db | Tx['db'];

const together = { most: 200, atOnce: 1 } as const;

/**
 * Claims a new key, or one whose claim has run out without an answer, for the same body. Answers what the claim before
 * had made, if anything; undefined when the key is not to be had. Of several calls that want one key together the first
 * may get it: to the others it is as if they had come after.
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

/** Neither a number nor a key has a space in it. */
function nameOf({ merchantId, route, key }: IdempotencyKeyName): string {
  return `${merchantId} ${key} ${route}`;
}

export type StoredIdempotencyKey = {
  readonly bodyHash: Buffer;
  /** Null: not answered yet. */
  readonly status: number | null;
  readonly answer: unknown;
};

/** What is known of a key. */
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

/** What becomes of a claim; what is left out stays. */
export type IdempotencyLeaseChange = IdempotencyKeyName & {
  /** That of the claim. */
  readonly leaseUntil: Date;
  readonly resourceId?: string;
  readonly answered?: { readonly status: number; readonly answer: string };
  readonly releasedAt?: Date;
};

/** Changes a key that its claim still holds. False: it does not, and nothing is changed. */
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
