import type { StoredUser } from '@jangada/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { toast as hotToast } from 'react-hot-toast/headless';
import { onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import '../theme/theme.css';
import { queryClient } from '../api/query.ts';
import { paths } from '../app/paths.ts';
import { endSession, session } from '../session/session.ts';
import { Toaster } from '../ui/index.ts';

/**
 * Renders a screen at a URL, for a signed-in merchant with the given changes to the user. All other screens are empty.
 * In the result, `currentUrl` returns the URL at which the app is then.
 */
export async function renderScreen(
  url: string,
  Screen: () => ReactElement,
  userChanges: Partial<StoredUser> = {},
) {
  queryClient.clear();
  clearToasts();
  // Removes the data that an earlier test has stored.
  endSession('sign-out');
  session.setState({
    status: 'authenticated',
    token: 'token',
    user: {
      id: 'u1',
      name: 'Marina Albuquerque',
      username: 'lojista',
      role: 'USER',
      approved: true,
      docType: 'CPF',
      avatar: '',
      ...userChanges,
    },
  });
  const history = createMemoryHistory({ initialEntries: [url] });
  const root = createRootRoute({
    component: () => (
      <main>
        <Outlet />
        <Toaster />
      </main>
    ),
  });
  const screenPath = new URL(url, 'http://here.invalid').pathname;
  const routes = Object.values(paths).map((path) =>
    createRoute({ getParentRoute: () => root, path, component: path === screenPath ? Screen : () => null }),
  );
  const router = createRouter({ routeTree: root.addChildren(routes), history });
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      {/* The cast is needed because the app's own router is registered as the only type of router. This router has
          the same paths. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return { screen, currentUrl: () => history.location.href };
}

/**
 * Removes the toasts as if their time had passed. Otherwise a click on something below a toast would wait until the
 * toast is gone.
 */
export function clearToasts(): void {
  hotToast.remove();
}

/** Collects the texts that the page copies, instead of writing them to the clipboard. */
export function spyClipboard() {
  const copiedTexts: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    copiedTexts.push(text);
  });
  return copiedTexts;
}

/** Replaces `navigator.share`, which not every browser has, with a mock until the end of the test. */
export function mockShare() {
  const share = vi.fn(async (_data: ShareData) => {});
  Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'));
  return share;
}
