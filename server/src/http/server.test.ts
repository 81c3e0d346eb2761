import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorCode, endpoint, errorEnvelope, errors, login, profile } from '@jangada/contract';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { request as send } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ownCaller } from '../../test/caller.ts';
import { machineClock } from '../clock.ts';
import { createDb, createPool } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import { createSecrets } from '../secrets.ts';
import type { Authentication } from './authenticate.ts';
import { type MountOptions, mountRoutes } from './mount.ts';
import { type Call, type Route, route } from './route.ts';
import { readContentSecurityPolicy, serveDashboard } from './serve-dashboard.ts';
import { createServer, refuseUnknownCalls, type ServerOptions } from './server.ts';

const log = pino({ level: 'silent' });
// These routes have no idempotency, and need no database.
const db = createDb(createPool({ url: 'postgres://nobody@127.0.0.1:1/none' }));

const echo = endpoint({
  name: 'echo',
  method: 'POST',
  path: '/echo/{id}',
  access: 'public',
  tag: 'Test',
  summary: 'Answers what it was asked.',
  params: z.object({ id: z.uuid() }),
  query: z.object({ page: z._default(z.coerce.number().check(z.int(), z.minimum(1)), 1) }),
  body: z.object({ amount: z.number({ error: 'Informe o valor.' }), callback_url: z.optional(z.string()) }),
  aliases: { callbackUrl: 'callback_url' },
  status: 201,
  response: z.object({ asked: z.unknown() }),
  refusals: ['PAYMENT_NOT_FOUND'],
});
const echoRoute = route(echo, async ({ params, query, body }) => ({ asked: { params, query, body } }));

const endpointFor = (access: 'session' | 'staff' | 'apiKey' | 'merchant') =>
  endpoint({
    name: access,
    method: 'GET',
    path: `/${access}`,
    ...(access === 'session' || access === 'merchant' ? { access, permission: 'own' } : { access }),
    ...(access === 'staff' && { ability: 'change-users' }),
    ...((access === 'apiKey' || access === 'merchant') && { scope: 'read' }),
    tag: 'Test',
    summary: 'Says who calls.',
    response: z.object({ userId: z.number() }),
    refusals: [],
  });
const answerCaller = async ({ caller }: Call<ReturnType<typeof endpointFor>>) => ({
  userId: caller?.userId ?? 0,
});
const accessRoutes = (['session', 'staff', 'apiKey', 'merchant'] as const).map((access) =>
  route(endpointFor(access), answerCaller),
);

const authentication: Authentication = {
  identifyBySession: async (token) => {
    if (token === 'user') return ownCaller(7);
    if (token === 'admin') return ownCaller(8, { role: 'ADMIN' });
    throw new Refusal('UNAUTHENTICATED');
  },
  identifyByApiKey: async (key) => {
    const scopes = key === 'key' ? (['read'] as const) : key === 'other scopes' ? (['charges'] as const) : [];
    if (scopes.length > 0) return ownCaller(9, { authMethod: 'apiKey', key: { id: null, scopes } });
    throw new Refusal('INVALID_API_KEY');
  },
};

const id = '6e2f7f0a-3a4e-4a39-9d6c-0d2b1b1c7e55';
const secrets = createSecrets(Buffer.alloc(32, 3));
let running: FastifyInstance | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const ownConfig = {
  publicUrl: 'http://pay.example.com',
  noticesUrl: 'https://pix.example.com',
  corsOrigins: [],
  trustProxy: [],
};

type Setup = Partial<MountOptions> & {
  config?: Partial<ServerOptions['config']>;
  inFlight?: { calls: number; notices: number };
  requestTimeoutMs?: number;
  setUp?: (server: FastifyInstance) => void;
};

async function start(routes: Route[], { config, inFlight, requestTimeoutMs, setUp, ...mount }: Setup = {}) {
  const server = createServer({
    config: { ...ownConfig, ...config },
    log,
    contentSecurityPolicy: "default-src 'self'",
    ...(inFlight && { inFlight }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
  running = server;
  mountRoutes(server, routes, {
    db,
    clock: machineClock,
    log,
    secrets,
    authentication,
    rateLimit: 0,
    reportMismatch: () => undefined,
    ...mount,
  });
  setUp?.(server);
  refuseUnknownCalls(
    server,
    routes.map(({ endpoint }) => endpoint),
  );
  const url = await server.listen({ host: '127.0.0.1', port: 0 });
  return async (
    method: string,
    path: string,
    options: { json?: unknown; body?: string; headers?: Record<string, string> } = {},
  ) => {
    const { json, body, headers = {} } = options;
    const answer = await send(`${url}${path}`, {
      method,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: json === undefined ? (body ?? null) : JSON.stringify(json),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text,
      json: (): unknown => JSON.parse(text),
    };
  };
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof start>>>>;

const address = () => running?.listeningOrigin ?? '';

/** Reads a refusal, and checks it against the error envelope. */
function refusal(answer: Answer) {
  const { error, message, requestId } = errorEnvelope.parse(answer.json());
  expect(error.message).toBe(message);
  expect(requestId).toBe(answer.headers['x-request-id']);
  return { status: answer.status, code: error.code, message, details: error.details };
}

describe('a call', () => {
  test('reaches its operation parsed, under any of a field’s names', async () => {
    const call = await start([echoRoute]);
    const answer = await call('POST', `/api/echo/${id}?page=3`, {
      json: { amount: 1.5, callbackUrl: 'https://a.example', other: 1 },
    });
    expect(answer.status).toBe(201);
    expect(answer.json()).toEqual({
      asked: { params: { id }, query: { page: 3 }, body: { amount: 1.5, callback_url: 'https://a.example' } },
    });
    expect(answer.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  test('with an invalid body is refused with all invalid fields, and the message of the first', async () => {
    const call = await start([echoRoute]);
    expect(refusal(await call('POST', `/api/echo/${id}`, { json: { callback_url: 7 } }))).toEqual({
      status: 400,
      code: 'INVALID_BODY',
      message: 'Informe o valor.',
      details: {
        fields: [
          { field: 'amount', message: 'Informe o valor.' },
          { field: 'callback_url', message: 'O campo callback_url deve ser um texto.' },
        ],
      },
    });
  });

  test.each([
    ['no body', undefined, undefined, 400, 'INVALID_BODY'],
    ['an empty body', 'application/json', '', 400, 'INVALID_BODY'],
    ['a list', 'application/json', '[]', 400, 'INVALID_BODY'],
    ['broken JSON', 'application/json', '{"amount":', 400, 'INVALID_BODY'],
    ['a prototype', 'application/json', '{"amount":1,"__proto__":{"admin":true}}', 400, 'INVALID_BODY'],
    [
      'a constructor',
      'application/json',
      '{"constructor":{"prototype":{"a":1}},"amount":1}',
      400,
      'INVALID_BODY',
    ],
    ['a form', 'application/x-www-form-urlencoded', 'amount=1', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['plain text', 'text/plain', '{"amount":1}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    [
      'too much',
      'application/json',
      JSON.stringify({ amount: 1, x: 'x'.repeat(70_000) }),
      413,
      'BODY_TOO_LARGE',
    ],
  ])('with %s is refused', async (_name, type, body, status, code) => {
    const call = await start([echoRoute]);
    const headers = type === undefined ? {} : { 'content-type': type };
    const answer = await call('POST', `/api/echo/${id}`, { ...(body !== undefined && { body }), headers });
    expect(refusal(answer)).toMatchObject({ status, code });
  });

  test('with an invalid query is refused', async () => {
    const call = await start([echoRoute]);
    const answer = await call('POST', `/api/echo/${id}?page=none`, { json: { amount: 1 } });
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'INVALID_QUERY' });
  });

  test('to an unknown id or path is not found, and with a wrong method is not allowed', async () => {
    const call = await start([echoRoute]);
    expect(refusal(await call('POST', '/api/echo/nonsense', { json: { amount: 1 } }))).toMatchObject({
      status: 404,
      code: 'PAYMENT_NOT_FOUND',
    });
    expect(refusal(await call('GET', '/api/nonsense'))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(refusal(await call('GET', '/api/echo/%zz'))).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    const wrongMethod = await call('DELETE', `/api/echo/${id}`);
    expect(refusal(wrongMethod)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' });
    expect(wrongMethod.headers['allow']).toBe('POST');
  });

  test('that fails does not reveal the reason', async () => {
    const call = await start([route(echo, () => Promise.reject(new Error('password of the database')))]);
    const answer = await call('POST', `/api/echo/${id}`, { json: { amount: 1 } });
    expect(refusal(answer)).toMatchObject({ status: 500, code: 'INTERNAL' });
    expect(answer.text).not.toContain('password');
  });

  test('that is rate limited states when to retry', async () => {
    const call = await start([
      route(echo, async () => {
        throw new Refusal('RATE_LIMITED', { retryAfterSeconds: 12.2, details: { attempts: 5 } });
      }),
    ]);
    const answer = await call('POST', `/api/echo/${id}`, { json: { amount: 1 } });
    expect(refusal(answer)).toMatchObject({ status: 429, code: 'RATE_LIMITED', details: { attempts: 5 } });
    expect(answer.headers['retry-after']).toBe('13');
  });

  test('answered with what its contract does not name fails in tests', async () => {
    const refused = () => Promise.reject(new Refusal('KEY_LIMIT'));
    const call = await start([route(login, async () => ({ token: 'a', hash: 'b' })), route(echo, refused)]);
    const json = { username: 'a', password: 'b', amount: 1 };
    for (const path of ['/api/login', `/api/echo/${id}`])
      expect(refusal(await call('POST', path, { json }))).toMatchObject({ status: 500, code: 'INTERNAL' });
  });
});

describe('access', () => {
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const key = (value: string) => ({ 'x-api-key': value });

  test.each<[string, Record<string, string>, number | ErrorCode]>([
    ['session', bearer('user'), 7],
    ['session', bearer('wrong'), 'UNAUTHENTICATED'],
    ['session', key('key'), 'UNAUTHENTICATED'],
    ['session', {}, 'UNAUTHENTICATED'],
    ['session', { authorization: 'Basic user' }, 'UNAUTHENTICATED'],
    ['staff', bearer('admin'), 8],
    ['staff', bearer('user'), 'FORBIDDEN'],
    ['staff', {}, 'UNAUTHENTICATED'],
    ['apiKey', key('key'), 9],
    ['apiKey', key('other scopes'), 'KEY_SCOPE_MISSING'],
    ['apiKey', key('wrong'), 'INVALID_API_KEY'],
    ['apiKey', bearer('user'), 'UNAUTHENTICATED'],
    ['apiKey', {}, 'UNAUTHENTICATED'],
    ['merchant', key('key'), 9],
    ['merchant', key('other scopes'), 'KEY_SCOPE_MISSING'],
    ['merchant', { ...key('other scopes'), ...bearer('user') }, 'KEY_SCOPE_MISSING'],
    ['merchant', bearer('user'), 7],
    ['merchant', { ...key('wrong'), ...bearer('user') }, 'INVALID_API_KEY'],
    ['merchant', {}, 'UNAUTHENTICATED'],
  ])('to %s with %j', async (access, headers, outcome) => {
    const call = await start(accessRoutes);
    const answer = await call('GET', `/api/${access}`, { headers });
    if (typeof outcome === 'number') expect(answer.json()).toEqual({ userId: outcome });
    else expect(refusal(answer)).toMatchObject({ status: errors[outcome].status, code: outcome });
  });

  test('is decided before the body is read', async () => {
    const protectedEcho = endpoint({ ...echo, access: 'session', permission: 'own' });
    const call = await start([route(protectedEcho, async () => ({ asked: 1 }))]);
    const answer = await call('POST', `/api/echo/${id}`, {
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(refusal(answer)).toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});

describe('floods', () => {
  test('of one caller are limited, without affecting others', async () => {
    const call = await start(accessRoutes, { rateLimit: 3 });
    const headers = { authorization: 'Bearer user' };
    const answers = [];
    for (let calls = 0; calls < 4; calls += 1) answers.push(await call('GET', '/api/session', { headers }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(answers.map((answer) => answer.headers['ratelimit-remaining'])).toEqual(['2', '1', '0', '0']);
    expect(Number(answers[3]?.headers['retry-after'])).toBeGreaterThan(0);
    expect((await call('GET', '/api/apiKey', { headers: { 'x-api-key': 'key' } })).status).toBe(200);
  });

  test('of guesses are refused, and valid credentials from the same address pass', async () => {
    const call = await start(accessRoutes);
    const guess = () => call('GET', '/api/apiKey', { headers: { 'x-api-key': 'guess' } });
    for (let guesses = 0; guesses < 300; guesses += 1) expect((await guess()).status).toBe(401);
    expect(refusal(await guess())).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect((await call('GET', '/api/apiKey', { headers: { 'x-api-key': 'key' } })).status).toBe(200);
    const session = (token: string) =>
      call('GET', '/api/session', { headers: { authorization: `Bearer ${token}` } });
    expect((await session('user')).status).toBe(200);
    expect(refusal(await session('guess'))).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });

  test('of calls without the required scope count too', async () => {
    const call = await start(accessRoutes, { rateLimit: 3 });
    const ask = () => call('GET', '/api/apiKey', { headers: { 'x-api-key': 'other scopes' } });
    const codes = [];
    for (let calls = 0; calls < 4; calls += 1) codes.push(refusal(await ask()).code);
    expect(codes).toEqual(['KEY_SCOPE_MISSING', 'KEY_SCOPE_MISSING', 'KEY_SCOPE_MISSING', 'RATE_LIMITED']);
  });

  test('of guesses from one IPv6 network count together', async () => {
    const call = await start(accessRoutes, { config: { trustProxy: ['loopback'] } });
    const guess = (address: string) =>
      call('GET', '/api/apiKey', { headers: { 'x-api-key': 'guess', 'x-forwarded-for': address } });
    for (let guesses = 0; guesses < 300; guesses += 1) await guess(`2001:db8:1:2::${guesses}`);
    expect(refusal(await guess('2001:db8:1:2:3::'))).toMatchObject({ code: 'RATE_LIMITED' });
    expect(refusal(await guess('2001:db8:1:3::'))).toMatchObject({ code: 'INVALID_API_KEY' });
  });

  test('of slow calls are refused, and the bank’s notices still accepted', async () => {
    const gate = Promise.withResolvers<void>();
    const call = await start(
      [
        route(echo, async () => {
          await gate.promise;
          return { asked: 1 };
        }),
      ],
      {
        inFlight: { calls: 2, notices: 2 },
        setUp: (server) => server.post('/psp/sandbox/secret/pix', async () => ({})),
      },
    );
    const ask = () => call('POST', `/api/echo/${id}`, { json: { amount: 1 } });
    const first = [ask(), ask()];
    await expect.poll(async () => (await ask()).status).toBe(503);
    const refused = await ask();
    expect(refusal(refused)).toMatchObject({ status: 503, code: 'OVERLOADED' });
    expect(refused.headers['retry-after']).toBe('1');
    expect((await call('POST', '/psp/sandbox/secret/pix', { json: {} })).status).toBe(200);
    gate.resolve();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([201, 201]);
    expect((await ask()).status).toBe(201);
  });

  test('of bodies that never arrive block nobody, and time out', async () => {
    const call = await start([echoRoute], { inFlight: { calls: 1, notices: 1 }, requestTimeoutMs: 2000 });
    const port = Number(new URL(String(running?.listeningOrigin)).port);
    const slowSockets = Array.from({ length: 3 }, () => connect(port, '127.0.0.1').on('error', () => {}));
    const answered = slowSockets.map((socket) => once(socket, 'data'));
    const head = 'host: localhost\r\ncontent-type: application/json\r\ncontent-length: 12';
    for (const socket of slowSockets) socket.write(`POST /api/echo/${id} HTTP/1.1\r\n${head}\r\n\r\n{`);
    const otherCall = await call('POST', `/api/echo/${id}`, { json: { amount: 1 } });
    const ends = await Promise.all(answered);
    expect(otherCall.status).toBe(201);
    for (const [data] of ends) expect(String(data)).toMatch(/^HTTP\/1.1 408 /);
    expect((await call('POST', `/api/echo/${id}`, { json: { amount: 1 } })).status).toBe(201);
  });

  describe('of large bodies', () => {
    const upload = endpoint({
      ...echo,
      name: 'upload',
      path: '/upload',
      access: 'session',
      permission: 'own',
      params: z.object({}),
      body: z.object({ file: z.string() }),
      maxBodyBytes: 1_000_000,
      response: z.object({ taken: z.int() }),
      refusals: [],
    });
    const uploadRoute = route(upload, async ({ body }) => ({ taken: body.file.length }));
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const file = (length: number) => ({ file: 'x'.repeat(length) });

    test('are accepted up to the endpoint’s own limit', async () => {
      const call = await start([uploadRoute]);
      const sent = await call('POST', '/api/upload', { json: file(900_000), headers: bearer('user') });
      expect(sent).toMatchObject({ status: 201, text: '{"taken":900000}' });
      const refused = await call('POST', '/api/upload', { json: file(1_000_001), headers: bearer('user') });
      expect(refusal(refused)).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' });
    });

    test('may arrive more slowly than others, one at a time per caller', async () => {
      const call = await start([uploadRoute], { requestTimeoutMs: 500 });
      const port = Number(new URL(String(running?.listeningOrigin)).port);
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      const body = JSON.stringify(file(20));
      socket.write(
        `POST /api/upload HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer user\r\n` +
          `content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
      );
      const second = () => call('POST', '/api/upload', { json: file(20), headers: bearer('user') });
      await expect.poll(async () => (await second()).status).toBe(503);
      expect((await call('POST', '/api/upload', { json: file(20), headers: bearer('admin') })).status).toBe(
        201,
      );
      await pause(1000);
      const answered = once(socket, 'data');
      socket.write(body.slice(10));
      expect(String(await answered)).toMatch(/^HTTP\/1.1 201 /);
      socket.destroy();
      await expect.poll(async () => (await second()).status).toBe(201);
    });
  });

  test('of aborted calls free their slots', async () => {
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    const call = await start(
      [
        route(profile, async () => {
          entered.resolve();
          await gate.promise;
          throw new Refusal('RATE_LIMITED');
        }),
      ],
      { inFlight: { calls: 1, notices: 1 } },
    );
    const port = Number(new URL(String(running?.listeningOrigin)).port);
    const socket = connect(port, '127.0.0.1');
    socket.write('GET /api/authed/profile HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer user\r\n\r\n');
    await entered.promise;
    socket.destroy();
    await once(socket, 'close');
    gate.resolve();
    const headers = { authorization: 'Bearer user' };
    await expect.poll(async () => (await call('GET', '/api/authed/profile', { headers })).status).toBe(429);
  });
});

describe('origins', () => {
  test('the gateway accepts only its own host names, except for health', async () => {
    const call = await start(accessRoutes, {
      setUp: (server) => server.get('/api/health', async () => ({})),
    });
    const callAt = (host: string, path = '/api/session') => call('GET', path, { headers: { host } });
    expect(refusal(await callAt('evil.example'))).toMatchObject({ status: 421, code: 'HOST_NOT_ALLOWED' });
    expect(refusal(await callAt('pay.example.com:8080'))).toMatchObject({ status: 421 });
    expect(refusal(await callAt('pay.example.com'))).toMatchObject({ status: 401 });
    expect(refusal(await callAt('localhost:5173'))).toMatchObject({ status: 401 });
    expect((await callAt('10.1.2.3:3000', '/api/health')).status).toBe(200);
  });

  test('the bank’s host name accepts notices, and nothing else', async () => {
    const setUp = (server: FastifyInstance) => server.post('/psp/sandbox/secret/pix', async () => ({}));
    const call = await start(accessRoutes, { setUp });
    const callAt = (method: string, host: string, path: string) => call(method, path, { headers: { host } });
    const notices = '/psp/sandbox/secret/pix';
    expect((await callAt('POST', 'pix.example.com', notices)).status).toBe(200);
    expect((await callAt('POST', 'pay.example.com', notices)).status).toBe(200);
    expect((await callAt('POST', 'evil.example', notices)).status).toBe(421);
    expect((await callAt('GET', 'pix.example.com', '/api/session')).status).toBe(421);
  });

  test('a page of another origin may not call the API', async () => {
    const call = await start(accessRoutes);
    for (const origin of ['https://evil.example', 'null', 'http://pay.example.com.evil.example']) {
      const answer = await call('GET', '/api/session', { headers: { origin, authorization: 'Bearer user' } });
      expect(refusal(answer)).toMatchObject({ status: 403, code: 'ORIGIN_NOT_ALLOWED' });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const ownOrigin = { origin: 'http://pay.example.com', authorization: 'Bearer user' };
    expect((await call('GET', '/api/session', { headers: ownOrigin })).status).toBe(200);
  });

  test('no spelling of a path evades the checks of calls', async () => {
    const call = await start(accessRoutes);
    const headers = { origin: 'https://evil.example', authorization: 'Bearer user' };
    for (const path of ['/%61pi/session', '/a%70%69/session', '/%61%50i/session', '/api/%73ession']) {
      const answer = await call('GET', path, { headers });
      expect([403, 404], path).toContain(answer.status);
      const own = await call('GET', path, { headers: { authorization: 'Bearer user' } });
      if (own.status === 200)
        expect(own.headers, path).toMatchObject({ vary: 'origin', 'cache-control': 'no-store' });
    }
    const absolute = connect(Number(new URL(address()).port), '127.0.0.1');
    absolute.end(
      'GET http://pay.example.com/api/session HTTP/1.1\r\nhost: pay.example.com\r\n' +
        'origin: https://evil.example\r\nauthorization: Bearer user\r\nconnection: close\r\n\r\n',
    );
    const [answer] = await once(absolute, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 403 /);
  });

  test('a page of a configured origin may call the API', async () => {
    const origin = 'https://shop.example';
    const call = await start(accessRoutes, { config: { corsOrigins: [origin] } });
    const preflight = await call('OPTIONS', '/api/session', {
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-headers': expect.stringContaining('idempotency-key'),
    });
    const answer = await call('GET', '/api/session', { headers: { origin, authorization: 'Bearer user' } });
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' });
  });
});

describe('pages', () => {
  async function startPages(https = false) {
    const folder = mkdtempSync(join(tmpdir(), 'jangada-pages-'));
    mkdirSync(join(folder, 'assets'));
    for (const name of [
      'index.html',
      'login.html',
      'register.html',
      'favicon.svg',
      'assets/main-AbCd_123.js',
    ])
      writeFileSync(join(folder, name), `content of ${name}`);
    writeFileSync(join(folder, 'assets/main-AbCd_123.js.br'), 'brotli');
    writeFileSync(join(folder, 'csp.json'), JSON.stringify({ policy: "default-src 'none'" }));
    const server = createServer({
      config: { ...ownConfig, publicUrl: https ? 'https://pay.example.com' : 'http://localhost:3000' },
      log,
      contentSecurityPolicy: readContentSecurityPolicy(folder),
    });
    running = server;
    await serveDashboard(server, folder);
    refuseUnknownCalls(server, [profile]);
    server.addHook('onClose', async () => rmSync(folder, { recursive: true }));
    const url = await server.listen({ host: '127.0.0.1', port: 0 });
    return async (path: string, headers: Record<string, string> = {}) => {
      const answer = await send(`${url}${path}`, { headers });
      return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
    };
  }

  test('are the prerendered forms at their addresses, and the dashboard at all others', async () => {
    const get = await startPages();
    for (const [path, file] of [
      ['/', 'index.html'],
      ['/login', 'login.html'],
      ['/register', 'register.html'],
      ['/dashboard', 'index.html'],
      ['/transactions?page=2', 'index.html'],
      ['/admin/users/7', 'index.html'],
    ] as const) {
      const answer = await get(path);
      expect([path, answer.text]).toEqual([path, `content of ${file}`]);
      expect(answer.headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-type': expect.stringContaining('text/html'),
        'content-security-policy': "default-src 'none'",
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(answer.headers['strict-transport-security']).toBeUndefined();
    }
  });

  test('have hashed files, which are cached and compressed', async () => {
    const get = await startPages();
    const plain = await get('/assets/main-AbCd_123.js');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(plain.headers['content-type']).toContain('javascript');
    const small = await get('/assets/main-AbCd_123.js', { 'accept-encoding': 'gzip, br' });
    expect(small.text).toBe('brotli');
    expect(small.headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': expect.stringContaining('javascript'),
    });
    expect((await get('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  test('are not sent for a missing file or call', async () => {
    const get = await startPages();
    for (const path of [
      '/assets/main-Old_1234.js',
      '/robots.txt',
      '/api/nothing',
      '/api',
      '/assets/../../etc/passwd.txt',
    ])
      expect([path, (await get(path)).status]).toEqual([path, 404]);
  });

  test('have HSTS once the gateway has https', async () => {
    const get = await startPages(true);
    const answer = await get('/login', { host: 'pay.example.com' });
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  });
});
