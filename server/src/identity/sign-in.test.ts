import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ownCaller } from '../../test/caller.ts';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { givenPerson, newClientInfo } from '../../test/people.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { authenticateSession, confirmPassword, isPasswordFresh, signIn, signOut } from './index.ts';

let database: TestDatabase;
let db: Db;
let clock = createAdjustableClock();
const config = readConfig({});
const deps = () => ({ db, clock, config });
const hourMs = 3_600_000;
const minuteMs = 60_000;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
beforeEach(() => {
  clock = createAdjustableClock();
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const userIdOf = async (token: string) => (await authenticateSession(deps(), token)).userId;

describe('signing in', () => {
  test('accepts the username or the e-mail, in any case', async () => {
    const { id, username, email, password } = await givenPerson(deps());
    for (const typed of [username, username.toUpperCase(), email, email.toUpperCase()]) {
      const { token } = await signIn(deps(), { username: typed, password }, newClientInfo());
      expect(await userIdOf(token)).toBe(id);
    }
  });

  test('accepts a password in any Unicode composition', async () => {
    const { id, username } = await givenPerson(deps(), { password: 'maçã verde' });
    const typed = { username, password: 'maçã verde'.normalize('NFD') };
    expect(await userIdOf((await signIn(deps(), typed, newClientInfo())).token)).toBe(id);
  });

  test('gives the same response to an unknown user, a wrong password and hostile text', async () => {
    const { username } = await givenPerson(deps());
    const attempts = [username, 'ninguem', '(platform)', 'a\u0000b', "' or 1=1 --"].map((typed) =>
      signIn(deps(), { username: typed, password: 'uma senha ruim' }, newClientInfo()).catch((error) => ({
        ...error,
        message: error.message,
      })),
    );
    const answers = await Promise.all(attempts);
    expect(answers[0]).toMatchObject({ code: 'INVALID_CREDENTIALS', message: 'Usuário ou senha inválidos' });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

describe('a session', () => {
  test('is stored only as the hash of its token', async () => {
    const { token } = await givenPerson(deps());
    const sessions = await db.selectFrom('sessions').selectAll().execute();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(JSON.stringify(sessions)).not.toContain(token);
  });

  test('belongs to the signed-in user only', async () => {
    const [first, other] = [await givenPerson(deps()), await givenPerson(deps())];
    expect(await userIdOf(first.token)).toBe(first.id);
    expect(await userIdOf(other.token)).toBe(other.id);
    for (const token of ['', 'x', `${first.token}x`, first.token.slice(1), 'a\u0000'])
      await expect(authenticateSession(deps(), token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('ends 12 hours after the last call', async () => {
    const { token } = await givenPerson(deps());
    clock.shift(11 * hourMs);
    await authenticateSession(deps(), token);
    clock.shift(11 * hourMs);
    await authenticateSession(deps(), token);
    clock.shift(12 * hourMs);
    await expect(authenticateSession(deps(), token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('ends after 7 days, however often it is used', async () => {
    const { token } = await givenPerson(deps());
    for (let passedHours = 0; passedHours < 7 * 24 - 6; passedHours += 6) {
      clock.shift(6 * hourMs);
      await authenticateSession(deps(), token);
    }
    clock.shift(6 * hourMs);
    await expect(authenticateSession(deps(), token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  test('records its calls at most once a minute', async () => {
    const { token, caller } = await givenPerson(deps());
    const seenAt = async () => {
      const rows = db.selectFrom('sessions').select('last_seen_at');
      const hash = caller.sessionHash ?? Buffer.alloc(0);
      return (await rows.where('token_hash', '=', hash).executeTakeFirstOrThrow()).last_seen_at.getTime();
    };
    const first = await seenAt();
    clock.shift(0.5 * minuteMs);
    await authenticateSession(deps(), token);
    expect(await seenAt()).toBe(first);
    clock.shift(0.6 * minuteMs);
    await authenticateSession(deps(), token);
    expect(await seenAt()).toBeGreaterThan(first);
  });

  test('ends by signing out, and no other session with it', async () => {
    const { username, password, token, caller } = await givenPerson(deps());
    const other = await signIn(deps(), { username, password }, newClientInfo());
    await signOut(deps(), caller);
    await expect(authenticateSession(deps(), token)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await authenticateSession(deps(), other.token);
    await signOut(deps(), caller);
  });

  test('reflects an administrator’s changes immediately', async () => {
    const { id, token } = await givenPerson(deps());
    await db.updateTable('users').set({ approved: true, role: 'ADMIN' }).where('id', '=', id).execute();
    expect(await authenticateSession(deps(), token)).toMatchObject({ approved: true, role: 'ADMIN' });
  });
});

describe('a confirmed password', () => {
  test('is valid for five minutes, in its own session', async () => {
    const { token, username, password } = await givenPerson(deps());
    const isFresh = async (sessionToken: string) =>
      isPasswordFresh(await authenticateSession(deps(), sessionToken), clock.now());
    expect(await isFresh(token)).toBe(true);
    clock.shift(5 * minuteMs);
    expect(await isFresh(token)).toBe(false);

    const other = await signIn(deps(), { username, password }, newClientInfo());
    clock.shift(5 * minuteMs);
    await confirmPassword(deps(), await authenticateSession(deps(), token), password);
    expect(await isFresh(token)).toBe(true);
    expect(await isFresh(other.token)).toBe(false);
  });

  test('is refused if wrong, ten times, and then throttled without being verified', async () => {
    const { caller, password } = await givenPerson(deps());
    const confirmations = Array.from({ length: 14 }, () =>
      confirmPassword(deps(), caller, 'errada').catch((error) => error.code),
    );
    const codes = await Promise.all(confirmations);
    expect(codes.filter((code) => code === 'PASSWORD_WRONG')).toHaveLength(10);
    expect(codes.filter((code) => code === 'RATE_LIMITED')).toHaveLength(4);
    await expect(confirmPassword(deps(), caller, password)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    clock.shift(15 * minuteMs);
    await confirmPassword(deps(), caller, password);
  });

  test('is never available to an API key', () => {
    expect(isPasswordFresh(ownCaller(1, { authMethod: 'apiKey' }), new Date())).toBe(false);
  });
});
