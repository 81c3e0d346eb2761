const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

// The delay after each failed attempt. With these delays, eleven attempts take a little over a day.
const retryDelaysMs = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  8 * hour,
  12 * hour,
];
// Each delay is lengthened by a random share of itself, up to this one.
const maxJitterShare = 0.1;
// A longer Retry-After is shortened to this, which is also the longest delay above.
const maxRetryAfterMs = 12 * hour;

/** The maximum age of an event. After 3 days it is not sent any more, whatever delayed it. */
export const DELIVERY_LIFETIME_MS = 72 * hour;

type FailedAttempt = {
  /** Attempts made, including this one. */
  readonly attempts: number;
  readonly now: Date;
  readonly createdAt: Date;
  /** The delay that the receiver asked for by Retry-After. It can only lengthen ours. */
  readonly retryAfterMs: number | undefined;
  /** A number in [0, 1) that spreads the retries of deliveries that failed together. */
  readonly random: number;
};

/** Returns when to try again; undefined if the delivery must be given up. */
export function nextAttemptTime(failed: FailedAttempt): Date | undefined {
  const delayMs = retryDelaysMs[failed.attempts - 1];
  if (delayMs === undefined) return undefined;
  const spreadDelayMs = delayMs * (1 + maxJitterShare * failed.random);
  const waitMs = Math.max(spreadDelayMs, Math.min(failed.retryAfterMs ?? 0, maxRetryAfterMs));
  const nextAt = failed.now.getTime() + Math.ceil(waitMs);
  const expiresAt = failed.createdAt.getTime() + DELIVERY_LIFETIME_MS;
  return nextAt > expiresAt ? undefined : new Date(nextAt);
}

/**
 * Parses the Retry-After header (RFC 9110, 10.2.3): a number of seconds, or a date. The date is compared with the
 * receiver's own `date` header if there is one, since its clock may differ from ours. Undefined if Retry-After is
 * missing or makes no sense.
 */
export function parseRetryAfterMs(value: string | undefined, now: Date, date?: string): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * second;
  const sentAt = date === undefined ? Number.NaN : Date.parse(date);
  const waitMs = Date.parse(value) - (Number.isNaN(sentAt) ? now.getTime() : sentAt);
  return waitMs >= 0 ? waitMs : undefined;
}

/** The circuit breaker of a receiver: it pauses deliveries to a receiver that repeatedly did not respond in time. */
export type Breaker = {
  /** The number of consecutive timeouts up to now. */
  readonly timeouts: number;
  /** The receiver is paused until then: nothing is sent to it. Null if it is not paused. */
  readonly pausedUntil: Date | null;
};

/** The breaker of a receiver that responds: nothing is paused. */
export const CLOSED_BREAKER: Breaker = { timeouts: 0, pausedUntil: null };

const timeoutsToPause = 3;
const firstPauseMs = 60_000;
const longestPauseMs = 10 * 60_000;

/**
 * After three consecutive timeouts a receiver is paused for a minute, doubling with each further timeout up to ten
 * minutes. Any response in time, even one with an error status, closes the breaker again.
 */
export function breakerAfter(before: Breaker, timedOut: boolean, now: Date): Breaker {
  if (!timedOut) return CLOSED_BREAKER;
  const timeouts = before.timeouts + 1;
  const doublings = timeouts - timeoutsToPause;
  if (doublings < 0) return { timeouts, pausedUntil: before.pausedUntil };
  // The number of doublings is bounded too, so that the power stays small.
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(doublings, 10));
  return { timeouts, pausedUntil: new Date(now.getTime() + pauseMs) };
}

export function isPaused({ pausedUntil }: Breaker, now: Date): boolean {
  return pausedUntil !== null && pausedUntil > now;
}
