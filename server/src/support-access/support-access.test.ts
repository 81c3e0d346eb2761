import { once } from 'node:events';
import { adminLookIn, getSupportAccess, listAccounts } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { givenMember, givenNewcomer } from '../../test/given-member.ts';
import { deleteExpiredIdentityData } from '../identity/index.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let staff: GivenAdmin;
let shop: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  [admin, staff] = [await givenAdmin(gateway), await givenAdmin(gateway)];
  shop = await givenMerchant(gateway, { admin });
  await gateway.deps.db.updateTable('users').set({ role: 'SUPPORT' }).where('id', '=', staff.id).execute();
});
afterAll(() => gateway.stop());

type Token = { readonly token: string };
const path = '/authed/support-access';
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim();
const api = (method: string, target: string, { token }: Token, body?: unknown) =>
  gateway.api(method, target, body, { token });
const allow = (hours = 1, by: Token = shop) => api('POST', path, by, { hours });
const revoke = (by: Token = shop) => api('DELETE', path, by);
const lookIn = (by: Token = staff, id = shop.id) =>
  api('POST', `/admin/users/${id}/look-in`, by, { reason: 'Chamado 4711.' });
const read = (by: Token = staff) => api('GET', '/authed/wallet/stats', by);
const accountsOf = async (by: Token) =>
  parseSuccess(listAccounts.response, await api('GET', '/authed/accounts', by));
const accessOf = async () => parseSuccess(getSupportAccess.response, await api('GET', path, shop));

async function openScreen({ token }: Token) {
  const types: string[] = [];
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/notifications/ws?token=${token}`);
  socket.on('message', (data) => types.push(JSON.parse(String(data)).type));
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await once(socket, 'open');
  return { types, closed, close: () => socket.close() };
}

describe('support', () => {
  test('looks into no account whose owner did not let it, whatever its role', async () => {
    const member = await givenMember(gateway, shop.id, 'finance');
    const stranger = await givenNewcomer(gateway);
    for (const by of [staff, admin]) expect(codeOf(await lookIn(by))).toBe('403 SUPPORT_NOT_ALLOWED');
    for (const by of [stranger, member, shop]) expect(codeOf(await lookIn(by))).toBe('403 FORBIDDEN');
    const own = { account_id: String(shop.id) };
    expect(codeOf(await api('POST', '/authed/accounts/enter', staff, own))).toBe('404 MEMBERSHIP_NOT_FOUND');
    const other = await givenMerchant(gateway, { admin });
    await allow(1, other);
    expect(codeOf(await lookIn())).toBe('403 SUPPORT_NOT_ALLOWED');
    expect((await accessOf()).access).toBeNull();
  });

  test('is let in by an owner alone, for the times offered', async () => {
    for (const role of ['finance', 'accountant', 'developer'] as const)
      expect(codeOf(await allow(1, await givenMember(gateway, shop.id, role)))).toBe(
        '403 MEMBER_ROLE_MISSING',
      );
    for (const hours of [0, 2, 1000]) expect(codeOf(await allow(hours))).toBe('400 INVALID_BODY');
    await gateway.advance(301);
    expect(codeOf(await allow())).toBe('403 STEP_UP_REQUIRED');
  });

  test('reads like an accountant while it is allowed, and changes nothing', async () => {
    await givenBalance(gateway, shop, 40);
    expect((await allow(24)).status).toBe(200);
    const entered = parseSuccess(adminLookIn.response, await lookIn());
    expect(entered).toMatchObject({ account_id: String(shop.id), name: 'Maria da Feira' });
    expect((await read()).body).toEqual((await read(shop)).body);
    expect((await accountsOf(staff)).looking_into).toEqual(entered);
    expect((await accountsOf(staff)).accounts.map(({ current }) => current)).toEqual([false]);
    for (const [method, target, body] of [
      ['POST', '/pix/new', { amount: 10 }],
      ['GET', '/authed/apikey', undefined],
      ['GET', '/authed/keys', undefined],
      ['GET', '/authed/webhook-secret', undefined],
      ['GET', '/authed/members', undefined],
      ['POST', path, { hours: 168 }],
    ] as const)
      expect(codeOf(await api(method, target, staff, body))).toBe('403 MEMBER_ROLE_MISSING');
    // The rest of their work waits until they are back in their own account.
    expect(codeOf(await api('GET', '/admin/user/basics', staff))).toBe('403 FORBIDDEN');
    const back = { account_id: String(staff.id) };
    expect((await api('POST', '/authed/accounts/enter', staff, back)).status).toBe(200);
    expect((await accountsOf(staff)).looking_into).toBeNull();
    expect((await api('GET', '/admin/user/basics', staff)).status).toBe(200);
  });

  test('is seen: each time stands in the audit log of both, and the owners are told', async () => {
    await allow();
    await lookIn();
    const entry = {
      action: 'support looked in',
      actor: { id: String(staff.id) },
      subject: { id: String(shop.id) },
      reason: 'Chamado 4711.',
    };
    for (const id of [staff.id, shop.id]) {
      const log = await api('GET', `/admin/audit-log?user=${id}&action=support looked in`, admin);
      expect((log.body as { entries: unknown[] }).entries).toMatchObject([entry]);
    }
    const { access, visits } = await accessOf();
    expect(access).toMatchObject({ allowed_by: { id: String(shop.id), name: 'Maria da Feira' } });
    expect(visits).toMatchObject([{ by: { id: String(staff.id) }, reason: 'Chamado 4711.' }]);
    const mails = await gateway.deps.db
      .selectFrom('mails')
      .select('subject')
      .where('user_id', '=', shop.id)
      .orderBy('created_at')
      .execute();
    expect(mails.map(({ subject }) => subject)).toEqual([
      'O suporte pode olhar a conta',
      'O suporte olhou a conta',
    ]);
  });

  test('leaves at once when an owner ends it, with its open screens', async () => {
    await allow(168);
    await lookIn();
    const screen = await openScreen(staff);
    const second = await givenMember(gateway, shop.id, 'owner');
    expect((await revoke(second)).status).toBe(200);
    // The session is back in the person's own account, and sees that one.
    expect((await accountsOf(staff)).accounts).toMatchObject([{ own: true, current: true }]);
    expect((await accountsOf(staff)).looking_into).toBeNull();
    expect(await screen.closed).toBe(1012);
    expect(codeOf(await lookIn())).toBe('403 SUPPORT_NOT_ALLOWED');
    expect((await accessOf()).access).toBeNull();
  });

  test('learns nothing more from the moment at which its time ends, also on an open screen', async () => {
    await allow(1);
    await lookIn();
    const [ofSupport, ofOwner] = [await openScreen(staff), await openScreen(shop)];
    await givenBalance(gateway, shop, 10);
    await expect.poll(() => ofSupport.types).toContain('balance');
    const seen = ofSupport.types.length;
    await gateway.advance(3600);
    expect(codeOf(await read())).toBe('403 MEMBERSHIP_ENDED');
    expect(codeOf(await lookIn())).toBe('403 FORBIDDEN');
    const earlier = ofOwner.types.length;
    await givenBalance(gateway, shop, 10);
    await expect.poll(() => ofOwner.types.length).toBeGreaterThan(earlier);
    expect(ofSupport.types.length).toBe(seen);
    await deleteExpiredIdentityData(gateway.deps);
    expect(await ofSupport.closed).toBe(1012);
    expect((await accountsOf(staff)).accounts).toMatchObject([{ own: true, current: true }]);
    ofOwner.close();
  });

  test('whose person is no staff any more sees nothing', async () => {
    await allow();
    await lookIn();
    await gateway.deps.db.updateTable('users').set({ role: 'USER' }).where('id', '=', staff.id).execute();
    expect(codeOf(await read())).toBe('403 MEMBERSHIP_ENDED');
  });

  test('sees a frozen account no more than its members do', async () => {
    await allow();
    await lookIn();
    await api('POST', `/admin/users/${shop.id}/freeze`, admin, { reason: 'suspeita' });
    expect(codeOf(await read())).toBe('403 ACCOUNT_FROZEN');
    const back = { account_id: String(staff.id) };
    await api('POST', '/authed/accounts/enter', staff, back);
    expect(codeOf(await lookIn())).toBe('403 ACCOUNT_FROZEN');
  });
});
