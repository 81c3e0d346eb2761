import { type Endpoint, type ErrorCode, errors, type ResponseOf } from '@jangada/contract';
import { vi } from 'vitest';

/** A call as it left the browser; an upload's body is its form. */
export type SentRequest = { query: URLSearchParams; body: unknown; headers: Headers };

type Reply = { status: number; body: unknown };
type Handler = (sent: SentRequest, path: string) => Reply | Promise<Reply>;

/** Stands in for the gateway behind `fetch`: answers what a test told it to, typed by the contract. */
export function stubGateway() {
  const handlers = new Map<Endpoint, Handler>();
  const sent = new Map<Endpoint, SentRequest[]>();
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', ...init }: RequestInit) => {
    const url = new URL(address, 'http://gateway.invalid');
    const path = url.pathname.replace(/^\/api/, '');
    const found = [...handlers].find(([endpoint]) => method === endpoint.method && fits(endpoint, path));
    if (found === undefined) throw new Error(`Nobody told the stub about ${method} ${path}`);
    const [endpoint, handler] = found;
    const text = init.body;
    const call: SentRequest = {
      query: url.searchParams,
      body: typeof text === 'string' ? JSON.parse(text) : text instanceof FormData ? text : undefined,
      headers: new Headers(init.headers),
    };
    sent.set(endpoint, [...(sent.get(endpoint) ?? []), call]);
    const { status, body } = await handler(call, path);
    init.signal?.throwIfAborted();
    if (body instanceof Blob) return new Response(body, { status });
    return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  });
  return {
    /** Answers with success from now on. */
    answer<E extends Endpoint>(endpoint: E, body: ResponseOf<E> | ((sent: SentRequest) => ResponseOf<E>)) {
      handlers.set(endpoint, (call) => ({
        status: endpoint.status ?? 200,
        body: body instanceof Function ? body(call) : body,
      }));
    },
    /** Answers with a file from now on. */
    answerFile(endpoint: Endpoint, file: Blob) {
      handlers.set(endpoint, () => ({ status: 200, body: file }));
    },
    /** Refuses from now on, with the contract's sentence. */
    refuse(endpoint: Endpoint, code: ErrorCode, details?: Record<string, unknown>) {
      const { status, message } = errors[code];
      const body = { success: false, message, error: { code, message, details }, requestId: 'req_1' };
      handlers.set(endpoint, () => ({ status, body }));
    },
    /** Fails from now on without a word, as a broken proxy does. */
    fail(endpoint: Endpoint) {
      handlers.set(endpoint, () => ({ status: 502, body: null }));
    },
    /** Loses what is sent from now on, or its answer. */
    lose(endpoint: Endpoint) {
      handlers.set(endpoint, () => {
        throw new TypeError('Failed to fetch');
      });
    },
    /** Never answers. */
    hang(endpoint: Endpoint) {
      handlers.set(endpoint, () => new Promise(() => {}));
    },
    calls: (endpoint: Endpoint): readonly SentRequest[] => sent.get(endpoint) ?? [],
  };
}

export type StubbedGateway = ReturnType<typeof stubGateway>;

function fits({ path }: Endpoint, given: string): boolean {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(given);
}
