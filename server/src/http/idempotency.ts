import { createHash } from 'node:crypto';
import { type ErrorCode, IDEMPOTENCY_KEY_MAX_LENGTH } from '@jangada/contract';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import type { Answer } from './answer.ts';
import type { Call } from './route.ts';

/** One call that came with an Idempotency-Key. */
export type KeyedCall = {
  readonly merchantId: number;
  /** Method and path, as called. */
  readonly route: string;
  readonly key: string;
  /** As parsed: what two calls must have in common to be the same. */
  readonly body: unknown;
};

type Idempotency = NonNullable<Call<never>['idempotency']>;
type Deps = { readonly db: Db; readonly clock: Clock; readonly log: Logger };
type Claim = KeyedCall & { readonly leaseUntil: Date; readonly resumed: string | undefined };

const leaseMilliseconds = 60_000;
const visible = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`);

/** @returns the key of a request, undefined without one */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !visible.test(header)) throw new Refusal('IDEMPOTENCY_KEY_INVALID');
  return header;
}

/**
 * Does the work of a keyed call once: whoever asks again with the same body gets the stored answer. A call claims
 * its key by a lease; when it ends without a final answer (a crash, a failure of ours) the next one takes over and
 * is told what was made. Throws IDEMPOTENCY_CONFLICT or IDEMPOTENCY_IN_PROGRESS.
 */
export async function answerOnce(
  deps: Deps,
  call: KeyedCall,
  work: (idempotency: Idempotency) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const claim = await claimKey(deps, call);
  if ('status' in claim) return { ...claim, replayed: true };
  try {
    const answer = await work({ resumed: claim.resumed, remember: (id) => remember(deps, claim, id) });
    await (isFinal(answer) ? keepAnswer(deps, claim, answer) : release(deps, claim));
    return { ...answer, replayed: false };
  } catch (error) {
    await release(deps, claim);
    throw error;
  }
}

// They speak of who asks, not of what is asked: true now, and perhaps not in an hour.
const passing = new Set<ErrorCode>([
  'FORBIDDEN',
  'ACCOUNT_NOT_APPROVED',
  'API_KEY_REQUIRED',
  'API_KEY_INACTIVE',
  'IDEMPOTENCY_IN_PROGRESS',
]);

function isFinal({ status, refused }: Answer): boolean {
  if (status === 401 || status === 429 || status >= 500) return false;
  return refused === undefined || !passing.has(refused);
}

/** SHA-256 over the JSON of a parsed body, its fields in one order. */
function hashBody(body: unknown): Buffer {
  return createHash('sha256')
    .update(JSON.stringify(sorted(body)) ?? '')
    .digest();
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, field]) => [name, sorted(field)]);
}

async function claimKey(deps: Deps, call: KeyedCall): Promise<Claim | Answer> {
  const bodyHash = hashBody(call.body);
  const claimed = await insertOrTakeOver(deps, call, bodyHash);
  if (claimed !== undefined) return claimed;
  const known = await keyRow(deps, call).select(['body_hash', 'status', 'answer']).executeTakeFirst();
  if (known !== undefined && !known.body_hash.equals(bodyHash)) throw new Refusal('IDEMPOTENCY_CONFLICT');
  if (known === undefined || known.status === null)
    throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  return { status: known.status, body: known.answer };
}

async function insertOrTakeOver(
  { db, clock }: Deps,
  { merchantId, route, key, body }: KeyedCall,
  bodyHash: Buffer,
): Promise<Claim | undefined> {
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + leaseMilliseconds);
  const row = await db
    .insertInto('idempotency_keys')
    .values({
      merchant_id: merchantId,
      route,
      key,
      body_hash: bodyHash,
      lease_until: leaseUntil,
      created_at: now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'route', 'key'])
        .doUpdateSet({ lease_until: leaseUntil })
        .where('idempotency_keys.status', 'is', null)
        .where('idempotency_keys.lease_until', '<=', now)
        .where('idempotency_keys.body_hash', '=', bodyHash),
    )
    .returning('resource_id')
    .executeTakeFirst();
  return row && { merchantId, route, key, body, leaseUntil, resumed: row.resource_id ?? undefined };
}

function keyRow({ db }: Deps, { merchantId, route, key }: KeyedCall) {
  return db
    .selectFrom('idempotency_keys')
    .where('merchant_id', '=', merchantId)
    .where('route', '=', route)
    .where('key', '=', key);
}

/** The row, as long as the claim on it is still ours: the end of its lease tells one claim from the next. */
function heldRow({ db }: Deps, { merchantId, route, key, leaseUntil }: Claim) {
  return db
    .updateTable('idempotency_keys')
    .where('merchant_id', '=', merchantId)
    .where('route', '=', route)
    .where('key', '=', key)
    .where('lease_until', '=', leaseUntil)
    .where('status', 'is', null);
}

async function remember(deps: Deps, claim: Claim, resourceId: string): Promise<void> {
  const { numUpdatedRows } = await heldRow(deps, claim).set({ resource_id: resourceId }).executeTakeFirst();
  if (numUpdatedRows === 0n) throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

/** What was done is done: when its answer cannot be kept, the caller hears it all the same. */
async function keepAnswer(deps: Deps, claim: Claim, { status, body }: Answer): Promise<void> {
  try {
    await heldRow(deps, claim)
      .set({ status, answer: JSON.stringify(body) })
      .execute();
  } catch (error) {
    deps.log.error({ err: error, route: claim.route }, 'an idempotent answer was not kept');
  }
}

/** Lets the next call take over at once. */
async function release(deps: Deps, claim: Claim): Promise<void> {
  try {
    await heldRow(deps, claim).set({ lease_until: deps.clock.now() }).execute();
  } catch (error) {
    deps.log.error({ err: error, route: claim.route }, 'an idempotency claim was not released');
  }
}
