import {
  adminWithdrawals,
  apiKeyStatus,
  getWithdrawal,
  listRefunds,
  listScopedKeys,
  listWithdrawals,
  paymentTimeline,
} from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  parseSuccess,
} from '../../test/given.ts';
import { type GivenMember, givenMember } from '../../test/given-member.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let shop: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  admin = await givenAdmin(gateway);
  shop = await givenMerchant(gateway, { admin });
  await givenPin(gateway, shop);
});
afterAll(() => gateway.stop());

type Credential = { readonly token: string } | { readonly apiKey: string };
const get = (path: string, credential: Credential = shop) => {
  const by = 'token' in credential ? { token: credential.token } : { apiKey: credential.apiKey };
  return gateway.api('GET', path, undefined, by);
};
const byKey = () => ({ apiKey: shop.apiKey });
const remove = ({ id }: GivenMember) =>
  gateway.api('POST', `/authed/members/${id}/remove`, { keys: 'keep' }, { token: shop.token });
const madeBy = ({ id }: GivenMember, member = true) => ({
  id: String(id),
  name: 'Beatriz Nogueira',
  member,
});

test('a withdrawal names the person who asked for it, in the panel and to the operator, also after they left', async () => {
  await givenBalance(gateway, shop, 200);
  const finance = await givenMember(gateway, shop.id, 'finance');
  const order = {
    amount: 50,
    pixKey: 'maria@example.com',
    pix_key_type: 'email',
    withdrawal_pin: defaultPin,
  };
  const { status, body } = await gateway.api('POST', '/authed/withdraw', order, { token: finance.token });
  expect([status, body]).toMatchObject([201, { withdrawal: { made_by: madeBy(finance) } }]);
  const { id } = (body as { withdrawal: { id: string } }).withdrawal;
  await remove(finance);
  const detail = parseSuccess(getWithdrawal.response, await get(`/authed/withdrawals/${id}`));
  const list = parseSuccess(listWithdrawals.response, await get('/authed/withdrawals'));
  const ofAll = parseSuccess(adminWithdrawals.response, await get('/admin/withdrawals', admin));
  for (const withdrawal of [detail, list.withdrawals[0], ofAll.withdrawals.find((each) => each.id === id)])
    expect(withdrawal?.made_by).toEqual(madeBy(finance, false));
  for (const path of ['/withdraw', `/withdraw/${id}`])
    expect(JSON.stringify((await get(path, byKey())).body)).not.toContain('Beatriz');
});

test('a charge and its refund name their makers to people, never to an API key', async () => {
  const [operator, finance] = [
    await givenMember(gateway, shop.id, 'operator'),
    await givenMember(gateway, shop.id, 'finance'),
  ];
  const { chargeId } = await givenBalance(gateway, shop, 40);
  const charge = await gateway.api('POST', '/pix/new', { amount: 12 }, { token: operator.token });
  const refunded = await gateway.api(
    'POST',
    `/pix/${chargeId}/refund`,
    { amount: 5 },
    { token: finance.token },
  );
  expect(refunded.status).toBe(201);
  const timelineOf = async (id: string, credential: Credential) =>
    parseSuccess(paymentTimeline.response, await get(`/pix/${id}/timeline`, credential)).data;
  const { id: createdId } = charge.body as { id: string };
  expect((await timelineOf(createdId, shop))[0]?.made_by).toEqual(madeBy(operator));
  const ofRefund = (await timelineOf(chargeId, shop)).find(({ kind }) => kind === 'refund');
  expect(ofRefund?.made_by).toEqual(madeBy(finance));
  const refundsPath = `/pix/${chargeId}/refunds`;
  const toPeople = parseSuccess(listRefunds.response, await get(refundsPath));
  expect(toPeople.refunds[0]?.made_by).toEqual(madeBy(finance));
  for (const path of [`/pix/${createdId}/timeline`, `/pix/${chargeId}/timeline`, refundsPath])
    expect(JSON.stringify((await get(path, byKey())).body)).not.toMatch(/Beatriz|made_by/);
});

test('a refund’s own answer names nobody, because a key may read it again under its Idempotency-Key', async () => {
  const operator = await givenMember(gateway, shop.id, 'operator');
  const { chargeId } = await givenBalance(gateway, shop, 30);
  const headers = { 'idempotency-key': `estorno-${chargeId}` };
  const path = `/pix/${chargeId}/refund`;
  const answers = [
    await gateway.api('POST', path, { amount: 5 }, { token: operator.token, headers }),
    await gateway.api('POST', path, { amount: 5 }, { ...byKey(), headers }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(JSON.stringify(answers.map(({ body }) => body))).not.toContain('Beatriz');
});

test('keys name their makers, and say whether these are still members', async () => {
  const developer = await givenMember(gateway, shop.id, 'developer');
  const fields = { name: 'Loja', scopes: ['read'], password: developer.password };
  const made = await gateway.api('POST', '/authed/keys', fields, { token: developer.token });
  expect(made.body).toMatchObject({ key: { made_by: madeBy(developer) } });
  await remove(developer);
  const { keys } = parseSuccess(listScopedKeys.response, await get('/authed/keys'));
  expect(keys.find(({ name }) => name === 'Loja')?.made_by).toEqual(madeBy(developer, false));
  const owner = await givenMember(gateway, shop.id, 'owner');
  const proof = { password: owner.password };
  await gateway.api('POST', '/authed/apikey', proof, { token: owner.token });
  const status = parseSuccess(apiKeyStatus.response, await get('/authed/apikey'));
  expect(status.made_by).toEqual(madeBy(owner));
});
