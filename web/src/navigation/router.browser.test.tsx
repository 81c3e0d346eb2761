import { Suspense, use } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { paths } from '../app/paths.ts';
import { screenUrl } from './address.ts';
import { type LazyComponent, lazyScreen } from './lazy-screen.ts';
import { Link } from './link.tsx';
import { type FindRoute, Router, type ScreenRoute } from './router.ts';
import { RouterView, useRouterState, useSearch } from './router-view.tsx';

const urlBefore = location.href;
beforeEach(() => history.replaceState(null, '', paths.wallet));
afterEach(() => history.replaceState(null, '', urlBefore));

type Screens = Record<string, ReturnType<FindRoute>>;

/** Shows what the router shows; while that suspends for the first time, "waiting". */
function Outlet() {
  const { route } = useRouterState().shown;
  return (
    <main>
      <Suspense fallback="waiting">{route === undefined ? 'not found' : <route.Screen />}</Suspense>
    </main>
  );
}

async function open(screens: Screens | FindRoute) {
  const router = new Router(typeof screens === 'function' ? screens : ({ pathname }) => screens[pathname]);
  await router.start();
  const { container } = await render(
    <RouterView router={router}>
      <Link to={paths.wallet}>wallet</Link>
      <Link to={paths.statement} search={{ kind: 'payment' }}>
        statement
      </Link>
      <Outlet />
    </RouterView>,
  );
  const main = container.querySelector('main');
  if (main === null) throw new Error('There is an outlet.');
  const shownTexts: string[] = [];
  new MutationObserver(() => shownTexts.push(main.textContent)).observe(main, {
    childList: true,
    subtree: true,
    characterData: true,
  });
  const [toWallet, toStatement] = [...container.querySelectorAll('a')];
  if (toWallet === undefined || toStatement === undefined) throw new Error('There are two links.');
  return { router, main, shownTexts, toWallet, toStatement };
}

const anything = (values: Record<string, unknown>) => values;

const routeOf = (Screen: LazyComponent): ScreenRoute => ({ title: '', Screen });

/** A screen that says its name and its search parameters. */
function screen(name: string): ScreenRoute {
  return routeOf(() =>
    [name, ...Object.entries(useSearch(anything)).map((param) => param.join('='))].join(' '),
  );
}

/** A screen whose code arrives when `arrive` is called. */
function lateScreen(name: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const load = vi.fn(async () => {
    await promise;
    return screen(name);
  });
  return { route: routeOf(lazyScreen(load, 'Screen')), arrive: resolve, load };
}

const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

test('the old screen stays, with its own search parameters, until the code of the next one is loaded', async () => {
  history.replaceState(null, '', `${paths.wallet}?days=7`);
  const late = lateScreen('next');
  const { main, shownTexts, toWallet, toStatement } = await open({
    [paths.wallet]: screen('old'),
    [paths.statement]: late.route,
  });
  expect(toWallet.getAttribute('aria-current')).toBe('page');
  toStatement.click();
  await drawn();
  expect(location.pathname + location.search).toBe('/statement?kind=payment');
  await expect.element(main).toHaveTextContent('old days=7');
  // The link says at once where the press leads.
  await expect.element(toStatement).toHaveAttribute('aria-current', 'page');
  await expect.element(toWallet).not.toHaveAttribute('aria-current');
  late.arrive();
  await expect.element(main).toHaveTextContent('next kind=payment');
  expect(shownTexts.filter((text) => !/^(old days=7|next kind=payment)$/.test(text))).toEqual([]);
});

test('a screen stays until the next one is drawn, because the router changes it in a transition', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<string>();
  const { router, main, shownTexts } = await open({
    [paths.wallet]: screen('old'),
    [paths.profile]: routeOf(() => use(ready)),
  });
  const onDrawn = vi.fn();
  void router.navigate({ to: paths.profile }).then(onDrawn);
  await drawn();
  await expect.element(main).toHaveTextContent('old');
  expect(onDrawn).not.toHaveBeenCalled();
  resolve('next');
  await expect.element(main).toHaveTextContent('next');
  await expect.poll(() => onDrawn.mock.calls.length).toBe(1);
  expect(shownTexts.join()).not.toContain('waiting');
});

test('of two screens that are opened one after the other the second stays, whichever arrives first', async () => {
  const [slow, fast] = [lateScreen('slow'), lateScreen('fast')];
  const { router, main, shownTexts } = await open({
    [paths.wallet]: screen('old'),
    [paths.profile]: slow.route,
    [paths.security]: fast.route,
  });
  void router.navigate({ to: paths.profile });
  const opened = router.navigate({ to: paths.security });
  fast.arrive();
  await opened;
  slow.arrive();
  await drawn();
  await expect.element(main).toHaveTextContent('fast');
  expect(shownTexts.join()).not.toContain('slow');
});

test('who may not open a screen is redirected before its code is asked for, and Back leads past it', async () => {
  const closed = lateScreen('closed');
  let isOpen = false;
  const { router, main } = await open(({ pathname, search }) => {
    if (pathname === paths.wallet) return screen('wallet');
    if (pathname === paths.login) return screen('login');
    return isOpen ? closed.route : { redirectTo: screenUrl(paths.login, { from: pathname + search }) };
  });
  await router.navigate({ to: paths.transactions, search: { status: 'paid' } });
  await expect.element(main).toHaveTextContent('login from=/transactions?status=paid');
  expect(closed.load).not.toHaveBeenCalled();
  history.back();
  await expect.element(main).toHaveTextContent('wallet');
  isOpen = true;
  closed.arrive();
  await router.navigate({ href: '/transactions?status=paid' });
  await expect.element(main).toHaveTextContent('closed status=paid');
});

test('an address without a route is not found, and what was typed stays in the address bar', async () => {
  const { router, main } = await open({ [paths.wallet]: screen('wallet') });
  await router.navigate({ href: '/nowhere?x=1#y' });
  await expect.element(main).toHaveTextContent('not found');
  expect(location.href).toBe(`${location.origin}/nowhere?x=1#y`);
});

test('a new screen begins at the top, Back returns to where the last one was left, and a retry stays', async () => {
  const tall = (name: string) =>
    routeOf(() => (
      <div style={{ height: 5000 }}>
        {name}
        <p id="below" style={{ marginTop: 2000 }} />
      </div>
    ));
  const { router, main, toStatement } = await open({
    [paths.wallet]: tall('first'),
    [paths.statement]: tall('second'),
  });
  window.scrollTo(0, 700);
  toStatement.click();
  await expect.element(main).toHaveTextContent('second');
  await expect.poll(() => window.scrollY).toBe(0);
  window.scrollTo(0, 300);
  history.back();
  await expect.element(main).toHaveTextContent('first');
  await expect.poll(() => window.scrollY).toBe(700);
  router.reload();
  await drawn();
  expect(window.scrollY).toBe(700);
  history.forward();
  await expect.element(main).toHaveTextContent('second');
  await expect.poll(() => window.scrollY).toBe(300);
  await router.navigate({ href: `${paths.wallet}#below` });
  expect(document.getElementById('below')?.getBoundingClientRect().top).toBeCloseTo(0, 0);
});

test('a change of the search parameters keeps the screen, and `replace` adds no entry to the history', async () => {
  const onMount = vi.fn();
  const { router, main } = await open({
    [paths.wallet]: screen('wallet'),
    [paths.transactions]: routeOf(() => <p ref={onMount}>page {String(useSearch(anything)['page'] ?? 1)}</p>),
  });
  await router.navigate({ to: paths.transactions });
  await router.navigate({ to: paths.transactions, search: { page: 2 } });
  await router.navigate({ to: paths.transactions, search: { page: 3 }, replace: true });
  await expect.element(main).toHaveTextContent('page 3');
  expect(onMount).toHaveBeenCalledTimes(1);
  history.back();
  await expect.element(main).toHaveTextContent('page 1');
  // The address that is open already adds no entry either.
  await router.navigate({ to: paths.transactions });
  history.back();
  await expect.element(main).toHaveTextContent('wallet');
});

test('code that cannot be loaded is a failure of the screen, and is asked for again when the screen opens again', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
  const load = vi
    .fn()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue(screen('loaded'));
  const Screen = lazyScreen(load, 'Screen');
  await Screen.load?.();
  expect(() => Screen()).toThrow(expect.objectContaining({ status: 0 }));
  await Screen.load?.();
  expect(load).toHaveBeenCalledTimes(2);
  expect(Screen.load?.()).toBeUndefined();
  vi.unstubAllGlobals();
});

test('the code of a screen is loaded once somebody points at its link or focuses it', async () => {
  for (const event of ['mouseover', 'touchstart', 'focusin']) {
    const late = lateScreen('next');
    const { toStatement } = await open({ [paths.wallet]: screen('old'), [paths.statement]: late.route });
    toStatement.dispatchEvent(new Event(event, { bubbles: true }));
    await expect.poll(() => late.load.mock.calls.length).toBe(1);
  }
});

test('a click with a key, with another button or for another tab is left to the browser', async () => {
  const router = new Router(() => screen('any'));
  await router.start();
  const { container } = await render(
    <RouterView router={router}>
      <Link to={paths.statement}>here</Link>
      <Link to={paths.statement} target="_blank">
        tab
      </Link>
      <Link to={paths.statement} download>
        file
      </Link>
      <Link to={paths.statement} onClick={(event) => event.preventDefault()}>
        handled
      </Link>
    </RouterView>,
  );
  const [here, tab, file, handled] = [...container.querySelectorAll('a')];
  const isTaken = (link: HTMLElement | undefined, init: MouseEventInit = {}) => {
    let taken: boolean | undefined;
    const seen = (event: Event) => {
      taken = event.defaultPrevented;
      event.preventDefault();
    };
    window.addEventListener('click', seen, { once: true });
    link?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ...init }));
    return taken;
  };
  for (const init of [
    { ctrlKey: true },
    { metaKey: true },
    { shiftKey: true },
    { altKey: true },
    { button: 1 },
  ])
    expect(isTaken(here, init)).toBe(false);
  expect(isTaken(tab)).toBe(false);
  expect(isTaken(file)).toBe(false);
  expect(isTaken(handled)).toBe(true);
  expect(location.pathname).toBe(paths.wallet);
  expect(isTaken(here)).toBe(true);
  expect(location.pathname).toBe(paths.statement);
});

test('a link is marked on its screen and below it, or on its screen alone, and only with its search parameters', async () => {
  const router = new Router(() => screen('any'));
  await router.start();
  const { container } = await render(
    <RouterView router={router}>
      <Link to={paths.webhooks}>within</Link>
      <Link to={paths.webhooks} exact>
        exact
      </Link>
      <Link to={paths.webhookDeliveries} search={{ state: 'failed' }}>
        failed
      </Link>
    </RouterView>,
  );
  const marked = () =>
    [...container.querySelectorAll('a[aria-current]')].map(({ textContent }) => textContent);
  for (const [url, names] of [
    ['/webhooks?id=1', ['within', 'exact']],
    ['/webhooks/deliveries', ['within']],
    ['/webhooks/deliveries?state=failed&type=x', ['within', 'failed']],
    ['/webhooks-of-old', []],
  ] as const) {
    await router.navigate({ href: url });
    expect(marked()).toEqual(names);
  }
});

test('Back can be replaced by something else, and the address stays', async () => {
  const { router, main } = await open({
    [paths.wallet]: screen('first'),
    [paths.statement]: screen('second'),
  });
  await router.navigate({ to: paths.statement, search: { kind: 'payment' } });
  const instead = vi.fn();
  const stop = router.replaceBack(({ search }) => (search === '?kind=payment' ? instead : undefined));
  history.back();
  await expect.poll(() => instead.mock.calls.length).toBe(1);
  expect(location.pathname).toBe(paths.statement);
  await expect.element(main).toHaveTextContent('second kind=payment');
  stop();
  history.back();
  await expect.element(main).toHaveTextContent('first');
  expect(instead).toHaveBeenCalledTimes(1);
});
