import { type Operations, operations } from './contract.ts';
import { JangadaOutcomeUnknownError } from './errors.ts';
import type { CallOptions, JangadaOptions, KeyedCallOptions } from './options.ts';
import { type AttemptResult, aborted, type CallFailure, type Sending, send } from './send.ts';

export type Operation = keyof Operations;
type Input<Name extends Operation> = Omit<Operations[Name], 'answer'>;
type Answer<Name extends Operation> = Operations[Name]['answer'];

/** Marks a call that is safe to repeat although its route does not say so: it is idempotent. */
export type Repeatable = { readonly repeatable?: true };

/** Makes a call by name, with the options of its client. */
export type CallOperation = <Name extends Operation>(
  name: Name,
  input: Input<Name>,
  options?: CallOptions & KeyedCallOptions & Repeatable,
) => Promise<Answer<Name>>;

const longestWaitMs = 60_000;

/** @returns a function that makes the calls of one client. Throws a TypeError if the options are invalid */
export function createCall(options: JangadaOptions): CallOperation {
  const { apiKey, retryDelayMs = 1000, maxRetries = 4, timeoutMs = 30_000, onAttempt } = options;
  const base = readBaseUrl(options.baseUrl);
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError('apiKey: informe a chave de API.');
  const fetch = options.fetch ?? ((address, request) => globalThis.fetch(address, request));
  return async (name, input, own = {}) => {
    const { method, path, keyed } = operations[name];
    const { id, query, body }: Given = input;
    const idempotencyKey = keyed ? (own.idempotencyKey ?? newIdempotencyKey()) : undefined;
    const sending: Sending = {
      fetch,
      address: base + (id === undefined ? path : path.replace('{id}', inPath(id))) + searchOf(query),
      // Serialised once, so that retries are identical to the byte.
      request: {
        method,
        headers: headersOf(apiKey, body, idempotencyKey),
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'manual',
      },
      timeoutMs: own.timeoutMs ?? timeoutMs,
      signal: own.signal,
    };
    const answer = await sendUntilKnown(sending, {
      idempotencyKey,
      repeatable: keyed || own.repeatable === true || method === 'GET',
      maxRetries: own.maxRetries ?? maxRetries,
      retryDelayMs,
      tell: (attempt, sent) => tell(onAttempt, name, idempotencyKey, attempt, sent),
    });
    return answer as Answer<typeof name>;
  };
}

type Given = {
  readonly id?: string;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
};

type Manner = {
  readonly idempotencyKey: string | undefined;
  readonly repeatable: boolean;
  readonly maxRetries: number;
  readonly retryDelayMs: number;
  readonly tell: (attempt: number, sent: AttemptResult) => void;
};

async function sendUntilKnown(sending: Sending, manner: Manner): Promise<unknown> {
  let perhapsDone = false;
  for (let attempt = 1; ; attempt += 1) {
    const sent = await send(sending);
    manner.tell(attempt, sent);
    if (sent.failed === undefined) return sent.answer;
    const { error, means } = sent.failed;
    if (means !== 'not-done') perhapsDone = means === 'unknown';
    const waitMs = attempt > manner.maxRetries ? undefined : waitBefore(attempt, sent.failed, manner);
    if (waitMs !== undefined && (await sleep(waitMs, sending.signal))) continue;
    const last = waitMs === undefined ? error : aborted(error);
    if (!perhapsDone || manner.idempotencyKey === undefined) throw last;
    throw new JangadaOutcomeUnknownError(manner.idempotencyKey, last);
  }
}

/**
 * Returns undefined if a retry would not help, might execute the call twice, or would have to wait longer than
 * `longestWaitMs`.
 */
function waitBefore(attempt: number, failure: CallFailure, manner: Manner): number | undefined {
  const { error, means, worthRepeating } = failure;
  if (!worthRepeating || !(manner.repeatable || means === 'not-done')) return undefined;
  // Backoff is capped at eight times the first wait, before a random reduction of up to half (jitter), so that many
  // clients do not retry at once.
  const backoffMs = manner.retryDelayMs * 2 ** Math.min(attempt - 1, 3) * (0.5 + Math.random() / 2);
  const waitMs = Math.max(backoffMs, (error.retryAfter ?? 0) * 1000);
  return waitMs > longestWaitMs ? undefined : waitMs;
}

function tell(
  onAttempt: JangadaOptions['onAttempt'],
  operation: string,
  idempotencyKey: string | undefined,
  attempt: number,
  { status, requestId, replayed, failed }: AttemptResult,
): void {
  try {
    onAttempt?.({
      operation,
      attempt,
      status,
      requestId,
      idempotencyKey,
      replayed,
      errorCode: failed?.error.code,
    });
  } catch {
    // An error in the caller's logging must not fail a completed call.
  }
}

function readBaseUrl(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.search + url.hash !== '' ||
    url.username !== ''
  )
    throw new TypeError('baseUrl: informe o endereço do gateway, como https://pix.example.com.');
  return `${url.origin}${url.pathname.replace(/\/(api\/?)?$/, '')}/api`;
}

/** An empty id, or one of only dots, would address another endpoint. */
function inPath(id: string): string {
  if (typeof id !== 'string' || /^\.*$/.test(id)) throw new TypeError('id: informe um id.');
  return encodeURIComponent(id);
}

function searchOf(query: Given['query'] = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) given.set(name, String(value));
  return given.size === 0 ? '' : `?${given}`;
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

/** 128 random bits. `crypto.randomUUID` is unavailable on pages served over plain HTTP. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Reads page after page: `next` says where the following page starts, and is null on the last one. */
export async function* everyPage<Page extends { readonly next: string | null }>(
  read: (from: string | undefined) => Promise<Page>,
  from?: string | undefined,
): AsyncGenerator<Page, void> {
  for (let next = from; ; ) {
    const page = await read(next);
    yield page;
    if (page.next === null || page.next === next) return;
    next = page.next;
  }
}

/** @returns whether the full time passed; false if it was aborted */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (passed: boolean) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(passed);
    };
    const onAbort = () => end(false);
    const timer = setTimeout(() => end(true), milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener('abort', onAbort);
  });
}
