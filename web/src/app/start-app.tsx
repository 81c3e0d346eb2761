import '../theme/theme.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRoute, RouterProvider } from '@tanstack/react-router';
import { type ReactNode, StrictMode, useEffect, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { settingsQuery } from '../api/queries.ts';
import { queryClient } from '../api/query.ts';
import { followOtherTabs, session } from '../session/session.ts';
import { startSession } from '../session/sign-in.ts';
import { closeOnBack } from './close-on-back.ts';
import { focusFirstInvalidField } from './focus-first-invalid-field.ts';
import { GuardSpinner } from './guard-spinner.tsx';
import { originFrom } from './guards.ts';
import { keepFocus } from './keep-focus.ts';
import { paths } from './paths.ts';
import { prefetchScreen } from './prefetch-screen.ts';
import { refetchFailedQueries } from './refetch-failed-queries.ts';
import { createAppRouter } from './router.tsx';
import { forgetLoaded, watchSession } from './watch-session.ts';

/**
 * Draws the app into the page. `root` is the hydrated form that hands over: it has just signed somebody in, so the
 * address is the one that was asked for before.
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
  // With its code, so that nothing empty stands before the first screen.
  const opened = started.then(() => router.load());
  if (root === undefined) draw(createRoot(container), <App opened={opened} />);
  // What was there stays until then.
  else void opened.then(() => draw(root, <App />));
}

function draw(root: Root, app: ReactNode): void {
  root.render(<StrictMode>{app}</StrictMode>);
}

const router = createAppRouter();

// Asked as soon as this is loaded, so that the frame need not move when the answer comes. It never rejects.
const settings = queryClient.prefetchQuery(settingsQuery);

/** The code of the screen at this address comes while the stored token is tried. What fails is fetched again when it is drawn. */
function fetchScreen(): void {
  router.updateLatestLocation();
  const routes: Record<string, AnyRoute> = router.routesById;
  for (const { routeId } of router.matchRoutes(router.latestLocation))
    if (routes[routeId] !== undefined) router.loadRouteChunk(routes[routeId])?.catch(() => undefined);
}

/** What was asked ahead for a token that does not hold is nobody's. */
function forgetUnlessSignedIn(): void {
  if (session.getState().status !== 'authenticated') forgetLoaded();
}

/** Until the stored token has been tried nothing is known, and a spinner shows. */
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
