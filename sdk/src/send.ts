import { JangadaConnectionError, JangadaError } from './errors.ts';
import type { Fetch } from './options.ts';

/** The request of one attempt, and when to give the attempt up. */
export type AttemptRequest = {
  readonly fetch: Fetch;
  readonly address: string;
  readonly request: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/** The result of one attempt: either the parsed body of a successful response (`answer`), or a failure. */
export type AttemptResult = {
  readonly status?: number;
  readonly requestId?: string;
  readonly replayed: boolean;
} & ({ readonly answer: unknown; readonly failure?: undefined } | { readonly failure: CallFailure });

export type CallFailure = {
  readonly error: JangadaError;
  /**
   * Whether the gateway executed the call.
   * - `unknown`: this attempt may have executed the call.
   * - `not-done`: this attempt did not execute the call, but an earlier attempt may have.
   * - `refused`: no attempt executed the call. If an earlier one had, the gateway would have repeated its response.
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
    return { ...facts, failure: { error, ...classifyRefusal(status, refusal.code) } };
  }
  const error = new JangadaConnectionError({
    code: 'ANSWER_NOT_UNDERSTOOD',
    message: `A resposta (${status}) não é de uma Jangada. Confira baseUrl, e o que está entre você e o gateway.`,
    status,
    requestId,
    retryAfter,
  });
  return { ...facts, failure: { error, ...classifyUnreadable(status) } };
}

/**
 * Judges a response that is not the gateway's: a proxy sent it instead, or it was cut off on the way. With a 3xx or
 * 4xx, the attempt did not execute the call. With a 2xx or 5xx, it may have. After a 2xx the call is retried, because
 * only the gateway's own response contains the result.
 */
function classifyUnreadable(status: number): Omit<CallFailure, 'error'> {
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess || status >= 500)
    return { outcome: 'unknown', shouldRetry: isSuccess || isTransient(status) };
  return { outcome: 'not-done', shouldRetry: isTransient(status) };
}

/** Statuses after which the same call may succeed moments later. */
const isTransient = (status: number) => [408, 429, 500, 502, 503, 504].includes(status);

// Codes with which the gateway refuses a call before it does any work for the call.
const refusedBeforeWork = ['RATE_LIMITED', 'OVERLOADED'];
// Codes of refusals that last: a retry within seconds would be refused again.
const lastingRefusals = ['WITHDRAWALS_PAUSED'];

function classifyRefusal(status: number, code: string): Omit<CallFailure, 'error'> {
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return { outcome: 'unknown', shouldRetry: true };
  if (refusedBeforeWork.includes(code)) return { outcome: 'not-done', shouldRetry: true };
  if (lastingRefusals.includes(code) || status === 501) return { outcome: 'not-done', shouldRetry: false };
  if (status >= 500) return { outcome: 'unknown', shouldRetry: isTransient(status) };
  // The gateway may refuse with these statuses before it looks for the stored response of an earlier attempt, so they
  // do not show whether that attempt executed the call.
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

/** Returns how many seconds to wait. The header Retry-After (RFC 9110, 10.2.3) contains seconds or a date. */
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
