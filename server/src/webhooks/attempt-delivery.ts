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

// How many bytes of the response body the log keeps.
const maxStoredBodyBytes = 2048;

/**
 * Signs a webhook and sends it once. A failure of the receiver is returned, not thrown. The signature carries the
 * machine's time, because receivers compare it with their own clocks, while a sandbox's clock may have been advanced.
 */
export async function attemptDelivery(
  { fetch, clock }: { fetch: GuardedFetch; clock: Clock },
  delivery: Delivery,
  secrets: readonly string[],
): Promise<DeliveryAttempt> {
  const at = clock.now();
  const began = performance.now();
  const { url, body } = delivery;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Jangada-Webhook/1',
    ...signatureHeaders({ id: eventIdOfDelivery(delivery.id), body }, secrets, machineClock.now()),
  };
  const sent = await send(fetch, { method: 'POST', url, headers, body });
  const durationMs = Math.round(performance.now() - began);
  if (sent instanceof FetchFailed)
    return {
      at,
      durationMs,
      status: null,
      error: sent.reason,
      answer: null,
      retryAfterMs: undefined,
      headers,
    };
  return {
    at,
    durationMs,
    status: sent.status,
    error: null,
    answer: toStorableText(sent.body),
    retryAfterMs: parseRetryAfterMs(
      only(sent.headers['retry-after']),
      clock.now(),
      only(sent.headers['date']),
    ),
    headers,
  };
}

async function send(fetch: GuardedFetch, request: GuardedRequest): Promise<GuardedResponse | FetchFailed> {
  try {
    return await fetch.send(request);
  } catch (error) {
    if (error instanceof FetchFailed) return error;
    throw error;
  }
}

function only(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}

/** Removes NUL, which PostgreSQL cannot store in text. */
function toStorableText(body: Buffer): string {
  return body.subarray(0, maxStoredBodyBytes).toString('utf8').replaceAll('\0', '');
}
