import { createServer } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { errorText } from '../api/error-text.ts';
import { endSession, holdToken, session } from './session.ts';

const user = { id: '7', name: 'Ana Lima', username: 'ana', approved: true, role: 'ADMIN', balance: 12.5 };
let answers: Record<string, { status: number; body: unknown }> = {};
const server = createServer((request, response) => {
  const { status, body } = answers[request.url ?? ''] ?? { status: 500, body: {} };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});

let signing: typeof import('./sign-in.ts');
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  signing = await import('./sign-in.ts');
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
const good = {
  '/login': { status: 200, body: { token: 'abc' } },
  '/authed/profile': { status: 200, body: { user } },
};

test('signing in keeps the token, and of the user only what the frame needs', async () => {
  answers = good;
  expect(await signing.signIn(credentials)).toMatchObject({ name: 'Ana Lima', balanceCents: 1250 });
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

test('a login answer without a token fails with its sentence', async () => {
  answers = { '/login': { status: 200, body: {} } };
  const error = await signing.signIn(credentials).catch((failure: unknown) => failure);
  expect(errorText(error, 'outro')).toBe('Login response did not contain a token.');
  expect(session.getState().status).toBe('unauthenticated');
});

test('a profile that cannot be loaded after login clears the session', async () => {
  answers = { ...good, '/authed/profile': { status: 500, body: {} } };
  await expect(signing.signIn(credentials)).rejects.toThrow();
  expect(session.getState()).toMatchObject({ status: 'unauthenticated', token: null });
});

test('at start a stored token loads the profile, and any failure signs out', async () => {
  answers = good;
  holdToken('stored');
  expect(session.getState().status).toBe('loading');
  await signing.startSession();
  expect(session.getState().status).toBe('authenticated');

  answers = { '/authed/profile': { status: 503, body: {} } };
  holdToken('stored');
  await signing.startSession();
  const signedOut = { status: 'unauthenticated', token: null };
  expect(session.getState()).toMatchObject({ ...signedOut, endedBy: 'not-loaded' });

  answers = { '/authed/profile': { status: 401, body: {} } };
  holdToken('stored');
  await signing.startSession();
  expect(session.getState()).toMatchObject({ ...signedOut, endedBy: 'refusal' });

  const frozen = { code: 'UNAUTHENTICATED', details: { reason: 'ACCOUNT_FROZEN' } };
  answers = { '/authed/profile': { status: 401, body: { error: frozen } } };
  holdToken('stored');
  await signing.startSession();
  expect(session.getState()).toMatchObject({ ...signedOut, endedBy: 'frozen' });
});

test('a registration signs in, and one without token or user is refused with its sentence', async () => {
  answers = { '/register': { status: 201, body: { token: 'new', user } } };
  await signing.signUp(registration);
  expect(session.getState()).toMatchObject({ status: 'authenticated', token: 'new' });

  endSession('sign-out');
  answers = { '/register': { status: 201, body: { token: 'new' } } };
  const error = await signing.signUp(registration).catch((failure: unknown) => failure);
  expect(errorText(error, 'outro')).toBe('Falha ao processar o registro. Dados ausentes.');
  expect(session.getState().token).toBeNull();
});

test('signing out forgets at once and cancels a profile that is still loading', async () => {
  answers = good;
  holdToken('stored');
  const loading = signing.startSession();
  signing.signOut();
  await loading;
  expect(session.getState()).toMatchObject({ status: 'unauthenticated', token: null, endedBy: 'sign-out' });
});
