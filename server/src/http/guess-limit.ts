import { hash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import { Refusal } from '../refusal.ts';
import { RateLimit, type RateLimitVerdict } from './rate-limit.ts';

// Beyond this, a network that keeps guessing secrets is refused with RATE_LIMITED in place of the actual error.
const guessesAMinute = 300;
/** Look-ups for one suspect network: at once, and those that wait their turn included. */
const suspectsAtOnce = 16;
const suspectsOfNetwork = 48;
/** Of the 128 calls that may be in progress, those of all suspect networks together. */
const allSuspects = 80;
/** Enough for everyone who calls within some hours; each takes about 100 bytes. */
const mostKnown = 20_000;

/**
 * Counts failed authentications by network, for all kinds of secrets. Many people may share a network, so a valid
 * secret always gets in: beyond the limit only failed attempts are refused. A guess costs one look-up, batched with
 * others (`db/batch-per-connection.ts`).
 */
export class GuessLimit {
  readonly #failures: RateLimit;
  /** A suspect network's look-ups in progress. A network without any has no entry. */
  readonly #suspects = new Map<string, { readonly inTurn: LimitFunction; taken: number }>();
  #allSuspects = 0;
  /** Digests of secrets that were valid when they were last looked up, the least recent first. */
  readonly #known = new Set<string>();

  constructor(aMinute = guessesAMinute) {
    this.#failures = new RateLimit(aMinute);
  }

  /** Returns whether a network has failed too often recently. */
  isSuspect(network: string): boolean {
    return !this.#failures.peek(network).allowed;
  }

  /**
   * Runs `look`, which resolves a secret and throws a refusal if it is not valid or its owner may not call now. Beyond
   * the limit a failed attempt is refused with RATE_LIMITED instead. A secret that was valid before is looked up at
   * once; others of a suspect network wait their turn, and are refused with OVERLOADED when too many wait: suspects
   * cannot take all call slots, nor one network those of another.
   */
  async guard<T>(network: string, look: () => Promise<T>, secret?: string): Promise<T> {
    const digest = secret === undefined ? undefined : hash('sha256', secret, 'base64');
    const isKnown = digest !== undefined && this.#known.delete(digest);
    try {
      const found = await (isKnown || !this.isSuspect(network) ? look() : this.#lookInTurn(network, look));
      if (digest !== undefined) this.#remember(digest);
      return found;
    } catch (error) {
      if (isFailure(error)) refuseExcess(this.count(network));
      else if (isKnown) this.#remember(digest);
      throw error;
    }
  }

  /** Counts a failed attempt. */
  count(network: string): RateLimitVerdict {
    return this.#failures.take(network);
  }

  #remember(digest: string): void {
    this.#known.add(digest);
    const [oldest] = this.#known;
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  async #lookInTurn<T>(network: string, look: () => Promise<T>): Promise<T> {
    const places = this.#suspects.get(network) ?? { inTurn: pLimit(suspectsAtOnce), taken: 0 };
    if (places.taken >= suspectsOfNetwork || this.#allSuspects >= allSuspects)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    this.#suspects.set(network, places);
    places.taken += 1;
    this.#allSuspects += 1;
    try {
      return await places.inTurn(look);
    } finally {
      this.#allSuspects -= 1;
      places.taken -= 1;
      if (places.taken === 0) this.#suspects.delete(network);
    }
  }
}

/** A correct secret is not a guess, even if it grants nothing now because it has expired or its account is frozen. */
function isFailure(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'UNAUTHENTICATED' || error.code === 'INVALID_API_KEY');
}

function refuseExcess({ allowed, resetSeconds }: RateLimitVerdict): void {
  if (!allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: resetSeconds });
}
