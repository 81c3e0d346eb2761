import { hash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { Refusal } from '../refusal.ts';
import { RateLimit, type RateLimitVerdict } from './rate-limit.ts';

/**
 * A network with this many failed attempts in a minute is suspect: its further failures get RATE_LIMITED instead of the
 * actual error.
 */
const guessesPerMinute = 300;
/** How many look-ups of one suspect network run at once. */
const lookUpsAtOncePerNetwork = 16;
/** How many look-ups of one suspect network may be pending (running or waiting). */
const maxPendingPerNetwork = 48;
/**
 * How many look-ups of all suspect networks together may be pending: fewer than the 128 calls processed at once
 * (server.ts), so that slots remain for all other callers.
 */
const maxPendingLookUps = 80;
/** Enough for all callers of some hours; each remembered secret takes about 100 bytes. */
const maxRememberedSecrets = 20_000;

/**
 * Limits how often a network may guess secrets: counts failed authentications by network, for all kinds of secrets.
 * Many people may share a network, so a valid secret is always accepted; only failed attempts get RATE_LIMITED beyond
 * the limit. So every guess still costs a look-up, which is batched with others (`db/batch-per-connection.ts`).
 */
export class GuessLimit {
  readonly #failures: RateLimit;
  /** The look-ups of each suspect network. A network without pending look-ups has no entry. */
  readonly #queues = new Map<string, { readonly runInTurn: LimitFunction; pending: number }>();
  #pendingLookUps = 0;
  /** Digests of secrets that were valid when they were last looked up, the least recent first. */
  readonly #validDigests = new Set<string>();

  constructor(perMinute = guessesPerMinute) {
    this.#failures = new RateLimit(perMinute);
  }

  /** Returns whether a network has failed too often recently. */
  isSuspect(network: string): boolean {
    return !this.#failures.peek(network).allowed;
  }

  /**
   * Runs `lookUp`, which finds the owner of a secret and throws a refusal if the secret is not valid or its owner may
   * not call now. Beyond the limit, RATE_LIMITED replaces the refusal of an invalid secret. A secret that was valid
   * before is looked up immediately. Other secrets from a suspect network wait their turn, and are refused with
   * OVERLOADED when too many are pending, so that suspect networks cannot take all call slots, nor the turns of each
   * other.
   */
  async guard<T>(network: string, lookUp: () => Promise<T>, secret?: string): Promise<T> {
    const digest = secret === undefined ? undefined : hash('sha256', secret, 'base64');
    // A valid digest is deleted here and added again below, so that the set stays in order of use.
    const wasValid = digest !== undefined && this.#validDigests.delete(digest);
    try {
      const result = await (wasValid || !this.isSuspect(network)
        ? lookUp()
        : this.#lookUpInTurn(network, lookUp));
      if (digest !== undefined) this.#remember(digest);
      return result;
    } catch (error) {
      if (isWrongGuess(error)) refuseExcess(this.countFailure(network));
      else if (wasValid) this.#remember(digest);
      throw error;
    }
  }

  /** Counts a failed attempt, and returns whether the network was still within the limit. */
  countFailure(network: string): RateLimitVerdict {
    return this.#failures.take(network);
  }

  #remember(digest: string): void {
    this.#validDigests.add(digest);
    const [oldest] = this.#validDigests;
    if (this.#validDigests.size > maxRememberedSecrets && oldest !== undefined)
      this.#validDigests.delete(oldest);
  }

  async #lookUpInTurn<T>(network: string, lookUp: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(network) ?? { runInTurn: pLimit(lookUpsAtOncePerNetwork), pending: 0 };
    if (queue.pending >= maxPendingPerNetwork || this.#pendingLookUps >= maxPendingLookUps)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    this.#queues.set(network, queue);
    queue.pending += 1;
    this.#pendingLookUps += 1;
    try {
      return await queue.runInTurn(lookUp);
    } finally {
      this.#pendingLookUps -= 1;
      queue.pending -= 1;
      if (queue.pending === 0) this.#queues.delete(network);
    }
  }
}

/** A correct secret is not a guess, even if it grants nothing now because it has expired or its account is frozen. */
function isWrongGuess(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'UNAUTHENTICATED' || error.code === 'INVALID_API_KEY');
}

function refuseExcess({ allowed, resetSeconds }: RateLimitVerdict): void {
  if (!allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: resetSeconds });
}
