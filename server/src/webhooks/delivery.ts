import type { FetchFailure } from '../guarded-fetch/index.ts';
import { nextAttempt } from './retry-schedule.ts';

/** A webhook leased to this process for one attempt. */
export type Delivery = {
  readonly merchantId: number;
  /** The event's id, with a suffix that distinguishes its deliveries (`eventOf`). */
  readonly id: string;
  /** Null: sent to the callback URL of its subject. */
  readonly endpointId: string | null;
  readonly url: string;
  /** Scheme, host and port. */
  readonly endpoint: string;
  readonly body: string;
  /** Attempts before this one. */
  readonly attempts: number;
  readonly createdAt: Date;
  readonly leasedUntil: Date;
};

/** The result of one attempt: a status, or the reason there is none. */
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

/** `held`: its endpoint is off. */
export type DeliveryState = 'waiting' | 'held' | 'delivered' | 'exhausted' | 'gone';

/** The state after an attempt: 2xx is delivered, 410 is unwanted, anything else is retried. */
export function stateAfter(
  delivery: Pick<Delivery, 'attempts' | 'createdAt'>,
  { status, retryAfterMs }: Pick<DeliveryAttempt, 'status' | 'retryAfterMs'>,
  now: Date,
  random: number,
): { state: Exclude<DeliveryState, 'held'>; dueAt: Date } {
  if (isTaken({ status })) return { state: 'delivered', dueAt: now };
  if (status === 410) return { state: 'gone', dueAt: now };
  const attempts = delivery.attempts + 1;
  const next = nextAttempt({ attempts, now, createdAt: delivery.createdAt, retryAfterMs, random });
  return next === undefined ? { state: 'exhausted', dueAt: now } : { state: 'waiting', dueAt: next };
}

export function isTaken({ status }: Pick<DeliveryAttempt, 'status'>): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** One receiver of one merchant: scheme, host and port. */
export type ReceiverOrigin = { readonly merchantId: number; readonly endpoint: string };
