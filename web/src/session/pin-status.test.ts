import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { endSession, holdToken, holdUser, session } from './session.ts';

type Reply = { status: number; body: unknown };
const CHECK = '/authed/check-withdrawal-pin';
const SET = '/authed/set-withdrawal-pin';

let replies: Record<string, Reply | 'hold'> = {};
let asked: string[] = [];
let held: ServerResponse[] = [];
const answer = (response: ServerResponse, { status, body }: Reply) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const server = createServer((request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  const reply = replies[path] ?? { status: 500, body: {} };
  if (reply === 'hold') held.push(response);
  else answer(response, reply);
});

let pins: typeof import('./pin-status.ts');
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  pins = await import('./pin-status.ts');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
beforeEach(() => {
  endSession('sign-out');
  holdToken('token');
  holdUser(user);
  replies = {};
  asked = [];
  held = [];
});

const user = {
  id: '7',
  name: 'Ana Lima',
  username: 'ana',
  email: '',
  avatar: '',
  approved: true,
  role: 'USER' as const,
  balanceCents: 0,
  apiActive: true,
  apiKey: '',
  document: '',
  docType: 'CPF' as const,
  createdAt: null,
};
const is = (has_pin: boolean): Reply => ({ status: 200, body: { has_pin } });
const defined = { status: 200, body: { success: true } };
const definition = { currentPassword: 'segredo-da-ana', newPin: '4829', confirmPin: '4829' };
const status = () => pins.pin.getState().status;
const isHeld = (count = 1) => expect.poll(() => held).toHaveLength(count);

test('idle, then loading, then set or not_set', async () => {
  expect(status()).toBe('idle');
  replies = { [CHECK]: is(true) };
  const checking = pins.checkPin();
  expect(status()).toBe('loading');
  await checking;
  expect(status()).toBe('set');

  holdToken('other');
  replies = { [CHECK]: is(false) };
  await pins.checkPin();
  expect(status()).toBe('not_set');
});

test('what stops withdrawals is kept with its times', async () => {
  const until = '2026-11-22T17:00:00.000Z';
  replies = { [CHECK]: { status: 200, body: { has_pin: true, locked_until: until, held_until: null } } };
  await pins.checkPin();
  expect(pins.pin.getState()).toEqual({ status: 'set', lockedUntil: until, heldUntil: null });
});

test.each([
  ['a failure', { status: 500, body: {} }],
  ['an answer that says nothing of a PIN', { status: 200, body: {} }],
])('%s of the check is error, and the next check may mend it', async (_, reply) => {
  replies = { [CHECK]: reply };
  await pins.checkPin();
  expect(status()).toBe('error');
  replies = { [CHECK]: is(true) };
  const checking = pins.checkPin();
  expect(status()).toBe('loading');
  await checking;
  expect(status()).toBe('set');
});

test('idle without a token, and nothing is asked', async () => {
  endSession('sign-out');
  await pins.checkPin();
  expect(status()).toBe('idle');
  expect(asked).toEqual([]);
});

test.each([
  ['login', () => holdToken('new')],
  ['logout', () => endSession('sign-out')],
  ['a refused session', () => endSession('refusal')],
  [
    'setting the auth state',
    () => session.setState({ status: 'authenticated', token: 'token of another', user: null }),
  ],
])('%s resets it to idle, and what was asked before changes nothing', async (_, change) => {
  replies = { [CHECK]: is(true) };
  await pins.checkPin();
  replies = { [CHECK]: 'hold' };
  const checking = pins.checkPin();
  await isHeld();
  change();
  expect(status()).toBe('idle');
  for (const response of held) answer(response, is(false));
  await checking;
  expect(status()).toBe('idle');
});

test('a profile that is loaded anew in the same session keeps what is known', async () => {
  replies = { [CHECK]: is(true) };
  await pins.checkPin();
  holdUser({ ...user, approved: false });
  expect(status()).toBe('set');
});

test('a newer check cancels an older one, whose answer changes nothing', async () => {
  replies = { [CHECK]: 'hold' };
  const older = pins.checkPin();
  await isHeld();
  replies = { [CHECK]: is(true) };
  await pins.checkPin();
  await older;
  expect(status()).toBe('set');
});

test('a check that is cancelled leaves loading as loading, never error', async () => {
  replies = { [CHECK]: 'hold' };
  const older = pins.checkPin();
  await isHeld();
  const newer = pins.checkPin();
  await older;
  expect(status()).toBe('loading');
  await isHeld(2);
  const [, last] = held;
  if (last !== undefined) answer(last, is(false));
  await newer;
  expect(status()).toBe('not_set');
});

test('what is known stays while it is asked again', async () => {
  replies = { [CHECK]: is(true) };
  await pins.checkPin();
  replies = { [CHECK]: 'hold' };
  const again = pins.checkPin();
  await isHeld();
  expect(status()).toBe('set');
  for (const response of held) answer(response, is(true));
  await again;
});

test('not_set becomes set after a successful definition', async () => {
  replies = { [CHECK]: is(false), [SET]: defined };
  await pins.checkPin();
  await pins.definePin(definition);
  expect(status()).toBe('set');
});

test('a definition that is refused changes nothing and is passed on', async () => {
  replies = { [CHECK]: is(false), [SET]: { status: 403, body: { message: 'Senha incorreta.' } } };
  await pins.checkPin();
  await expect(pins.definePin(definition)).rejects.toThrow('Senha incorreta.');
  expect(status()).toBe('not_set');
});

test('a changed PIN brings the time until which withdrawals are held', async () => {
  const until = '2026-11-23T12:00:00.000Z';
  const body = { success: true, message: 'ok', has_pin: true, locked_until: null, held_until: until };
  replies = { [CHECK]: is(true), [SET]: { status: 200, body } };
  await pins.checkPin();
  await pins.definePin(definition);
  expect(pins.pin.getState()).toEqual({ status: 'set', lockedUntil: null, heldUntil: until });
});

test('a definition that ends in another session says nothing of that one', async () => {
  replies = { [SET]: 'hold' };
  const defining = pins.definePin(definition);
  await isHeld();
  holdToken('other');
  for (const response of held) answer(response, defined);
  await defining;
  expect(status()).toBe('idle');
});

test('a definition stands against a check that began before it', async () => {
  replies = { [CHECK]: 'hold', [SET]: defined };
  const checking = pins.checkPin();
  await isHeld();
  await pins.definePin(definition);
  for (const response of held) answer(response, is(false));
  await checking;
  expect(status()).toBe('set');
});
