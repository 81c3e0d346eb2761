import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  defaultPin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
} from '../../test/given.ts';
import { givenMember } from '../../test/given-member.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { inTransaction } from '../db/transaction.ts';
import { holdPerson, holdWithdrawals } from './hold-withdrawals.ts';

let stand: WithdrawalStand;
let shop: GivenMerchant;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
beforeEach(async () => {
  const admin = await givenAdmin(stand.gateway);
  shop = await givenMerchant(stand.gateway, { admin });
  await givenPin(stand.gateway, shop);
  await givenBalance(stand.gateway, shop, 500);
  await stand.pollBankBalance();
});
afterAll(() => stand.gateway.stop());

type Token = { readonly token: string };
const api = (method: string, path: string, body: unknown, { token }: Token) =>
  stand.gateway.api(method, path, body, { token });
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim();
const payee = { pixKey: 'maria@example.com', pix_key_type: 'email' };
const withdraw = (by: Token) =>
  api('POST', '/authed/withdraw', { amount: 50, ...payee, withdrawal_pin: defaultPin }, by);
const saveDestination = (by: Token) => {
  const proof = { password: shop.password, withdrawal_pin: defaultPin };
  return api('POST', '/authed/api-withdrawals/destinations', { ...payee, label: 'Banco', ...proof }, by);
};
const switchOn = (by: Token) => {
  const proof = { password: shop.password, withdrawal_pin: defaultPin };
  return api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, by);
};
const makeKey = (scopes: string[], by: Token) =>
  api('POST', '/authed/keys', { name: 'Loja', scopes, password: shop.password }, by);
const hold = (userId: number, cause: Parameters<typeof holdPerson>[2] = 'password-reset') =>
  inTransaction(stand.deps, (tx) => holdPerson(tx, userId, cause));
const heldUntilOf = async ({ id }: { id: number }) => {
  const row = stand.deps.db.selectFrom('withdrawal_controls').select('held_until');
  return (await row.where('merchant_id', '=', id).executeTakeFirst())?.held_until ?? null;
};

test('what a person asks for is held in every account, and what others ask for there is not', async () => {
  const finance = await givenMember(stand.gateway, shop.id, 'finance');
  await hold(finance.id);
  const refused = await withdraw(finance);
  expect(codeOf(refused)).toBe('403 WITHDRAWALS_HELD');
  expect(refused.body).toMatchObject({
    message: expect.stringMatching(
      /^Por segurança, os saques estão suspensos até .*: a sua senha foi redefinida\.$/,
    ),
  });
  const pin = (by: Token) => api('GET', '/authed/check-withdrawal-pin', undefined, by);
  expect((await pin(finance)).body).toMatchObject({ held_until: expect.any(String) });
  expect((await pin(shop)).body).toMatchObject({ held_until: null });
  expect(codeOf(await withdraw(shop))).toBe('201');
});

test('a withdrawal that a person asked for before waits too, and leaves when the hold ends', async () => {
  const finance = await givenMember(stand.gateway, shop.id, 'finance');
  const { withdrawal } = (await withdraw(finance)).body as { withdrawal: { id: string } };
  await hold(finance.id);
  await stand.sendDueWithdrawals();
  const row = () =>
    stand.deps.db
      .selectFrom('withdrawals')
      .select(['status', 'error_code'])
      .where('id', '=', withdrawal.id)
      .executeTakeFirst();
  expect(await row()).toEqual({ status: 'pending', error_code: 'WITHDRAWALS_HELD' });
  await stand.gateway.advance(24 * 3600 + 1);
  await stand.pollBankBalance();
  await stand.sendDueWithdrawals();
  expect((await row())?.status).not.toBe('pending');
});

test('no way for money to leave is opened meanwhile: no destination, no key, no switch', async () => {
  const [finance, owner] = [
    await givenMember(stand.gateway, shop.id, 'finance'),
    await givenMember(stand.gateway, shop.id, 'owner'),
  ];
  const old = (await makeKey(['refunds'], owner)).body as { key: { id: string } };
  const harmless = (await makeKey(['read'], owner)).body as { key: { id: string } };
  await hold(finance.id);
  await hold(owner.id);
  const held = '403 WITHDRAWALS_HELD';
  expect(codeOf(await saveDestination(finance))).toBe(held);
  expect(codeOf(await switchOn(finance))).toBe(held);
  for (const scopes of [['refunds'], ['read', 'withdrawals']])
    expect(codeOf(await makeKey(scopes, owner))).toBe(held);
  const fields = { name: 'Loja', allowed_addresses: [], expires_at: null, password: shop.password };
  const change = (id: string, scopes: string[]) =>
    api('PUT', `/authed/keys/${id}`, { ...fields, scopes }, owner);
  expect(codeOf(await change(harmless.key.id, ['read', 'withdrawals']))).toBe(held);
  // Whoever fears for a key can always take scopes away, and replace it.
  expect(codeOf(await change(old.key.id, ['refunds']))).toBe('200');
  const rotation = await api('POST', `/authed/keys/${old.key.id}/rotate`, { password: shop.password }, owner);
  expect(codeOf(rotation)).toBe('201');
  expect(codeOf(await api('POST', '/authed/apikey', { password: shop.password }, owner))).toBe('200');
  await api('DELETE', '/authed/apikey', undefined, owner);
  expect(codeOf(await api('POST', '/authed/apikey', { password: shop.password }, owner))).toBe(held);
  expect(codeOf(await makeKey(['read', 'charges'], owner))).toBe('201');
  // The other owner is not held.
  expect(codeOf(await saveDestination(shop))).toBe('201');
  expect(codeOf(await makeKey(['withdrawals'], shop))).toBe('201');
});

test('the accounts that a person holds are held altogether, and those of others are not', async () => {
  const owner = await givenMember(stand.gateway, shop.id, 'owner');
  await hold(owner.id, 'email-changed');
  expect(await heldUntilOf(owner)).not.toBeNull();
  expect(await heldUntilOf(shop)).toBeNull();
  await hold(shop.id, 'email-changed');
  expect(codeOf(await withdraw(shop))).toBe('403 WITHDRAWALS_HELD');
  expect(await heldUntilOf(shop)).not.toBeNull();
});

test('a shorter hold does not end a longer one', async () => {
  const { now } = { now: stand.deps.clock.now() };
  await inTransaction(stand.deps, (tx) => holdWithdrawals(tx, shop.id, 'recovered'));
  await hold(shop.id, 'recovered');
  await inTransaction(stand.deps, (tx) => holdWithdrawals(tx, shop.id, 'pin-changed'));
  await hold(shop.id, 'password-reset');
  const until = await heldUntilOf(shop);
  expect((until?.getTime() ?? 0) - now.getTime()).toBeGreaterThan(71 * 3_600_000);
  const ofPerson = stand.deps.db.selectFrom('person_holds').selectAll().where('user_id', '=', shop.id);
  expect(await ofPerson.execute()).toMatchObject([{ held_because: 'recovered' }]);
});
