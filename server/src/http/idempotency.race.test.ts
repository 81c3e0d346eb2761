import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { insertMerchant } from '../../test/merchant-row.ts';
import { createAdjustableClock } from '../clock.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { Refusal } from '../refusal.ts';
import { createSecrets } from '../secrets.ts';
import { readIdempotencyKey, runIdempotent } from './idempotency.ts';
import {
  claimIdempotencyKeysCte,
  type IdempotencyKeyClaim,
  type IdempotentResponse,
  storeIdempotentResponsesCte,
} from './idempotency-store.ts';
import type { RouteResponse } from './route.ts';

const log = pino({ level: 'silent' });
const clock = createAdjustableClock();

const secrets = createSecrets(Buffer.alloc(32, 3));
let database: TestDatabase;
let db: Db;
let merchantId: number;
let key: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
  merchantId = await insertMerchant(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
beforeEach(() => {
  key = randomUUID();
});

type Handler = Parameters<typeof runIdempotent>[2];

function runCall(handler: Handler, call: Partial<Parameters<typeof runIdempotent>[1]> = {}) {
  return runIdempotent(
    { db, clock, log, secrets },
    {
      merchantId,
      route: 'POST /pix/new',
      key,
      body: { a: 1 },
      status: 201,
      isClaimedByHandler: false,
      ...call,
    },
    handler,
  );
}

const doneAnswer: RouteResponse = { status: 201, body: { id: 'x', amount: 1.5 } };
const failIfCalled: Handler = async () => {
  throw new Error('worked twice');
};

async function codeOf(outcome: Promise<unknown>): Promise<string> {
  try {
    await outcome;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'done';
}

async function retryUntilAnswered(
  handler: Handler,
  call: Parameters<typeof runCall>[1] = {},
): ReturnType<typeof runCall> {
  for (;;) {
    try {
      return await runCall(handler, call);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'IDEMPOTENCY_IN_PROGRESS') throw error;
    }
  }
}

const distinctAnswers = (answers: readonly RouteResponse[]) =>
  new Set(answers.map(({ status, body }) => JSON.stringify({ status, body })));

test('of 100 identical concurrent calls one runs, and all get its response', async () => {
  let runCount = 0;
  const handler: Handler = async () => {
    runCount += 1;
    return { status: 201, body: { made: randomUUID() } };
  };
  const answers = await Promise.all(Array.from({ length: 100 }, () => retryUntilAnswered(handler)));
  expect(runCount).toBe(1);
  expect(distinctAnswers(answers).size).toBe(1);
  expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
});

test('of concurrent calls with 100 keys, in any order, one per key runs and stores its response for the others', async () => {
  const keys = Array.from({ length: 100 }, () => randomUUID());
  const remembered = new Map<string, string>();
  const callWithKey = (key: string) => async () => {
    const answer = await retryUntilAnswered(
      async ({ remember }) => {
        const id = randomUUID();
        await remember(id);
        if (remembered.has(key)) throw new Error('worked twice');
        remembered.set(key, id);
        return { status: 201, body: { id } };
      },
      { key },
    );
    return { key, answer };
  };
  const calls = [keys, keys.toReversed(), keys].flatMap((keysOfCalls) => keysOfCalls.map(callWithKey));
  const answers = await Promise.all(calls.map((call) => call()));
  for (const { key, answer } of answers) expect(answer.body).toEqual({ id: remembered.get(key) });
  expect(answers.filter(({ answer }) => !answer.replayed)).toHaveLength(100);
  expect(await countDeadlocks(db)).toBe(0);
});

test('of 100 concurrent calls with one key and different bodies one runs, and the others conflict with it', async () => {
  const calls = Array.from({ length: 100 }, (_, a) =>
    codeOf(runCall(async () => doneAnswer, { body: { a } })),
  );
  const codes = await Promise.all(calls);
  expect(codes.filter((code) => code === 'done')).toHaveLength(1);
  expect(codes.filter((code) => code === 'IDEMPOTENCY_CONFLICT')).toHaveLength(99);
});

test('of responses stored in one batch, only the invalid one is not stored', async () => {
  const keys = Array.from({ length: 50 }, () => randomUUID());
  const unstorable: RouteResponse = { status: 201, body: { text: '\u0000' } };
  const answerOf = (index: number) => (index === 20 ? unstorable : { status: 201, body: { index } });
  const answers = await Promise.all(keys.map((key, index) => runCall(async () => answerOf(index), { key })));
  expect(answers).toEqual(keys.map((_, index) => ({ ...answerOf(index), replayed: false })));
  const repeated = await Promise.all(
    keys.map((key, index) =>
      index === 20 ? codeOf(runCall(failIfCalled, { key })) : runCall(failIfCalled, { key }),
    ),
  );
  expect(repeated).toEqual(
    keys.map((_, index) =>
      index === 20 ? 'IDEMPOTENCY_IN_PROGRESS' : { ...answerOf(index), replayed: true },
    ),
  );
});

test('concurrent retries of abandoned calls each resume the resource of their own key', async () => {
  const keys = Array.from({ length: 50 }, () => randomUUID());
  const ids = new Map(keys.map((key) => [key, randomUUID()]));
  const abandonedCalls = keys.map((key) =>
    runCall(
      async ({ remember }) => {
        await remember(ids.get(key) ?? '');
        throw new Error('bank away');
      },
      { key },
    ),
  );
  for (const outcome of await Promise.allSettled(abandonedCalls)) expect(outcome.status).toBe('rejected');
  const resumedId = await Promise.all(
    keys.map((key) =>
      runCall(async (idempotency) => ({ status: 201, body: idempotency.resumedId }), { key }),
    ),
  );
  expect(resumedId.map(({ body }) => body)).toEqual(keys.map((key) => ids.get(key)));
});

describe('a key', () => {
  test('replays its response to the same body, in any field order', async () => {
    const body = { amount: 1, deep: { b: [1, { y: 1, x: 2 }], a: null } };
    const reorderedBody = { deep: { a: null, b: [1, { x: 2, y: 1 }] }, amount: 1 };
    expect(await runCall(async () => doneAnswer, { body })).toEqual({ ...doneAnswer, replayed: false });
    expect(await runCall(failIfCalled, { body: reorderedBody })).toEqual({ ...doneAnswer, replayed: true });
  });

  test('replays its response long after its lease', async () => {
    await runCall(async () => doneAnswer);
    clock.shift(23 * 3_600_000);
    expect(await runCall(failIfCalled)).toEqual({ ...doneAnswer, replayed: true });
  });

  test.each([[{ a: 2 }], [{ a: '1' }], [{}], [[1]], [{ a: 1, b: null }], [undefined]])(
    'refuses another body: %j',
    async (body) => {
      await runCall(async () => doneAnswer);
      expect(await codeOf(runCall(failIfCalled, { body }))).toBe('IDEMPOTENCY_CONFLICT');
    },
  );

  test('is independent for another merchant and another path', async () => {
    const other = await insertMerchant(db);
    await runCall(async () => doneAnswer);
    expect(await runCall(async () => doneAnswer, { merchantId: other })).toMatchObject({ replayed: false });
    expect(await runCall(async () => doneAnswer, { route: 'PUT /admin/users/1' })).toMatchObject({
      replayed: false,
    });
  });

  test.each(['', ' ', 'a b', 'a'.repeat(256), 'ção', 'a\u0000'])('like %j is refused', (header) => {
    expect(() => readIdempotencyKey(header)).toThrow(Refusal);
  });

  test('may be missing, or have up to 255 characters', () => {
    expect(readIdempotencyKey('k'.repeat(255))).toHaveLength(255);
    expect(readIdempotencyKey(undefined)).toBeUndefined();
  });
});

describe('a refusal', () => {
  const answerWithRefusal =
    (status: number, errorCode: NonNullable<RouteResponse['errorCode']>): Handler =>
    async () => ({
      status,
      body: { errorCode },
      errorCode,
    });

  test.each([
    [400, 'AMOUNT_TOO_LARGE'],
    [404, 'USER_NOT_FOUND'],
    [409, 'STALE_VERSION'],
    [403, 'ADJUSTMENT_LIMIT'],
  ] as const)('that is final is replayed: %i %s', async (status, code) => {
    await runCall(answerWithRefusal(status, code));
    expect(await runCall(failIfCalled)).toMatchObject({ status, body: { errorCode: code }, replayed: true });
  });

  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'ACCOUNT_NOT_APPROVED'],
    [403, 'API_KEY_INACTIVE'],
    [409, 'DISPUTE_SHORTFALL'],
    [429, 'RATE_LIMITED'],
    [500, 'PAYMENT_PROCESSING_ERROR'],
    [503, 'OVERLOADED'],
  ] as const)('that may be temporary is not stored: %i %s', async (status, code) => {
    await runCall(answerWithRefusal(status, code));
    expect(await runCall(async () => doneAnswer)).toEqual({ ...doneAnswer, replayed: false });
  });
});

describe('an abandoned call', () => {
  const id = randomUUID();

  test('is resumedId with the resource that it created before its failure', async () => {
    const abandonedCall = runCall(async ({ remember }) => {
      await remember(id);
      throw new Error('bank away');
    });
    await expect(abandonedCall).rejects.toThrow('bank away');
    const resumedIds: (string | undefined)[] = [];
    await runCall(async ({ resumedId }) => {
      resumedIds.push(resumedId);
      return doneAnswer;
    });
    expect(resumedIds).toEqual([id]);
  });

  test('is taken over after a crash when its lease has expired, and not before', async () => {
    const crash = Promise.withResolvers<never>();
    const remembered = Promise.withResolvers<void>();
    const firstCall = runCall(async ({ remember }) => {
      await remember(id);
      remembered.resolve();
      return crash.promise;
    });
    await remembered.promise;
    clock.shift(59_000);
    expect(await codeOf(runCall(failIfCalled))).toBe('IDEMPOTENCY_IN_PROGRESS');
    clock.shift(2000);
    expect(await codeOf(runCall(failIfCalled, { body: { a: 2 } }))).toBe('IDEMPOTENCY_CONFLICT');
    expect(await runCall(async ({ resumedId }) => ({ status: 201, body: { resumedId } }))).toEqual({
      status: 201,
      body: { resumedId: id },
      replayed: false,
    });
    crash.reject(new Error('too late'));
    await expect(firstCall).rejects.toThrow('too late');
    expect(await runCall(failIfCalled)).toMatchObject({ body: { resumedId: id }, replayed: true });
  });

  test('can create nothing more once another call has taken over', async () => {
    const stall = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const firstCall = codeOf(
      runCall(async ({ remember }) => {
        started.resolve();
        await stall.promise;
        await remember(randomUUID());
        return doneAnswer;
      }),
    );
    await started.promise;
    clock.shift(61_000);
    expect(await runCall(async () => ({ status: 201, body: 'second' }))).toMatchObject({ replayed: false });
    stall.resolve();
    expect(await firstCall).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(await runCall(failIfCalled)).toMatchObject({ body: 'second', replayed: true });
  });

  test('can create nothing more while another call continues it', async () => {
    const [stall, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const [started, takenOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const firstCall = codeOf(
      runCall(async ({ remember }) => {
        started.resolve();
        await stall.promise;
        await remember(randomUUID());
        return doneAnswer;
      }),
    );
    await started.promise;
    clock.shift(61_000);
    const secondCall = runCall(async () => {
      takenOver.resolve();
      await finish.promise;
      return { status: 201, body: 'second' };
    });
    await takenOver.promise;
    stall.resolve();
    expect(await firstCall).toBe('IDEMPOTENCY_IN_PROGRESS');
    finish.resolve();
    expect(await secondCall).toMatchObject({ body: 'second', replayed: false });
    expect(await runCall(failIfCalled)).toMatchObject({ body: 'second', replayed: true });
  });
});

describe('a call that claims a new key together with its resource', () => {
  /** Claims the key as a statement does that stores a resource; `stored` gets the ids of what it stores. */
  const claimWith = (stored: string[]) => async (claim: IdempotencyKeyClaim) => {
    const { rows } = await sql<{ id: string }>`
      with ${claimIdempotencyKeysCte([claim])}
      select id from (values (${claim.resourceId}::uuid)) resource (id)
      where id not in (select id from unclaimed_resources)
    `.execute(db);
    stored.push(...rows.map(({ id }) => id));
    return rows.length === 1;
  };
  /** Stores the response as a statement does that completes the resource, or finds it `incomplete`. */
  const answerWith =
    ({ isComplete = true } = {}) =>
    async (answer: IdempotentResponse) => {
      const completed = isComplete ? sql`select ${answer.resourceId}::uuid` : sql`select null::uuid`;
      await sql`with ${storeIdempotentResponsesCte([answer], completed)} select`.execute(db);
      return isComplete;
    };
  /** A handler that creates a resource, or resumes it. */
  const createOn =
    (stored: string[], atBank: () => Promise<void> = async () => {}): Handler =>
    async ({ resumedId, claim, remember, saveResponse }) => {
      const id = resumedId ?? randomUUID();
      if (claim !== undefined) await claim(id, claimWith(stored));
      else if (resumedId === undefined) {
        await remember(id);
        stored.push(id);
      }
      await atBank();
      await saveResponse(id, { id }, answerWith());
      return { status: 201, body: { id } };
    };
  const claiming = { isClaimedByHandler: true };
  /** Starts a call that has stored its resource and waits for the bank, until `bank` is resolved. */
  const startAtBank = async (stored: string[]) => {
    const [bank, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const waitAtBank = () => {
      arrived.resolve();
      return bank.promise;
    };
    const call = runCall(createOn(stored, waitAtBank), claiming);
    await arrived.promise;
    return { call, bank };
  };

  test('runs once, of 100 identical concurrent ones, and all get its response', async () => {
    const stored: string[] = [];
    const calls = Array.from({ length: 100 }, () => retryUntilAnswered(createOn(stored), claiming));
    const answers = await Promise.all(calls);
    expect(stored).toHaveLength(1);
    expect(distinctAnswers(answers)).toEqual(
      new Set([JSON.stringify({ status: 201, body: { id: stored[0] } })]),
    );
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await countDeadlocks(db)).toBe(0);
  });

  test('has stored its response once its resource is complete, whatever happens then', async () => {
    const stored: string[] = [];
    const call = runCall(async (idempotency) => {
      await createOn(stored)(idempotency);
      throw new Error('died before it responded');
    }, claiming);
    await expect(call).rejects.toThrow('died');
    expect(await runCall(failIfCalled, claiming)).toEqual({
      status: 201,
      body: { id: stored[0] },
      replayed: true,
    });
  });

  test('conflicts with a call with another body, and does not run beside a first one', async () => {
    const stored: string[] = [];
    const { call: first, bank } = await startAtBank(stored);
    // In the same millisecond or not: neither may end the lease of the first.
    expect(await codeOf(runCall(createOn(stored), { ...claiming, body: { a: 2 } }))).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
    expect(await codeOf(runCall(createOn(stored), claiming))).toBe('IDEMPOTENCY_IN_PROGRESS');
    bank.resolve();
    await first;
    expect(await runCall(failIfCalled, claiming)).toMatchObject({ body: { id: stored[0] }, replayed: true });
    expect(stored).toHaveLength(1);
  });

  test('does not touch the lease that another call took in the same millisecond', async () => {
    const frozenClock = { now: () => new Date('2026-11-21T12:00:00Z') };
    const run = (handler: Handler) =>
      runIdempotent(
        { db, clock: frozenClock, log, secrets },
        { merchantId, route: 'POST /pix/new', key, body: { a: 1 }, status: 201, isClaimedByHandler: true },
        handler,
      );
    const stored: string[] = [];
    const [bank, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = run(
      createOn(stored, () => {
        arrived.resolve();
        return bank.promise;
      }),
    );
    await arrived.promise;
    for (let nth = 0; nth < 3; nth += 1)
      expect(await codeOf(run(createOn(stored)))).toBe('IDEMPOTENCY_IN_PROGRESS');
    expect(await codeOf(run(async () => ({ status: 400, body: {}, errorCode: 'AMOUNT_TOO_LARGE' })))).toBe(
      'IDEMPOTENCY_IN_PROGRESS',
    );
    bank.resolve();
    expect(await first).toMatchObject({ body: { id: stored[0] } });
    expect(await run(failIfCalled)).toMatchObject({ body: { id: stored[0] }, replayed: true });
  });

  test('is resumedId with its resource when it dies between the two, once its lease has expired', async () => {
    const stored: string[] = [];
    const arrived = Promise.withResolvers<void>();
    // Never ends, like a call of a process that was killed.
    void runCall(
      createOn(stored, () => {
        arrived.resolve();
        return new Promise(() => {});
      }),
      claiming,
    );
    await arrived.promise;
    expect(await codeOf(runCall(createOn(stored), claiming))).toBe('IDEMPOTENCY_IN_PROGRESS');
    clock.shift(61_000);
    expect(await runCall(createOn(stored), claiming)).toMatchObject({ body: { id: stored[0] } });
    expect(stored).toHaveLength(1);
    expect(await runCall(failIfCalled, claiming)).toMatchObject({ body: { id: stored[0] }, replayed: true });
  });

  test('is resumedId at once when it failed after its claim', async () => {
    const stored: string[] = [];
    const failed = runCall(
      createOn(stored, async () => {
        throw new Error('bank away');
      }),
      claiming,
    );
    await expect(failed).rejects.toThrow('bank away');
    expect(await runCall(createOn(stored), claiming)).toMatchObject({ body: { id: stored[0] } });
    expect(stored).toHaveLength(1);
  });

  test('stores no response for a resource that could not be completed', async () => {
    const stored: string[] = [];
    const id = randomUUID();
    const call = runCall(async ({ claim, saveResponse }) => {
      await claim?.(id, claimWith(stored));
      if (!(await saveResponse(id, { id }, answerWith({ isComplete: false }))))
        throw new Error('it has ended');
      return doneAnswer;
    }, claiming);
    await expect(call).rejects.toThrow('it has ended');
    expect(
      await runCall(async ({ resumedId }) => ({ status: 201, body: resumedId }), claiming),
    ).toMatchObject({
      body: id,
      replayed: false,
    });
  });

  test('that is refused before its claim stores a final refusal, and a temporary one not', async () => {
    const refuse =
      (status: number, errorCode: NonNullable<RouteResponse['errorCode']>): Handler =>
      async () => ({ status, body: { errorCode }, errorCode });
    await runCall(refuse(403, 'ACCOUNT_NOT_APPROVED'), claiming);
    expect(await runCall(refuse(400, 'AMOUNT_TOO_LARGE'), claiming)).toMatchObject({ replayed: false });
    const replayed = { status: 400, body: { errorCode: 'AMOUNT_TOO_LARGE' }, replayed: true };
    expect(await runCall(createOn([]), claiming)).toEqual(replayed);
  });

  test('gets the response of an earlier call although it would be refused now', async () => {
    const stored: string[] = [];
    await runCall(createOn(stored), claiming);
    const refusing: Handler = async () => ({ status: 403, body: {}, errorCode: 'ACCOUNT_FROZEN' });
    expect(await runCall(refusing, claiming)).toMatchObject({ body: { id: stored[0] }, replayed: true });
  });

  test('gives no response to a call whose key was taken over', async () => {
    const stored: string[] = [];
    const { call: first, bank } = await startAtBank(stored);
    clock.shift(61_000);
    await runCall(async () => ({ status: 201, body: 'second' }), claiming);
    bank.resolve();
    await first;
    expect(await runCall(failIfCalled, claiming)).toMatchObject({ body: 'second', replayed: true });
  });
});

test('a stored body hash of a call with a PIN does not reveal the PIN', async () => {
  await runCall(async () => doneAnswer, { body: { withdrawal_pin: '4821' } });
  const { body_hash } = await db
    .selectFrom('idempotency_keys')
    .select('body_hash')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  const guess = JSON.stringify([['withdrawal_pin', '4821']]);
  expect(body_hash).not.toEqual(createHash('sha256').update(guess).digest());
  expect(body_hash).not.toEqual(createSecrets(Buffer.alloc(32, 4)).hash('idempotency', guess));
  expect(body_hash).toEqual(secrets.hash('idempotency', guess));
});
