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
function prefetchedPaths(role: { role: 'USER' | 'ADMIN' } | null, pathname: string, search = ''): string[] {
  const requested: string[] = [];
  vi.stubGlobal('fetch', (url: string) => {
    requested.push(url.replace(/^.*\/api\//, ''));
    return new Promise(() => {});
  });
  session.setState(
    role ? { ...nobody, status: 'loading', token: 'token', user: { ...user, ...role } } : nobody,
  );
  prefetchScreen({ pathname, search });
  return requested;
}

test('a merchant’s screen is prefetched beside their profile', () => {
  expect(prefetchedPaths({ role: 'USER' }, paths.dashboard)).toEqual([
    'authed/wallet/stats',
    'authed/feed/transactions?limit=5',
  ]);
});

test('nothing is prefetched for staff, for visitors, for a filtered list or for other screens', () => {
  expect(prefetchedPaths({ role: 'ADMIN' }, paths.dashboard)).toEqual([]);
  expect(prefetchedPaths(null, paths.dashboard)).toEqual([]);
  expect(prefetchedPaths({ role: 'USER' }, paths.transactions, '?page=2')).toEqual([]);
  expect(prefetchedPaths({ role: 'USER' }, paths.profile)).toEqual([]);
});
