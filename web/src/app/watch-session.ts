import type { StoredUser } from '@jangada/contract';
import type { QueryFilters } from '@tanstack/react-query';
import { keepForNextVisit } from '../api/last-visit.ts';
import { liveStore } from '../api/live-state.ts';
import { settingsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { forgetStartedCalls } from '../api/started-calls.ts';
import { type Router, urlOf } from '../navigation/index.ts';
import { registerWorker } from '../panel/push/register-worker.ts';
import { session } from '../session/session.ts';
import { readStored } from '../session/storage.ts';
import { returnUrlFrom } from './guards.ts';
import { paths } from './paths.ts';
import { isOpenToAll } from './routes.ts';

/**
 * Keeps the live channel open while a user is signed in. When the session ends, clears the loaded data and opens the
 * sign-in screen, which remembers the URL unless the user signed out. `userAtStart` is the user for whom the
 * first screen was opened before the token was checked: the session may have ended since, or the user have another role,
 * which may not open that screen. Returns a function that ends the watching.
 */
export function watchSession(router: Router, userAtStart: StoredUser | null): () => void {
  let isSignedIn = userAtStart !== null;
  let roles = userAtStart === null ? undefined : rolesOf(userAtStart);
  let stopLive: (() => void) | undefined;
  const onSessionChange = () => {
    const { status, endedBy, user } = session.getState();
    if (status === 'authenticated') {
      const newRoles = rolesOf(user);
      if (roles !== undefined && roles !== newRoles) router.reload();
      roles = newRoles;
      if (stopLive !== undefined) return;
      isSignedIn = true;
      stopLive = openLiveUpdates();
      registerWorker();
      void withPushDevice(async ({ renewPushRegistration }) => {
        const settings = await queryClient.ensureQueryData(settingsQuery);
        await renewPushRegistration(settings.pushKey);
      });
    } else if (status === 'unauthenticated' && isSignedIn) {
      isSignedIn = false;
      roles = undefined;
      stopLive?.();
      stopLive = undefined;
      // Requests in flight for an ended session would only be refused.
      void queryClient.cancelQueries(accountQueries);
      if (endedBy === 'sign-out') void withPushDevice(({ dropPushRegistration }) => dropPushRegistration());
      void openSignIn(router, endedBy !== 'sign-out');
    }
  };
  onSessionChange();
  const unsubscribe = session.subscribe(onSessionChange);
  const stopKeeping = keepForNextVisit();
  return () => {
    unsubscribe();
    stopKeeping();
    stopLive?.();
  };
}

/** All that decides which screens a user may open. */
function rolesOf(user: StoredUser | null): string {
  return [user?.role, user?.account?.role, user?.account?.frozen, user?.withoutAccount].join();
}

/**
 * Loads the code of the live channel, which no screen needs to be drawn, and opens the channel. If the code cannot be
 * loaded, the channel counts as down, and can be tried again. Returns a function that closes the channel.
 */
function openLiveUpdates(): () => void {
  let isEnded = false;
  let close = () => liveStore.setState({ state: 'off', retry: () => {} });
  const open = async () => {
    liveStore.setState({ state: 'connecting' });
    try {
      const { startLiveUpdates } = await import('./live/start-live-updates.ts');
      if (!isEnded) close = startLiveUpdates();
    } catch {
      if (!isEnded) liveStore.setState({ state: 'down', retry: () => void open() });
    }
  };
  void open();
  return () => {
    isEnded = true;
    close();
  };
}

/**
 * Runs work with the push code, which is loaded only on devices that receive push notifications. A failure is ignored,
 * because no caller waits for the result.
 */
async function withPushDevice(work: (push: PushDeviceModule) => Promise<void>): Promise<void> {
  if (readStored('push') === null) return;
  try {
    await work(await import('../panel/push/push-device.ts'));
  } catch {
    // Retried at the next start.
  }
}

type PushDeviceModule = typeof import('../panel/push/push-device.ts');

/**
 * Opens the sign-in screen, and only then clears the loaded data, because a screen that still showed the data would
 * refetch it immediately.
 */
async function openSignIn(router: Router, remembersUrl: boolean): Promise<void> {
  const { address } = router.state;
  if (address.pathname !== paths.login && !isOpenToAll(address.pathname)) {
    const from = remembersUrl ? returnUrlFrom(urlOf(address)) : undefined;
    await router.navigate({ to: paths.login, search: { from } });
  }
  clearAccountData();
}

/** Clears everything loaded for an account. */
export function clearAccountData(): void {
  forgetStartedCalls();
  queryClient.removeQueries(accountQueries);
}

/** All queries except the gateway's public settings. */
const accountQueries: QueryFilters = {
  predicate: ({ queryKey }) => queryKey[0] !== settingsQuery.queryKey[0],
};
