import type { ScopedKey } from '@jangada/contract';
import { expect, test } from 'vitest';
import { bodyOf, draftOf, expiryOptions, problemsOf } from './scoped-key-draft.ts';

const now = Date.parse('2026-11-22T15:00:00.000Z');
const key: ScopedKey = {
  id: 'a3c1e5d2-0000-4d0e-9b3a-61f2d8c07a55',
  name: 'ERP',
  masked: 'jgd_••••••••4f2a',
  scopes: ['read'],
  allowed_addresses: ['203.0.113.7', '2001:db8::/32'],
  status: 'active',
  created_at: '2026-11-01T15:00:00.000Z',
  expires_at: '2027-02-21T13:00:00.000Z',
  last_used_at: null,
  last_used_address: null,
};

test('unedited fields are sent unchanged', () => {
  const { name, scopes, allowed_addresses, expires_at } = key;
  expect(bodyOf(draftOf(key), key, now)).toEqual({ name, scopes, allowed_addresses, expires_at });
});

test('a key expires after days, at the end of a day in São Paulo, or never', () => {
  const expiresAt = (expiry: string, date = '') =>
    bodyOf({ ...draftOf(key), expiry, date }, key, now).expires_at;
  expect(expiresAt('30')).toBe('2026-12-22T15:00:00.000Z');
  expect(expiresAt('date', '2026-12-31')).toBe('2027-01-01T02:59:59.000Z');
  expect(expiresAt('never')).toBeNull();
});

test('a key that has not expired can keep its expiry, and the choice "never" is not offered twice', () => {
  const values = (scopedKey: ScopedKey | null) => expiryOptions(scopedKey).map(({ value }) => value);
  const lifetimes = ['30', '90', '180', '365', 'date'];
  expect(values(key)).toEqual(['keep', ...lifetimes, 'never']);
  expect(values({ ...key, expires_at: null })).toEqual(['keep', ...lifetimes]);
  expect(values({ ...key, status: 'expired' })).toEqual([...lifetimes, 'never']);
  expect(draftOf({ ...key, status: 'expired' }).expiry).toBe('365');
  expect(values(null)).toEqual([...lifetimes, 'never']);
});

test('addresses are separated by lines, spaces, commas and semicolons', () => {
  const addresses = ' 203.0.113.7\n2001:db8::/32, 198.51.100.0/24;\n\n10.0.0.1 ';
  expect(bodyOf({ ...draftOf(null), addresses }, null, now).allowed_addresses).toEqual([
    '203.0.113.7',
    '2001:db8::/32',
    '198.51.100.0/24',
    '10.0.0.1',
  ]);
});

test('a key needs a name, a scope, and a date that has not passed', () => {
  const today = '2026-11-22';
  const invalidDraft = { ...draftOf(null), name: ' ', scopes: [], expiry: 'date', date: '2026-11-21' };
  expect(Object.keys(problemsOf(invalidDraft, today))).toEqual(['name', 'scopes', 'date']);
  expect(problemsOf({ ...draftOf(null), name: 'Loja', expiry: 'date', date: today }, today)).toEqual({});
});
