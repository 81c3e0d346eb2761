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
  /** As parsed; two calls count as the same only if their bodies are equal. */
  readonly body: unknown;
};

type Deps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: Pick<Secrets, 'hash'>;
};
type Claim = IdempotencyKeyName & { readonly leaseUntil: Date; readonly resumed: string | undefined };

const leaseMilliseconds = 60_000;
const visible = new RegExp(`^[\\x21-\\x7e]{1,${IDEMPOTENCY_KEY_MAX_LENGTH}}$`);

/** @returns the Idempotency-Key of a request, undefined without one. Refused with IDEMPOTENCY_KEY_INVALID. */
export function readIdempotencyKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header !== 'string' || !visible.test(header)) throw new Refusal('IDEMPOTENCY_KEY_INVALID');
  return header;
}

/**
 * Runs a keyed call once: a repeated call with the same body gets the stored answer. A call leases its key; if it ends
 * without a final answer (a crash, an internal error), the next call takes over and receives the id of the resource
 * already created. Throws IDEMPOTENCY_CONFLICT or IDEMPOTENCY_IN_PROGRESS.
 */
export async function runIdempotent(
  deps: Deps,
  call: KeyedCall,
  work: (idempotency: IdempotencyHandle) => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> {
  const held = await claim(deps, call);
  if ('status' in held) return { ...held, replayed: true };
  try {
    const answer = await work({ resumed: held.resumed, remember: (id) => remember(deps, held, id) });
    await (isFinal(answer) ? keepAnswer(deps, held, answer) : release(deps, held));
    return { ...answer, replayed: false };
  } catch (error) {
    await release(deps, held);
    throw error;
  }
}

function isFinal({ status, refused }: Answer): boolean {
  if (status === 401 || status === 429 || status >= 500) return false;
  return refused === undefined || !('transient' in errors[refused]);
}

/**
 * Hashes the JSON of a parsed body with its fields in a fixed order. Keyed, because a body may contain a PIN, which
 * could be guessed from a plain hash.
 */
function hashBody({ secrets }: Deps, body: unknown): Buffer {
  return secrets.hash('idempotency', JSON.stringify(sorted(body)) ?? '');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([name, field]) => [name, sorted(field)]);
}

async function claim(deps: Deps, call: KeyedCall): Promise<Claim | Answer> {
  const { db, clock } = deps;
  const { merchantId, route, key } = call;
  const bodyHash = hashBody(deps, call.body);
  const now = clock.now();
  const leaseUntil = new Date(now.getTime() + leaseMilliseconds);
  const claimed = await leaseIdempotencyKey(db, { merchantId, route, key, bodyHash, now, leaseUntil });
  if (claimed !== undefined) return { merchantId, route, key, leaseUntil, ...claimed };
  const known = await findKey(db, { merchantId, route, key });
  if (known !== undefined && !known.bodyHash.equals(bodyHash)) throw new Refusal('IDEMPOTENCY_CONFLICT');
  if (known === undefined || known.status === null)
    throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
  return { status: known.status, body: known.answer };
}

async function remember({ db }: Deps, held: Claim, resourceId: string): Promise<void> {
  const remembered = await updateIdempotencyLease(db, { ...held, resourceId });
  if (!remembered) throw new Refusal('IDEMPOTENCY_IN_PROGRESS', { retryAfterSeconds: 1 });
}

/** The work is done: the caller gets the answer even if storing it fails. */
async function keepAnswer({ db, log }: Deps, held: Claim, { status, body }: Answer): Promise<void> {
  try {
    await updateIdempotencyLease(db, { ...held, answered: { status, answer: JSON.stringify(body) } });
  } catch (error) {
    log.error({ err: error, route: held.route }, 'the response of an idempotent call was not stored');
  }
}

/** Lets the next call take over at once. */
async function release({ db, clock, log }: Deps, held: Claim): Promise<void> {
  try {
    await updateIdempotencyLease(db, { ...held, releasedAt: clock.now() });
  } catch (error) {
    log.error({ err: error, route: held.route }, 'an idempotency claim was not released');
  }
}
