import { type Endpoint, type ErrorCode, errors, type ResponseOf } from '@jangada/contract';
import { vi } from 'vitest';

/** A request that the page sent; the body of an upload is its form. */
export type SentRequest = { query: URLSearchParams; body: unknown; headers: Headers };

type Reply = { status: number; body: unknown };
type Handler = (sent: SentRequest, path: string) => Reply | Promise<Reply>;

/**
 * Replaces `fetch` with a stub of the gateway. A test sets the response of each endpoint, typed by the contract. A
 * response applies until the test sets another.
 */
export function stubGateway() {
  const handlers = new Map<Endpoint, Handler>();
  const requests = new Map<Endpoint, SentRequest[]>();
  vi.stubGlobal('fetch', async (requestUrl: string, { method = 'GET', ...init }: RequestInit) => {
    const url = new URL(requestUrl, 'http://gateway.invalid');
    const path = url.pathname.replace(/^\/api/, '');
    const entry = [...handlers].find(
      ([endpoint]) => method === endpoint.method && matchesPath(endpoint, path),
    );
    if (entry === undefined) throw new Error(`The test has set no response for ${method} ${path}`);
    const [endpoint, handler] = entry;
    const request: SentRequest = {
      query: url.searchParams,
      body: bodyOf(init),
      headers: new Headers(init.headers),
    };
    requests.set(endpoint, [...(requests.get(endpoint) ?? []), request]);
    const { status, body } = await handler(request, path);
    init.signal?.throwIfAborted();
    if (body instanceof Blob) return new Response(body, { status });
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  });
  return {
    /** Responds with success. */
    answer<E extends Endpoint>(endpoint: E, body: ResponseOf<E> | ((sent: SentRequest) => ResponseOf<E>)) {
      handlers.set(endpoint, (request) => ({
        status: endpoint.status ?? 200,
        body: body instanceof Function ? body(request) : body,
      }));
    },
    /** Responds with a file. */
    answerFile(endpoint: Endpoint, file: Blob) {
      handlers.set(endpoint, () => ({ status: 200, body: file }));
    },
    /** Responds with an error of the contract and its message. */
    refuse(endpoint: Endpoint, code: ErrorCode, details?: Record<string, unknown>) {
      const { status, message } = errors[code];
      const body = { success: false, message, error: { code, message, details }, requestId: 'req_1' };
      handlers.set(endpoint, () => ({ status, body }));
    },
    /** Responds with status 502 and no error code, as a broken proxy does. */
    fail(endpoint: Endpoint) {
      handlers.set(endpoint, () => ({ status: 502, body: null }));
    },
    /** Fails without a response, as when the request or its response is lost. */
    disconnect(endpoint: Endpoint) {
      handlers.set(endpoint, () => {
        throw new TypeError('Failed to fetch');
      });
    },
    /** Never responds. */
    stall(endpoint: Endpoint) {
      handlers.set(endpoint, () => new Promise(() => {}));
    },
    /** The requests that the page has sent to an endpoint. */
    calls: (endpoint: Endpoint): readonly SentRequest[] => requests.get(endpoint) ?? [],
  };
}

export type StubbedGateway = ReturnType<typeof stubGateway>;

function bodyOf({ body }: RequestInit): unknown {
  if (typeof body === 'string') return JSON.parse(body);
  return body instanceof FormData ? body : undefined;
}

function matchesPath({ path: template }: Endpoint, path: string): boolean {
  return new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path);
}
