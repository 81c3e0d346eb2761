import { listNotifications as listEndpoint, readNotifications as readEndpoint } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { parseSuccess } from '../../test/given.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { inTransaction } from '../db/transaction.ts';
import { saveNotifications } from './index.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

/** Stores notifications of a merchant, a second apart. */
async function notify(merchantId: number, titles: readonly string[]): Promise<void> {
  for (const title of titles) {
    await inTransaction(gateway.deps, (tx) =>
      saveNotifications(tx, [
        { merchantId, title, body: 'Aviso.', data: { type: 'payment.paid', id: title } },
      ]),
    );
    await gateway.advance(1);
  }
}

const listPage = async ({ token }: Person, query = '') =>
  parseSuccess(
    listEndpoint.response,
    await gateway.api('GET', `/authed/notifications${query}`, undefined, { token }),
  );
const markRead = async ({ token }: Person, ids?: readonly string[]) =>
  parseSuccess(
    readEndpoint.response,
    await gateway.api('POST', '/authed/notifications/read', { ids }, { token }),
  );
const titlesOf = (page: Awaited<ReturnType<typeof listPage>>) => page.notifications.map(({ title }) => title);

test('the list contains the account’s own notifications, newest first, without repeats or gaps between pages', async () => {
  const [person, other] = [await givenPerson(gateway.deps), await givenPerson(gateway.deps)];
  expect(await listPage(person)).toEqual({ notifications: [], unread: 0, next: null });
  await notify(person.id, ['a', 'b', 'c', 'd', 'e']);
  await notify(other.id, ['de outro']);
  const first = await listPage(person, '?limit=2');
  const second = await listPage(person, `?limit=2&before=${first.next}`);
  const third = await listPage(person, `?limit=2&before=${second.next}`);
  expect([first, second, third].map(titlesOf)).toEqual([['e', 'd'], ['c', 'b'], ['a']]);
  expect(third.next).toBeNull();
  expect(first.notifications[0]).toMatchObject({ read: false, data: { type: 'payment.paid', id: 'e' } });
  const { token } = person;
  expect((await gateway.api('GET', '/authed/notifications?before=x', undefined, { token })).status).toBe(400);
});

test('some or all are marked as read, for their account only, and later ones are unread', async () => {
  const [person, other] = [await givenPerson(gateway.deps), await givenPerson(gateway.deps)];
  await notify(person.id, ['a', 'b', 'c']);
  await notify(other.id, ['de outro']);
  const { notifications, unread } = await listPage(person);
  expect(unread).toBe(3);
  const [newest] = notifications;
  const [notificationOfOther] = (await listPage(other)).notifications;
  expect(await markRead(person, [newest?.id ?? '', notificationOfOther?.id ?? ''])).toEqual({ unread: 2 });
  expect((await listPage(person)).notifications.map(({ read }) => read)).toEqual([true, false, false]);
  expect((await listPage(other)).unread).toBe(1);
  await gateway.advance(120);
  await notify(person.id, ['d']);
  expect(await markRead(person)).toEqual({ unread: 0 });
  expect((await listPage(person)).notifications.every(({ read }) => read)).toBe(true);
  await notify(person.id, ['e']);
  expect((await listPage(person)).notifications.map(({ read }) => read)).toEqual([
    false,
    true,
    true,
    true,
    true,
  ]);
  expect((await listPage(other)).unread).toBe(1);
});

test('marking everything as read writes little however many there are, and unread is counted up to a hundred', async () => {
  const person = await givenPerson(gateway.deps);
  await inTransaction(gateway.deps, (tx) =>
    saveNotifications(
      tx,
      Array.from({ length: 5000 }, () => ({ merchantId: person.id, title: 'muito', body: '', data: {} })),
    ),
  );
  expect((await listPage(person)).unread).toBe(100);
  await gateway.advance(120);
  await notify(person.id, ['novo']);
  expect(await markRead(person)).toEqual({ unread: 0 });
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notifications where merchant_id = ${person.id} and read_at is not null
  `.execute(gateway.deps.db);
  expect(rows).toEqual([{ count: 1 }]);
});

test('a notification of a transaction that was open when everything was marked as read stays unread', async () => {
  const person = await givenPerson(gateway.deps);
  await notify(person.id, ['antes']);
  const transactionStart = gateway.deps.clock.now();
  await gateway.advance(1);
  await markRead(person);
  await inTransaction({ ...gateway.deps, clock: { now: () => transactionStart } }, (tx) =>
    saveNotifications(tx, [{ merchantId: person.id, title: 'durante', body: '', data: {} }]),
  );
  expect((await listPage(person)).unread).toBe(1);
});

test('open screens get the number of unread notifications when some are marked as read', async () => {
  const person = await givenPerson(gateway.deps);
  await notify(person.id, ['a', 'b']);
  const { notifications } = await listPage(person);
  await markRead(person, [notifications[0]?.id ?? '']);
  const { rows } = await sql<{ payload: string }>`
    select payload from outbox where ${person.id} = any(merchant_ids)
  `.execute(gateway.deps.db);
  expect(rows.map(({ payload }) => payload).join()).toContain('{"type":"unread","unread":1}');
});
