import { errors, IDEMPOTENCY_KEY_MAX_LENGTH } from '@jangada/contract';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets.ts';
import {
  findKey,
  type IdempotencyKeyName,
  leaseIdempotencyKey,
  updateIdempotencyLease,
} from './idempotency-store.ts';
import type { Answer, IdempotencyHandle } from './route.ts';

/** A call with an Idempotency-Key. */
export type KeyedCall = IdempotencyKeyName & {
  /** The parsed body; two calls count as the same only if their bodies are equal. */
  readonly body: unknown;
};

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'hash'>;
};
type Lease = IdempotencyKeyName & { readonly leaseUntil: Date; readonly resumed: string | undefined };

const leaseMs = 60_000;
const keyPattern = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`);

/** Returns the Idempotency-Key of a request, if it has one. A malformed key is refused with IDEMPOTENCY_KEY_INVALID. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !keyPattern.test(header)) throw new Refusal('IDEMPOTENCY_KEY_INVALID');
  return header;
}

/**
 * Runs a keyed call once: a repeated call with the same body gets the stored response. A call leases its key, which is
 * the exclusive right to it until a deadline; if it ends without a final response (a crash, an internal error), the
 * next call takes over and receives the id of the resource already created. A repeated call is refused with
 * IDEMPOTENCY_CONFLICT if its body differs, and with IDEMPOTENCY_IN_PROGRESS while the first one runs.
 */
export async function runIdempotent(
  deps: Deps,
  call: KeyedCall,
  execute: (idempotency: IdempotencyHandle) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const lease = await leaseKey(deps, call);
  if ('status' in lease) return { ...lease, replayed: true };
  try {
    const answer = await execute({ resumed: lease.resumed, remember: (id) => remember(deps, lease, id) });
    await (isFinal(answer) ? storeAnswer(deps, lease, answer) : release(deps, lease));
    return { ...answer, replayed: false };
  } catch (error) {
    await release(deps, lease);
    throw error;
  }
}

/** Returns whether a repeated call must get this response too, rather than be tried again. */
function isFinal({ status, refused }: Answer): boolean {
  if (status === 401 || status === 429 || status >= 500) return false;
  return refused === undefined || !('transient' in errors[refused]);
}

/**
 * Hashes the JSON of a parsed body with its fields in a fixed order. The hash takes a secret, because a body may
 * contain a PIN, which could be guessed from a plain hash.
 */
function hashBody({ secrets }: Deps, body: unknown): Buffer {
  return secrets.hash('idempotency', JSON.stringify(sortFields(body)) ?? '');
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, field]) => [name, sortFields(field)]);
}

async function leaseKey(deps: Deps, call: KeyedCall): Promise<Lease | Answer> {
  const { db, clock } = deps;
  const { merchantId, route, key } = call;
  const bodyHash = hashBody(deps, call.body);
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + leaseMs);
  const leased = await leaseIdempotencyKey(db, { merchantId, route, key, bodyHash, now, leaseUntil });
  if (leased !== undefined) return { merchantId, route, key, leaseUntil, ...leased };
  const stored = await findKey(db, { merchantId, route, key });
  if (stored !== undefined && !stored.bodyHash.equals(bodyHash)) throw new Refusal('IDEMPOTENCY_CONFLICT');
  if (stored === undefined || stored.status === null)
    throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  return { status: stored.status, body: stored.answer };
}

async function remember({ db }: Deps, lease: Lease, resourceId: string): Promise<void> {
  const isStillLeased = await updateIdempotencyLease(db, { ...lease, resourceId });
  if (!isStillLeased) throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

/**
 * Logs a failure instead of throwing it: the call is done, so the caller gets the response even if it is not stored.
 */
async function storeAnswer({ db, log }: Deps, lease: Lease, { status, body }: Answer): Promise<void> {
  try {
    await updateIdempotencyLease(db, { ...lease, answered: { status, answer: JSON.stringify(body) } });
  } catch (error) {
    log.error({ err: error, route: lease.route }, 'the response of an idempotent call was not stored');
  }
}

/** Ends the lease before its deadline, so that the next call with this key can take over immediately. */
async function release({ db, clock, log }: Deps, lease: Lease): Promise<void> {
  try {
    await updateIdempotencyLease(db, { ...lease, releasedAt: clock.now() });
  } catch (error) {
    log.error({ err: error, route: lease.route }, 'an idempotency lease was not released');
  }
}
