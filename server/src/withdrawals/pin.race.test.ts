import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import { inTransaction } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { createSecrets } from '../secrets.ts';
import { holdWithdrawals } from './hold-withdrawals.ts';
import { readPinState, setPin } from './set-pin.ts';
import { verifyPin } from './verify-pin.ts';

let database: TestDatabase;
/** The database connections of two processes. */
let processes: [Db, Db];
let clock = createAdjustableClock();
let person: Person;
const config = readConfig({ SIGN_INS_PER_ADDRESS: '1000', REGISTRATIONS_PER_ADDRESS: '1000' });
const secrets = createSecrets(Buffer.alloc(32, 5));
/** The dependencies of one of the two processes. */
const deps = (processIndex = 0) => ({
  db: processes[processIndex] ?? processes[0],
  clock,
  config,
  secrets,
});

const correctPin = '2580';
const wrongPin = '0852';
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

beforeAll(async () => {
  database = await createTestDatabase();
  processes = [
    createDb(createPool({ url: database.appUrl })),
    createDb(createPool({ url: database.appUrl })),
  ];
});
beforeEach(async () => {
  clock = createAdjustableClock();
  person = await givenPerson(deps());
  await approve(person.id);
});
afterAll(async () => {
  expect(await countDeadlocks(processes[0])).toBe(0);
  await Promise.all(processes.map((db) => db.destroy()));
  await database.drop();
});

async function approve(id: number, approved = true): Promise<void> {
  await processes[0].updateTable('users').set({ approved }).where('id', '=', id).execute();
}

const setNewPin = (new_pin: string, change: Record<string, string> = {}, processIndex = 0) =>
  setPin(deps(processIndex), person.caller, {
    current_password: person.password,
    new_pin,
    confirm_pin: new_pin,
    ...change,
  });

const readState = () => readPinState(deps(), { merchantId: person.id });

/** Returns 'right' if the work succeeded, otherwise the refusal's code. */
async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
  return 'right';
}

const attempt = (pin: string, processIndex = 0) => outcomeOf(verifyPin(deps(processIndex), person.id, pin));

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (error instanceof Refusal) return error;
  throw new Error('It was not refused.');
}

/** Five wrong PINs, which lock withdrawals. */
async function lockByWrongPins(): Promise<void> {
  for (let guess = 0; guess < 5; guess += 1) expect(await attempt(wrongPin)).toBe('PIN_WRONG');
}

describe('setting the PIN', () => {
  test('takes the account’s password, and the first PIN is usable immediately', async () => {
    expect(await readState()).toEqual({ has_pin: false, locked_until: null, held_until: null });
    expect(await outcomeOf(setNewPin(correctPin, { current_password: 'outra' }))).toBe('PASSWORD_WRONG');
    expect((await readState()).has_pin).toBe(false);
    expect(await setNewPin(correctPin)).toMatchObject({ success: true, message: 'PIN de saque definido.' });
    expect(await readState()).toEqual({ has_pin: true, locked_until: null, held_until: null });
    expect(await attempt(correctPin)).toBe('right');
  });

  test('requires an approved account', async () => {
    await approve(person.id, false);
    expect(await outcomeOf(setNewPin(correctPin))).toBe('ACCOUNT_NOT_APPROVED');
  });

  test('refuses a confirmation that differs, and the PINs that are tried first', async () => {
    expect(await outcomeOf(setNewPin(correctPin, { confirm_pin: '2581' }))).toBe('PIN_MISMATCH');
    for (const pin of ['0000', '7777', '1234', '6789', '4321', '3210'])
      expect(await outcomeOf(setNewPin(pin))).toBe('PIN_TOO_SIMPLE');
    for (const pin of ['1223', '1357', '9018', '8901']) expect(await outcomeOf(setNewPin(pin))).toBe('right');
  });

  test('to a new value holds withdrawals for a day; to set the same PIN again does not', async () => {
    await setNewPin(correctPin);
    await setNewPin(correctPin);
    expect((await readState()).held_until).toBeNull();
    const before = clock.now().getTime();
    const changed = await setNewPin('1470');
    expect(changed.message).toMatch(
      /^PIN de saque alterado\. .* suspensos até \d\d\/\d\d\/\d{4} às \d\d:\d\d\.$/,
    );
    const until = Date.parse(changed.held_until ?? '');
    expect(until).toBeGreaterThanOrEqual(before + dayMs);
    expect(until).toBeLessThan(before + dayMs + minuteMs);
    expect([await attempt(correctPin), await attempt('1470')]).toEqual(['PIN_WRONG', 'right']);
    clock.shift(dayMs + minuteMs);
    expect((await readState()).held_until).toBeNull();
  });

  test('concurrently to one value does not count as a change, so there is no hold', async () => {
    const outcomes = await runConcurrently(6, (at) => setNewPin(correctPin, {}, at % 2));
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await readState()).toEqual({ has_pin: true, locked_until: null, held_until: null });
  });

  test('notifies the owner', async () => {
    await setNewPin(correctPin);
    await setNewPin('1470');
    const notifications = await processes[0]
      .selectFrom('notifications')
      .select('body')
      .where('merchant_id', '=', person.id)
      .orderBy('id')
      .execute();
    expect(notifications.map(({ body }) => body.slice(0, 20))).toEqual([
      'PIN de saque definid',
      'PIN de saque alterad',
    ]);
  });
});

describe('a stored PIN', () => {
  test('cannot be verified without the secret key, which is not in the database', async () => {
    await setNewPin(correctPin);
    const otherKeyDeps = { ...deps(), secrets: createSecrets(Buffer.alloc(32, 6)) };
    expect(await outcomeOf(verifyPin(otherKeyDeps, person.id, correctPin))).toBe('PIN_WRONG');
    expect(await attempt(correctPin)).toBe('right');
  });

  test('cannot be copied to another merchant', async () => {
    await setNewPin(correctPin);
    const { pin_hash } = await processes[0]
      .selectFrom('withdrawal_controls')
      .select('pin_hash')
      .where('merchant_id', '=', person.id)
      .executeTakeFirstOrThrow();
    person = await givenPerson(deps());
    await processes[0]
      .insertInto('withdrawal_controls')
      .values({ merchant_id: person.id, pin_hash })
      .execute();
    expect(await attempt(correctPin)).toBe('PIN_WRONG');
  });
});

describe('wrong PINs', () => {
  beforeEach(() => setNewPin(correctPin));

  test('report how many attempts are left, and the fifth locks withdrawals for 15 minutes', async () => {
    const details = [];
    for (let guess = 0; guess < 4; guess += 1)
      details.push((await refusalOf(verifyPin(deps(), person.id, wrongPin))).details);
    expect(details).toEqual([4, 3, 2, 1].map((attempts_left) => ({ attempts_left })));
    const before = clock.now().getTime();
    const fifth = await refusalOf(verifyPin(deps(), person.id, wrongPin));
    expect(fifth).toMatchObject({ code: 'PIN_WRONG', details: { attempts_left: 0 } });
    const until = (await readState()).locked_until ?? '';
    expect(fifth.details?.['until']).toBe(until);
    expect(Date.parse(until) - before).toBeGreaterThanOrEqual(15 * minuteMs);
    expect(Date.parse(until) - before).toBeLessThan(16 * minuteMs);
    const refused = await refusalOf(verifyPin(deps(), person.id, correctPin));
    expect(refused).toMatchObject({ code: 'PIN_LOCKED', details: { until } });
    expect(refused.message).toMatch(/^Saques bloqueados até \d\d\/\d\d\/\d{4} às \d\d:\d\d /);
  });

  test('cannot exceed five attempts, even if 64 are tried concurrently in two processes', async () => {
    const outcomes = await runConcurrently(64, (at) => attempt(wrongPin, at % 2));
    const codes = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'));
    const overloaded = codes.filter((code) => code === 'OVERLOADED').length;
    expect(codes.filter((code) => code === 'PIN_WRONG')).toHaveLength(5);
    expect(codes.filter((code) => code === 'PIN_LOCKED')).toHaveLength(59 - overloaded);
    expect(await attempt(correctPin)).toBe('PIN_LOCKED');
  });

  test('after a lock lock again for twice as long, up to a day', async () => {
    const hours = [];
    for (let locks = 0; locks < 9; locks += 1) {
      await lockByWrongPins();
      const until = Date.parse((await readState()).locked_until ?? '');
      hours.push(Math.round((until - clock.now().getTime()) / minuteMs) / 60);
      clock.shift(until - clock.now().getTime() + 1);
    }
    expect(hours).toEqual([0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]);
  });

  test('are forgotten after the right PIN, and so are earlier locks', async () => {
    await lockByWrongPins();
    clock.shift(16 * minuteMs);
    for (let guess = 0; guess < 4; guess += 1) expect(await attempt(wrongPin)).toBe('PIN_WRONG');
    expect(await attempt(correctPin)).toBe('right');
    await lockByWrongPins();
    const until = Date.parse((await readState()).locked_until ?? '');
    expect(until - clock.now().getTime()).toBeLessThanOrEqual(15 * minuteMs);
  });

  test('keep their lock when a new PIN is set', async () => {
    await lockByWrongPins();
    await setNewPin('1470');
    expect(await attempt('1470')).toBe('PIN_LOCKED');
    clock.shift(16 * minuteMs);
    expect(await attempt('1470')).toBe('right');
  });

  test('notify the owner of the lock', async () => {
    await lockByWrongPins();
    const notifications = processes[0]
      .selectFrom('notifications')
      .select('title')
      .where('merchant_id', '=', person.id);
    expect((await notifications.execute()).map(({ title }) => title)).toContain('Saques bloqueados');
  });
});

test('a PIN that is not set cannot be verified', async () => {
  expect(await attempt(correctPin)).toBe('PIN_NOT_SET');
});

test('changes of other credentials also hold withdrawals', async () => {
  await inTransaction(deps(), (tx) => holdWithdrawals(tx, person.id, 'email-changed'));
  expect(Date.parse((await readState()).held_until ?? '') - clock.now().getTime()).toBeGreaterThan(
    dayMs - minuteMs,
  );
});
