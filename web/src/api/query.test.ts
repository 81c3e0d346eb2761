import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { endSession, holdToken, session } from '../session/session.ts';

let answer: (response: ServerResponse) => void;
let asked: IncomingMessage[] = [];
const server = createServer((request, response) => {
  asked.push(request);
  answer(response);
});
const ok = (response: ServerResponse) => response.writeHead(200).end('{"transactions":[],"total":0}');

let queries: typeof import('./queries.ts');
let queryClient: typeof import('./query.ts').queryClient;
beforeAll(async () => {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  vi.stubEnv('VITE_API_URL', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  queries = await import('./queries.ts');
  ({ queryClient } = await import('./query.ts'));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  queryClient.clear();
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});
beforeEach(() => {
  queryClient.clear();
  queryClient.mount();
  asked = [];
  answer = ok;
  holdToken('token');
});
afterEach(() => queryClient.unmount());

/** A screen that shows the transactions: answers what it shows, and how to leave it. */
function open() {
  const observer = new QueryObserver(queryClient, queries.feedQuery({ limit: 10 }));
  const leave = observer.subscribe(() => {});
  return { shown: () => observer.getCurrentResult(), leave };
}

test('what was loaded is not loaded again by a screen that opens, a window that is looked at or a network that is back', async () => {
  const first = open();
  await vi.waitFor(() => expect(first.shown().isSuccess).toBe(true));
  const second = open();
  for (const come of [false, true]) {
    focusManager.setFocused(come);
    onlineManager.setOnline(come);
  }
  first.leave();
  const third = open();
  expect([second, third].map(({ shown }) => shown().fetchStatus)).toEqual(['idle', 'idle']);
  expect(asked).toHaveLength(1);
  second.leave();
  third.leave();
});

test('a call that failed is not tried again by itself', async () => {
  answer = (response) => response.writeHead(500).end();
  const { shown, leave } = open();
  await vi.waitFor(() => expect(shown().isError).toBe(true));
  expect(shown().failureCount).toBe(1);
  expect(queryClient.defaultMutationOptions().retry).toBe(false);
  expect(asked).toHaveLength(1);
  leave();
});

test('transactions that are still on their way are cancelled on leaving, and change and say nothing', async () => {
  answer = () => {};
  const { shown, leave } = open();
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const cutOff = new Promise((closed) => asked[0]?.once('close', closed));
  leave();
  await cutOff;
  const state = queryClient.getQueryState(queries.feedQuery({ limit: 10 }).queryKey);
  expect(state).toMatchObject({ status: 'pending', fetchStatus: 'idle', error: null });
  expect(shown().isError).toBe(false);
  expect(session.getState().token).toBe('token');
  endSession('sign-out');
});
