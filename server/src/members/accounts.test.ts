import { once } from 'node:events';
import { enterAccount, getWalletStats, listAccounts, profile } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenCharge,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { enter, givenMember, givenNewcomer } from '../../test/given-member.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { inTransaction } from '../db/transaction.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let shop: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway();
  admin = await givenAdmin(gateway);
  shop = await givenMerchant(gateway, { admin });
  await givenBalance(gateway, shop, 100);
});
afterAll(() => gateway.stop());

const get = (path: string, token: string) => gateway.api('GET', path, undefined, { token });
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim();
const enterBy = (token: string, accountId: number | string) =>
  gateway.api('POST', '/authed/accounts/enter', { account_id: String(accountId) }, { token });
const accountsOf = async (token: string) =>
  parseSuccess(listAccounts.response, await get('/authed/accounts', token)).accounts;
const earnedBy = async (token: string) =>
  parseSuccess(getWalletStats.response, await get('/authed/wallet/stats', token)).total_earned;

/** Opens the live channel of a session. Returns the types of the messages that it receives. */
async function openScreen(token: string) {
  const types: string[] = [];
  const url = `${gateway.url.replace('http', 'ws')}/api/notifications/ws?token=${token}`;
  const socket = new WebSocket(url);
  socket.on('message', (data) => types.push(JSON.parse(String(data)).type));
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await once(socket, 'open');
  return { types, closed, close: () => socket.close() };
}

test('everybody is the owner of their own account, for which a new session acts', async () => {
  const { id, token } = await givenNewcomer(gateway);
  expect(await accountsOf(token)).toEqual([
    {
      account_id: String(id),
      name: 'Beatriz Nogueira',
      role: 'owner',
      own: true,
      holder: true,
      current: true,
      frozen: false,
    },
  ]);
});

test('a session acts for the account that its person entered, and only this session', async () => {
  const member = await givenMember(gateway, shop.id, 'accountant');
  const { username, password } = member;
  expect(await earnedBy(member.token)).toBe(await earnedBy(shop.token));
  expect((await accountsOf(member.token)).map(({ role, current }) => [role, current])).toEqual([
    ['owner', false],
    ['accountant', true],
  ]);
  // In the profile, the user stays the person themself.
  const { user, account } = parseSuccess(profile.response, await get('/authed/profile', member.token));
  expect(user).toMatchObject({ id: String(member.id), username, balance: 0 });
  expect(account).toEqual({
    id: String(shop.id),
    name: expect.any(String),
    role: 'accountant',
    own: false,
    frozen: false,
    approved: true,
    apiActive: true,
    balance: await earnedBy(shop.token),
  });
  const signedIn = await gateway.api('POST', '/login', { username, password });
  expect(await earnedBy((signedIn.body as { token: string }).token)).toBe(0);
  const back = parseSuccess(enterAccount.response, await enterBy(member.token, member.id));
  expect(back.account).toMatchObject({ role: 'owner', own: true, current: true });
  expect(await earnedBy(member.token)).toBe(0);
});

test('the profile names the account to whoever has more than one, with its balance for those who read money', async () => {
  const accountOf = async (token: string) =>
    parseSuccess(profile.response, await get('/authed/profile', token)).account;
  const member = await givenMember(gateway, shop.id, 'cashier');
  expect(await accountOf(member.token)).toMatchObject({ role: 'cashier', own: false, balance: null });
  await enter(gateway, member.token, member.id);
  expect(await accountOf(member.token)).toMatchObject({ role: 'owner', own: true, balance: 0 });
  expect(await accountOf(shop.token)).toBeUndefined();
});

test.each([
  ['another’s', () => shop.id],
  ['the platform', () => 0],
  ['no number', () => 'x'],
  ['none', () => 999_999],
])('an account of which one is not a member is not entered: %s', async (_, id) => {
  const { token } = await givenNewcomer(gateway);
  expect(codeOf(await enterBy(token, id()))).toBe('404 MEMBERSHIP_NOT_FOUND');
});

test('an account is not entered by a member whose removal is about to be committed', async () => {
  const member = await givenMember(gateway, shop.id, 'accountant');
  await enter(gateway, member.token, member.id);
  const entering = await inTransaction(gateway.deps, async (tx) => {
    await tx.db
      .deleteFrom('members')
      .where('merchant_id', '=', shop.id)
      .where('user_id', '=', member.id)
      .execute();
    const answer = enterBy(member.token, shop.id);
    // It waits for the removal, and does not go by what it read before.
    await waitForBlockedTransactions(gateway.deps.db);
    return { answer };
  });
  expect(codeOf(await entering.answer)).toBe('404 MEMBERSHIP_NOT_FOUND');
  expect((await accountsOf(member.token)).map(({ own, current }) => [own, current])).toEqual([[true, true]]);
});

test('freezing a person ends their access to every account', async () => {
  const member = await givenMember(gateway, shop.id, 'finance');
  const screen = await openScreen(member.token);
  await gateway.api('POST', `/admin/users/${member.id}/freeze`, { reason: 'suspeita' }, admin);
  for (const path of ['/authed/wallet/stats', '/authed/accounts'])
    expect(codeOf(await get(path, member.token))).toBe('401 UNAUTHENTICATED');
  expect(await screen.closed).toBe(4403);
});

test('freezing an account freezes it for its members, who go on in their own', async () => {
  const frozen = await givenMerchant(gateway, { admin });
  const member = await givenMember(gateway, frozen.id, 'finance');
  const outside = await givenMember(gateway, frozen.id, 'finance');
  await enter(gateway, outside.token, outside.id);
  const screen = await openScreen(member.token);
  await gateway.api('POST', `/admin/users/${frozen.id}/freeze`, { reason: 'suspeita' }, admin);
  expect(await screen.closed).toBe(4403);
  expect(await (await openScreen(member.token)).closed).toBe(4401);
  expect(codeOf(await get('/authed/wallet/stats', member.token))).toBe('403 ACCOUNT_FROZEN');
  expect(codeOf(await enterBy(outside.token, frozen.id))).toBe('403 ACCOUNT_FROZEN');
  expect((await accountsOf(member.token)).at(-1)).toMatchObject({
    account_id: String(frozen.id),
    frozen: true,
  });
  await enter(gateway, member.token, member.id);
  expect(await earnedBy(member.token)).toBe(0);
});

test('an open screen follows its session to another account, and receives what the role may know', async () => {
  const [finance, cashier] = [
    await givenMember(gateway, shop.id, 'finance'),
    await givenMember(gateway, shop.id, 'cashier'),
  ];
  const screens = await Promise.all([finance, cashier, shop].map(({ token }) => openScreen(token)));
  await givenBalance(gateway, shop, 20);
  await givenCharge(gateway, shop);
  const [ofFinance, ofCashier, ofOwner] = screens;
  await expect.poll(() => ofOwner?.types).toContain('notification');
  await expect.poll(() => ofFinance?.types).toContain('charge');
  expect(ofFinance?.types).not.toContain('notification');
  expect(ofCashier?.types.filter((type) => type !== 'account')).toEqual([]);
  await enter(gateway, finance.token, finance.id);
  expect(await ofFinance?.closed).toBe(1012);
  for (const screen of screens) screen.close();
});

test('a developer makes keys that move no money, and neither changes nor rotates one that does', async () => {
  const developer = await givenMember(gateway, shop.id, 'developer');
  const by = { token: developer.token };
  const make = (scopes: string[], { token } = by) =>
    gateway.api('POST', '/authed/keys', { name: 'Loja', scopes, password: shop.password }, { token });
  for (const scopes of [['refunds'], ['withdrawals'], ['read', 'refunds']])
    expect(codeOf(await make(scopes))).toBe('403 MEMBER_ROLE_MISSING');
  const own = (await make(['read', 'charges', 'webhooks'])).body as { key: { id: string } };
  const owners = (await make(['refunds'], shop)).body as { key: { id: string } };
  const fields = { name: 'Loja', allowed_addresses: [], expires_at: null, password: shop.password };
  const change = (id: string, scopes: string[]) =>
    gateway.api('PUT', `/authed/keys/${id}`, { ...fields, scopes }, by);
  expect(codeOf(await change(own.key.id, ['read', 'withdrawals']))).toBe('403 MEMBER_ROLE_MISSING');
  expect(codeOf(await change(owners.key.id, ['read']))).toBe('403 MEMBER_ROLE_MISSING');
  expect(codeOf(await change(own.key.id, ['read']))).toBe('200');
  const rotate = (id: string) =>
    gateway.api('POST', `/authed/keys/${id}/rotate`, { password: shop.password }, by);
  expect(codeOf(await rotate(owners.key.id))).toBe('403 MEMBER_ROLE_MISSING');
  expect(codeOf(await rotate(own.key.id))).toBe('201');
  const makers = gateway.deps.db.selectFrom('scoped_keys').select(['id', 'created_by']);
  const rows = await makers.where('merchant_id', '=', shop.id).execute();
  expect(rows.find(({ id }) => id === owners.key.id)?.created_by).toBe(shop.id);
  expect(rows.find(({ id }) => id === own.key.id)?.created_by).toBe(developer.id);
});

test('a screen that names its account makes no call for another one', async () => {
  const member = await givenMember(gateway, shop.id, 'operator');
  const call = (method: string, path: string, account: number, body?: unknown) =>
    gateway.api(method, path, body, { token: member.token, headers: { 'x-account': String(account) } });
  const charge = { amount: 10 };
  expect(codeOf(await call('POST', '/pix/new', shop.id, charge))).toBe('201');
  expect(codeOf(await call('POST', '/pix/new', member.id, charge))).toBe('409 ACCOUNT_SWITCHED');
  expect(codeOf(await call('GET', '/authed/batch?paths=/authed/user/taxes', member.id))).toBe(
    '409 ACCOUNT_SWITCHED',
  );
  // Calls about the person alone, such as entering another account, do not depend on it.
  const back = { account_id: String(member.id) };
  expect(codeOf(await call('POST', '/authed/accounts/enter', 999_999, back))).toBe('200');
  expect(codeOf(await call('POST', '/pix/new', shop.id, charge))).toBe('409 ACCOUNT_SWITCHED');
});
