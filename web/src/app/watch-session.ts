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
 * Keeps the live channel open while a user is signed in. When the session ends, clears the loaded data and opens the
 * sign-in, which remembers the address unless the user signed out.
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
      // Requests in flight for an ended session would only be refused.
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

/** Loads the push code only on devices that receive notifications. Nothing waits for it, and it may fail. */
async function withPush(work: (push: PushDevice) => Promise<void>): Promise<void> {
  if (readStored('push') === null) return;
  try {
    await work(await import('../panel/push/push-device.ts'));
  } catch {
    // Retried at the next start.
  }
}

type PushDevice = typeof import('../panel/push/push-device.ts');

/** Clears loaded data only once no screen shows it; a screen that still does would refetch it at once. */
async function leave(router: AppRouter, remember: boolean): Promise<void> {
  const { href, pathname } = router.state.location;
  if (pathname !== paths.login) {
    await router.navigate({ to: paths.login, search: { from: remember ? originFrom(href) : undefined } });
  }
  forgetLoaded();
}

/** Clears everything loaded for an account. */
export function forgetLoaded(): void {
  queryClient.removeQueries(ofAccount);
}

/** All queries except the gateway's public settings. */
const ofAccount: QueryFilters = {
  predicate: ({ queryKey }) => queryKey[0] !== settingsQuery.queryKey[0],
};
