import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { errorText } from '../api/error-text.ts';
import { endSession, session, storeToken } from './session.ts';

const user = { id: '7', name: 'Ana Lima', username: 'ana', approved: true, role: 'ADMIN', balance: 12.5 };
/** The reply of the server to each path. */
let replies: Record<string, { status: number; body: unknown }> = {};
const server = createServer((request, response) => {
  const { status, body } = replies[request.url ?? ''] ?? { status: 500, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

/** The module under test, imported once the address of the server is known. */
let signInModule: typeof import('./sign-in.ts');
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  signInModule = await import('./sign-in.ts');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await new Promise((closed) => server.close(closed));
});
beforeEach(() => endSession('sign-out'));

const credentials = { username: 'ana', password: 'segredo-da-ana' };
const registration = {
  ...credentials,
  name: 'Ana Lima',
  email: 'ana@loja.test',
  document: '12345678909',
  doctype: 'cpf' as const,
};
const successfulReplies = {
  '/login': { status: 200, body: { token: 'abc' } },
  '/authed/profile': { status: 200, body: { user } },
};

test('signing in stores the token and only those fields of the user that the header and the menu need', async () => {
  replies = successfulReplies;
  expect(await signInModule.signIn(credentials)).toMatchObject({ name: 'Ana Lima', balanceCents: 1250 });
  expect(session.getState()).toEqual({
    status: 'authenticated',
    token: 'abc',
    user: {
      id: '7',
      name: 'Ana Lima',
      username: 'ana',
      role: 'ADMIN',
      approved: true,
      docType: 'CPF',
      avatar: '',
    },
    endedBy: null,
  });
});

test('a login response without a token fails with an error that says so', async () => {
  replies = { '/login': { status: 200, body: {} } };
  const error = await signInModule.signIn(credentials).catch((failure: unknown) => failure);
  expect(errorText(error, 'outro')).toBe('Login response did not contain a token.');
  expect(session.getState().status).toBe('unauthenticated');
});

test('a profile that cannot be loaded after login clears the session', async () => {
  replies = { ...successfulReplies, '/authed/profile': { status: 500, body: {} } };
  await expect(signInModule.signIn(credentials)).rejects.toThrow();
  expect(session.getState()).toMatchObject({ status: 'unauthenticated', token: null });
});

test('at start the profile of a stored token is loaded, and any failure ends the session with its reason', async () => {
  replies = successfulReplies;
  storeToken('stored-1');
  expect(session.getState().status).toBe('loading');
  await signInModule.startSession();
  expect(session.getState().status).toBe('authenticated');

  replies = { '/authed/profile': { status: 503, body: {} } };
  storeToken('stored-2');
  await signInModule.startSession();
  const signedOut = { status: 'unauthenticated', token: null };
  expect(session.getState()).toMatchObject({ ...signedOut, endedBy: 'not-loaded' });

  replies = { '/authed/profile': { status: 401, body: {} } };
  storeToken('stored-3');
  await signInModule.startSession();
  expect(session.getState()).toMatchObject({ ...signedOut, endedBy: 'refusal' });

  const frozen = { code: 'UNAUTHENTICATED', details: { reason: 'ACCOUNT_FROZEN' } };
  replies = { '/authed/profile': { status: 401, body: { error: frozen } } };
  storeToken('stored-4');
  await signInModule.startSession();
  expect(session.getState()).toMatchObject({ ...signedOut, endedBy: 'frozen' });
});

test('a registration signs in, and a response without token or user fails with an error that says so', async () => {
  replies = { '/register': { status: 201, body: { token: 'new', user } } };
  await signInModule.signUp(registration);
  expect(session.getState()).toMatchObject({ status: 'authenticated', token: 'new' });

  endSession('sign-out');
  replies = { '/register': { status: 201, body: { token: 'new' } } };
  const error = await signInModule.signUp(registration).catch((failure: unknown) => failure);
  expect(errorText(error, 'outro')).toBe('Falha ao processar o registro. Dados ausentes.');
  expect(session.getState().token).toBeNull();
});

test('signing out ends the session at once and cancels a profile that is still loading', async () => {
  replies = successfulReplies;
  storeToken('stored');
  const loading = signInModule.startSession();
  signInModule.signOut();
  await loading;
  expect(session.getState()).toMatchObject({ status: 'unauthenticated', token: null, endedBy: 'sign-out' });
});
