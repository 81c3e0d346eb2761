import type { FetchFailure } from '../guarded-fetch/index.ts';
import { nextAttemptTime } from './retry-schedule.ts';

/** An event on its way to one receiver. */
export type Delivery = {
  readonly merchantId: number;
  /** The event's id, with a suffix that distinguishes its deliveries (`eventIdOfDelivery`). */
  readonly id: string;
  readonly type: string;
  /** What the event is about: a charge, a withdrawal or a dispute. */
  readonly subjectId: string;
  /** An endpoint's id, or the origin (scheme, host and port) of a callback address. */
  readonly receiver: string;
  readonly url: string;
  readonly body: string;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly createdAt: Date;
};

/** A callback origin contains a colon (after the scheme); an endpoint's id does not. */
export function isEndpoint(receiver: string): boolean {
  return !receiver.includes(':');
}

/** The result of one attempt: an HTTP status, or the reason why there is none. */
export type DeliveryAttempt = {
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: FetchFailure | null;
  /** The first part of the response body. */
  readonly answer: string | null;
  readonly retryAfterMs: number | undefined;
  /** The request headers sent. */
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * `waiting` for its next attempt; `delivered`: accepted by the receiver; `exhausted`: given up; `gone`: the receiver
 * answered 410, so it wants no more events.
 */
export type DeliveryState = 'waiting' | 'delivered' | 'exhausted' | 'gone';

/**
 * The new state of a delivery. `attempt` is undefined if it was put off, or given up as too old, without an attempt.
 */
export type DeliveryOutcome = {
  readonly delivery: Delivery;
  readonly attempt: DeliveryAttempt | undefined;
  readonly state: DeliveryState;
  /** When a waiting delivery is tried next. */
  readonly dueAt: Date;
};

/**
 * The state after an attempt: 2xx means delivered, 410 that no events are wanted. Anything else is tried again, until
 * the retry schedule ends. `random` is a number in [0, 1) that spreads the retries.
 */
export function stateAfter(
  delivery: Pick<Delivery, 'attempts' | 'createdAt'>,
  { status, retryAfterMs }: Pick<DeliveryAttempt, 'status' | 'retryAfterMs'>,
  now: Date,
  random: number,
): { state: DeliveryState; dueAt: Date } {
  if (isAccepted({ status })) return { state: 'delivered', dueAt: now };
  if (status === 410) return { state: 'gone', dueAt: now };
  const attempts = delivery.attempts + 1;
  const next = nextAttemptTime({ attempts, now, createdAt: delivery.createdAt, retryAfterMs, random });
  return next === undefined ? { state: 'exhausted', dueAt: now } : { state: 'waiting', dueAt: next };
}

export function isAccepted({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}
