import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createPayment,
  exportStatement,
  getPaymentStatus,
  listRefunds,
  listSessions,
  login,
  notificationTicket,
  profile,
  publicSettings,
  setWithdrawalPin,
  transactionFeed,
  withdraw,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { endSession, session, storeToken } from '../session/session.ts';
import { ApiError, isCancelled, UnsupportedCallError } from './api-error.ts';
import { errorText } from './error-text.ts';

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let respond: Respond;
let requests: { request: IncomingMessage; body: string }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  requests.push({ request, body });
  respond(request, response, body);
});
const json =
  (status: number, content: unknown): Respond =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  };
const pin = { current_password: 'x', new_pin: '1357', confirm_pin: '1357' };
const withdrawal = { amount: 10, pixKey: 'a@b.c', pix_key_type: 'email', withdrawal_pin: '1357' } as const;
const refusal = (status: number, code = 'NOPE') =>
  json(status, {
    success: false,
    message: 'Não agora.',
    error: { code, message: 'x' },
    requestId: 'req_1',
  });

// The client reads the URL of the API when it is loaded, so it is loaded once the server listens.
let client: typeof import('./client.ts');
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v1`);
  client = await import('./client.ts');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await new Promise((closed) => server.close(closed));
});
beforeEach(() => {
  requests = [];
  storeToken('token');
});

test('a call of the session carries the token as bearer, and fills path and query', async () => {
  storeToken('abc');
  respond = json(200, {});
  await client.callRaw(getPaymentStatus, { params: { id: 'a/b' } });
  await client.callRaw(transactionFeed, { query: { offset: 10, status: undefined, search: 'x y' } });
  expect(requests[0]?.request.headers.authorization).toBe('Bearer abc');
  expect(requests[0]?.request.url).toBe('/v1/pix/status/a%2Fb');
  expect(requests[1]?.request.url).toBe('/v1/authed/feed/transactions?offset=10&search=x+y');
});

test('a call with an API key is sent without the session token, and its 401 keeps the session', async () => {
  storeToken('abc');
  respond = refusal(401);
  await expect(client.callRaw(createPayment, { body: { amount: 2 }, apiKey: 'jgd_1' })).rejects.toThrow(
    ApiError,
  );
  expect(requests[0]?.request.headers['x-api-key']).toBe('jgd_1');
  expect(requests[0]?.request.headers.authorization).toBeUndefined();
  expect(session.getState().token).toBe('abc');
});

test('a call that moves money carries an Idempotency-Key: its own, or a new one for each call', async () => {
  respond = json(201, {});
  await client.callRaw(createPayment, { body: { amount: 2 }, idempotencyKey: 'mine' });
  await client.callRaw(createPayment, { body: { amount: 2 } });
  await client.callRaw(createPayment, { body: { amount: 2 } });
  const keys = requests.map(({ request }) => request.headers['idempotency-key']);
  expect(keys[0]).toBe('mine');
  expect(new Set(keys).size).toBe(3);
});

test.each([
  ['a lost response', (request: IncomingMessage) => void request.socket.destroy()],
  ['a 502 of a proxy', (_: IncomingMessage, response: ServerResponse) => void response.writeHead(502).end()],
  [
    'a success cut off',
    (_: IncomingMessage, response: ServerResponse) => void response.writeHead(201).end('{'),
  ],
  ['the response that it is in progress', refusal(409, 'IDEMPOTENCY_IN_PROGRESS')],
])(
  'after %s the same call keeps its Idempotency-Key, until a definite response',
  async (_, respondUncertainly: Respond) => {
    const create = (amount = 2) => client.callRaw(createPayment, { body: { amount } }).catch(() => undefined);
    respond = respondUncertainly;
    await create();
    // These refusals say nothing about the first attempt.
    for (const temporaryRefusal of [
      refusal(429, 'RATE_LIMITED'),
      refusal(503, 'OVERLOADED'),
      refusal(403, 'PIN_LOCKED'),
    ]) {
      respond = temporaryRefusal;
      await create();
    }
    await create(3);
    respond = refusal(400, 'AMOUNT_TOO_LARGE');
    await create();
    await create();
    const [first, limited, busy, locked, otherAmount, refused, afterRefusal] = requests.map(
      ({ request }) => request.headers['idempotency-key'],
    );
    expect([limited, busy, locked, refused]).toEqual([first, first, first, first]);
    expect(new Set([first, otherAmount, afterRefusal]).size).toBe(3);
  },
);

test("a failure shows the server's message, or else the given text", async () => {
  respond = refusal(409);
  const refused = await client.callRaw(profile, {}).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 409, code: 'NOPE', requestId: 'req_1' });
  expect(errorText(refused, 'outro')).toBe('Não agora.');
  respond = (_, response) => response.writeHead(502).end('<html>');
  expect(errorText(await client.callRaw(profile, {}).catch((error: unknown) => error), 'outro')).toBe(
    'outro',
  );
});

test('a server that cannot be reached is a failure without status', async () => {
  respond = (request) => request.socket.destroy();
  await expect(client.callRaw(profile, {})).rejects.toMatchObject({ status: 0, serverMessage: null });
});

test('a cancelled call is not a failed one', async () => {
  respond = () => {};
  const abort = new AbortController();
  const call = client.callRaw(profile, { signal: abort.signal });
  abort.abort();
  expect(isCancelled(await call.catch((error: unknown) => error))).toBe(true);
});

test('a 401 because the account is frozen ends the session with that reason', async () => {
  // This 401 is long before any other in this file, because only one 401 per second ends the session.
  const now = vi.spyOn(performance, 'now').mockReturnValue(-60_000);
  const error = { code: 'UNAUTHENTICATED', message: 'x', details: { reason: 'ACCOUNT_FROZEN' } };
  respond = json(401, { success: false, message: 'x', error });
  storeToken('abc');
  await expect(client.callRaw(profile, {})).rejects.toMatchObject({ status: 401 });
  expect(session.getState()).toMatchObject({ token: null, endedBy: 'frozen' });
  now.mockRestore();
});

test('a call made after the session ended is not sent', async () => {
  respond = json(200, {});
  storeToken('abc');
  endSession('sign-out');
  await expect(client.callRaw(profile, {})).rejects.toSatisfy(isCancelled);
  await client.callRaw(publicSettings, {});
  expect(requests.map(({ request }) => request.url)).toEqual(['/v1/settings']);
});

test('a 401 ends the session at most once per second, and not for the token of an earlier session', async () => {
  let release: () => void = () => {};
  respond = (request, response, body) => {
    release = () => refusal(401)(request, response, body);
  };
  storeToken('old');
  const late = client.callRaw(profile, {}).catch(() => {});
  await expect.poll(() => requests).toHaveLength(1);
  storeToken('new');
  release();
  await late;
  expect(session.getState().token).toBe('new');

  respond = refusal(401);
  await client.callRaw(profile, {}).catch(() => {});
  expect(session.getState()).toMatchObject({ token: null, endedBy: 'refusal' });
  storeToken('newer');
  await client.callRaw(profile, {}).catch(() => {});
  expect(session.getState().token).toBe('newer');
});

test('a call beyond the specification that the provider lacks is sent once and then skipped', async () => {
  respond = refusal(404);
  await expect(client.callRaw(listSessions, {})).rejects.toThrow(UnsupportedCallError);
  await expect(client.callRaw(listSessions, {})).rejects.toThrow(UnsupportedCallError);
  expect(requests).toHaveLength(1);
});

test('a 404 with an error code of the endpoint is about the resource, and the call does not count as missing', async () => {
  const known = { success: false, message: 'x', error: { code: 'PAYMENT_NOT_FOUND', message: 'x' } };
  respond = json(404, known);
  const ask = () => client.callRaw(listRefunds, { params: { id: 'x' } });
  await expect(ask()).rejects.toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
  respond = refusal(404);
  await expect(ask()).rejects.toThrow(UnsupportedCallError);
  await expect(ask()).rejects.toThrow(UnsupportedCallError);
  expect(requests).toHaveLength(2);
});

test('a file is downloaded byte for byte with the session, and a refused download fails like any other call', async () => {
  storeToken('abc');
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0x3b]);
  respond = (_, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(bytes);
  const ask = () =>
    client.download(exportStatement, { params: { format: 'csv' }, query: { kind: 'refund' } });
  expect(Buffer.from(await (await ask()).arrayBuffer())).toEqual(bytes);
  expect(requests[0]?.request.url).toBe('/v1/authed/statement/export/csv?kind=refund');
  expect(requests[0]?.request.headers.authorization).toBe('Bearer abc');
  respond = refusal(400);
  await expect(ask()).rejects.toMatchObject({ status: 400, serverMessage: 'Não agora.' });
});

test('a 404 of a specified call is a failure like any other', async () => {
  respond = refusal(404);
  await expect(client.callRaw(getPaymentStatus, { params: { id: 'x' } })).rejects.toMatchObject({
    status: 404,
  });
});

test('a call that requires the second factor prompts for it, and is sent once more unchanged', async () => {
  storeToken('abc');
  const { stepUpPrompt, storeStepUpToken } = await import('./step-up.ts');
  const stepUpRequired = { success: false, message: 'x', error: { code: 'STEP_UP_REQUIRED', message: 'x' } };
  respond = (request, response, body) =>
    request.headers['x-step-up'] === 'given'
      ? json(200, { done: true })(request, response, body)
      : json(403, stepUpRequired)(request, response, body);
  const openPrompt = () =>
    vi.waitFor(() => stepUpPrompt.getState().prompt ?? expect.fail('not asked yet'), 60_000);

  const refused = client.callRaw(withdraw, { body: withdrawal }).catch((error: unknown) => error);
  (await openPrompt()).answer(false);
  expect(await refused).toMatchObject({ code: 'STEP_UP_REQUIRED' });
  expect(requests).toHaveLength(1);

  // Two simultaneous calls open one prompt.
  const bodies = [withdrawal, { ...withdrawal, amount: 20 }];
  const both = bodies.map((body) => client.callRaw(withdraw, { body }));
  await expect.poll(() => requests).toHaveLength(3);
  const prompt = await openPrompt();
  storeStepUpToken({ token: 'given', expires_in: 300 });
  prompt.answer(true);
  expect(await Promise.all(both)).toEqual([{ done: true }, { done: true }]);
  expect(stepUpPrompt.getState().prompt).toBeNull();
  const keys = requests.slice(1).map(({ request }) => request.headers['idempotency-key']);
  expect(new Set(keys).size).toBe(2);
  expect(requests.slice(3).map(({ body }) => JSON.parse(body))).toEqual(bodies);

  // The step-up is sent while it is valid, but only with calls that may require it, and only in this session.
  await client.callRaw(withdraw, { body: withdrawal });
  expect(requests).toHaveLength(6);
  const respondToWithdrawals = respond;
  respond = json(200, {});
  await client.callRaw(profile, {});
  respond = respondToWithdrawals;
  expect(requests[6]?.request.headers['x-step-up']).toBeUndefined();
  storeToken('another');
  client.callRaw(withdraw, { body: withdrawal }).catch(() => {});
  (await openPrompt()).answer(false);
  expect(requests[7]?.request.headers['x-step-up']).toBeUndefined();
});

test('files are uploaded as multipart with the session', async () => {
  storeToken('abc');
  respond = json(200, { success: true });
  const form = new FormData();
  form.set('avatar', new Blob(['x'], { type: 'image/png' }), 'a.png');
  expect(await client.upload('/authed/user/avatar', form)).toEqual({ success: true });
  expect(requests[0]?.request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(requests[0]?.request.headers.authorization).toBe('Bearer abc');
});

test('an empty body is a valid response, and a page of HTML with status 200 is not', async () => {
  respond = (_, response) => response.writeHead(204).end();
  expect(await client.callRaw(setWithdrawalPin, { body: pin })).toBeNull();
  respond = (_, response) => response.writeHead(200).end();
  expect(await client.callRaw(setWithdrawalPin, { body: pin })).toBeNull();
  respond = (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>');
  const refused = await client.callRaw(profile, {}).catch((error: unknown) => error);
  expect(errorText(refused, 'o texto da tela')).toBe('o texto da tela');
});

test.each([
  [{ message: 'Do servidor.' }],
  [{ error: { message: 'Do servidor.', code: 'X' } }],
  [{ error: 'Do servidor.' }],
])("the server's sentence is read from %j", async (body) => {
  respond = json(422, body);
  const refused = await client.callRaw(profile, {}).catch((error: unknown) => error);
  expect(errorText(refused, 'outro')).toBe('Do servidor.');
});

test('a response that reports a failure in its body is a failure, whatever its status', async () => {
  respond = json(200, { success: false, message: 'Saldo retido.' });
  const refused = await client.callRaw(profile, {}).catch((error: unknown) => error);
  expect(errorText(refused, 'outro')).toBe('Saldo retido.');
});

test('a call has no timeout', async () => {
  const timed = vi.spyOn(AbortSignal, 'timeout');
  const fetching = vi.spyOn(globalThis, 'fetch');
  respond = json(200, {});
  await client.callRaw(profile, {});
  expect(timed).not.toHaveBeenCalled();
  expect(fetching.mock.calls[0]?.[1]?.signal).toBeNull();
  vi.restoreAllMocks();
});

test('a 401 of a public call does not end the session', async () => {
  storeToken('abc');
  respond = refusal(401);
  await client.callRaw(login, { body: { username: 'a', password: 'b' } }).catch(() => {});
  expect(session.getState().token).toBe('abc');
});

test('a batch that was refused with the session says nothing about a public call in it', async () => {
  const { supports } = await import('./provider.ts');
  storeToken('abc');
  vi.stubGlobal('window', {
    startedCalls: {
      token: 'abc',
      paths: ['/settings', '/authed/profile'],
      batch: Promise.resolve({ status: 401, text: '{"error":{"code":"UNAUTHENTICATED"}}' }),
    },
  });
  respond = json(200, { sandbox: true });
  expect(await client.callRaw(publicSettings, {})).toEqual({ sandbox: true });
  await expect(client.callRaw(profile, {})).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  vi.unstubAllGlobals();
  expect(requests.map(({ request }) => request.url)).toEqual(['/v1/settings']);
  expect(supports('idempotencyKeys')).toBe(true);
});

test('a provider without public settings gets no calls beyond the specification, and no Idempotency-Key', async () => {
  const { supports } = await import('./provider.ts');
  storeToken('abc');
  respond = refusal(401);
  await expect(client.callRaw(publicSettings, {})).rejects.toThrow(UnsupportedCallError);
  expect(session.getState().token).toBe('abc');
  expect(supports('idempotencyKeys')).toBe(false);
  await expect(client.callRaw(notificationTicket, {})).rejects.toThrow(UnsupportedCallError);
  expect(requests).toHaveLength(1);
  respond = json(200, {});
  await client.callRaw(withdraw, { body: withdrawal });
  expect(requests[1]?.request.headers['idempotency-key']).toBeUndefined();
});
