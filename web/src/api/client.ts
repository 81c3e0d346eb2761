import type { BodyInput, Endpoint, notificationTicket, ParamsInput, QueryInput } from '@jangada/contract';
import type * as z from 'zod/mini';
import { accountIdOf } from '../session/account.ts';
import { applyAccountRefusal } from '../session/account-change.ts';
import { endSession, type SessionEnd, session } from '../session/session.ts';
import { ApiError, isCancelled, sessionEndOf, UnsupportedCallError } from './api-error.ts';
import { requestedApproval } from './approval-requested.ts';
import { apiBase, isApiOnOtherOrigin } from './base-address.ts';
import { beginIntent } from './intents.ts';
import { mustNotCall, recordFailure, recordSuccess, supports } from './provider.ts';
import { forgetStartedCalls, takeStartedCall } from './started-calls.ts';
import { recordSecondFactorRequired, requestStepUp, stepUpMethodFrom, validStepUpToken } from './step-up.ts';

/** The call with which the live channel opens. It changes nothing. */
const LIVE_TICKET: (typeof notificationTicket)['name'] = 'notificationTicket';

/** A part of a request that is required if its endpoint declares it, and forbidden otherwise. */
type RequiredPart<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [Key in Name]?: undefined }
  : { readonly [Key in Name]: Value };

/** The input of a call: the parts that its endpoint declares, and the options for sending it. */
type CallInput<E extends Endpoint> = RequiredPart<'params', ParamsInput<E>> &
  RequiredPart<'body', BodyInput<E>> & {
    readonly query?: Partial<QueryInput<E>> | undefined;
    readonly signal?: AbortSignal | undefined;
    /** Authenticates as this merchant's own system: sends `x-api-key` instead of the session token. */
    readonly apiKey?: string | undefined;
    /**
     * The Idempotency-Key, for callers that keep the key themselves. Without it, a key is generated here for each call
     * that moves money or creates something.
     */
    readonly idempotencyKey?: string | undefined;
    /** Lets the request finish even if the page is left. */
    readonly keepalive?: boolean | undefined;
  };

/**
 * Calls an endpoint and returns the response parsed by its schema. Throws ApiError, UnsupportedCallError,
 * AbortError, or ZodError.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  request: CallInput<E>,
): Promise<z.output<E['response']>> {
  const schema: E['response'] = endpoint.response;
  return schema.parse(await callRaw(endpoint, request));
}

/** Calls an endpoint and returns the raw JSON, for the contract's readers, which accept the formats of any provider. */
export async function callRaw<E extends Endpoint>(endpoint: E, request: CallInput<E>): Promise<unknown> {
  const intent = beginIntentIfNeeded(endpoint, request);
  try {
    const content = await fetchContent(endpoint, {
      ...request,
      idempotencyKey: intent?.key ?? request.idempotencyKey,
    });
    intent?.succeeded();
    return content;
  } catch (error) {
    intent?.failed(error);
    throw error;
  }
}

/**
 * Begins the intent of a call that moves money or creates something: the user's wish to do it once, for which all
 * retries use one Idempotency-Key. Undefined if the caller keeps the key itself, and for providers that implement only
 * the specification, because their CORS rules may reject the header.
 */
function beginIntentIfNeeded(endpoint: Endpoint, { params, body, idempotencyKey }: RequestParts) {
  if (endpoint.idempotent !== true || !supports('idempotencyKeys') || idempotencyKey !== undefined)
    return undefined;
  return beginIntent(endpoint.name, params, body);
}

async function fetchContent<E extends Endpoint>(endpoint: E, request: CallInput<E>): Promise<unknown> {
  const response = await fetchSuccessfully(endpoint, request);
  try {
    const content = await contentOf(response);
    recordSuccess(endpoint);
    return content;
  } catch (error) {
    if (error instanceof ApiError && recordFailure(endpoint, error))
      throw new UnsupportedCallError(endpoint.name);
    throw error;
  }
}

/** Calls an endpoint that returns a file, and returns its bytes unchanged. */
export async function download<E extends Endpoint>(endpoint: E, request: CallInput<E>): Promise<Blob> {
  const response = await fetchSuccessfully(endpoint, request);
  try {
    return await response.blob();
  } catch (cause) {
    throw errorForBrokenCall(response.status, cause);
  }
}

/**
 * Sends a call, and returns the response if it has a success status; otherwise throws. If the server demands a step-up
 * (the user must give the second factor or the password once more), prompts the user and retries the call once.
 */
async function fetchSuccessfully<E extends Endpoint>(endpoint: E, request: CallInput<E>): Promise<Response> {
  if (mustNotCall(endpoint)) throw new UnsupportedCallError(endpoint.name);
  const { token, endedBy } = session.getState();
  // While a session ends, parts of its screen may still mount. The gateway would only refuse their calls.
  if (token === null && endedBy !== null && request.apiKey === undefined && endpoint.access !== 'public') {
    throw new DOMException('The session has ended.', 'AbortError');
  }
  const headers = headersOf(endpoint, request, token);
  const path = fillPath(endpoint.path, request.params) + queryOf(request.query);
  const url = apiBase + path;
  if (endpoint.method !== 'GET' && endpoint.name !== LIVE_TICKET) forgetStartedCalls();
  const fetchWith = (requestHeaders: Record<string, string>) =>
    tryFetch(url, {
      method: endpoint.method,
      headers: requestHeaders,
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal: request.signal ?? null,
      keepalive: request.keepalive ?? false,
      // Sends the cookie that identifies this browser. By this cookie the gateway tells the owner of an account from
      // somebody who guesses passwords elsewhere.
      credentials: 'same-origin',
    });
  const mayBeStarted = endpoint.method === 'GET' && request.apiKey === undefined;
  const started = mayBeStarted ? takeStartedCall(path, token) : undefined;
  const startedOutcome = started && (await outcomeOf(() => started));
  if (startedOutcome !== undefined) request.signal?.throwIfAborted();
  // A batch that was refused says nothing about a public call in it.
  const isUsable = startedOutcome instanceof Response || endpoint.access !== 'public';
  const firstOutcome = (isUsable ? startedOutcome : undefined) ?? (await fetchWith(headers));
  if (firstOutcome instanceof Response) return firstOutcome;
  if (
    firstOutcome.code === 'STEP_UP_REQUIRED' &&
    (await requestStepUp(stepUpMethodFrom(firstOutcome.details)))
  ) {
    const secondOutcome = await fetchWith({ ...headers, ...stepUpHeader() });
    if (secondOutcome instanceof Response) return secondOutcome;
    throw handleFailure(endpoint, request, token, secondOutcome);
  }
  throw handleFailure(endpoint, request, token, firstOutcome);
}

function tryFetch(url: string, init: RequestInit): Promise<Response | ApiError> {
  return outcomeOf<never>(() => fetch(url, init));
}

async function outcomeOf<None extends undefined>(
  send: () => Promise<Response | None>,
): Promise<Response | ApiError | None> {
  try {
    const response = await send();
    if (response === undefined || response.ok) return response;
    return errorFromResponse(response, await jsonOf(response));
  } catch (cause) {
    const error = errorForBrokenCall(0, cause);
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** Applies the side effects of a failure, and returns the error to throw. */
function handleFailure(
  endpoint: Endpoint,
  { apiKey }: RequestParts,
  token: string | null,
  failure: ApiError,
): Error {
  // A request that was sent without the session token cannot show that the session has ended.
  const end = sessionEndOf(failure);
  if (end !== undefined && apiKey === undefined && endpoint.access !== 'public') {
    endRefusedSession(token, end);
  }
  if (applyAccountRefusal(failure.code, failure.details, endpoint.name)) return accountSwitched();
  if (failure.code === 'SECOND_FACTOR_SETUP_REQUIRED') recordSecondFactorRequired();
  if (failure.code === 'APPROVAL_REQUESTED') requestedApproval.setState({ refusal: failure });
  return recordFailure(endpoint, failure) ? new UnsupportedCallError(endpoint.name) : failure;
}

/** The failure of a call whose screen is about to be replaced by that of another account. */
function accountSwitched(): DOMException {
  return new DOMException('The session acts for another account.', 'AbortError');
}

/**
 * Uploads files as multipart to a path below the API, and returns the raw JSON. Sets no content type, because the
 * browser generates one with the boundary between the parts.
 */
export async function upload(path: `/${string}`, form: FormData, signal?: AbortSignal): Promise<unknown> {
  const { token } = session.getState();
  forgetStartedCalls();
  const outcome = await tryFetch(apiBase + path, {
    method: 'POST',
    headers: token === null ? {} : { authorization: `Bearer ${token}`, ...accountHeader() },
    body: form,
    signal: signal ?? null,
    credentials: 'omit',
  });
  if (outcome instanceof Response) return await contentOf(outcome);
  const end = sessionEndOf(outcome);
  if (end !== undefined) endRefusedSession(token, end);
  if (applyAccountRefusal(outcome.code, outcome.details, '')) throw accountSwitched();
  throw outcome;
}

type RequestParts = {
  params?: unknown;
  body?: unknown;
  apiKey?: string | undefined;
  idempotencyKey?: string | undefined;
};

function headersOf(endpoint: Endpoint, request: RequestParts, token: string | null): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  if (request.apiKey !== undefined) headers['x-api-key'] = request.apiKey;
  else if (token !== null && endpoint.access !== 'public')
    Object.assign(headers, { authorization: `Bearer ${token}` }, accountHeader());
  if (endpoint.stepUp === true) Object.assign(headers, stepUpHeader());
  if (endpoint.idempotent === true && supports('idempotencyKeys') && request.idempotencyKey !== undefined) {
    headers['idempotency-key'] = request.idempotencyKey;
  }
  return headers;
}

/**
 * Names the account that the screen shows, so that no call is made for another one that was chosen in another tab. A
 * gateway on another origin that knows no accounts may refuse the header.
 */
function accountHeader(): Record<string, string> {
  const { user } = session.getState();
  const id = accountIdOf({ user });
  const isKnown = user?.account !== undefined || !isApiOnOtherOrigin();
  return id !== undefined && isKnown ? { 'x-account': id } : {};
}

function stepUpHeader(): Record<string, string> {
  const token = validStepUpToken();
  return token === null ? {} : { 'x-step-up': token };
}

function fillPath(path: string, params: unknown): string {
  const values = new Map(Object.entries(params ?? {}));
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
}

function queryOf(query: unknown): string {
  const entries = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '');
  return entries.length === 0
    ? ''
    : `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}`;
}

/**
 * Returns the body of a response with a success status, or null if the body is empty. Throws if the body itself reports
 * a failure (`success: false`).
 */
async function contentOf(response: Response): Promise<unknown> {
  const content = await jsonOf(response);
  if (recordOf(content)['success'] === false) throw errorFromResponse(response, content);
  return content;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text === '' ? null : JSON.parse(text);
  } catch (cause) {
    if (response.ok) throw errorForBrokenCall(response.status, cause);
    return null;
  }
}

/**
 * The error for a call without a complete response. If the call was cancelled on purpose, or cut off because the page
 * is unloading, the error is an AbortError, because such a call shows nothing about the gateway.
 */
function errorForBrokenCall(status: number, cause: unknown): unknown {
  if (isCancelled(cause)) return cause;
  if (isPageLeaving()) return new DOMException('The page is being left.', 'AbortError');
  return new ApiError({ status, cause });
}

function errorFromResponse(response: Response, content: unknown): ApiError {
  const envelope = recordOf(content);
  const error = recordOf(envelope['error']);
  return new ApiError({
    status: response.status,
    code: textOf(error['code']),
    serverMessage: textOf(envelope['message']) ?? textOf(error['message']) ?? textOf(envelope['error']),
    requestId: textOf(envelope['requestId']) ?? response.headers.get('x-request-id'),
    details: recordOf(error['details']),
  });
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The specification allows a 401 to end the session at most once per second. */
const MIN_REFUSAL_INTERVAL_MS = 1000;
let lastRefusalMs = Number.NEGATIVE_INFINITY;

/** Ends the session after a 401. A 401 for an older token is ignored, because the current token may still be valid. */
function endRefusedSession(sentToken: string | null, end: SessionEnd): void {
  if (sentToken === null || sentToken !== session.getState().token) return;
  const now = performance.now();
  if (now - lastRefusalMs < MIN_REFUSAL_INTERVAL_MS) return;
  lastRefusalMs = now;
  endSession(end);
}

let isLeaving = false;

/**
 * True while the page unloads or reloads. The browser then cuts off the page's calls, which shows nothing about the
 * gateway.
 */
function isPageLeaving(): boolean {
  return isLeaving;
}

if (typeof window !== 'undefined') {
  // Listens to both events, because browsers cut off calls at different points, and Safari on phones fires only
  // `pagehide`.
  for (const event of ['beforeunload', 'pagehide']) {
    window.addEventListener(event, () => {
      isLeaving = true;
    });
  }
  window.addEventListener('pageshow', () => {
    isLeaving = false;
  });
}
