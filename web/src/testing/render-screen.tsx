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
import { onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import '../theme/theme.css';
import { queryClient } from '../api/query.ts';
import { paths } from '../app/paths.ts';
import { endSession, session } from '../session/session.ts';
import { Toaster } from '../ui/index.ts';

type Signed = Partial<StoredUser>;

/** Draws a screen at an address, for a signed-in merchant. Other screens are empty. */
export async function renderScreen(address: string, Screen: () => ReactElement, signed: Signed = {}) {
  queryClient.clear();
  // Whoever was there before leaves nothing behind.
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
      ...signed,
    },
  });
  const history = createMemoryHistory({ initialEntries: [address] });
  const root = createRootRoute({
    component: () => (
      <main>
        <Outlet />
        <Toaster />
      </main>
    ),
  });
  const here = new URL(address, 'http://here.invalid').pathname;
  const routes = Object.values(paths).map((path) =>
    createRoute({ getParentRoute: () => root, path, component: path === here ? Screen : () => null }),
  );
  const router = createRouter({ routeTree: root.addChildren(routes), history });
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      {/* The app's own router is registered as the only type; this one has the same paths. */}
      <RouterProvider router={router as never} />
    </QueryClientProvider>,
  );
  return { screen, address: () => history.location.href };
}

/** What was written to the clipboard, instead of writing it. */
export function spyClipboard() {
  const written: string[] = [];
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async (text) => {
    written.push(text);
  });
  return written;
}

/** What is handed to other apps, in a browser that may have no way to do so, until the test is over. */
export function giveShare() {
  const share = vi.fn(async (_given: ShareData) => {});
  Object.defineProperty(navigator, 'share', { configurable: true, value: share });
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'share'));
  return share;
}
