import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { endSession, session, storeToken, storeUser } from './session.ts';

type Reply = { status: number; body: unknown };
/** The paths of the two calls that concern the PIN. */
const CHECK = '/authed/check-withdrawal-pin';
const SET = '/authed/set-withdrawal-pin';

/** The reply to each path. With `hold`, the server responds only when the test sends a reply. */
let replies: Record<string, Reply | 'hold'> = {};
let requestedPaths: string[] = [];
/** The responses that the server holds back. */
let pendingResponses: ServerResponse[] = [];
const sendReply = (response: ServerResponse, { status, body }: Reply) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const server = createServer((request, response) => {
  const path = request.url ?? '';
  requestedPaths.push(path);
  const reply = replies[path] ?? { status: 500, body: {} };
  if (reply === 'hold') pendingResponses.push(response);
  else sendReply(response, reply);
});

/** The module under test, imported once the address of the server is known. */
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
  storeToken('token');
  storeUser(user);
  replies = {};
  requestedPaths = [];
  pendingResponses = [];
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
  atOperatorCents: null,
  atOwnBankCents: null,
  apiActive: true,
  apiKey: '',
  document: '',
  docType: 'CPF' as const,
  createdAt: null,
};
const pinReply = (has_pin: boolean): Reply => ({ status: 200, body: { has_pin } });
const pinSetReply = { status: 200, body: { success: true } };
const pinDefinition = { currentPassword: 'segredo-da-ana', newPin: '4829', confirmPin: '4829' };
const status = () => pins.pin.getState().status;
const waitForPending = (count = 1) => expect.poll(() => pendingResponses).toHaveLength(count);

test('the status is idle, then loading, then set or not_set as the gateway says', async () => {
  expect(status()).toBe('idle');
  replies = { [CHECK]: pinReply(true) };
  const checking = pins.checkPin();
  expect(status()).toBe('loading');
  await checking;
  expect(status()).toBe('set');

  storeToken('other');
  replies = { [CHECK]: pinReply(false) };
  await pins.checkPin();
  expect(status()).toBe('not_set');
});

test('the state has the times until which withdrawals are refused and delayed', async () => {
  const until = '2026-11-22T17:00:00.000Z';
  replies = { [CHECK]: { status: 200, body: { has_pin: true, locked_until: until, held_until: null } } };
  await pins.checkPin();
  expect(pins.pin.getState()).toEqual({ status: 'set', lockedUntil: until, heldUntil: null });
});

test.each([
  ['a failure', { status: 500, body: {} }],
  ['a response without the PIN fields', { status: 200, body: {} }],
])('after %s the status is error, and the next check can correct it', async (_, reply) => {
  replies = { [CHECK]: reply };
  await pins.checkPin();
  expect(status()).toBe('error');
  replies = { [CHECK]: pinReply(true) };
  const checking = pins.checkPin();
  expect(status()).toBe('loading');
  await checking;
  expect(status()).toBe('set');
});

test('without a token the status is idle and no request is sent', async () => {
  endSession('sign-out');
  await pins.checkPin();
  expect(status()).toBe('idle');
  expect(requestedPaths).toEqual([]);
});

test.each([
  ['login', () => storeToken('new')],
  ['logout', () => endSession('sign-out')],
  ['a refused session', () => endSession('refusal')],
  [
    'setting the auth state',
    () => session.setState({ status: 'authenticated', token: 'token of another', user: null }),
  ],
])(
  '%s resets the status to idle, and the response to an earlier request changes nothing',
  async (_, endOrReplaceSession) => {
    replies = { [CHECK]: pinReply(true) };
    await pins.checkPin();
    replies = { [CHECK]: 'hold' };
    const checking = pins.checkPin();
    await waitForPending();
    endOrReplaceSession();
    expect(status()).toBe('idle');
    for (const response of pendingResponses) sendReply(response, pinReply(false));
    await checking;
    expect(status()).toBe('idle');
  },
);

test('reloading the profile in the same session keeps the status', async () => {
  replies = { [CHECK]: pinReply(true) };
  await pins.checkPin();
  storeUser({ ...user, approved: false });
  expect(status()).toBe('set');
});

test('a newer check cancels an older one, whose response changes nothing', async () => {
  replies = { [CHECK]: 'hold' };
  const older = pins.checkPin();
  await waitForPending();
  replies = { [CHECK]: pinReply(true) };
  await pins.checkPin();
  await older;
  expect(status()).toBe('set');
});

test('a cancelled check leaves the status loading, not error', async () => {
  replies = { [CHECK]: 'hold' };
  const older = pins.checkPin();
  await waitForPending();
  const newer = pins.checkPin();
  await older;
  expect(status()).toBe('loading');
  await waitForPending(2);
  const [, lastResponse] = pendingResponses;
  if (lastResponse !== undefined) sendReply(lastResponse, pinReply(false));
  await newer;
  expect(status()).toBe('not_set');
});

test('a known status stays while a newer check is in progress', async () => {
  replies = { [CHECK]: pinReply(true) };
  await pins.checkPin();
  replies = { [CHECK]: 'hold' };
  const secondCheck = pins.checkPin();
  await waitForPending();
  expect(status()).toBe('set');
  for (const response of pendingResponses) sendReply(response, pinReply(true));
  await secondCheck;
});

test('not_set becomes set after the PIN is set', async () => {
  replies = { [CHECK]: pinReply(false), [SET]: pinSetReply };
  await pins.checkPin();
  await pins.definePin(pinDefinition);
  expect(status()).toBe('set');
});

test('when setting the PIN is refused, the status stays and the refusal is thrown', async () => {
  replies = { [CHECK]: pinReply(false), [SET]: { status: 403, body: { message: 'Senha incorreta.' } } };
  await pins.checkPin();
  await expect(pins.definePin(pinDefinition)).rejects.toThrow('Senha incorreta.');
  expect(status()).toBe('not_set');
});

test('after a PIN change the state has the time until which withdrawals are delayed', async () => {
  const until = '2026-11-23T12:00:00.000Z';
  const body = { success: true, message: 'ok', has_pin: true, locked_until: null, held_until: until };
  replies = { [CHECK]: pinReply(true), [SET]: { status: 200, body } };
  await pins.checkPin();
  await pins.definePin(pinDefinition);
  expect(pins.pin.getState()).toEqual({ status: 'set', lockedUntil: null, heldUntil: until });
});

test('a PIN set in an earlier session does not change the state of the current one', async () => {
  replies = { [SET]: 'hold' };
  const defining = pins.definePin(pinDefinition);
  await waitForPending();
  storeToken('other');
  for (const response of pendingResponses) sendReply(response, pinSetReply);
  await defining;
  expect(status()).toBe('idle');
});

test('setting the PIN overrides a check that began before it', async () => {
  replies = { [CHECK]: 'hold', [SET]: pinSetReply };
  const checking = pins.checkPin();
  await waitForPending();
  await pins.definePin(pinDefinition);
  for (const response of pendingResponses) sendReply(response, pinReply(false));
  await checking;
  expect(status()).toBe('set');
});
