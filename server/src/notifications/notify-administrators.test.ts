import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminOpenItems, adminUserBasics } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GivenAdmin, givenAdmin, parseSuccess } from '../../test/given.ts';
import { photo } from '../../test/hostile-pictures.ts';
import { givenPerson, type Person } from '../../test/people.ts';
import { upload } from '../../test/upload.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { closeItem, openItem } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

let stand: WithdrawalStand;
let directory: string;
/** This administrator and `stand.admin` are notified; the frozen one is not. */
let admin: GivenAdmin;
let frozenAdmin: GivenAdmin;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'jangada-told-'));
  stand = await WithdrawalStand.start({ DATA_DIR: directory });
  [admin, frozenAdmin] = [await givenAdmin(stand.gateway), await givenAdmin(stand.gateway)];
  await sql`update users set frozen_at = now() where id = ${frozenAdmin.id}`.execute(stand.deps.db);
});
afterAll(async () => {
  await stand.gateway.stop();
  await rm(directory, { recursive: true });
});

async function notificationsOf(type: string, { id }: { id: number } = admin): Promise<unknown[]> {
  const { rows } = await sql`
    select data ->> 'id' as id from notifications where merchant_id = ${id} and data ->> 'type' = ${type} order by id
  `.execute(stand.deps.db);
  return rows;
}
const call = ({ token }: { token: string }, method: string, path: string, body?: unknown) =>
  stand.gateway.api(method, path, body, { token });
const markAllRead = () => call(admin, 'POST', '/authed/notifications/read', {});

test('every administrator who is not frozen is notified of a request to close an account, which can be searched for', async () => {
  const someone = await givenPerson(stand.deps);
  const later = await givenPerson(stand.deps);
  await givenPerson(stand.deps);
  const requestClosing = (person: Person) =>
    call(person, 'POST', '/authed/close-account', { password: person.password });
  for (const person of [someone, later]) {
    expect((await requestClosing(person)).status).toBe(200);
    await stand.gateway.advance(1);
  }
  const ids = [someone, later].map(({ id }) => String(id));
  const expected = ids.map((id) => ({ id }));
  for (const account of [admin, stand.admin])
    expect(await notificationsOf('operation.closing', account)).toEqual(expected);
  for (const account of [frozenAdmin, someone])
    expect(await notificationsOf('operation.closing', account)).toEqual([]);
  const findClosing = async (query: string) => {
    const answer = await call(admin, 'GET', `/admin/user/basics?closing=true${query}`);
    const { users, total } = parseSuccess(adminUserBasics.response, answer);
    return { ids: users.map(({ id }) => id), total };
  };
  expect(await findClosing('')).toEqual({ ids, total: 2 });
  expect(await findClosing(`&search=${later.username}`)).toEqual({ ids: ids.slice(1), total: 1 });
  const freezing = { reason: 'a pedido' };
  expect((await call(admin, 'POST', `/admin/users/${someone.id}/freeze`, freezing)).status).toBe(200);
  expect(await findClosing('')).toEqual({ ids: ids.slice(1), total: 1 });
});

test('administrators are notified of new documents once an hour while they have not read it', async () => {
  const [document_front, document_back, selfie] = await Promise.all([photo(), photo(), photo()]);
  const sendDocuments = async () => {
    const person = await givenPerson(stand.deps);
    const answer = await upload(
      stand.gateway,
      '/authed/verify/cpf',
      { document_front, document_back, selfie },
      person,
    );
    expect(answer.status).toBe(200);
  };
  const countNotifications = async () => (await notificationsOf('operation.documents')).length;
  await sendDocuments();
  await sendDocuments();
  expect(await countNotifications()).toBe(1);
  await markAllRead();
  await sendDocuments();
  expect(await countNotifications()).toBe(2);
  await stand.gateway.advance(3700);
  admin = { ...admin, token: (await givenAdmin(stand.gateway)).token };
  await sendDocuments();
  expect(await countNotifications()).toBe(3);
});

test('administrators are notified of a new open item about money, once, and not of other items', async () => {
  const open = (kind: 'withdrawal-in-doubt' | 'sent-differs', reference: string) =>
    inTransaction(stand.deps, (tx) =>
      openItem(tx, { kind, connectionId: HOUSE_CONNECTION, reference, detail: {} }),
    );
  await open('withdrawal-in-doubt', 'um');
  await open('withdrawal-in-doubt', 'um');
  await open('withdrawal-in-doubt', 'outro');
  await open('sent-differs', 'um');
  expect(await notificationsOf('operation.withdrawal-in-doubt')).toHaveLength(1);
  expect(await notificationsOf('operation.sent-differs')).toEqual([]);
});

test('closing the last item of a kind marks its notifications as read', async () => {
  const kind = 'dispute-unknown-pix';
  const open = (reference: string) =>
    inTransaction(stand.deps, (tx) =>
      openItem(tx, { kind, connectionId: HOUSE_CONNECTION, reference, detail: {} }),
    );
  const close = (reference: string) =>
    inTransaction(stand.deps, (tx) =>
      closeItem(tx, { kind, connectionId: HOUSE_CONNECTION, reference, evidence: 'The bank has decided.' }),
    );
  const unread = async () => {
    const { rows } = await sql`
      select from notifications
      where data ->> 'type' = ${`operation.${kind}`} and merchant_id in (${admin.id}, ${stand.admin.id})
        and read_at is null
    `.execute(stand.deps.db);
    return rows.length;
  };
  await open('um');
  await open('outro');
  expect(await unread()).toBe(2);
  await close('um');
  expect(await unread()).toBe(2);
  await close('outro');
  expect(await unread()).toBe(0);

  await open('terceiro');
  expect(await unread()).toBe(2);
  const items = parseSuccess(adminOpenItems.response, await call(admin, 'GET', '/admin/open-items')).items;
  const { id } = items.find(({ reference }) => reference === 'terceiro') ?? {};
  const evidence = { evidence: 'O Pix foi devolvido pelo banco.' };
  expect((await call(admin, 'POST', `/admin/open-items/${id}/close`, evidence)).status).toBe(200);
  expect(await unread()).toBe(0);
});

test('administrators are notified once when the gateway stops payouts by itself', async () => {
  await stand.createFundedMerchant(100);
  await stand.gateway.bank.moveMoney('withdrawal', await stand.gateway.bank.balanceCents());
  for (let check = 0; check < 4; check += 1) {
    await stand.gateway.advance(61);
    await stand.pollBankBalance();
  }
  expect(await notificationsOf('operation.payouts-stopped')).toHaveLength(1);
});
