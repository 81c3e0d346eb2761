import { type Operations, operations } from './contract.ts';
import { JangadaOutcomeUnknownError } from './errors.ts';
import type { JangadaOptions, KeyedCallOptions } from './options.ts';
import { type AttemptRequest, type AttemptResult, aborted, type CallFailure, send } from './send.ts';

export type Operation = keyof Operations;
type Input<Name extends Operation> = Omit<Operations[Name], 'answer'>;
type Answer<Name extends Operation> = Operations[Name]['answer'];

/** Marks a call that is safe to repeat, although it is not a GET and takes no Idempotency-Key. */
export type Repeatable = { readonly repeatable?: true };

/** Makes the named call with the options of one client. */
export type CallOperation = <Name extends Operation>(
  name: Name,
  input: Input<Name>,
  options?: KeyedCallOptions & Repeatable,
) => Promise<Answer<Name>>;

/**
 * The longest wait before a retry. If the gateway asks for more, the call fails, and the caller decides when to retry.
 */
const longestWaitMs = 60_000;

/** Returns the function that makes the calls of one client. Throws a TypeError if the options are invalid. */
export function createCall(options: JangadaOptions): CallOperation {
  const { apiKey, retryDelayMs = 1000, maxRetries = 4, timeoutMs = 30_000, onAttempt } = options;
  const baseAddress = readBaseUrl(options.baseUrl);
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey: informe a chave de API.');
  const fetch = options.fetch ?? ((address, request) => globalThis.fetch(address, request));
  return async (name, input, callOptions = {}) => {
    // `keyed` says whether the call takes an Idempotency-Key, with which the gateway executes repeated calls only once.
    const { method, path, keyed } = operations[name];
    const { id, number, query, body }: RequestParts = input;
    const idempotencyKey = keyed ? (callOptions.idempotencyKey ?? newIdempotencyKey()) : undefined;
    const pathWithId = (id === undefined ? path : path.replace('{id}', encodeId(id))).replace(
      '{number}',
      String(number),
    );
    const attemptRequest: AttemptRequest = {
      fetch,
      address: baseAddress + pathWithId + queryString(query),
      // The body is serialised once, so that retries are identical to the byte.
      request: {
        method,
        headers: headersOf(apiKey, body, idempotencyKey),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
      },
      timeoutMs: callOptions.timeoutMs ?? timeoutMs,
      signal: callOptions.signal,
    };
    const answer = await sendWithRetries(attemptRequest, {
      idempotencyKey,
      repeatable: keyed || callOptions.repeatable === true || method === 'GET',
      maxRetries: callOptions.maxRetries ?? maxRetries,
      retryDelayMs,
      reportAttempt: (attempt, result) => reportAttempt(onAttempt, name, idempotencyKey, attempt, result),
    });
    return answer as Answer<typeof name>;
  };
}

/** The parts that the input of a call can have, whatever the operation. */
type RequestParts = {
  readonly id?: string;
  readonly number?: number;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

/** Whether, how often and when a call is retried, and the function that reports its attempts. */
type RetryPolicy = {
  readonly idempotencyKey: string | undefined;
  /** Whether executing the call twice has the same effect as executing it once. */
  readonly repeatable: boolean;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly reportAttempt: (attempt: number, result: AttemptResult) => void;
};

/**
 * Sends a request until it succeeds, is refused, or should not be retried. Throws the last error, or
 * JangadaOutcomeUnknownError if a call with an Idempotency-Key may have been executed.
 */
async function sendWithRetries(request: AttemptRequest, policy: RetryPolicy): Promise<unknown> {
  let mayHaveBeenExecuted = false;
  for (let attempt = 1; ; attempt += 1) {
    const result = await send(request);
    policy.reportAttempt(attempt, result);
    if (result.failure === undefined) return result.answer;
    const { error, outcome } = result.failure;
    // 'not-done' leaves open what earlier attempts did; 'refused' means that they did not execute the call either.
    if (outcome !== 'not-done') mayHaveBeenExecuted = outcome === 'unknown';
    const hasRetriesLeft = attempt <= policy.maxRetries;
    const delayMs = hasRetriesLeft ? retryDelayAfter(attempt, result.failure, policy) : undefined;
    if (delayMs !== undefined && (await sleep(delayMs, request.signal))) continue;
    // With a delay, this point is reached only if the caller aborted the call during the wait.
    const lastError = delayMs === undefined ? error : aborted(error);
    if (!mayHaveBeenExecuted || policy.idempotencyKey === undefined) throw lastError;
    throw new JangadaOutcomeUnknownError(policy.idempotencyKey, lastError);
  }
}

/**
 * Returns how long to wait before the next attempt. Returns undefined if a retry would not help, might execute the call
 * twice, or would have to wait longer than `longestWaitMs`.
 */
function retryDelayAfter(attempt: number, failure: CallFailure, policy: RetryPolicy): number | undefined {
  const { error, outcome, shouldRetry } = failure;
  const isSafeToRepeat = policy.repeatable || outcome === 'not-done';
  if (!shouldRetry || !isSafeToRepeat) return undefined;
  // The wait doubles with each attempt, up to eight times the first wait. It is then shortened at random by up to half
  // (jitter), so that many clients do not retry at the same moment.
  const backoffMs = policy.retryDelayMs * 2 ** Math.min(attempt - 1, 3) * (0.5 + Math.random() / 2);
  const delayMs = Math.max(backoffMs, (error.retryAfter ?? 0) * 1000);
  return delayMs > longestWaitMs ? undefined : delayMs;
}

function reportAttempt(
  onAttempt: JangadaOptions['onAttempt'],
  operation: string,
  idempotencyKey: string | undefined,
  attempt: number,
  { status, requestId, replayed, failure }: AttemptResult,
): void {
  try {
    onAttempt?.({
      operation,
      attempt,
      status,
      requestId,
      idempotencyKey,
      replayed,
      errorCode: failure?.error.code,
    });
  } catch {
    // An error in the caller's logging must not fail a completed call.
  }
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  const isGatewayAddress =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.search + url.hash === '' &&
    url.username === '';
  if (!isGatewayAddress)
    throw new TypeError('baseUrl: informe o endereço do gateway, como https://pix.example.com.');
  return `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}/api`;
}

/**
 * Encodes an id for a path. Refuses an empty id, and one of only dots: their path would be that of another endpoint.
 */
function encodeId(id: string): string {
  if (typeof id !== 'string' || /^\.*$/.test(id)) throw new TypeError('id: informe um id.');
  return encodeURIComponent(id);
}

function queryString(query: RequestParts['query'] = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  return parameters.size === 0 ? '' : `?${parameters}`;
}

function headersOf(
  apiKey: string,
  body: unknown,
  idempotencyKey: string | undefined,
): Record<string, string> {
  return {
    accept: 'application/json',
    'x-api-key': apiKey,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  };
}

/** Returns 128 random bits in hexadecimal. `crypto.randomUUID` is unavailable on pages served over plain HTTP. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Reads page after page. The `next` of a page is the cursor of the page after it, and is null on the last page.
 * @param read reads the page at a cursor; undefined is the first page
 */
export async function* everyPage<Page extends { readonly next: string | null }>(
  read: (cursor: string | undefined) => Promise<Page>,
  firstCursor?: string | undefined,
): AsyncGenerator<Page, void> {
  for (let cursor = firstCursor; ; ) {
    const page = await read(cursor);
    yield page;
    // If `next` is the cursor of the page itself, following it would never end.
    if (page.next === null || page.next === cursor) return;
    cursor = page.next;
  }
}

/** Waits. Returns true after the full time, and false if `signal` ended the wait early. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (hasPassed: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(hasPassed);
    };
    const onAbort = () => end(false);
    const timer = setTimeout(() => end(true), milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}
