import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const reload = vi.fn();
const page = Object.assign(new EventTarget(), {
  visibilityState: 'visible',
  said: { textContent: '' },
  button: new EventTarget(),
  documentElement: { dataset: {} },
  querySelector: (selector: string) => (selector === 'button' ? page.button : page.said),
});
/** The status that the server answers with; undefined while it cannot be reached. */
let answers: number | undefined;
let tried: unknown[];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  reload.mockClear();
  [answers, tried, page.visibilityState, page.said.textContent] = [undefined, [], 'visible', ''];
  const browser = new EventTarget();
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser));
  vi.stubGlobal('dispatchEvent', browser.dispatchEvent.bind(browser));
  vi.stubGlobal('document', page);
  vi.stubGlobal('location', { href: 'https://gateway.test/transactions?page=2', reload });
  vi.stubGlobal('fetch', async (address: string, { cache }: RequestInit) => {
    tried.push([address, cache]);
    if (answers === undefined) throw new TypeError('Failed to fetch');
    return { status: answers };
  });
  await import('./offline-script.ts');
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('it tries its own address again and again, in silence, and loads it once the server answers', async () => {
  await vi.advanceTimersByTimeAsync(20_000);
  expect(tried.length).toBeGreaterThan(2);
  expect(new Set(tried.map(String))).toEqual(new Set(['https://gateway.test/transactions?page=2,no-store']));
  expect([page.said.textContent, reload.mock.calls.length]).toEqual(['', 0]);
  answers = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('a try at the word that there is a network again may fail: others follow', async () => {
  dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(tried).toHaveLength(1);
  answers = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('what a proxy says of a server that is away is no answer', async () => {
  answers = 502;
  await vi.advanceTimersByTimeAsync(20_000);
  expect([tried.length > 2, reload.mock.calls.length]).toEqual([true, 0]);
  answers = 200;
  await vi.advanceTimersByTimeAsync(20_000);
  expect(reload).toHaveBeenCalledTimes(1);
});

test('nobody looks: it does not try until somebody does', async () => {
  page.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(60_000);
  expect(tried).toEqual([]);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(tried).toHaveLength(1);
});

test('a press says that it tries, and what came of it', async () => {
  page.button.dispatchEvent(new Event('click'));
  expect(page.said.textContent).toBe('Tentando…');
  await vi.advanceTimersByTimeAsync(0);
  expect(page.said.textContent).toMatch(/^Ainda sem conexão às /);
});
