import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateAfter } from './delivery.ts';
import { nextAttemptTime, parseRetryAfterMs } from './retry-schedule.ts';

const createdAt = new Date('2026-03-01T12:00:00Z');
const hour = 3_600_000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

/** The times of all attempts at a receiver that refuses each. */
function attemptsUntilExhausted(randoms: readonly number[], wish?: number): Date[] {
  const moments = [createdAt];
  for (;;) {
    const now = moments.at(-1) ?? createdAt;
    const attempts = moments.length;
    const next = nextAttemptTime({
      attempts,
      now,
      createdAt,
      retryAfterMs: wish,
      random: randoms[attempts % 11] ?? 0,
    });
    if (next === undefined) return moments;
    moments.push(next);
  }
}

test('attempts continue for at least 24 hours, with growing pauses, whatever the jitter', () => {
  fc.assert(
    fc.property(fc.array(random, { minLength: 11, maxLength: 11 }), (randoms) => {
      const moments = attemptsUntilExhausted(randoms).map((moment) => moment.getTime());
      expect((moments.at(-1) ?? 0) - createdAt.getTime()).toBeGreaterThanOrEqual(24 * hour);
      const pauses = moments.slice(1).map((moment, at) => moment - (moments[at] ?? 0));
      expect(pauses).toEqual(pauses.toSorted((one, next) => one - next));
      expect(moments.length).toBe(11);
    }),
  );
});

test('receivers that failed together are not retried together', () => {
  const failed = { attempts: 4, now: createdAt, createdAt, retryAfterMs: undefined };
  expect(nextAttemptTime({ ...failed, random: 0 })).not.toEqual(nextAttemptTime({ ...failed, random: 0.9 }));
});

test('Retry-After makes a pause longer, never shorter, and never longer than 12 hours', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 0, max: 999_999_999_000 }),
      random,
      (attempts, wish, r) => {
        const failed = { attempts, now: createdAt, createdAt, random: r };
        const without = nextAttemptTime({ ...failed, retryAfterMs: undefined });
        const wished = nextAttemptTime({ ...failed, retryAfterMs: wish });
        const asked = Math.min(wish, 12 * hour);
        expect(wished?.getTime()).toBe(Math.max(without?.getTime() ?? 0, createdAt.getTime() + asked));
      },
    ),
  );
});

test('no attempt is later than three days after the event, even with Retry-After', () => {
  const moments = attemptsUntilExhausted([], 12 * hour);
  expect((moments.at(-1)?.getTime() ?? 0) - createdAt.getTime()).toBe(72 * hour);
});

test.for([
  ['120', undefined, 120_000],
  ['0', undefined, 0],
  ['Sun, 01 Mar 2026 12:01:00 GMT', undefined, 60_000],
  ['Sun, 01 Mar 2026 12:01:00 GMT', 'Sun, 01 Mar 2026 12:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 11:00:00 GMT', undefined, undefined],
  ['soon', undefined, undefined],
  ['-5', undefined, undefined],
  ['1.5', undefined, undefined],
  ['99999999999', undefined, undefined],
  ['', undefined, undefined],
] as const)('Retry-After %j, sent at %j, is a wait of %j ms', ([value, date, wait]) => {
  expect(parseRetryAfterMs(value, createdAt, date)).toBe(wait);
});

test('only 2xx is delivered, only 410 stops, and everything else is retried', () => {
  for (let status = 100; status < 600; status += 1) {
    const after = stateAfter({ attempts: 0, createdAt }, { status, retryAfterMs: undefined }, createdAt, 0);
    const expected = status >= 200 && status < 300 ? 'delivered' : status === 410 ? 'gone' : 'waiting';
    expect([status, after.state]).toEqual([status, expected]);
  }
  const silent = stateAfter(
    { attempts: 0, createdAt },
    { status: null, retryAfterMs: undefined },
    createdAt,
    0,
  );
  expect(silent.state).toBe('waiting');
  const last = stateAfter(
    { attempts: 10, createdAt },
    { status: 500, retryAfterMs: undefined },
    createdAt,
    0,
  );
  expect(last.state).toBe('exhausted');
});
