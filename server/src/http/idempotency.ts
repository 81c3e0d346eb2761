import { errors, IDEMPOTENCY_KEY_MAX_LENGTH } from '@jangada/contract';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { isDatabaseOutage } from '../db/outage.ts';
import type { Db } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets.ts';
import {
  type FullIdempotencyKey,
  findIdempotencyKey,
  type IdempotencyKeyClaim,
  leaseIdempotencyKey,
  updateIdempotencyLease,
} from './idempotency-store.ts';
import type { AtomicIdempotencyHandle, RouteResponse } from './route.ts';

/** A call with an Idempotency-Key. */
export type IdempotentCall = FullIdempotencyKey & {
  /** The parsed body; two calls count as the same only if their bodies are equal. */
  readonly body: unknown;
  /** The HTTP status of the response if the call is not refused. */
  readonly status: number;
  /** Whether the handler stores a new key itself, together with its resource (`claimsKeys` in route.ts). */
  readonly isClaimedByHandler: boolean;
};

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'hash'>;
};
type Lease = FullIdempotencyKey & { readonly leaseUntil: Date };
type Execute = (idempotency: AtomicIdempotencyHandle) => Promise<RouteResponse>;

/** How long a call holds its key. After a crash, the key cannot be used before this time has passed. */
const leaseMs = 60_000;
/** Visible ASCII characters. */
const keyPattern = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`);

/** Returns the Idempotency-Key of a request, if it has one. A malformed key is refused with IDEMPOTENCY_KEY_INVALID. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !keyPattern.test(header)) throw new Refusal('IDEMPOTENCY_KEY_INVALID');
  return header;
}

/**
 * Runs a keyed call once: a repeated call with an equal body gets the stored response. While a call runs, it leases its
 * key, that is, holds the exclusive right to the key until a deadline. If the call ends without a final response (a
 * crash, an internal error), the next call with the key takes over and receives the id of the resource that the first
 * call recorded. A repeated call is refused with IDEMPOTENCY_CONFLICT if its body differs, and with
 * IDEMPOTENCY_IN_PROGRESS while the first call runs.
 */
export async function runIdempotent(
  deps: Deps,
  call: IdempotentCall,
  execute: Execute,
): Promise<RouteResponse & { replayed: boolean }> {
  if (call.isClaimedByHandler) {
    const response = await runWithClaim(deps, call, execute);
    if (response !== undefined) return { ...response, replayed: false };
  }
  const leaseOrStoredResponse = await leaseKey(deps, call);
  if ('status' in leaseOrStoredResponse) return { ...leaseOrStoredResponse, replayed: true };
  return { ...(await runLeased(deps, call, leaseOrStoredResponse, execute)), replayed: false };
}

/**
 * Runs a call whose handler stores the key and the resource in one statement. Returns undefined if nothing was stored,
 * because the key is not new or the call was refused earlier. The caller then leases the key as usual, because a
 * response stored under the key takes precedence over a refusal. If the database is lost meanwhile, key and resource
 * may be stored although the call fails: the lease then expires, and the next call continues with the resource.
 */
async function runWithClaim(
  deps: Deps,
  call: IdempotentCall,
  execute: Execute,
): Promise<RouteResponse | undefined> {
  const request = createLeaseRequest(deps, call);
  let isClaimed = false;
  const claim = async (resourceId: string, store: (claim: IdempotencyKeyClaim) => Promise<boolean>) => {
    isClaimed = await store({ ...request, resourceId });
    if (!isClaimed) throw new Error('the key is not new');
  };
  try {
    const response = await runLeased(
      deps,
      call,
      request,
      (idempotency) => execute({ ...idempotency, claim }),
      () => isClaimed,
    );
    return isClaimed ? response : undefined;
  } catch (error) {
    if (isClaimed || isDatabaseOutage(error)) throw error;
    return undefined;
  }
}

/**
 * Runs a call under its lease, then stores the response or ends the lease. If the call turns out not to hold the lease
 * (`isLeaseHeld`), its key is left alone: leases are told apart only by their deadlines, and a lease with this deadline
 * may belong to another call that began in the same millisecond.
 */
async function runLeased(
  deps: Deps,
  { status }: IdempotentCall,
  { resumedId, ...lease }: Lease & { readonly resumedId?: string | undefined },
  execute: Execute,
  isLeaseHeld = () => true,
): Promise<RouteResponse> {
  let isResponseStored = false;
  const handle: AtomicIdempotencyHandle = {
    resumedId,
    remember: (id) => recordResourceId(deps, lease, id),
    async saveResponse(resourceId, body, complete) {
      isResponseStored = await complete({ ...lease, resourceId, status, answer: JSON.stringify(body) });
      return isResponseStored;
    },
  };
  try {
    const response = await execute(handle);
    if (isLeaseHeld() && !isResponseStored)
      await (isFinal(response) ? storeResponse(deps, lease, response) : releaseLease(deps, lease));
    return response;
  } catch (error) {
    if (isLeaseHeld()) await releaseLease(deps, lease);
    throw error;
  }
}

/**
 * Returns whether a repeated call must get this response too, rather than run again. It runs again after a refusal or
 * failure that may not happen the next time.
 */
function isFinal({ status, errorCode }: RouteResponse): boolean {
  if (status === 401 || status === 429 || status >= 500) return false;
  return errorCode === undefined || !('transient' in errors[errorCode]);
}

/**
 * Hashes the JSON of a parsed body with its fields in a fixed order. The hash is keyed with a secret, because a body
 * may contain a PIN, which could be guessed from a plain hash.
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

function createLeaseRequest(
  deps: Deps,
  { merchantId, route, key, body }: IdempotentCall,
): Omit<IdempotencyKeyClaim, 'resourceId'> {
  const now = deps.clock.now();
  return {
    merchantId,
    route,
    key,
    bodyHash: hashBody(deps, body),
    now,
    leaseUntil: new Date(now.getTime() + leaseMs),
  };
}

/**
 * Leases the key of a call. If an earlier call with the key has a stored response, returns that response instead.
 * Refuses as `runIdempotent` describes.
 */
async function leaseKey(
  deps: Deps,
  call: IdempotentCall,
): Promise<(Lease & { readonly resumedId: string | undefined }) | RouteResponse> {
  const { db } = deps;
  const request = createLeaseRequest(deps, call);
  const { merchantId, route, key } = request;
  const leased = await leaseIdempotencyKey(db, request);
  if (leased !== undefined) return { ...request, ...leased };
  const stored = await findIdempotencyKey(db, { merchantId, route, key });
  if (stored !== undefined && !stored.bodyHash.equals(request.bodyHash))
    throw new Refusal('IDEMPOTENCY_CONFLICT');
  if (stored === undefined || stored.status === null)
    throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  return { status: stored.status, body: stored.body };
}

async function recordResourceId({ db }: Deps, lease: Lease, resourceId: string): Promise<void> {
  const isStillLeased = await updateIdempotencyLease(db, { ...lease, resourceId });
  if (!isStillLeased) throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

/**
 * Logs a failure instead of throwing it: the call is done, so the caller gets the response even if it is not stored.
 */
async function storeResponse(
  { db, log }: Deps,
  lease: Lease,
  { status, body }: RouteResponse,
): Promise<void> {
  try {
    await updateIdempotencyLease(db, { ...lease, response: { status, bodyJson: JSON.stringify(body) } });
  } catch (error) {
    log.error({ err: error, route: lease.route }, 'the response of an idempotent call was not stored');
  }
}

/** Ends the lease before its deadline, so that the next call with this key can take over immediately. */
async function releaseLease({ db, clock, log }: Deps, lease: Lease): Promise<void> {
  try {
    await updateIdempotencyLease(db, { ...lease, releasedAt: clock.now() });
  } catch (error) {
    log.error({ err: error, route: lease.route }, 'an idempotency lease was not released');
  }
}
