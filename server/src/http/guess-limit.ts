import { Refusal } from '../refusal.ts';
import { RateLimit, type RateLimitVerdict } from './rate-limit.ts';

// Beyond this, a network that keeps guessing secrets is refused with RATE_LIMITED in place of the actual error.
const guessesAMinute = 300;
const suspectsAtOnce = 16;
const allSuspectsAtOnce = 64;

/**
 * Counts failed authentications by network, for all kinds of secrets. Many people may share a network, so a valid
 * secret always gets in: beyond the limit only failed attempts are refused. A guess costs one look-up, batched with
 * others (`db/batch-per-connection.ts`).
 */
export class GuessLimit {
  readonly #failures: RateLimit;
  /** Look-ups in progress for each suspect network. A network without any has no entry. */
  readonly #suspects = new Map<string, number>();
  #allSuspects = 0;

  constructor(aMinute = guessesAMinute) {
    this.#failures = new RateLimit(aMinute);
  }

  /** Returns whether a network has failed too often recently. */
  isSuspect(network: string): boolean {
    return !this.#failures.peek(network).allowed;
  }

  /**
   * Runs `look`, which resolves a secret and throws a refusal if it is not valid or its owner may not call now. Beyond
   * the limit a failed attempt is refused with RATE_LIMITED instead. Refused with OVERLOADED when too many look-ups are
   * in progress for a suspect network or for all of them together: suspects cannot take all call slots, nor one network
   * those of another.
   */
  async guard<T>(network: string, look: () => Promise<T>): Promise<T> {
    const isSuspect = this.isSuspect(network);
    if (isSuspect) this.#takePlace(network);
    try {
      return await look();
    } catch (error) {
      if (isFailure(error)) refuseExcess(this.count(network));
      throw error;
    } finally {
      if (isSuspect) this.#leavePlace(network);
    }
  }

  /** Counts a failed attempt. */
  count(network: string): RateLimitVerdict {
    return this.#failures.take(network);
  }

  #takePlace(network: string): void {
    const taken = this.#suspects.get(network) ?? 0;
    if (taken >= suspectsAtOnce || this.#allSuspects >= allSuspectsAtOnce)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    this.#suspects.set(network, taken + 1);
    this.#allSuspects += 1;
  }

  #leavePlace(network: string): void {
    const left = (this.#suspects.get(network) ?? 1) - 1;
    if (left === 0) this.#suspects.delete(network);
    else this.#suspects.set(network, left);
    this.#allSuspects -= 1;
  }
}

/** A correct secret is not a guess, even if it grants nothing now because it has expired or its account is frozen. */
function isFailure(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'UNAUTHENTICATED' || error.code === 'INVALID_API_KEY');
}

function refuseExcess({ allowed, resetSeconds }: RateLimitVerdict): void {
  if (!allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: resetSeconds });
}
