import { JangadaConnectionError, JangadaError } from './errors.ts';
import type { Fetch } from './options.ts';

/** What one attempt needs: the request, and when to give up. */
export type AttemptRequest = {
  readonly fetch: Fetch;
  readonly address: string;
  readonly request: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/** The result of one attempt: the parsed body of a success (`answer`), or a failure. */
export type AttemptResult = {
  readonly status?: number;
  readonly requestId?: string;
  readonly replayed: boolean;
} & ({ readonly answer: unknown; readonly failure?: undefined } | { readonly failure: CallFailure });

export type CallFailure = {
  readonly error: JangadaError;
  /**
   * Whether the call was executed.
   * - `unknown`: this attempt may have executed the call.
   * - `not-done`: this attempt did not execute the call; an earlier attempt may have.
   * - `refused`: no attempt executed the call, since the gateway would have replayed the success of an earlier attempt.
   */
  readonly outcome: 'unknown' | 'not-done' | 'refused';
  /** Whether the same call may succeed if it is sent again. */
  readonly shouldRetry: boolean;
};

/** Sends a request once. Never throws. */
export async function send(attempt: AttemptRequest): Promise<AttemptResult> {
  const { signal, timeoutMs } = attempt;
  if (signal?.aborted) return withoutResponse(aborted(signal.reason), 'not-done', false);
  const controller = new AbortController();
  const onAbort = () => controller.abort();
  const timer = setTimeout(onAbort, timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    const response = await attempt.fetch(attempt.address, { ...attempt.request, signal: controller.signal });
    return readResponse(response, await response.text());
  } catch (cause) {
    if (signal?.aborted) return withoutResponse(aborted(signal.reason), 'unknown', false);
    return withoutResponse(
      controller.signal.aborted ? timedOut(timeoutMs) : disconnected(cause),
      'unknown',
      true,
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function withoutResponse(
  error: JangadaError,
  outcome: CallFailure['outcome'],
  shouldRetry: boolean,
): AttemptResult {
  return { replayed: false, failure: { error, outcome, shouldRetry } };
}

function readResponse(response: Response, text: string): AttemptResult {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const facts = {
    status,
    replayed: headers.get('idempotency-replayed') === 'true',
    ...(requestId !== undefined && { requestId }),
  };
  const body = parseJson(text);
  if (status >= 200 && status < 300 && body !== undefined) return { ...facts, answer: body };
  const retryAfter = readRetryAfter(headers.get('retry-after'));
  const refusal = refusalOf(body);
  if (refusal !== undefined) {
    const error = new JangadaError({ ...refusal, status, requestId, retryAfter });
    return { ...facts, failure: { error, ...judgeRefusal(status, refusal.code) } };
  }
  const error = new JangadaConnectionError({
    code: 'ANSWER_NOT_UNDERSTOOD',
    message: `A resposta (${status}) não é de uma Jangada. Confira baseUrl, e o que está entre você e o gateway.`,
    status,
    requestId,
    retryAfter,
  });
  return { ...facts, failure: { error, ...judgeUnreadable(status) } };
}

/**
 * An unreadable response does not come from the gateway as it is, but from a proxy, or cut off. With a 3xx or 4xx, this
 * attempt did not execute the call. A 5xx leaves that unknown. So does a 2xx, after which the call is sent again to get its
 * result.
 */
function judgeUnreadable(status: number): Omit<CallFailure, 'error'> {
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess || status >= 500)
    return { outcome: 'unknown', shouldRetry: isSuccess || isTransient(status) };
  return { outcome: 'not-done', shouldRetry: isTransient(status) };
}

/** Statuses after which the same call may succeed moments later. */
const isTransient = (status: number) => [408, 429, 500, 502, 503, 504].includes(status);

// Codes with which the gateway refuses a call before it does any work.
const refusedBeforeWork = ['RATE_LIMITED', 'OVERLOADED'];
// Codes that stem from a state which does not change within seconds.
const lastingRefusals = ['WITHDRAWALS_PAUSED'];

function judgeRefusal(status: number, code: string): Omit<CallFailure, 'error'> {
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return { outcome: 'unknown', shouldRetry: true };
  if (refusedBeforeWork.includes(code)) return { outcome: 'not-done', shouldRetry: true };
  if (lastingRefusals.includes(code) || status === 501) return { outcome: 'not-done', shouldRetry: false };
  if (status >= 500) return { outcome: 'unknown', shouldRetry: isTransient(status) };
  // The gateway checks the caller before it replays a stored response, so these statuses say nothing about earlier attempts.
  if ([401, 403, 408, 429].includes(status)) return { outcome: 'not-done', shouldRetry: isTransient(status) };
  return { outcome: 'refused', shouldRetry: false };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Refusal = Pick<JangadaError, 'code' | 'message'> & { readonly details?: Record<string, unknown> };

function refusalOf(body: unknown): Refusal | undefined {
  if (!isObject(body) || !isObject(body['error'])) return undefined;
  const { code, message, details } = body['error'];
  if (typeof code !== 'string' || typeof message !== 'string') return undefined;
  return { code, message, ...(isObject(details) && { details }) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the seconds to wait. Retry-After (RFC 9110, 10.2.3) holds seconds or a date. */
function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function timedOut(timeoutMs: number): JangadaError {
  return new JangadaConnectionError({
    code: 'TIMED_OUT',
    message: `O gateway não respondeu em ${timeoutMs} ms.`,
  });
}

function disconnected(cause: unknown): JangadaError {
  return new JangadaConnectionError({
    code: 'CONNECTION_FAILED',
    message: 'Não houve resposta do gateway: a conexão falhou.',
    cause,
  });
}

export function aborted(cause: unknown): JangadaError {
  return new JangadaError({ code: 'ABORTED', message: 'A chamada foi interrompida.', cause });
}
