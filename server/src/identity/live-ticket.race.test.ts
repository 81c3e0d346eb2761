import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../test/database.ts';
import { givenPerson, newClientInfo } from '../../test/people.ts';
import { createAdjustableClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import { createDb, createPool, type Db } from '../db/pool.ts';
import {
  CLOSED_SESSIONS_CHANNEL,
  deleteExpiredIdentityData,
  issueLiveTicket,
  redeemTicketOrSessionToken,
  signIn,
  signOut,
} from './index.ts';

let database: TestDatabase;
let db: Db;
const clock = createAdjustableClock();
const config = readConfig({});
const deps = () => ({ db, clock, config });

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDb(createPool({ url: database.appUrl }));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const unauthenticated = { code: 'UNAUTHENTICATED' };

test('a ticket used many times concurrently opens one channel', async () => {
  const { id, caller } = await givenPerson(deps());
  const ticket = await issueLiveTicket(deps(), caller);
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => redeemTicketOrSessionToken(deps(), ticket)),
  );
  const userIds = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value.userId] : []));
  expect(userIds).toEqual([id]);
});

test('a ticket is invalid after 30 seconds, or after its session', async () => {
  const { caller } = await givenPerson(deps());
  const expiredTicket = await issueLiveTicket(deps(), caller);
  clock.shift(30_000);
  await expect(redeemTicketOrSessionToken(deps(), expiredTicket)).rejects.toMatchObject(unauthenticated);

  const ticketOfEndedSession = await issueLiveTicket(deps(), caller);
  await signOut(deps(), caller);
  await expect(redeemTicketOrSessionToken(deps(), ticketOfEndedSession)).rejects.toMatchObject(
    unauthenticated,
  );
});

test('the session token also opens the live channel, any number of times', async () => {
  const { id, token } = await givenPerson(deps());
  for (let use = 0; use < 2; use += 1)
    expect(await redeemTicketOrSessionToken(deps(), token)).toMatchObject({ userId: id });
  await expect(redeemTicketOrSessionToken(deps(), 'nobody')).rejects.toMatchObject(unauthenticated);
});

test('the end of a session, by sign-out or by time, is announced to every process', async () => {
  const listener = new pg.Client({ connectionString: database.appUrl });
  await listener.connect();
  await listener.query(`listen ${CLOSED_SESSIONS_CHANNEL}`);
  const payloads: (string | undefined)[] = [];
  listener.on('notification', ({ payload }) => payloads.push(payload));

  const { caller, username, password } = await givenPerson(deps());
  const hash = caller.sessionHash?.toString('hex');
  const other = await signIn(deps(), { username, password }, newClientInfo());
  const otherHash = (await redeemTicketOrSessionToken(deps(), other.token)).sessionHash?.toString('hex');

  await signOut(deps(), caller);
  await deleteExpiredIdentityData(deps());
  await listener.query('select');
  expect(payloads).toEqual([hash]);

  clock.shift(12 * 3_600_000);
  await deleteExpiredIdentityData(deps());
  await listener.query('select');
  expect(payloads).toContain(otherHash);
  expect(await db.selectFrom('sessions').selectAll().execute()).toEqual([]);
  await listener.end();
});

test('pruning removes ended throttle windows and browsers unused for long, and nothing still in use', async () => {
  await givenPerson(deps());
  await db
    .insertInto('known_devices')
    .values({
      user_id: 0,
      device_hash: Buffer.alloc(32),
      last_used_at: new Date(clock.now().getTime() - 181 * 86_400_000),
    })
    .execute();
  await deleteExpiredIdentityData(deps());
  expect(await db.selectFrom('known_devices').selectAll().execute()).toEqual([]);
  expect(await db.selectFrom('throttles').selectAll().execute()).not.toEqual([]);
  expect(await db.selectFrom('sessions').selectAll().execute()).toHaveLength(1);

  clock.shift(3_600_000);
  await deleteExpiredIdentityData(deps());
  expect(await db.selectFrom('throttles').selectAll().execute()).toEqual([]);
});
