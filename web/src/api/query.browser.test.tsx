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
const draw = () =>
  render(
    <QueryClientProvider client={queryClient}>
      <List />
    </QueryClientProvider>,
  );

/** Answers each call as told, and keeps its signal. */
function given(answer: () => Response | Promise<Response>) {
  storeToken('abc');
  const signals: (AbortSignal | null | undefined)[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    signals.push(init.signal);
    return answer();
  });
  return signals;
}

/** Whoever went away from the window comes back, and so does the network. */
async function comeBack() {
  for (const event of ['blur', 'focus', 'offline', 'online', 'visibilitychange']) {
    window.dispatchEvent(new Event(event));
    document.dispatchEvent(new Event(event));
  }
  await new Promise((passed) => setTimeout(passed, 50));
}

test('what is loaded is not loaded again on focus, on reconnecting, or where it is drawn anew', async () => {
  const signals = given(() => Response.json(feedOf([transaction])));
  const first = await draw();
  await expect.element(first.getByText('1 transações')).toBeVisible();
  await comeBack();
  await first.unmount();
  const again = await draw();
  await expect.element(again.getByText('1 transações')).toBeVisible();
  await comeBack();
  expect(signals).toHaveLength(1);
});

test('what failed is not tried again by itself', async () => {
  const signals = given(() => new Response('', { status: 502 }));
  const screen = await draw();
  await expect.element(screen.getByText('falhou')).toBeVisible();
  await comeBack();
  await screen.rerender(
    <QueryClientProvider client={queryClient}>
      <List />
      <List />
    </QueryClientProvider>,
  );
  await expect.poll(() => screen.getByText('falhou').elements()).toHaveLength(2);
  await comeBack();
  expect(signals).toHaveLength(1);
});

test('what failed is asked for anew where its screen was left and is opened again', async () => {
  const signals = given(() => new Response('', { status: 502 }));
  const first = await draw();
  await expect.element(first.getByText('falhou')).toBeVisible();
  await first.unmount();
  const again = await draw();
  await expect.element(again.getByText('falhou')).toBeVisible();
  expect(signals).toHaveLength(2);
});

test('a call is cancelled when its screen is left', async () => {
  const signals = given(() => new Promise(() => {}));
  const screen = await draw();
  await expect.poll(() => signals).toHaveLength(1);
  expect(signals[0]?.aborted).toBe(false);
  await screen.unmount();
  await expect.poll(() => signals[0]?.aborted).toBe(true);
});
