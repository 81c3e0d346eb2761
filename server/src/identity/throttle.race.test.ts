import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../test/database.ts';
import { givenPerson, type Person, visitor } from '../../test/people.ts';
import { shiftedClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { networkOf, siteOf } from '../http/network-of.ts';
import { Refusal } from '../refusal.ts';
import { confirmPassword, newDevice, signIn, takeAttempts } from './index.ts';

let database: TestDatabase;
let processes: [Db, Db];
let clock = shiftedClock();
const config = readConfig({ SIGN_INS_PER_ADDRESS: '40' });
const deps = (process = 0) => ({ db: processes[process] ?? processes[0], clock, config });
const quarterHour = 900_000;

beforeAll(async () => {
  database = await testDatabase();
  processes = [
    createDb(createPool({ url: database.appUrl })),
    createDb(createPool({ url: database.appUrl })),
  ];
});
beforeEach(() => {
  clock = shiftedClock();
});
afterAll(async () => {
  await Promise.all(processes.map((db) => db.destroy()));
  await database.drop();
});

const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : String(error));
const guess = (username: string, from = visitor(), process = 0) =>
  signIn(deps(process), { username, password: 'um palpite' }, from).then(() => 'in', codeOf);
const enter = ({ username, password }: Person, from = visitor(), process = 0) =>
  signIn(deps(process), { username, password }, from).then(() => 'in', codeOf);

/** The number of calls by outcome. */
function tally(answers: readonly string[]): Record<string, number> {
  const groups = Map.groupBy(answers, (answer) => answer);
  return Object.fromEntries([...groups].map(([answer, same]) => [answer, same.length]));
}

async function repeat(times: number, ask: (at: number) => Promise<string>) {
  return tally(await Promise.all(Array.from({ length: times }, (_, at) => ask(at))));
}

describe('password guesses', () => {
  test('are limited to ten per account and address, across processes', async () => {
    const { username } = await givenPerson(deps());
    const from = visitor();
    expect(await repeat(24, (at) => guess(username, from, at % 2))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 14,
    });
  });

  test('are equally limited for an unknown account', async () => {
    const from = visitor();
    expect(await repeat(12, () => guess('nao-existe', from))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 2,
    });
  });

  test('are limited per address across accounts', async () => {
    const from = visitor();
    expect(await repeat(44, (at) => guess(`alvo-${at}`, from))).toEqual({
      INVALID_CREDENTIALS: 40,
      RATE_LIMITED: 4,
    });
  });

  test('are refused with the time to retry, and then allowed again', async () => {
    const person = await givenPerson(deps());
    const from = visitor();
    await repeat(10, () => guess(person.username, from));
    const refused = await signIn(deps(), person, from).catch((error) => error);
    expect(refused).toMatchObject({ code: 'RATE_LIMITED', status: 429 });
    clock.shift(refused.retryAfterSeconds * 1000);
    expect(await enter(person, from)).toBe('in');
  });

  test('are not counted by successful sign-ins', async () => {
    const person = await givenPerson(deps());
    const from = visitor();
    for (let at = 0; at < 12; at += 1) expect(await enter(person, from)).toBe('in');
    expect(await repeat(12, () => guess(person.username, from))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 2,
    });
  });
});

describe('successful sign-ins', () => {
  test('are limited per account and address', async () => {
    const [person, neighbour] = [await givenPerson(deps()), await givenPerson(deps())];
    const from = visitor();
    for (let wave = 0; wave < 5; wave += 1)
      expect(await repeat(8, () => enter(person, from))).toEqual({ in: 8 });
    expect(await enter(person, from)).toBe('RATE_LIMITED');
    expect(await enter(neighbour, from)).toBe('in');
    expect(await enter(person)).toBe('in');
    clock.shift(quarterHour);
    expect(await enter(person, from)).toBe('in');
  });

  test('beyond the limit count as guesses neither of their account nor of their network', async () => {
    const [person, neighbour] = [await givenPerson(deps()), await givenPerson(deps())];
    const from = visitor();
    for (let wave = 0; wave < 5; wave += 1)
      expect(await repeat(8, () => enter(person, from))).toEqual({ in: 8 });
    expect(await repeat(50, () => enter(person, from))).toEqual({ RATE_LIMITED: 50 });
    expect(await enter(neighbour, from)).toBe('in');
    const guesses = processes[0].selectFrom('throttles').select(['key', 'attempts']);
    const left = await guesses.where('key', 'like', `sign-in%at ${networkOf(from.address)}`).execute();
    expect(left.filter(({ attempts }) => attempts > 0)).toEqual([]);
    expect(left).toHaveLength(3);
  });

  test('in larger number than guesses at once do not count as guesses', async () => {
    const person = await givenPerson(deps());
    const from = visitor();
    for (let wave = 0; wave < 2; wave += 1) await repeat(16, () => enter(person, from));
    expect(await repeat(12, () => guess(person.username, from))).toEqual({
      INVALID_CREDENTIALS: 10,
      RATE_LIMITED: 2,
    });
  });

  test('are limited per account over all its known browsers', async () => {
    const person = await givenPerson(deps());
    const browsers = Array.from({ length: 8 }, () => visitor({ device: newDevice(config.publicUrl).device }));
    for (const browser of browsers) expect(await enter(person, browser)).toBe('in');
    const tried = (at: number) => enter(person, browsers[at % 8] ?? visitor());
    expect(await repeat(48, tried)).toEqual({ in: 40, RATE_LIMITED: 8 });
  });

  test('in a concurrent crowd block neither other sign-ins nor confirmations of a PIN or password', async () => {
    const [crowded, other] = [await givenPerson(deps()), await givenPerson(deps())];
    const browsers = Array.from({ length: 8 }, () => visitor({ device: newDevice(config.publicUrl).device }));
    for (const browser of browsers) await enter(crowded, browser);
    // Without the limit per address, only the queue limits sign-ins.
    const free = { ...deps(), config: { ...config, signInsPerAddress: 10_000 } };
    const crowd = Array.from({ length: 120 }, (_, at) =>
      signIn(free, crowded, browsers[at % 8] ?? visitor()).then(() => 'in', codeOf),
    );
    const others = await Promise.all(Array.from({ length: 6 }, () => enter(other)));
    await confirmPassword(deps(), other.caller, other.password);
    expect(tally(others)).toEqual({ in: 6 });
    expect(tally(await Promise.all(crowd))).toMatchObject({ OVERLOADED: expect.any(Number) });
  });
});

describe('a concurrent crowd of guesses from different networks', () => {
  /** More than the queue holds, each in its network's lane. */
  const crowdOf = (networkAt: (at: number) => string) =>
    Array.from({ length: 120 }, (_, at) => guess(`alvo-${at}`, visitor({ address: networkAt(at) })));

  test('does not block a known browser', async () => {
    const person = await givenPerson(deps());
    const known = visitor({ device: newDevice(config.publicUrl).device });
    expect(await enter(person, known)).toBe('in');
    const crowd = crowdOf(() => visitor().address);
    const entered = await repeat(6, () => enter(person, known));
    expect(entered).toEqual({ in: 6 });
    expect(tally(await Promise.all(crowd))).toMatchObject({ OVERLOADED: expect.any(Number) });
  });

  test('counts as one caller if its networks belong to one site', async () => {
    const person = await givenPerson(deps());
    const crowd = crowdOf((at) => `2001:db8:7:${at.toString(16)}::1`);
    const entered = await repeat(6, () => enter(person));
    expect(entered).toEqual({ in: 6 });
    expect(tally(await Promise.all(crowd))).toMatchObject({ OVERLOADED: expect.any(Number) });
  });
});

describe('an attacker', () => {
  test('at the owner’s own address does not block the owner’s known browser', async () => {
    const person = await givenPerson(deps());
    const { device } = newDevice(config.publicUrl);
    const { address } = visitor();
    expect(await enter(person, visitor({ address, device }))).toBe('in');
    await repeat(60, () => guess(person.username, visitor({ address })));
    expect(await enter(person, visitor({ address }))).toBe('RATE_LIMITED');
    expect(await enter(person, visitor({ address, device }), 1)).toBe('in');
  });

  test('at many addresses slows down guesses of an account, and blocks nobody', async () => {
    const person = await givenPerson(deps());
    for (let crowd = 0; crowd < 4; crowd += 1) await repeat(25, () => guess(person.username));

    const from = visitor();
    expect(await repeat(5, () => guess(person.username, from))).toEqual({
      INVALID_CREDENTIALS: 3,
      RATE_LIMITED: 2,
    });
    expect(await enter(person)).toBe('in');

    clock.shift(4 * quarterHour);
    expect(await repeat(12, () => guess(person.username, from))).toMatchObject({ INVALID_CREDENTIALS: 10 });
  });

  test('gains nothing from a browser known to another account', async () => {
    const [own, target] = [await givenPerson(deps()), await givenPerson(deps())];
    const known = visitor({ device: newDevice(config.publicUrl).device });
    expect(await enter(own, known)).toBe('in');
    await repeat(10, () => guess(target.username, known));
    expect(await guess(target.username, known)).toBe('RATE_LIMITED');
  });

  test('with a known browser has ten guesses, by username and e-mail together', async () => {
    const person = await givenPerson(deps());
    const known = visitor({ device: newDevice(config.publicUrl).device });
    expect(await enter(person, known)).toBe('in');
    await repeat(6, () => guess(person.username, known));
    expect(await repeat(6, () => guess(person.email, known))).toEqual({
      INVALID_CREDENTIALS: 4,
      RATE_LIMITED: 2,
    });
  });

  test('does not block a known browser after frequent sign-ins of a program', async () => {
    const person = await givenPerson(deps());
    const known = visitor({ device: newDevice(config.publicUrl).device });
    for (let at = 0; at < 60; at += 1)
      expect(await enter(person, visitor({ device: newDevice(config.publicUrl).device }))).toBe('in');
    clock.shift(1);
    expect(await enter(person, known)).toBe('in');
    const marks = processes[0].selectFrom('known_devices').select('device_hash');
    expect(await marks.where('user_id', '=', person.id).execute()).toHaveLength(50);
    await repeat(40, () => guess(person.username, visitor({ address: known.address })));
    expect(await enter(person, known)).toBe('in');
  });

  test('with a known browser has ten guesses by username alone too', async () => {
    const person = await givenPerson(deps());
    const known = visitor({ device: newDevice(config.publicUrl).device });
    expect(await enter(person, known)).toBe('in');
    expect(await repeat(12, () => guess(person.username, known))).toEqual({
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
  const allowances = (names: readonly string[], limit: number) =>
    names.map((key) => ({ key, limit, windowSeconds: 900 }));

  test('that share them in any order never fail for each other', async () => {
    const orders = [
      ['a', 'b', 'c'],
      ['c', 'b', 'a'],
      ['b', 'c', 'a'],
    ];
    const answers = await repeat(120, (at) =>
      takeAttempts(deps(at % 2), allowances(orders[at % 3] ?? [], 40)).then(() => 'taken', codeOf),
    );
    expect(Object.keys(answers).toSorted()).toEqual(['RATE_LIMITED', 'taken']);
    expect(answers['taken']).toBeLessThanOrEqual(40);
  });

  test('that are refused because a limit is used up write nothing', async () => {
    const version = async () => {
      const { rows } = await sql<{ xmin: string }>`
        select key, xmin::text from throttles where key in ('used up', 'beside') order by key
      `.execute(deps().db);
      return rows;
    };
    await takeAttempts(deps(), allowances(['used up', 'beside'], 1));
    const before = await version();
    for (let tries = 0; tries < 3; tries += 1)
      await expect(takeAttempts(deps(), allowances(['beside', 'used up'], 1))).rejects.toThrow();
    expect(await version()).toEqual(before);
  });
});
