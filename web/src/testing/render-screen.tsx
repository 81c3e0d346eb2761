import type { StoredUser } from '@jangada/contract';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactElement, Suspense } from 'react';
import { toast as hotToast } from 'react-hot-toast/headless';
import { onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import '../theme/theme.css';
import { queryClient } from '../api/query.ts';
import { paths } from '../app/paths.ts';
import { Router, RouterView, useShownRoute } from '../navigation/index.ts';
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
  const urlBefore = location.href;
  onTestFinished(() => history.replaceState(null, '', urlBefore));
  history.replaceState(null, '', url);
  const screenPath = location.pathname;
  const router = new Router(({ pathname }) => {
    if (!Object.values<string>(paths).includes(pathname)) return undefined;
    return { title: '', Screen: pathname === screenPath ? Screen : EmptyScreen };
  });
  await router.start();
  const screen = await render(
    <QueryClientProvider client={queryClient}>
      <RouterView router={router}>
        <ScreenInMain />
      </RouterView>
    </QueryClientProvider>,
  );
  return { screen, router, currentUrl: () => location.pathname + location.search + location.hash };
}

const EmptyScreen = () => null;

function ScreenInMain() {
  const { Screen = EmptyScreen } = useShownRoute() ?? {};
  return (
    <main>
      <Suspense>
        <Screen />
      </Suspense>
      <Toaster />
    </main>
  );
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
