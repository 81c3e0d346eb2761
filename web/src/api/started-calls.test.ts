import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { forgetStartedCalls, takeStartedCall } from './started-calls.ts';

const paths = ['/authed/profile', '/authed/feed/transactions?limit=5'];
type Started = NonNullable<typeof window.startedCalls>;

beforeEach(() => vi.stubGlobal('window', {}));
afterEach(() => vi.unstubAllGlobals());

/** Starts both calls with the token `abc`, as the first-paint script does. */
function start(batch: Started['batch']): Started {
  window.startedCalls = { token: 'abc', paths: [...paths], batch };
  return window.startedCalls;
}

const answered = (answers: unknown[], status = 200) =>
  Promise.resolve({ status, text: JSON.stringify({ answers }) });
const [profilePath = '', feedPath = ''] = paths;
const profileAnswer = { path: profilePath, status: 200, body: { user: 'Ana' } };
const feedRefusal = { path: feedPath, status: 503, body: { error: { code: 'OVERLOADED' } } };

test('an answer is that of the call alone, refusals too, and is given once', async () => {
  start(answered([profileAnswer, feedRefusal]));
  const profile = await takeStartedCall(profilePath, 'abc');
  expect([profile?.status, await profile?.json()]).toEqual([200, profileAnswer.body]);
  const feed = await takeStartedCall(feedPath, 'abc');
  expect([feed?.status, await feed?.json()]).toEqual([503, feedRefusal.body]);
  expect(takeStartedCall(profilePath, 'abc')).toBeUndefined();
});

test('a call that was not started, or by another session, has to be sent', () => {
  start(answered([profileAnswer]));
  expect(takeStartedCall('/authed/feed/transactions?limit=10', 'abc')).toBeUndefined();
  expect(takeStartedCall(profilePath, 'other')).toBeUndefined();
  forgetStartedCalls();
  expect(takeStartedCall(profilePath, 'abc')).toBeUndefined();
});

test('an answer that waited for ten seconds is not used', () => {
  const started = start(answered([profileAnswer, feedRefusal]));
  started.arrivedMs = performance.now() - 9_000;
  expect(takeStartedCall(profilePath, 'abc')).toBeDefined();
  started.arrivedMs = performance.now() - 11_000;
  expect(takeStartedCall(feedPath, 'abc')).toBeUndefined();
});

test('a batch that fails fails each of its calls, and a gateway without batches is called as usual', async () => {
  start(Promise.reject(new TypeError('Failed to fetch')));
  await expect(takeStartedCall(profilePath, 'abc')).rejects.toThrow('Failed to fetch');
  start(Promise.resolve({ status: 401, text: '{"error":{"code":"UNAUTHENTICATED"}}' }));
  expect((await takeStartedCall(feedPath, 'abc'))?.status).toBe(401);
  for (const status of [400, 403, 404, 405, 200]) {
    start(Promise.resolve({ status, text: '<h1>?</h1>' }));
    expect(await takeStartedCall(profilePath, 'abc')).toBeUndefined();
  }
});
