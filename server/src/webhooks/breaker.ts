/** The circuit breaker of an endpoint that did not respond in time. */
export type Breaker = {
  /** Consecutive timeouts up to now. */
  readonly timeouts: number;
  /** Nothing is sent before then. */
  readonly openUntil: Date | null;
};

export const CLOSED: Breaker = { timeouts: 0, openUntil: null };

const timeoutsToOpen = 3;
const firstRestMs = 60_000;
const longestRestMs = 10 * 60_000;

/**
 * After three consecutive timeouts an endpoint is paused for a minute, doubling with each further timeout up to ten
 * minutes. Any response in time, even an error status, resets it.
 */
export function breakerAfter(before: Breaker, timedOut: boolean, now: Date): Breaker {
  if (!timedOut) return CLOSED;
  const timeouts = before.timeouts + 1;
  const excess = timeouts - timeoutsToOpen;
  if (excess < 0) return { timeouts, openUntil: before.openUntil };
  const rest = Math.min(longestRestMs, firstRestMs * 2 ** Math.min(excess, 10));
  return { timeouts, openUntil: new Date(now.getTime() + rest) };
}
