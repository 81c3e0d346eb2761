import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { givenPerson, newClientInfo, type Person } from '../../test/people.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { networkOf, siteOf } from '../http/network-of.ts';
import { Refusal } from '../refusal.ts';
import { confirmPassword, createDeviceCookie, enforceAttemptLimits, signIn } from './index.ts';

let database: TestDatabase;
let processes: [Db, Db];
let clock = createAdjustableClock();
const config = readConfig({ SIGN_INS_PER_ADDRESS: '40' });
const deps = (process = 0) => ({ db: processes[process] ?? processes[0], clock, config });
const quarterHourMs = 900_000;

beforeAll(async () => {
  database = await createTestDatabase();
  processes = [
    createDb(createPool({ url: database.appUrl })),
    createDb(createPool({ url: database.appUrl })),
  ];
});
beforeEach(() => {
  clock = createAdjustableClock();
});
afterAll(async () => {
  await Promise.all(processes.map((db) => db.destroy()));
  await database.drop();
});

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : String(error));
const tryGuess = (username: string, from = newClientInfo(), process = 0) =>
  signIn(deps(process), { username, password: 'um palpite' }, from).then(() => 'in', codeOf);
const trySignIn = ({ username, password }: Person, from = newClientInfo(), process = 0) =>
  signIn(deps(process), { username, password }, from).then(() => 'in', codeOf);

/** Counts calls by outcome. */
function tally(answers: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(answers, (answer) => answer);
  return Object.fromEntries([...groups].map(([answer, sameAnswers]) => [answer, sameAnswers.length]));
}

/** Makes concurrent attempts, and counts them by outcome. */
async function tallyConcurrent(times: number, attempt: (index: number) => Promise<string>) {
  return tally(await Promise.all(Array.from({ length: times }, (_, index) => attempt(index))));
}

describe('password guesses', () => {
  test('are limited to ten per account and address, across processes', async () => {
    const { username } = await givenPerson(deps());
    const from = newClientInfo();
    expect(await tallyConcurrent(24, (index) => tryGuess(username, from, index % 2))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 14,
    });
  });

  test('are equally limited for an unknown account', async () => {
    const from = newClientInfo();
    expect(await tallyConcurrent(12, () => tryGuess('nao-existe', from))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 2,
    });
  });

  test('are limited per address across accounts', async () => {
    const from = newClientInfo();
    expect(await tallyConcurrent(44, (index) => tryGuess(`alvo-${index}`, from))).toEqual({
      INVALID_CREDENTIALS: 40,
      RATE_LIMITED: 4,
    });
  });

  test('are refused with the time to retry, and then allowed again', async () => {
    const person = await givenPerson(deps());
    const from = newClientInfo();
    await tallyConcurrent(10, () => tryGuess(person.username, from));
    const refused = await signIn(deps(), person, from).catch((error) => error);
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    clock.shift(refused.retryAfterSeconds * 1000);
    expect(await trySignIn(person, from)).toBe('in');
  });

  test('are not counted by successful sign-ins', async () => {
    const person = await givenPerson(deps());
    const from = newClientInfo();
    for (let index = 0; index < 12; index += 1) expect(await trySignIn(person, from)).toBe('in');
    expect(await tallyConcurrent(12, () => tryGuess(person.username, from))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 2,
    });
  });
});

describe('successful sign-ins', () => {
  test('are limited per account and address', async () => {
    const [person, neighbour] = [await givenPerson(deps()), await givenPerson(deps())];
    const from = newClientInfo();
    for (let wave = 0; wave < 5; wave += 1)
      expect(await tallyConcurrent(8, () => trySignIn(person, from))).toEqual({ in: 8 });
    expect(await trySignIn(person, from)).toBe('RATE_LIMITED');
    expect(await trySignIn(neighbour, from)).toBe('in');
    expect(await trySignIn(person)).toBe('in');
    clock.shift(quarterHourMs);
    expect(await trySignIn(person, from)).toBe('in');
  });

  test('beyond the limit count as guesses neither of their account nor of their network', async () => {
    const [person, neighbour] = [await givenPerson(deps()), await givenPerson(deps())];
    const from = newClientInfo();
    for (let wave = 0; wave < 5; wave += 1)
      expect(await tallyConcurrent(8, () => trySignIn(person, from))).toEqual({ in: 8 });
    expect(await tallyConcurrent(50, () => trySignIn(person, from))).toEqual({ RATE_LIMITED: 50 });
    expect(await trySignIn(neighbour, from)).toBe('in');
    const guesses = processes[0].selectFrom('throttles').select(['key', 'attempts']);
    const counts = await guesses.where('key', 'like', `sign-in%at ${networkOf(from.address)}`).execute();
    expect(counts.filter(({ attempts }) => attempts > 0)).toEqual([]);
    expect(counts).toHaveLength(3);
  });

  test('in larger number than guesses at once do not count as guesses', async () => {
    const person = await givenPerson(deps());
    const from = newClientInfo();
    for (let wave = 0; wave < 2; wave += 1) await tallyConcurrent(16, () => trySignIn(person, from));
    expect(await tallyConcurrent(12, () => tryGuess(person.username, from))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 2,
    });
  });

  test('are limited per account over all its known browsers', async () => {
    const person = await givenPerson(deps());
    const browsers = Array.from({ length: 8 }, () =>
      newClientInfo({ device: createDeviceCookie(config.publicUrl).device }),
    );
    for (const browser of browsers) expect(await trySignIn(person, browser)).toBe('in');
    const signInByBrowser = (index: number) => trySignIn(person, browsers[index % 8] ?? newClientInfo());
    expect(await tallyConcurrent(48, signInByBrowser)).toEqual({ in: 40, RATE_LIMITED: 8 });
  });

  test('in a concurrent crowd block neither other sign-ins nor confirmations of a PIN or password', async () => {
    const [crowdedPerson, other] = [await givenPerson(deps()), await givenPerson(deps())];
    const browsers = Array.from({ length: 8 }, () =>
      newClientInfo({ device: createDeviceCookie(config.publicUrl).device }),
    );
    for (const browser of browsers) await trySignIn(crowdedPerson, browser);
    // Without the limit per address, only the queue limits sign-ins.
    const unlimitedDeps = { ...deps(), config: { ...config, signInsPerAddress: 10_000 } };
    const attempts = Array.from({ length: 120 }, (_, index) =>
      signIn(unlimitedDeps, crowdedPerson, browsers[index % 8] ?? newClientInfo()).then(() => 'in', codeOf),
    );
    const otherSignIns = await Promise.all(Array.from({ length: 6 }, () => trySignIn(other)));
    await confirmPassword(deps(), other.caller, other.password);
    expect(tally(otherSignIns)).toEqual({ in: 6 });
    expect(tally(await Promise.all(attempts))).toMatchObject({ OVERLOADED: expect.any(Number) });
  });
});

describe('a concurrent crowd of guesses from different networks', () => {
  /** Starts more guesses than fit into the queue, from a network each; each network has its own lane in the queue. */
  const startGuesses = (addressAt: (index: number) => string) =>
    Array.from({ length: 120 }, (_, index) =>
      tryGuess(`alvo-${index}`, newClientInfo({ address: addressAt(index) })),
    );

  test('does not block a known browser', async () => {
    const person = await givenPerson(deps());
    const knownBrowser = newClientInfo({ device: createDeviceCookie(config.publicUrl).device });
    expect(await trySignIn(person, knownBrowser)).toBe('in');
    const attempts = startGuesses(() => newClientInfo().address);
    const signIns = await tallyConcurrent(6, () => trySignIn(person, knownBrowser));
    expect(signIns).toEqual({ in: 6 });
    expect(tally(await Promise.all(attempts))).toMatchObject({ OVERLOADED: expect.any(Number) });
  });

  test('counts as one caller if its networks belong to one site', async () => {
    const person = await givenPerson(deps());
    const attempts = startGuesses((index) => `2001:db8:7:${index.toString(16)}::1`);
    const signIns = await tallyConcurrent(6, () => trySignIn(person));
    expect(signIns).toEqual({ in: 6 });
    expect(tally(await Promise.all(attempts))).toMatchObject({ OVERLOADED: expect.any(Number) });
  });
});

describe('an attacker', () => {
  test('at the owner’s own address does not block the owner’s known browser', async () => {
    const person = await givenPerson(deps());
    const { device } = createDeviceCookie(config.publicUrl);
    const { address } = newClientInfo();
    expect(await trySignIn(person, newClientInfo({ address, device }))).toBe('in');
    await tallyConcurrent(60, () => tryGuess(person.username, newClientInfo({ address })));
    expect(await trySignIn(person, newClientInfo({ address }))).toBe('RATE_LIMITED');
    expect(await trySignIn(person, newClientInfo({ address, device }), 1)).toBe('in');
  });

  test('at many addresses slows down guesses of an account, and blocks nobody', async () => {
    const person = await givenPerson(deps());
    for (let attempts = 0; attempts < 4; attempts += 1)
      await tallyConcurrent(25, () => tryGuess(person.username));

    const from = newClientInfo();
    expect(await tallyConcurrent(5, () => tryGuess(person.username, from))).toEqual({
      INVALID_CREDENTIALS: 3,
      RATE_LIMITED: 2,
    });
    expect(await trySignIn(person)).toBe('in');

    clock.shift(4 * quarterHourMs);
    expect(await tallyConcurrent(12, () => tryGuess(person.username, from))).toMatchObject({
      INVALID_CREDENTIALS: 10,
    });
  });

  test('gains nothing from a browser known to another account', async () => {
    const [attacker, target] = [await givenPerson(deps()), await givenPerson(deps())];
    const knownBrowser = newClientInfo({ device: createDeviceCookie(config.publicUrl).device });
    expect(await trySignIn(attacker, knownBrowser)).toBe('in');
    await tallyConcurrent(10, () => tryGuess(target.username, knownBrowser));
    expect(await tryGuess(target.username, knownBrowser)).toBe('RATE_LIMITED');
  });

  test('with a known browser has ten guesses, by username and e-mail together', async () => {
    const person = await givenPerson(deps());
    const knownBrowser = newClientInfo({ device: createDeviceCookie(config.publicUrl).device });
    expect(await trySignIn(person, knownBrowser)).toBe('in');
    await tallyConcurrent(6, () => tryGuess(person.username, knownBrowser));
    expect(await tallyConcurrent(6, () => tryGuess(person.email, knownBrowser))).toEqual({
      INVALID_CREDENTIALS: 4,
      RATE_LIMITED: 2,
    });
  });

  test('does not block a known browser after frequent sign-ins of a program', async () => {
    const person = await givenPerson(deps());
    const knownBrowser = newClientInfo({ device: createDeviceCookie(config.publicUrl).device });
    for (let index = 0; index < 60; index += 1)
      expect(
        await trySignIn(person, newClientInfo({ device: createDeviceCookie(config.publicUrl).device })),
      ).toBe('in');
    clock.shift(1);
    expect(await trySignIn(person, knownBrowser)).toBe('in');
    const knownDevices = processes[0].selectFrom('known_devices').select('device_hash');
    expect(await knownDevices.where('user_id', '=', person.id).execute()).toHaveLength(50);
    await tallyConcurrent(40, () =>
      tryGuess(person.username, newClientInfo({ address: knownBrowser.address })),
    );
    expect(await trySignIn(person, knownBrowser)).toBe('in');
  });

  test('with a known browser has ten guesses by username alone too', async () => {
    const person = await givenPerson(deps());
    const knownBrowser = newClientInfo({ device: createDeviceCookie(config.publicUrl).device });
    expect(await trySignIn(person, knownBrowser)).toBe('in');
    expect(await tallyConcurrent(12, () => tryGuess(person.username, knownBrowser))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 2,
    });
  });
});

test('an IPv6 /64 counts as one address and its /48 as one queue lane, and an IPv4-mapped address counts as IPv4', () => {
  expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe(networkOf('2001:db8:1:2::1'));
  expect(networkOf('2001:db8:1:2::1')).not.toBe(networkOf('2001:db8:1:3::1'));
  expect(networkOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
  expect(networkOf('unknown')).toBe('unknown');
  expect(siteOf('2001:db8:1:2:3:4:5:6')).toBe(siteOf('2001:db8:1:ffff::1'));
  expect(siteOf('2001:db8:1::1')).not.toBe(siteOf('2001:db8:2::1'));
  expect(siteOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
});

describe('attempts under several limits', () => {
  const limitsNamed = (names: readonly string[], limit: number) =>
    names.map((key) => ({ key, limit, windowSeconds: 900 }));

  test('that share them in any order never fail for each other', async () => {
    const orders = [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['b', 'c', 'a'],
    ];
    const answers = await tallyConcurrent(120, (index) =>
      enforceAttemptLimits(deps(index % 2), limitsNamed(orders[index % 3] ?? [], 40)).then(
        () => 'taken',
        codeOf,
      ),
    );
    expect(Object.keys(answers).toSorted()).toEqual(['RATE_LIMITED', 'taken']);
    expect(answers['taken']).toBeLessThanOrEqual(40);
  });

  test('that are refused because a limit is used up write nothing', async () => {
    const rowVersions = async () => {
      const { rows } = await sql<{ xmin: string }>`
        select key, xmin::text from throttles where key in ('used up', 'beside') order by key
      `.execute(deps().db);
      return rows;
    };
    await enforceAttemptLimits(deps(), limitsNamed(['used up', 'beside'], 1));
    const before = await rowVersions();
    for (let attempt = 0; attempt < 3; attempt += 1)
      await expect(enforceAttemptLimits(deps(), limitsNamed(['beside', 'used up'], 1))).rejects.toThrow();
    expect(await rowVersions()).toEqual(before);
  });
});
