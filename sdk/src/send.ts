import { JangadaConnectionError, JangadaError } from './errors.ts';
import type { Fetch } from './options.ts';

export type Sending = {
  readonly fetch: Fetch;
  readonly address: string;
  readonly request: RequestInit;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
};

/**
 * The result of one attempt. A failure says whether a retry may help, and whether the call was executed:
 * `unknown`: possibly; `not-done`: not by this attempt, which says nothing about earlier ones; `refused`: not by any
 * attempt, since the gateway would have replayed an earlier success.
 */
export type AttemptResult = {
  readonly status?: number;
  readonly requestId?: string;
  readonly replayed: boolean;
} & ({ readonly answer: unknown; readonly failed?: undefined } | { readonly failed: CallFailure });

export type CallFailure = {
  readonly error: JangadaError;
  readonly means: 'unknown' | 'not-done' | 'refused';
  readonly worthRepeating: boolean;
};

/** Sends a request once. Never throws. */
export async function send(sending: Sending): Promise<AttemptResult> {
  const { signal, timeoutMs } = sending;
  if (signal?.aborted) return unanswered(aborted(signal.reason), 'not-done', false);
  const stop = new AbortController();
  const onAbort = () => stop.abort();
  const timer = setTimeout(onAbort, timeoutMs);
  signal?.addEventListener('abort', onAbort);
  try {
    const response = await sending.fetch(sending.address, { ...sending.request, signal: stop.signal });
    return read(response, await response.text());
  } catch (cause) {
    if (signal?.aborted) return unanswered(aborted(signal.reason), 'unknown', false);
    return unanswered(stop.signal.aborted ? timedOut(timeoutMs) : disconnected(cause), 'unknown', true);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

function unanswered(
  error: JangadaError,
  means: CallFailure['means'],
  worthRepeating: boolean,
): AttemptResult {
  return { replayed: false, failed: { error, means, worthRepeating } };
}

function read(response: Response, text: string): AttemptResult {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id') ?? undefined;
  const about = {
    status,
    replayed: headers.get('idempotency-replayed') === 'true',
    ...(requestId !== undefined && { requestId }),
  };
  const body = parse(text);
  if (status >= 200 && status < 300 && body !== undefined) return { ...about, answer: body };
  const retryAfter = secondsOf(headers.get('retry-after'));
  const refusal = refusalOf(body);
  if (refusal !== undefined) {
    const error = new JangadaError({ ...refusal, status, requestId, retryAfter });
    return { ...about, failed: { error, ...judge(status, refusal.code) } };
  }
  const error = new JangadaConnectionError({
    code: 'ANSWER_NOT_UNDERSTOOD',
    message: `A resposta (${status}) não é de uma Jangada. Confira baseUrl, e o que está entre você e o gateway.`,
    status,
    requestId,
    retryAfter,
  });
  return { ...about, failed: { error, ...judgeUnread(status) } };
}

/**
 * An unreadable response comes from a proxy: with a 4xx, this attempt was not executed; a 5xx leaves that unknown, and
 * so does a 2xx, whose result is worth asking for again.
 */
function judgeUnread(status: number): Omit<CallFailure, 'error'> {
  const isSuccess = status >= 200 && status < 300;
  if (isSuccess || status >= 500) return { means: 'unknown', worthRepeating: isSuccess || isPassing(status) };
  return { means: 'not-done', worthRepeating: isPassing(status) };
}

const isPassing = (status: number) => [408, 429, 500, 502, 503, 504].includes(status);

// Refused before any work began.
const notBegun = ['RATE_LIMITED', 'OVERLOADED', 'UNAVAILABLE'];
// Refused because of a state that does not change within seconds.
const lasting = ['WITHDRAWALS_PAUSED'];

function judge(status: number, code: string): Omit<CallFailure, 'error'> {
  if (code === 'IDEMPOTENCY_IN_PROGRESS') return { means: 'unknown', worthRepeating: true };
  if (notBegun.includes(code)) return { means: 'not-done', worthRepeating: true };
  if (lasting.includes(code) || status === 501) return { means: 'not-done', worthRepeating: false };
  if (status >= 500) return { means: 'unknown', worthRepeating: isPassing(status) };
  // The caller is checked before an idempotent response is replayed, so these say nothing about earlier attempts.
  if ([401, 403, 408, 429].includes(status)) return { means: 'not-done', worthRepeating: isPassing(status) };
  return { means: 'refused', worthRepeating: false };
}

function parse(text: string): unknown {
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

/** Retry-After (RFC 9110, 10.2.3): seconds, or a date. */
function secondsOf(header: string | null): number | undefined {
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
