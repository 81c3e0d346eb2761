import { Refusal } from '../refusal.ts';
import { type Allowance, RateLimit } from './rate-limit.ts';

// A network that keeps guessing secrets is told so in place of what else is wrong.
const guessesAMinute = 300;
const suspectsAtOnce = 16;

/**
 * Counts failed authentications by network, whatever takes the secrets. Many people may call from one network, so whoever
 * shows a secret that holds gets in, however many fail beside them: beyond the limit only those that fail are refused. What
 * a guess costs is one look-up, gathered with others (`db/gather-on.ts`).
 */
export class GuessLimit {
  readonly #failures: RateLimit;
  #suspects = 0;

  constructor(aMinute = guessesAMinute) {
    this.#failures = new RateLimit(aMinute);
  }

  /** Whether a network has failed too often of late. */
  isSuspect(network: string): boolean {
    return !this.#failures.peek(network).allowed;
  }

  /**
   * Looks up who shows a secret: `look` throws a refusal when nobody does, or when who does may not call now. Refused in
   * place of the first with RATE_LIMITED beyond the limit, or with OVERLOADED where too many of suspect networks are looked up already: so they never take all places of calls.
   */
  async guard<T>(network: string, look: () => Promise<T>): Promise<T> {
    const isSuspect = this.isSuspect(network);
    if (isSuspect && this.#suspects >= suspectsAtOnce)
      throw new Refusal('OVERLOADED', { retryAfterSeconds: 1 });
    if (isSuspect) this.#suspects += 1;
    try {
      return await look();
    } catch (error) {
      if (isFailure(error)) refuseExcess(this.count(network));
      throw error;
    } finally {
      if (isSuspect) this.#suspects -= 1;
    }
  }

  /** Counts a failure. */
  count(network: string): Allowance {
    return this.#failures.take(network);
  }
}

/** Who shows a secret that is theirs guesses nothing, even where it opens nothing now: it has ended, or its account is frozen. */
function isFailure(error: unknown): boolean {
  return error instanceof Refusal && (error.code === 'UNAUTHENTICATED' || error.code === 'INVALID_API_KEY');
}

function refuseExcess({ allowed, resetSeconds }: Allowance): void {
  if (!allowed) throw new Refusal('RATE_LIMITED', { retryAfterSeconds: resetSeconds });
}
