import { randomUUID } from 'node:crypto';
import { createdPayment, type Endpoint, endpoints } from '@jangada/contract';
import { sql } from 'kysely';
import pg from 'pg';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../test/gateway.ts';
import { defaultPin, type GivenMerchant, givenBalance, givenPin, parseSuccess } from '../test/given.ts';
import { type SilentProxy, startSilentProxy } from '../test/silent-proxy.ts';
import { WithdrawalStand } from '../test/withdrawal-stand.ts';

let stand: WithdrawalStand;
let merchant: GivenMerchant;
let proxy: SilentProxy;
/** A second process, which reaches the database through the proxy. */
let gateway: TestGateway;
let owner: pg.Client;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
  merchant = await stand.createFundedMerchant(500);
  const { database } = stand.gateway;
  proxy = await startSilentProxy(database.appUrl);
  gateway = await startTestGateway({
    sharedGateway: stand.gateway,
    startsWork: false,
    databaseUrl: proxy.url,
  });
  owner = new pg.Client({ connectionString: database.ownerUrl });
  await owner.connect();
});
afterEach(async () => {
  proxy.setConnectionsRefused(false);
  await owner.query('drop function if exists fail() cascade');
});
afterAll(async () => {
  await owner.end();
  await gateway.stop();
  await proxy.stop();
  await stand.gateway.stop();
});

/** Lets the database fail each statement of this kind on a table with this SQLSTATE. */
async function failOn(event: string, sqlState: string): Promise<void> {
  await owner.query(`create function fail() returns trigger language plpgsql as
    $$ begin raise exception 'a failure' using errcode = '${sqlState}'; end $$`);
  await owner.query(`create trigger fails before ${event} for each statement execute function fail()`);
}

function expectUnavailable({ status, headers, body }: ApiAnswer, what?: string): void {
  expect({ status, body }, what).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE' } } });
  expect(Number(headers['retry-after']), what).toBeGreaterThan(0);
}

const createPayment = (key: string = randomUUID()) =>
  gateway.api(
    'POST',
    '/pix/new',
    { amount: 5 },
    { apiKey: merchant.apiKey, headers: { 'idempotency-key': key } },
  );
const countCharges = async () =>
  (await owner.query('select from charges where merchant_id = $1', [merchant.id])).rowCount;

async function countSleepers(): Promise<number | undefined> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event = 'PgSleep'`.execute(stand.deps.db);
  return rows[0]?.count;
}

const withdraw = (key: string) =>
  gateway.api(
    'POST',
    '/authed/withdraw',
    {
      amount: 50,
      pix_key_type: 'email',
      pixKey: 'maria@example.com',
      withdrawal_pin: defaultPin,
    },
    { token: merchant.token, headers: { 'idempotency-key': key } },
  );

describe('while the database is away', () => {
  test('every call answers UNAVAILABLE, and when to try again', async () => {
    proxy.setConnectionsRefused(true);
    const credentials = { token: merchant.token };
    const keyed = { apiKey: merchant.apiKey };
    const callersOf = { public: [], session: [credentials], staff: [credentials], apiKey: [keyed] };
    for (const { name, access, method, path } of endpoints as readonly Endpoint[]) {
      const filled = path.replace(/\{(\w+)\}/g, (_, param: string) =>
        param === 'userId' ? '1' : randomUUID(),
      );
      const body = method === 'GET' ? undefined : {};
      const headers = { 'idempotency-key': randomUUID() };
      for (const caller of access === 'merchant' ? [credentials, keyed] : callersOf[access])
        expectUnavailable(await gateway.api(method, filled, body, { ...caller, headers }), name);
    }
  });

  test('signing in does too, and a payer gets a page that says so', async () => {
    proxy.setConnectionsRefused(true);
    const { username, password } = merchant;
    expectUnavailable(await gateway.api('POST', '/login', { username, password }));
    const page = await request(`${gateway.url}/pagar/${'a'.repeat(30)}`);
    expect(page.statusCode).toBe(503);
    expect(Number(page.headers['retry-after'])).toBeGreaterThan(0);
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    await page.body.dump();
  });
});

test.each([
  ['shutting down', '57P01'],
  ['starting', '57P03'],
  ['read-only', '25006'],
  ['out of connections', '53300'],
  ['out of disk', '53100'],
  ['too slow', '57014'],
  ['too slow with its locks', '55P03'],
  ['unable to read its files', '58030'],
])(
  'a database that is %s makes a creation UNAVAILABLE, and the same call succeeds afterwards',
  async (_name, sqlState) => {
    await failOn('insert on charges', sqlState);
    const key = randomUUID();
    const before = await countCharges();
    expectUnavailable(await createPayment(key));
    expect(await countCharges()).toBe(before);
    await owner.query('drop function fail() cascade');
    expect((await createPayment(key)).status).toBe(201);
    expect(await countCharges()).toBe((before ?? 0) + 1);
  },
);

test('a charge that the bank created before the database was lost is the one that the repeated call gets', async () => {
  await failOn('update on charges', '53100');
  const key = randomUUID();
  const before = await countCharges();
  expectUnavailable(await createPayment(key));
  await owner.query('drop function fail() cascade');
  const { id } = parseSuccess(createdPayment, await createPayment(key));
  expect(await countCharges()).toBe((before ?? 0) + 1);
  const { rows } = await owner.query('select id from charges order by created_at desc limit 1');
  expect(rows).toEqual([{ id }]);
});

test('a withdrawal during an outage is UNAVAILABLE, and repeated it is made once', async () => {
  await givenPin(gateway, merchant);
  await givenBalance(gateway, merchant, 100);
  await failOn('insert on withdrawals', '57P01');
  const key = randomUUID();
  expectUnavailable(await withdraw(key));
  await owner.query('drop function fail() cascade');
  expect((await withdraw(key)).status).toBe(201);
  expect(await withdraw(key)).toMatchObject({ status: 201, headers: { 'idempotency-replayed': 'true' } });
  const { rowCount } = await owner.query('select from withdrawals where merchant_id = $1', [merchant.id]);
  expect(rowCount).toBe(1);
});

test('a defect of ours is no outage', async () => {
  await failOn('insert on charges', '42703');
  expect(await createPayment()).toMatchObject({ status: 500, body: { error: { code: 'INTERNAL' } } });
});

test('when all connections go silent, calls succeed again, and what was under way was refused', async () => {
  const { db } = gateway.deps;
  // As many transactions as there are connections, each with a statement under way.
  const underWay = Promise.allSettled(Array.from({ length: 16 }, () => sql`select pg_sleep(10)`.execute(db)));
  await expect.poll(() => countSleepers()).toBe(16);
  proxy.silenceOpen();
  let answer = await createPayment();
  while (answer.status !== 201) {
    expectUnavailable(answer);
    answer = await createPayment();
  }
  for (const { status } of await underWay) expect(status).toBe('rejected');
});

test('while every connection is taken by something slow, a call is refused before one is free', async () => {
  const { db } = gateway.deps;
  let finished = 0;
  const slow = Array.from({ length: 16 }, async () => {
    await sql`select pg_sleep(10)`.execute(db);
    finished += 1;
  });
  await expect.poll(() => countSleepers()).toBe(16);
  expectUnavailable(await createPayment());
  expect(finished).toBe(0);
  await Promise.all(slow);
});
