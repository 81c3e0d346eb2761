import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../api/query.ts';
import { session } from '../session/session.ts';
import { paths } from './paths.ts';
import { prefetchScreen } from './screen-queries.ts';

const user = { id: '1', name: 'Ana', username: 'ana', approved: true, docType: 'CPF', avatar: '' } as const;
const nobody = { status: 'unauthenticated', token: null, user: null, endedBy: null } as const;

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

/** The gateway paths that are prefetched while the token of a user in a role is checked. */
function askedBy(signed: { role: 'USER' | 'ADMIN' } | null, pathname: string, search = ''): string[] {
  const asked: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    asked.push(url.replace(/^.*\/api\//, ''));
    return new Promise(() => {});
  });
  session.setState(
    signed ? { ...nobody, status: 'loading', token: 'token', user: { ...user, ...signed } } : nobody,
  );
  prefetchScreen({ pathname, search });
  return asked;
}

test('a merchant’s screen is prefetched beside their profile', () => {
  expect(askedBy({ role: 'USER' }, paths.dashboard)).toEqual([
    'authed/wallet/stats',
    'authed/feed/transactions?limit=5',
  ]);
});

test('nothing is prefetched for staff, for visitors, for a filtered list, or for any other screen', () => {
  expect(askedBy({ role: 'ADMIN' }, paths.dashboard)).toEqual([]);
  expect(askedBy(null, paths.dashboard)).toEqual([]);
  expect(askedBy({ role: 'USER' }, paths.transactions, '?page=2')).toEqual([]);
  expect(askedBy({ role: 'USER' }, paths.profile)).toEqual([]);
});
