import { Refusal } from '../refusal.ts';
import { RateLimit, type RateLimitVerdict } from './rate-limit.ts';

// A network that keeps guessing secrets is told so in place of what else is wrong.
const guessesAMinute = 300;
const suspectsAtOnce = 16;
const allSuspectsAtOnce = 64;

/**
 * Counts failed authentications by network, whatever takes the secrets. Many people may call from one network, so whoever
 * shows a secret that holds gets in, however many fail beside them: beyond the limit only those that fail are refused. What
 * a guess costs is one look-up, gathered with others (`db/batch-per-connection.ts`).
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
   * Looks up who shows a secret: `look` throws a refusal when nobody does, or when who does may not call now. Refused in
   * place of the first with RATE_LIMITED beyond the limit; or with OVERLOADED where too many of a suspect network, or of
   * all of them, are looked up already: so they never take all places of calls, nor one of them those of another.
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

  /** Counts a failure. */
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

/** Who shows a secret that is theirs guesses nothing, even where it opens nothing now: it has ended, or its account is frozen. */
function isFailure(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'UNAUTHENTICATED' || error.code === 'INVALID_API_KEY');
}

function refuseExcess({ allowed, resetSeconds }: RateLimitVerdict): void {
  if (!allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: resetSeconds });
}
