import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { Suspense, use } from 'react';
import { expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';

/**
 * A router with a root that shows "waiting" when it suspends, the screen `/`, and `/next`, which suspends until
 * `ready`.
 */
function twoScreens(ready: Promise<string>) {
  const root = createRootRoute({
    component: () => (
      <Suspense fallback="waiting">
        <Outlet />
      </Suspense>
    ),
  });
  const screen = (path: string, component: () => string) =>
    createRoute({ getParentRoute: () => root, path, component });
  const routeTree = root.addChildren([screen('/', () => 'this screen'), screen('/next', () => use(ready))]);
  return createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) });
}

test('a screen stays until the next one is rendered, because the router changes it in a transition', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const router = twoScreens(ready);
  const seenTexts: (string | null)[] = [];
  const onRendered = vi.fn();
  router.subscribe('onRendered', onRendered);
  // The app's own router is registered as the only type.
  const { container } = await render(<RouterProvider router={router as never} />);
  await expect.element(container).toHaveTextContent('this screen');
  await expect.poll(() => onRendered.mock.calls.length).toBe(1);
  new MutationObserver(() => seenTexts.push(container.textContent)).observe(container, {
    childList: true,
    subtree: true,
    characterData: true,
  });
  void router.navigate({ to: '/next' as never });
  await expect.poll(() => router.stores.matches.get().at(-1)?.routeId).toBe('/next');
  await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
  await expect.element(container).toHaveTextContent('this screen');
  expect(onRendered).toHaveBeenCalledTimes(1);
  resolve('next screen');
  await expect.element(container).toHaveTextContent('next screen');
  // The router restores the scroll position when this event fires.
  await expect.poll(() => onRendered.mock.calls.length).toBe(2);
  expect(seenTexts).not.toContain('waiting');
});

test('leaving a layout unmounts it together with its screen', async () => {
  const root = createRootRoute();
  const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Outlet });
  const within = createRoute({ getParentRoute: () => frame, path: '/', component: () => 'within' });
  const without = createRoute({ getParentRoute: () => root, path: '/without', component: () => 'without' });
  const routeTree = root.addChildren([frame.addChildren([within]), without]);
  const router = createRouter({ routeTree, history: createMemoryHistory({ initialEntries: ['/'] }) });
  const { container } = await render(<RouterProvider router={router as never} />);
  for (const [path, text] of [
    ['/without', 'without'],
    ['/', 'within'],
    ['/without', 'without'],
  ] as const) {
    await router.navigate({ to: path as never });
    await expect.element(container).toHaveTextContent(text);
  }
});
