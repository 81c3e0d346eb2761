import { expect, test } from 'vitest';
import type { SessionState } from '../session/session.ts';
import { checkRouteAccess, deniedText, returnUrlFrom } from './guards.ts';

const nobody: SessionState = { status: 'unauthenticated', token: null, user: null, endedBy: null };
const signedIn = (role: 'USER' | 'ADMIN' | 'SUPPORT'): SessionState => ({
  status: 'authenticated',
  token: 'token',
  user: { id: '1', name: 'Ana Lima', username: 'ana', role, approved: true, docType: 'CPF', avatar: '' },
  endedBy: null,
});

test('without a session only the entry pages open', () => {
  expect(checkRouteAccess('guest', nobody)).toBe('open');
  expect(checkRouteAccess('user', nobody)).toBe('login');
  expect(checkRouteAccess('change-users', nobody)).toBe('login');
  expect(checkRouteAccess('support', nobody)).toBe('login');
});

test('a signed-in user is redirected from the entry pages to the dashboard', () => {
  expect(checkRouteAccess('guest', signedIn('USER'))).toBe('dashboard');
  expect(checkRouteAccess('user', signedIn('USER'))).toBe('open');
});

test('a route for administrators opens to ADMIN only; USER and SUPPORT are redirected to the dashboard', () => {
  for (const access of ['change-users', 'decide-kyc', 'read-audit-log', 'read-operations'] as const) {
    expect(checkRouteAccess(access, signedIn('ADMIN'))).toBe('open');
    expect(checkRouteAccess(access, signedIn('USER'))).toBe('dashboard');
    expect(checkRouteAccess(access, signedIn('SUPPORT'))).toBe('dashboard');
  }
});

test('the route for the support opens to SUPPORT only', () => {
  expect(checkRouteAccess('support', signedIn('SUPPORT'))).toBe('open');
  expect(checkRouteAccess('support', signedIn('ADMIN'))).toBe('dashboard');
  expect(checkRouteAccess('support', signedIn('USER'))).toBe('dashboard');
});

test('the message for a screen of another role names that role', () => {
  expect(deniedText('read-operations')).toBe('Esta tela é de administradores.');
  expect(deniedText('support')).toBe('Esta tela é do atendimento.');
});

test('an origin is kept with its search', () => {
  expect(returnUrlFrom('/transactions?page=2#x')).toBe('/transactions?page=2#x');
});

test.each([
  '//evil.example',
  '//evil.example/wallet',
  '/\\evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '/login',
  '/register?a=1',
  '/dashboard',
  '',
  3,
  undefined,
])('an origin of %j is not followed', (origin) => {
  expect(returnUrlFrom(origin)).toBeUndefined();
});
