import { listEvents } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertConnection } from '../../test/connection-row.ts';
import { waitUntilEventsAreVisible } from '../../test/feed.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, parseSuccess } from '../../test/given.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { type BankHealth, createBanks, type Psp } from '../psp/index.ts';
import { countBroken } from './index.ts';
import { recordAndTellWorking, watchConnections } from './watch-connections.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let id: number;
/** The health of a merchant's bank, as the calls of this process have shown it. */
let health: { -readonly [K in keyof BankHealth]: BankHealth[K] };
let deps: Deps;
let isHouseReachable: boolean;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  merchant = await givenMerchant(gateway, { admin: await givenAdmin(gateway) });
  id = await insertConnection(gateway.deps.db, merchant.id, `loja-${merchant.id}@example.com`);
  health = { answers: 0, failuresInARow: 0, lastFailure: undefined };
  isHouseReachable = true;
  deps = createProcess(health);
});

/** The dependencies of a process that sees this of the merchant's bank. */
function createProcess(seen: BankHealth): Deps {
  const { house } = gateway.deps.banks;
  const bank = {
    ...house,
    connection: { id, pixKey: `loja-${merchant.id}@example.com` },
    institution: 'Banco do Teste',
    psp: {} as Psp,
    health: () => seen,
  };
  const reachable = () => isHouseReachable;
  return { ...gateway.deps, banks: createBanks({ ...house, psp: { ...house.psp, reachable } }, [bank]) };
}

const reason = 'O banco recusou as credenciais (401).';
function fail(): void {
  health.failuresInARow += 1;
  health.lastFailure = reason;
}
function answer(): void {
  Object.assign(health, { answers: health.answers + 1, failuresInARow: 0, lastFailure: undefined });
}

/** Lets attempts fail, and watches, for this many minutes. */
async function failFor(minutes: number): Promise<void> {
  for (let passed = 0; passed < minutes; passed += 1) {
    fail();
    await watchConnections(deps);
    await gateway.advance(60);
  }
  fail();
  await watchConnections(deps);
}

const readRow = () =>
  gateway.deps.db
    .selectFrom('bank_connections')
    .select(['broken_since', 'broken_reason', 'is_broken_told', 'last_answer_at', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** How the owner was told, oldest first. */
async function readNews() {
  const { db } = gateway.deps;
  const mails = await db
    .selectFrom('mails')
    .select('subject')
    .where('user_id', '=', merchant.id)
    .orderBy('created_at')
    .execute();
  const notifications = await db
    .selectFrom('notifications')
    .select('data')
    .where('merchant_id', '=', merchant.id)
    .orderBy('created_at')
    .execute();
  await waitUntilEventsAreVisible(gateway);
  const answered = await gateway.api('GET', '/events', undefined, { apiKey: merchant.apiKey });
  const { data: events } = parseSuccess(listEvents.response, answered);
  return {
    mails: mails.map(({ subject }) => subject),
    panel: notifications.map(({ data }) => data),
    events: events.map(({ data }) => data),
  };
}

test('an account at which attempts have failed for five minutes is broken, and its owner is told once, and once when it works', async () => {
  await failFor(4);
  expect(await readRow()).toMatchObject({ broken_since: null });
  const brokenBefore = await countBroken(gateway.deps);
  await failFor(2);
  const { broken_since, updated_at } = await readRow();
  expect(await readRow()).toMatchObject({
    broken_since: expect.any(Date),
    broken_reason: reason,
    is_broken_told: true,
  });
  expect(await countBroken(gateway.deps)).toBe(brokenBefore + 1);
  await failFor(3);
  const body = {
    id: String(id),
    connectionId: String(id),
    bank: 'sandbox',
    bank_name: 'Banco do Teste',
    pix_key: `loja-${merchant.id}@example.com`,
    since: broken_since?.toISOString(),
    reason,
  };
  const told = await readNews();
  expect(told).toMatchObject({
    mails: ['Sua conta bancária parou de funcionar'],
    panel: [{ type: 'connection.broken', id: String(id) }],
    events: [{ type: 'connection.broken', ...body }],
  });

  answer();
  await watchConnections(deps);
  answer();
  await gateway.advance(60);
  await watchConnections(deps);
  expect(await readNews()).toMatchObject({
    mails: [...told.mails, 'Sua conta bancária voltou a funcionar'],
    panel: [...told.panel, { type: 'connection.restored', id: String(id) }],
    events: expect.arrayContaining([expect.objectContaining({ type: 'connection.restored', ...body })]),
  });
  // None of this makes processes connect the bank anew.
  expect(await readRow()).toMatchObject({ broken_since: null, broken_reason: null, updated_at });

  await failFor(6);
  expect((await readNews()).mails).toHaveLength(3);
});

test('one failure followed by silence, and failures between answers, are no breakage', async () => {
  fail();
  for (let minutes = 0; minutes < 8; minutes += 1) {
    await watchConnections(deps);
    await gateway.advance(60);
  }
  for (let minutes = 0; minutes < 8; minutes += 1) {
    answer();
    fail();
    await watchConnections(deps);
    await gateway.advance(60);
  }
  expect(await readRow()).toMatchObject({ broken_since: null });
  expect(await readNews()).toEqual({ mails: [], panel: [], events: [] });
});

test('an answer is recorded at most once a minute, and an account at rest is not written at all', async () => {
  answer();
  await watchConnections(deps);
  const first = (await readRow()).last_answer_at;
  expect(first).not.toBeNull();
  await gateway.advance(30);
  answer();
  await watchConnections(deps);
  expect((await readRow()).last_answer_at).toEqual(first);
  await gateway.advance(30);
  answer();
  await watchConnections(deps);
  const second = (await readRow()).last_answer_at;
  expect(second).not.toEqual(first);
  await gateway.advance(3600);
  await watchConnections(deps);
  expect((await readRow()).last_answer_at).toEqual(second);
});

test('an account whose bank answers another process is not broken', async () => {
  const otherHealth = { answers: 0, failuresInARow: 0, lastFailure: undefined };
  const other = createProcess(otherHealth);
  for (let minutes = 0; minutes < 8; minutes += 1) {
    fail();
    otherHealth.answers += 1;
    await watchConnections(other);
    await watchConnections(deps);
    await gateway.advance(60);
  }
  expect(await readRow()).toMatchObject({ broken_since: null });
});

test('what one process found broken, the answer to another ends', async () => {
  await failFor(6);
  expect((await readRow()).broken_since).not.toBeNull();
  await watchConnections(createProcess({ answers: 1, failuresInARow: 0, lastFailure: undefined }));
  expect((await readRow()).broken_since).toBeNull();
  expect((await readNews()).mails).toHaveLength(2);
});

test('an outage that goes on after another process had an answer is told too', async () => {
  for (let minutes = 0; minutes < 5; minutes += 1) {
    fail();
    await watchConnections(deps);
    await gateway.advance(60);
  }
  await watchConnections(createProcess({ answers: 1, failuresInARow: 0, lastFailure: undefined }));
  await failFor(9);
  expect((await readRow()).broken_since).not.toBeNull();
  expect((await readNews()).mails).toEqual(['Sua conta bancária parou de funcionar']);
});

test('an owner who was not told before the process ended is told by the next one', async () => {
  isHouseReachable = false;
  await failFor(6);
  expect((await readNews()).mails).toEqual([]);
  isHouseReachable = true;
  health = { answers: 0, failuresInARow: 0, lastFailure: undefined };
  deps = createProcess(health);
  await failFor(7);
  expect((await readNews()).mails).toHaveLength(1);
});

test('a check that passes tells what an answer to a call would tell', async () => {
  await failFor(6);
  await inTransaction(deps, (tx) => recordAndTellWorking(tx, deps, [id]));
  expect((await readRow()).broken_since).toBeNull();
  expect((await readNews()).mails).toHaveLength(2);
});

test('while the operator’s own bank does not answer either, owners are not told; then they are, if it is still broken', async () => {
  isHouseReachable = false;
  await failFor(6);
  expect(await readRow()).toMatchObject({ broken_since: expect.any(Date), is_broken_told: false });
  expect((await readNews()).mails).toEqual([]);
  isHouseReachable = true;
  await failFor(2);
  expect(await readRow()).toMatchObject({ is_broken_told: true });
  expect((await readNews()).mails).toHaveLength(1);
});
