import type { QueryFilters } from '@tanstack/react-query';
import { settingsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { registerWorker } from '../panel/push/register-worker.ts';
import { session } from '../session/session.ts';
import { readStored } from '../session/storage.ts';
import { originFrom } from './guards.ts';
import { followLive } from './live/follow-live.ts';
import { paths } from './paths.ts';
import type { AppRouter } from './router.tsx';

/**
 * While somebody is signed in, the live channel is open. When the session ends, what was loaded is forgotten and the
 * sign-in opens; unless somebody signed out it remembers where from.
 */
export function watchSession(router: AppRouter): () => void {
  let stopLive: (() => void) | undefined;
  const follow = () => {
    const { status, endedBy } = session.getState();
    if (status === 'authenticated') {
      if (stopLive !== undefined) return;
      stopLive = followLive();
      registerWorker();
      void withPush(async ({ keepPush }) => {
        const settings = await queryClient.ensureQueryData(settingsQuery);
        await keepPush(settings.pushKey);
      });
    } else if (status === 'unauthenticated' && stopLive !== undefined) {
      stopLive();
      stopLive = undefined;
      // What is under way for a session that ended would only be refused.
      void queryClient.cancelQueries(ofAccount);
      if (endedBy === 'sign-out') void withPush(({ leavePush }) => leavePush());
      void leave(router, endedBy !== 'sign-out');
    }
  };
  follow();
  const unsubscribe = session.subscribe(follow);
  return () => {
    unsubscribe();
    stopLive?.();
  };
}

/** Most devices get no notifications: what handles them is loaded where they do. It waits for nobody, and may fail. */
async function withPush(work: (push: PushDevice) => Promise<void>): Promise<void> {
  if (readStored('push') === null) return;
  try {
    await work(await import('../panel/push/push-device.ts'));
  } catch {
    // Tried again at the next start.
  }
}

type PushDevice = typeof import('../panel/push/push-device.ts');

/** What was loaded is forgotten once no screen shows it any more: one that does would load it again at once. */
async function leave(router: AppRouter, remember: boolean): Promise<void> {
  const { href, pathname } = router.state.location;
  if (pathname !== paths.login) {
    await router.navigate({ to: paths.login, search: { from: remember ? originFrom(href) : undefined } });
  }
  forgetLoaded();
}

/** Forgets all that was loaded for an account. */
export function forgetLoaded(): void {
  queryClient.removeQueries(ofAccount);
}

/** All queries but the one for what the gateway says of itself. */
const ofAccount: QueryFilters = {
  predicate: ({ queryKey }) => queryKey[0] !== settingsQuery.queryKey[0],
};
