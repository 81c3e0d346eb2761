import '../theme/theme.css';
import type { StoredUser } from '@jangada/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { dataOfLastVisit } from '../api/last-visit.ts';
import { profileQuery, settingsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { Router, RouterView } from '../navigation/index.ts';
import { openAccountAnew } from '../session/account-change.ts';
import { followOtherTabs, session } from '../session/session.ts';
import { startSession } from '../session/sign-in.ts';
import { Spinner } from '../ui/button.tsx';
import { closeOnBack } from './close-on-back.ts';
import { returnUrlFrom } from './guards.ts';
import { focusFirstInvalidField, keepFocus } from './keep-focus.ts';
import { paths } from './paths.ts';
import { RootLayout } from './root-layout.tsx';
import { findRoute, routeAt } from './routes.ts';
import { prefetchScreen, refetchFailedQueries } from './screen-queries.ts';
import { clearAccountData, watchSession } from './watch-session.ts';

/**
 * Renders the app into the page. `root` is passed when a hydrated sign-in form hands over to the app; the app then
 * opens at the URL that was requested before the sign-in.
 */
export function startApp(container: HTMLElement, root?: Root): void {
  if (root !== undefined) {
    const returnUrl = returnUrlFrom(new URLSearchParams(location.search).get('from'));
    history.replaceState(null, '', returnUrl ?? paths.dashboard);
  }
  delete container.dataset['page'];
  followOtherTabs(openAccountAnew);
  keepFocus(container);
  focusFirstInvalidField(container);
  const userAtStart = session.getState().user;
  // Through the query, so that the frame, which reads it, does not load the profile a second time.
  const sessionChecked = startSession(() => queryClient.fetchQuery(profileQuery)).then(
    clearDataUnlessSignedIn,
  );
  const sessionStarted = Promise.all([userAtStart === null ? sessionChecked : undefined, settingsKnown]);
  // Loads the screen's code while the stored token is checked. Code that fails to load is fetched again later.
  void routeAt(location.pathname)?.Screen.load?.();
  prefetchScreen(location);
  // Also waits for the screen's code, so that no empty page shows before the first screen.
  const routerLoaded = sessionStarted.then(() => router.start());
  if (root === undefined)
    renderApp(createRoot(container), <App routerLoaded={routerLoaded} userAtStart={userAtStart} />);
  // The sign-in form stays visible until the first screen can replace it.
  else void routerLoaded.then(() => renderApp(root, <App userAtStart={userAtStart} />));
}

function renderApp(root: Root, app: ReactNode): void {
  root.render(<StrictMode>{app}</StrictMode>);
}

const router = new Router(findRoute);

/**
 * The settings are fetched as soon as this module loads. Screens wait for them, so that the layout does not shift when
 * they arrive, unless those of the last visit are known. The promise never rejects.
 */
const settingsKnown = startSettings();

async function startSettings(): Promise<void> {
  const loaded = queryClient.prefetchQuery(settingsQuery);
  if (dataOfLastVisit(settingsQuery.queryKey) === undefined) await loaded;
}

/** Discards data that was prefetched with a token that turned out to be invalid. */
function clearDataUnlessSignedIn(): void {
  if (session.getState().status !== 'authenticated') clearAccountData();
}

/**
 * The app. Shows a spinner until the first screen is loaded (`routerLoaded`) and, if the stored token's user is not known
 * from the last visit, the token has been checked.
 */
function App({
  routerLoaded,
  userAtStart,
}: {
  routerLoaded?: Promise<unknown>;
  userAtStart: StoredUser | null;
}) {
  const [isLoaded, setIsLoaded] = useState(routerLoaded === undefined);
  useEffect(() => void routerLoaded?.then(() => setIsLoaded(true)), [routerLoaded]);
  useEffect(() => (isLoaded ? watchSession(router, userAtStart) : undefined), [isLoaded, userAtStart]);
  useEffect(() => refetchFailedQueries(router), []);
  useEffect(() => closeOnBack(router), []);
  if (!isLoaded) return <StartSpinner />;
  return (
    <QueryClientProvider client={queryClient}>
      <RouterView router={router}>
        <RootLayout />
      </RouterView>
    </QueryClientProvider>
  );
}

/** The spinner that is shown while the session loads, the only one that fills a page. */
function StartSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-primary">
      <Spinner className="size-8" />
      <span className="sr-only">Carregando</span>
    </div>
  );
}
