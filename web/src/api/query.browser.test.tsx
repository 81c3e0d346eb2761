import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { storeToken } from '../session/session.ts';
import { feedOf, transaction } from '../testing/samples.ts';
import { feedQuery } from './queries.ts';
import { queryClient } from './query.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  queryClient.clear();
});

const List = () => {
  const { data, isError } = useQuery(feedQuery({}));
  return <p>{isError ? 'falhou' : data === undefined ? 'carregando' : `${data.total} transações`}</p>;
};
const renderList = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <List />
    </QueryClientProvider>,
  );

/** Replaces `fetch` by `respond`, and returns the abort signals of the calls. */
function stubFetch(respond: () => Response | Promise<Response>) {
  storeToken('abc');
  const signals: (AbortSignal | null | undefined)[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    signals.push(init.signal);
    return respond();
  });
  return signals;
}

/** Fires the events of leaving the window and the network, and of returning to both. */
async function returnToPage() {
  for (const event of ['blur', 'focus', 'offline', 'online', 'visibilitychange']) {
    window.dispatchEvent(new Event(event));
    document.dispatchEvent(new Event(event));
  }
  await new Promise((passed) => setTimeout(passed, 50));
}

test('loaded data is not refetched on focus, on reconnecting or on mounting again', async () => {
  const signals = stubFetch(() => Response.json(feedOf([transaction])));
  const first = await renderList();
  await expect.element(first.getByText('1 transações')).toBeVisible();
  await returnToPage();
  await first.unmount();
  const reopened = await renderList();
  await expect.element(reopened.getByText('1 transações')).toBeVisible();
  await returnToPage();
  expect(signals).toHaveLength(1);
});

test('a failed query is not retried by itself', async () => {
  const signals = stubFetch(() => new Response('', { status: 502 }));
  const screen = await renderList();
  await expect.element(screen.getByText('falhou')).toBeVisible();
  await returnToPage();
  await screen.rerender(
    <QueryClientProvider client={queryClient}>
      <List />
      <List />
    </QueryClientProvider>,
  );
  await expect.poll(() => screen.getByText('falhou').elements()).toHaveLength(2);
  await returnToPage();
  expect(signals).toHaveLength(1);
});

test('a failed query is sent again when its screen is left and opened again', async () => {
  const signals = stubFetch(() => new Response('', { status: 502 }));
  const first = await renderList();
  await expect.element(first.getByText('falhou')).toBeVisible();
  await first.unmount();
  const reopened = await renderList();
  await expect.element(reopened.getByText('falhou')).toBeVisible();
  expect(signals).toHaveLength(2);
});

test('a call is cancelled when its screen is left', async () => {
  const signals = stubFetch(() => new Promise(() => {}));
  const screen = await renderList();
  await expect.poll(() => signals).toHaveLength(1);
  expect(signals[0]?.aborted).toBe(false);
  await screen.unmount();
  await expect.poll(() => signals[0]?.aborted).toBe(true);
});
