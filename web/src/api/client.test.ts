import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import {
  createPayment,
  exportStatement,
  getPaymentStatus,
  listRefunds,
  profile,
  publicSettings,
  transactionFeed,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { endSession, holdToken, session } from '../session/session.ts';
import { ApiError, isCancelled, NotOffered } from './api-error.ts';
import { errorText } from './error-text.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let answer: Answer;
let seen: { request: IncomingMessage; body: string }[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString();
  seen.push({ request, body });
  answer(request, response, body);
});
const json =
  (status: number, content: unknown): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(content));
  };
const refusal = (status: number) =>
  json(status, {
    success: false,
    message: 'Não agora.',
    error: { code: 'NOPE', message: 'x' },
    requestId: 'req_1',
  });

// The address is read when the client is loaded, so it is loaded once the server listens.
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
  seen = [];
  endSession('sign-out');
});

test('a call of the session carries the token as bearer, and fills path and query', async () => {
  holdToken('abc');
  answer = json(200, {});
  await client.send(getPaymentStatus, { params: { id: 'a/b' } });
  await client.send(transactionFeed, { query: { offset: 10, status: undefined, search: 'x y' } });
  expect(seen[0]?.request.headers.authorization).toBe('Bearer abc');
  expect(seen[0]?.request.url).toBe('/v1/pix/status/a%2Fb');
  expect(seen[1]?.request.url).toBe('/v1/authed/feed/transactions?offset=10&search=x+y');
});

test("a merchant's key goes alone, and its 401 keeps the session", async () => {
  holdToken('abc');
  answer = refusal(401);
  await expect(client.send(createPayment, { body: { amount: 2 }, apiKey: 'jgd_1' })).rejects.toThrow(
    ApiError,
  );
  expect(seen[0]?.request.headers['x-api-key']).toBe('jgd_1');
  expect(seen[0]?.request.headers.authorization).toBeUndefined();
  expect(session.getState().token).toBe('abc');
});

test('a call that moves money carries an Idempotency-Key: its own, or a new one for each call', async () => {
  answer = json(201, {});
  await client.send(createPayment, { body: { amount: 2 }, idempotencyKey: 'mine' });
  await client.send(createPayment, { body: { amount: 2 } });
  await client.send(createPayment, { body: { amount: 2 } });
  const keys = seen.map(({ request }) => request.headers['idempotency-key']);
  expect(keys[0]).toBe('mine');
  expect(new Set(keys).size).toBe(3);
});

test("the server's sentence comes first, and without one the given text", async () => {
  answer = refusal(409);
  const refused = await client.send(profile, {}).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 409, code: 'NOPE', requestId: 'req_1' });
  expect(errorText(refused, 'outro')).toBe('Não agora.');
  answer = (_, response) => response.writeHead(502).end('<html>');
  expect(errorText(await client.send(profile, {}).catch((error: unknown) => error), 'outro')).toBe('outro');
});

test('a server that cannot be reached is a failure without status', async () => {
  answer = (request) => request.socket.destroy();
  await expect(client.send(profile, {})).rejects.toMatchObject({ status: 0, serverMessage: null });
});

test('a cancelled call is told apart from a failed one', async () => {
  answer = () => {};
  const abort = new AbortController();
  const call = client.send(profile, { signal: abort.signal });
  abort.abort();
  expect(isCancelled(await call.catch((error: unknown) => error))).toBe(true);
});

test('a 401 ends the session at most once per second, and not for the token of an earlier session', async () => {
  let release: () => void = () => {};
  answer = (request, response, body) => {
    release = () => refusal(401)(request, response, body);
  };
  holdToken('old');
  const late = client.send(profile, {}).catch(() => {});
  await vi.waitFor(() => expect(seen).toHaveLength(1));
  holdToken('new');
  release();
  await late;
  expect(session.getState().token).toBe('new');

  answer = refusal(401);
  await client.send(profile, {}).catch(() => {});
  expect(session.getState()).toMatchObject({ token: null, endedBy: 'refusal' });
  holdToken('newer');
  await client.send(profile, {}).catch(() => {});
  expect(session.getState().token).toBe('newer');
});

test('a call beyond the specification that the provider lacks is asked once and then left out', async () => {
  answer = refusal(404);
  await expect(client.send(publicSettings, {})).rejects.toThrow(NotOffered);
  await expect(client.send(publicSettings, {})).rejects.toThrow(NotOffered);
  expect(seen).toHaveLength(1);
});

test('a 404 of a call beyond the specification that names what was not found does not count as missing', async () => {
  const known = { success: false, message: 'x', error: { code: 'PAYMENT_NOT_FOUND', message: 'x' } };
  answer = json(404, known);
  const ask = () => client.send(listRefunds, { params: { id: 'x' } });
  await expect(ask()).rejects.toMatchObject({ code: 'PAYMENT_NOT_FOUND' });
  answer = refusal(404);
  await expect(ask()).rejects.toThrow(NotOffered);
  await expect(ask()).rejects.toThrow(NotOffered);
  expect(seen).toHaveLength(2);
});

test('a file comes byte for byte, with the session, and its refusal is told like any other', async () => {
  holdToken('abc');
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x41, 0x3b]);
  answer = (_, response) => response.writeHead(200, { 'content-type': 'text/csv' }).end(bytes);
  const ask = () =>
    client.download(exportStatement, { params: { format: 'csv' }, query: { kind: 'refund' } });
  expect(Buffer.from(await (await ask()).arrayBuffer())).toEqual(bytes);
  expect(seen[0]?.request.url).toBe('/v1/authed/statement/export/csv?kind=refund');
  expect(seen[0]?.request.headers.authorization).toBe('Bearer abc');
  answer = refusal(400);
  await expect(ask()).rejects.toMatchObject({ status: 400, serverMessage: 'Não agora.' });
});

test('a 404 of a specified call is a failure like any other', async () => {
  answer = refusal(404);
  await expect(client.send(getPaymentStatus, { params: { id: 'x' } })).rejects.toMatchObject({ status: 404 });
});

test('files are uploaded as multipart with the session', async () => {
  holdToken('abc');
  answer = json(200, { success: true });
  const form = new FormData();
  form.set('avatar', new Blob(['x'], { type: 'image/png' }), 'a.png');
  expect(await client.upload('/authed/user/avatar', form)).toEqual({ success: true });
  expect(seen[0]?.request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(seen[0]?.request.headers.authorization).toBe('Bearer abc');
});
