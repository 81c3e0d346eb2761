import { type Clock, machineClock } from '../clock.ts';
import {
  FetchFailed,
  type GuardedFetch,
  type GuardedRequest,
  type GuardedResponse,
} from '../guarded-fetch/index.ts';
import type { Delivery, DeliveryAttempt } from './delivery.ts';
import { parseRetryAfterMs } from './retry-schedule.ts';
import { signatureHeaders } from './secrets.ts';
import { eventIdOfDelivery } from './write-events.ts';

// How many bytes of the response body the delivery log keeps.
const maxStoredBodyBytes = 2048;

/**
 * Signs a webhook and sends it once. A failure of the receiver is returned, not thrown. The signature carries the
 * machine's time and not the gateway's clock, because receivers compare it with their own clocks, and the test mode may
 * have advanced the gateway's clock.
 */
export async function attemptDelivery(
  { fetch, clock }: { fetch: GuardedFetch; clock: Clock },
  delivery: Delivery,
  secrets: readonly string[],
): Promise<DeliveryAttempt> {
  const at = clock.now();
  const startedAt = performance.now();
  const { url, body } = delivery;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Jangada-Webhook/1',
    ...signatureHeaders({ id: eventIdOfDelivery(delivery.id), body }, secrets, machineClock.now()),
  };
  const result = await trySend(fetch, { method: 'POST', url, headers, body });
  const durationMs = Math.round(performance.now() - startedAt);
  if (result instanceof FetchFailed)
    return {
      at,
      durationMs,
      status: null,
      error: result.reason,
      answer: null,
      retryAfterMs: undefined,
      headers,
    };
  return {
    at,
    durationMs,
    status: result.status,
    error: null,
    answer: toStorableText(result.body),
    retryAfterMs: parseRetryAfterMs(
      firstValue(result.headers['retry-after']),
      clock.now(),
      firstValue(result.headers['date']),
    ),
    headers,
  };
}

async function trySend(fetch: GuardedFetch, request: GuardedRequest): Promise<GuardedResponse | FetchFailed> {
  try {
    return await fetch.send(request);
  } catch (error) {
    if (error instanceof FetchFailed) return error;
    throw error;
  }
}

function firstValue(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

/** Removes NUL, which PostgreSQL cannot store in text. */
function toStorableText(body: Buffer): string {
  return body.subarray(0, maxStoredBodyBytes).toString('utf8').replaceAll('\0', '');
}
