import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Attempt,
  type Fetch,
  Jangada,
  JangadaConnectionError,
  JangadaError,
  type JangadaOptions,
  JangadaOutcomeUnknownError,
} from './index.ts';

type SentRequest = {
  readonly address: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
};
type Responder = () => Response | Promise<Response>;

const json = (status: number, body: unknown, headers: Record<string, string> = {}): Responder => {
  return () => new Response(JSON.stringify(body), { status, headers });
};
const refusal = (status: number, code: string, headers: Record<string, string> = {}): Responder =>
  json(
    status,
    {
      success: false,
      message: 'Não.',
      error: { code, message: 'Não.', details: { field: 'x' } },
      requestId: 'r',
    },
    { 'x-request-id': 'request-1', ...headers },
  );
const noResponse: Responder = () => Promise.reject(new TypeError('fetch failed'));
const success = json(201, { id: 'p1' }, { 'x-request-id': 'request-2', 'idempotency-replayed': 'true' });

/** A `fetch` that returns the given responses in order, then repeats the last one, and records the requests. */
function fakeGateway(...responders: readonly Responder[]) {
  const requests: SentRequest[] = [];
  const fetch: Fetch = async (address, { method = '', headers, body }) => {
    requests.push({ address, method, headers: new Headers(headers), body });
    const responder = responders[Math.min(requests.length, responders.length) - 1];
    if (responder === undefined) throw new Error('The fake gateway was given no response.');
    return responder();
  };
  return { fetch, requests };
}

function clientWith(fetch: Fetch, options: Partial<JangadaOptions> = {}): Jangada {
  return new Jangada({
    baseUrl: 'https://pix.example.com',
    apiKey: 'jgd_1',
    retryDelayMs: 1,
    fetch,
    ...options,
  });
}

const createPayment = (client: Jangada) => client.payments.create({ amount: 10 });
/** Returns the error with which a call fails. */
const failureOf = async (call: Promise<unknown>): Promise<JangadaError> => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof JangadaError))
    throw new Error('The call did not fail as a JangadaError.', { cause: error });
  return error;
};

describe('a call that moves money', () => {
  test.each([
    ['nothing responds', noResponse],
    ['the bank’s outcome is unknown', refusal(500, 'PAYMENT_PROCESSING_ERROR')],
    ['a proxy cannot reach the gateway', () => new Response('<h1>502</h1>', { status: 502 })],
    ['a proxy times out', () => new Response('', { status: 504 })],
    ['the gateway is busy', refusal(503, 'OVERLOADED')],
    ['the rate limit is exceeded', refusal(429, 'RATE_LIMITED')],
    ['it is still running', refusal(409, 'IDEMPOTENCY_IN_PROGRESS')],
    ['a success is cut off', () => new Response('{"id": "p', { status: 201 })],
  ])('is retried with the same key and the same body when %s', async (_when, badResponse) => {
    const { fetch, requests } = fakeGateway(badResponse, badResponse, success);
    await expect(createPayment(clientWith(fetch))).resolves.toEqual({ id: 'p1' });
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(requests[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(requests.map(({ body }) => body))).toEqual(new Set(['{"amount":10}']));
  });

  test('gets a new key for each call, or the one passed in', async () => {
    const { fetch, requests } = fakeGateway(success);
    const client = clientWith(fetch);
    await createPayment(client);
    await createPayment(client);
    await client.withdrawals.create(
      { amount: 1000, pixKey: 'a@b.c', keyType: 'email' },
      { idempotencyKey: 'saque-1' },
    );
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(3);
    expect(keys[2]).toBe('saque-1');
  });

  test.each([
    ['nothing ever responds', [noResponse]],
    ['it is still running after the last retry', [refusal(409, 'IDEMPOTENCY_IN_PROGRESS')]],
    ['the bank’s outcome stays unknown', [refusal(500, 'PAYMENT_PROCESSING_ERROR')]],
    ['a response was lost and then the rate limit is exceeded', [noResponse, refusal(429, 'RATE_LIMITED')]],
    ['a response was lost and then the key is refused', [noResponse, refusal(401, 'INVALID_API_KEY')]],
    ['a response was lost and then withdrawals are paused', [noResponse, refusal(503, 'WITHDRAWALS_PAUSED')]],
    ['the response is not from a gateway', [() => new Response('<html>', { status: 200 })]],
  ])('ends in an unknown outcome that carries its key when %s', async (_when, responders) => {
    const { fetch, requests } = fakeGateway(...responders);
    const error = await failureOf(createPayment(clientWith(fetch)));
    expect(error).toBeInstanceOf(JangadaOutcomeUnknownError);
    expect(error).toMatchObject({
      name: 'JangadaOutcomeUnknownError',
      code: 'OUTCOME_UNKNOWN',
      idempotencyKey: requests[0]?.headers.get('idempotency-key'),
      cause: expect.any(JangadaError),
    });
  });

  test.each([
    ['refused for its content', [refusal(400, 'INSUFFICIENT_BALANCE')], 'INSUFFICIENT_BALANCE'],
    ['refused after a response was lost', [noResponse, refusal(400, 'AMOUNT_TOO_SMALL')], 'AMOUNT_TOO_SMALL'],
    ['always rate limited', [refusal(429, 'RATE_LIMITED')], 'RATE_LIMITED'],
    ['stopped by the operator', [refusal(503, 'WITHDRAWALS_PAUSED')], 'WITHDRAWALS_PAUSED'],
    [
      'sent to something else than a gateway',
      [() => new Response('no', { status: 404 })],
      'ANSWER_NOT_UNDERSTOOD',
    ],
    ['redirected', [() => new Response('', { status: 302 })], 'ANSWER_NOT_UNDERSTOOD'],
  ])('that was %s is known to have failed', async (_how, responders, code) => {
    const error = await failureOf(createPayment(clientWith(fakeGateway(...responders).fetch)));
    expect(error).not.toBeInstanceOf(JangadaOutcomeUnknownError);
    expect(error.code).toBe(code);
  });

  test('aborted before it is sent was not executed; aborted later, its outcome is unknown', async () => {
    const { fetch, requests } = fakeGateway(noResponse);
    const early = await failureOf(
      clientWith(fetch).payments.create({ amount: 1 }, { signal: AbortSignal.abort('enough') }),
    );
    expect([early.code, early.cause, requests.length]).toEqual(['ABORTED', 'enough', 0]);
    const controller = new AbortController();
    const hanging: Fetch = (_address, { signal }) => {
      queueMicrotask(() => controller.abort());
      return new Promise((_resolve, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason)),
      );
    };
    const late = await failureOf(
      clientWith(hanging).payments.create({ amount: 1 }, { signal: controller.signal }),
    );
    expect(late).toBeInstanceOf(JangadaOutcomeUnknownError);
  });
});

describe('a call without an Idempotency-Key', () => {
  test('that is not idempotent is retried only if it certainly was not executed', async () => {
    const { fetch, requests } = fakeGateway(noResponse, success);
    const error = await failureOf(
      clientWith(fetch).webhookEndpoints.create({ url: 'https://loja.example/w' }),
    );
    expect(error).toBeInstanceOf(JangadaConnectionError);
    expect(requests).toHaveLength(1);
    const busy = fakeGateway(refusal(503, 'OVERLOADED'), success);
    await clientWith(busy.fetch).webhookEndpoints.create({ url: 'https://loja.example/w' });
    expect(busy.requests).toHaveLength(2);
  });

  test.each([
    ['a read', (client: Jangada) => client.payments.get('p1')],
    ['a cancellation', (client: Jangada) => client.payments.cancel('p1')],
    [
      'an update',
      (client: Jangada) => client.webhookEndpoints.update('w1', { url: 'https://loja.example/w' }),
    ],
  ])('is retried if it is idempotent: %s', async (_name, call) => {
    const { fetch, requests } = fakeGateway(noResponse, success);
    await call(clientWith(fetch));
    expect(requests).toHaveLength(2);
    expect(requests[0]?.headers.get('idempotency-key')).toBeNull();
  });
});

describe('waiting', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('lasts as long as Retry-After says, as seconds or a date', async () => {
    for (const header of [() => '20', () => new Date(Date.now() + 20_000).toUTCString()]) {
      const { fetch, requests } = fakeGateway(
        refusal(503, 'OVERLOADED', { 'retry-after': header() }),
        success,
      );
      const call = createPayment(clientWith(fetch));
      await vi.advanceTimersByTimeAsync(18_000);
      expect(requests).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(2000);
      expect(requests).toHaveLength(2);
      await call;
    }
  });

  test('is left to the caller if the gateway asks for more than a minute', async () => {
    const { fetch, requests } = fakeGateway(refusal(429, 'RATE_LIMITED', { 'retry-after': '61' }));
    expect(await failureOf(createPayment(clientWith(fetch)))).toMatchObject({
      code: 'RATE_LIMITED',
      retryAfter: 61,
    });
    expect(requests).toHaveLength(1);
  });

  test('doubles up to eight times the first wait, with jitter, and ends after the last retry', async () => {
    const { fetch, requests } = fakeGateway(noResponse);
    const waits: number[] = [];
    let lastRequestAt = Date.now();
    const client = clientWith(
      (address, request) => {
        waits.push(Date.now() - lastRequestAt);
        lastRequestAt = Date.now();
        return fetch(address, request);
      },
      { retryDelayMs: 1000, maxRetries: 6 },
    );
    const ended = failureOf(createPayment(client));
    await vi.runAllTimersAsync();
    await ended;
    expect(requests).toHaveLength(7);
    for (const [index, longestMs] of [1000, 2000, 4000, 8000, 8000, 8000].entries()) {
      expect(waits[index + 1]).toBeLessThanOrEqual(longestMs);
      expect(waits[index + 1]).toBeGreaterThanOrEqual(longestMs / 2);
    }
  });

  test('for a response ends at the timeout of the call', async () => {
    const hanging: Fetch = (_address, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    const ended = failureOf(clientWith(hanging, { maxRetries: 0 }).payments.get('p1', { timeoutMs: 250 }));
    await vi.advanceTimersByTimeAsync(250);
    expect((await ended).code).toBe('TIMED_OUT');
  });
});

test('an error carries the gateway’s refusal and its request id', async () => {
  const error = await failureOf(
    createPayment(clientWith(fakeGateway(refusal(403, 'KEY_SCOPE_MISSING')).fetch)),
  );
  expect(error).toMatchObject({
    name: 'JangadaError',
    code: 'KEY_SCOPE_MISSING',
    message: 'Não.',
    status: 403,
    requestId: 'request-1',
    details: { field: 'x' },
  });
});

test('onAttempt is called for every attempt, and an error it throws is ignored', async () => {
  const attempts: Attempt[] = [];
  const onAttempt = (attempt: Attempt) => {
    attempts.push(attempt);
    throw new Error('The log is full.');
  };
  const { fetch, requests } = fakeGateway(noResponse, success);
  await createPayment(clientWith(fetch, { onAttempt }));
  const idempotencyKey = requests[0]?.headers.get('idempotency-key');
  const common = { operation: 'createPayment', idempotencyKey };
  expect(attempts).toEqual([
    { ...common, attempt: 1, replayed: false, errorCode: 'CONNECTION_FAILED' },
    { ...common, attempt: 2, replayed: true, status: 201, requestId: 'request-2' },
  ]);
});

describe('an address', () => {
  test.each([
    ['https://pix.example.com', 'https://pix.example.com/api/pix/new'],
    ['https://pix.example.com/', 'https://pix.example.com/api/pix/new'],
    ['https://pix.example.com/api', 'https://pix.example.com/api/pix/new'],
    ['http://localhost:3000/api/', 'http://localhost:3000/api/pix/new'],
    ['https://example.com/pagar', 'https://example.com/pagar/api/pix/new'],
  ])('is found below %s', async (baseUrl, address) => {
    const { fetch, requests } = fakeGateway(success);
    await createPayment(clientWith(fetch, { baseUrl }));
    expect(requests[0]?.address).toBe(address);
    expect(requests[0]?.headers.get('x-api-key')).toBe('jgd_1');
  });

  test('carries ids and query values encoded, and an id that would address another endpoint is refused', async () => {
    const { fetch, requests } = fakeGateway(success);
    const client = clientWith(fetch);
    await client.events.get('evt_1/../x?y');
    expect(requests[0]?.address).toBe('https://pix.example.com/api/events/evt_1%2F..%2Fx%3Fy');
    for (const id of ['', '.', '..']) await expect(client.payments.cancel(id)).rejects.toThrow(TypeError);
    await client.payments.list({ external_id: 'pedido nº 1', status: undefined });
    expect(requests[1]?.address).toBe('https://pix.example.com/api/pix?external_id=pedido+n%C2%BA+1');
    expect(requests).toHaveLength(2);
  });

  test.each([
    '',
    'pix.example.com',
    'ftp://pix.example.com',
    'https://a:b@pix.example.com',
    'https://x.example/?a',
  ])(
    'that is not a gateway address is refused when the client is created, and so is a blank API key: "%s"',
    (baseUrl) => {
      expect(() => new Jangada({ baseUrl, apiKey: 'k' })).toThrow(/baseUrl/);
      expect(() => new Jangada({ baseUrl: 'https://pix.example.com', apiKey: ' ' })).toThrow(/apiKey/);
    },
  );
});
