import { queryClient } from '../api/query.ts';
import { session } from '../session/session.ts';
import { originFrom } from './guards.ts';
import { followLive } from './live/follow-live.ts';
import { paths } from './paths.ts';
import type { AppRouter } from './router.tsx';

/**
 * While somebody is signed in, the live channel is open. When the session ends, what was loaded is forgotten and the
 * sign-in opens; after a 401 it remembers where from.
 */
export function watchSession(router: AppRouter): () => void {
  let stopLive: (() => void) | undefined;
  const follow = () => {
    const { status, endedBy } = session.getState();
    if (status === 'authenticated') {
      stopLive ??= followLive();
    } else if (status === 'unauthenticated' && stopLive !== undefined) {
      stopLive();
      stopLive = undefined;
      queryClient.clear();
      const from = endedBy === 'refusal' ? originFrom(router.state.location.href) : undefined;
      if (router.state.location.pathname !== paths.login)
        void router.navigate({ to: paths.login, search: { from } });
    }
  };
  follow();
  const unsubscribe = session.subscribe(follow);
  return () => {
    unsubscribe();
    stopLive?.();
  };
}
