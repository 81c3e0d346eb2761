import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const reload = vi.fn();
/** A stand-in for the document: the offline page with its button and its status line. */
const page = Object.assign(new EventTarget(), {
  visibilityState: 'visible',
  statusLine: { textContent: '' },
  button: new EventTarget(),
  documentElement: { dataset: {} },
  querySelector: (selector: string) => (selector === 'button' ? page.button : page.statusLine),
});
/** The HTTP status of the server's response; undefined while the server cannot be reached. */
let responseStatus: number | undefined;
/** The URL and the cache mode of each request. */
let requests: unknown[];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  reload.mockClear();
  [responseStatus, requests, page.visibilityState, page.statusLine.textContent] = [
    undefined,
    [],
    'visible',
    '',
  ];
  /** Receives the events of the window. */
  const browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('dispatchEvent', browser.dispatchEvent.bind(browser));
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { href: 'https://gateway.test/transactions?page=2', reload });
  vi.stubGlobal('fetch', async (url: string, { cache }: RequestInit) => {
    requests.push([url, cache]);
    if (responseStatus === undefined) throw new TypeError('Failed to fetch');
    return { status: responseStatus };
  });
  await import('./offline-script.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('the page keeps requesting its own URL silently, and reloads once the server responds', async () => {
  await vi.advanceTimersByTimeAsync(20_000);
  expect(requests.length).toBeGreaterThan(2);
  expect(new Set(requests.map(String))).toEqual(
    new Set(['https://gateway.test/transactions?page=2,no-store']),
  );
  expect([page.statusLine.textContent, reload.mock.calls.length]).toEqual(['', 0]);
  responseStatus = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('if the retry at the online event fails, more retries follow', async () => {
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(requests).toHaveLength(1);
  responseStatus = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('an error from a proxy whose server is down does not count as a response', async () => {
  responseStatus = 502;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([requests.length > 2, reload.mock.calls.length]).toEqual([true, 0]);
  responseStatus = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a hidden page does not retry until it is visible', async () => {
  page.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests).toEqual([]);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(requests).toHaveLength(1);
});

test('pressing the button shows that the page retries, and then that there is still no connection', async () => {
  page.button.dispatchEvent(new Event('click'));
  expect(page.statusLine.textContent).toBe('Tentando…');
  await vi.advanceTimersByTimeAsync(0);
  expect(page.statusLine.textContent).toMatch(/^Ainda sem conexão às /);
});
