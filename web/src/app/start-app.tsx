import '../theme/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRoute, RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { settingsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { followOtherTabs, session } from '../session/session.ts';
import { startSession } from '../session/sign-in.ts';
import { Spinner } from '../ui/button.tsx';
import { closeTopDialog, openDialogs } from '../ui/top-layer.ts';
import { originFrom } from './guards.ts';
import { focusFirstInvalidField, keepFocus } from './keep-focus.ts';
import { paths } from './paths.ts';
import { type AppRouter, createAppRouter } from './router.tsx';
import { prefetchScreen, refetchFailedQueries } from './screen-queries.ts';
import { forgetLoaded, watchSession } from './watch-session.ts';

/**
 * Renders the app into the page. `root` is the hydrated form that hands over after sign-in, when the address is the one
 * requested before.
 */
export function startApp(container: HTMLElement, root?: Root): void {
  if (root !== undefined) {
    const origin = originFrom(new URLSearchParams(location.search).get('from'));
    history.replaceState(null, '', origin ?? paths.dashboard);
  }
  delete container.dataset['page'];
  followOtherTabs();
  keepFocus(container);
  focusFirstInvalidField(container);
  const started = Promise.all([startSession().then(forgetUnlessSignedIn), settings]);
  fetchScreen();
  prefetchScreen(location);
  // Waits for the screen's code, so that nothing empty shows before the first screen.
  const opened = started.then(() => router.load());
  if (root === undefined) draw(createRoot(container), <App opened={opened} />);
  // The existing content stays until then.
  else void opened.then(() => draw(root, <App />));
}

function draw(root: Root, app: ReactNode): void {
  root.render(<StrictMode>{app}</StrictMode>);
}

const router = createAppRouter();

// Fetched as soon as this module loads, so that the frame does not shift when the response arrives. It never rejects.
const settings = queryClient.prefetchQuery(settingsQuery);

/** Loads the screen's code while the stored token is checked. If it fails, it is fetched again on render. */
function fetchScreen(): void {
  router.updateLatestLocation();
  const routes: Record<string, AnyRoute> = router.routesById;
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    if (routes[routeId] !== undefined) router.loadRouteChunk(routes[routeId])?.catch(() => undefined);
}

/** Discards data prefetched with a token that turned out invalid. */
function forgetUnlessSignedIn(): void {
  if (session.getState().status !== 'authenticated') forgetLoaded();
}

/** Shows a spinner until the stored token has been checked. */
function App({ opened }: { opened?: Promise<unknown> }) {
  const [known, setKnown] = useState(opened === undefined);
  useEffect(() => void opened?.then(() => setKnown(true)), [opened]);
  useEffect(() => (known ? watchSession(router) : undefined), [known]);
  useEffect(() => refetchFailedQueries(router), []);
  useEffect(() => closeOnBack(router), []);
  if (!known) return <GuardSpinner />;
  return (
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  );
}

/** Shown while the session loads. The only full-page spinner. */
function GuardSpinner() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center text-primary">
      <Spinner className="size-8" />
      <span className="sr-only">Carregando</span>
    </div>
  );
}

/**
 * Back closes an open dialog and stays on its screen; a dialog opened by `id` in the address closes with that address.
 */
function closeOnBack({ history }: AppRouter): () => void {
  return history.block({
    enableBeforeUnload: false,
    blockerFn: ({ action, currentLocation }) => {
      if (action !== 'BACK' || openDialogs() === 0) return false;
      if (openDialogs() === 1 && new URLSearchParams(currentLocation.search).has('id')) return false;
      // Close only after the address has been restored, because closing may change it.
      window.addEventListener('popstate', closeTopDialog, { once: true });
      return true;
    },
  });
}
