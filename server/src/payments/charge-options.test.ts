import { errorEnvelope, getPaymentStatus, listPayments, transactionFeed } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenBalance,
  givenCharge,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { atHouse } from '../psp/index.ts';
import { expireCharges } from './end-charges.ts';
import { reconcilePayments } from './reconcile-payments.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  merchant = await givenMerchant(gateway);
});
afterAll(() => gateway.stop());

const options = { description: 'Pedido 1001', success_url: 'https://loja.example/pedidos/1001?ok=1' };
const getAsMerchant = (path: string) => gateway.api('GET', path, undefined, { apiKey: merchant.apiKey });
const statusOf = async (id: string) =>
  parseSuccess(getPaymentStatus.response, await getAsMerchant(`/pix/status/${id}`));
const txidOf = async (id: string) => {
  const row = await gateway.deps.db
    .selectFrom('charges')
    .select('txid')
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.txid ?? '';
};
const readOptionRows = () => gateway.deps.db.selectFrom('charge_options').selectAll().execute();

test('the payer’s description and return address are in every response; a charge without them has no row', async () => {
  const [withOptions, withoutOptions] = [
    await givenCharge(gateway, merchant, options),
    await givenCharge(gateway, merchant),
  ];
  const checkoutUrl = (txid: string) => `${gateway.deps.config.publicUrl}/pagar/${txid}`;
  expect(withOptions).toMatchObject({ ...options, checkout_url: checkoutUrl(await txidOf(withOptions.id)) });
  const noOptions = {
    description: null,
    success_url: null,
    checkout_url: checkoutUrl(await txidOf(withoutOptions.id)),
  };
  expect(withoutOptions).toMatchObject(noOptions);
  expect(await statusOf(withOptions.id)).toMatchObject({
    ...options,
    receipt_url: null,
    payment_link_id: null,
  });
  expect((await readOptionRows()).map(({ charge_id }) => charge_id)).toEqual([withOptions.id]);

  const list = parseSuccess(listPayments.response, await getAsMerchant('/pix'));
  expect(list.data).toMatchObject([noOptions, options]);
  const feed = await gateway.api('GET', '/authed/feed/transactions', undefined, { token: merchant.token });
  expect(parseSuccess(transactionFeed.response, feed).data).toMatchObject([noOptions, options]);
});

test('a payment has a receipt, and a pending charge has none', async () => {
  const { chargeId } = await givenBalance(gateway, merchant, 20);
  const receipt = `${gateway.deps.config.publicUrl}/comprovante/${await txidOf(chargeId)}`;
  expect(await statusOf(chargeId)).toMatchObject({ status: 'paid', receipt_url: receipt });
});

test('charges created at the same time keep their own options', async () => {
  const charges = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      givenCharge(
        gateway,
        merchant,
        n % 2 === 0 ? { description: `Pedido ${n}`, metadata: { n: `${n}` } } : {},
      ),
    ),
  );
  for (const [n, { id }] of charges.entries())
    expect(await statusOf(id)).toMatchObject({ description: n % 2 === 0 ? `Pedido ${n}` : null });
});

test('a call repeated at the same time gets the same options, or is refused as in progress', async () => {
  const headers = { 'idempotency-key': 'pedido-7' };
  const [first, repeated] = await Promise.all(
    [1, 2].map(() =>
      gateway.api('POST', '/pix/new', { amount: 5, ...options }, { apiKey: merchant.apiKey, headers }),
    ),
  );
  expect(first?.status).toBe(201);
  expect(repeated?.body).toMatchObject(
    repeated?.status === 409 ? { error: { code: 'IDEMPOTENCY_IN_PROGRESS' } } : options,
  );
});

test.each([
  ['http://loja.example/ok', 'INVALID_SUCCESS_URL'],
  ['javascript:alert(1)', 'INVALID_SUCCESS_URL'],
  ['https://ana:senha@loja.example', 'INVALID_SUCCESS_URL'],
  ['https://loja.example/a b', 'INVALID_SUCCESS_URL'],
  ['loja.example', 'INVALID_SUCCESS_URL'],
  ['https:loja.example/ok', 'INVALID_SUCCESS_URL'],
  ['', 'INVALID_SUCCESS_URL'],
  [`https://loja.example/${'x'.repeat(2000)}`, 'INVALID_BODY'],
])('%s is refused as a return address', async (successUrl, code) => {
  const body = { amount: 5, success_url: successUrl };
  const response = await gateway.api('POST', '/pix/new', body, { apiKey: merchant.apiKey });
  expect(errorEnvelope.parse(response.body).error.code).toBe(code);
});

test('the sandbox allows return addresses on this machine; descriptions have 1 to 140 characters', async () => {
  const local = { success_url: 'http://localhost:4000/ok' };
  expect(await givenCharge(gateway, merchant, local)).toMatchObject(local);
  for (const description of [' ', 'x'.repeat(141), 7]) {
    const response = await gateway.api(
      'POST',
      '/pix/new',
      { amount: 5, description },
      { apiKey: merchant.apiKey },
    );
    expect(errorEnvelope.parse(response.body).error.code).toBe('INVALID_BODY');
  }
});

test('a charge lives for up to thirty days, and is paid on the last of them', async () => {
  const days = (count: number) => count * 86_400;
  const tooLong = { amount: 20, expires_in: days(30) + 1 };
  const refused = await gateway.api('POST', '/pix/new', tooLong, { apiKey: merchant.apiKey });
  expect(errorEnvelope.parse(refused.body).error.code).toBe('INVALID_BODY');
  const [paid, unpaid] = [
    await givenCharge(gateway, merchant, { expires_in: days(30) }),
    await givenCharge(gateway, merchant, { expires_in: days(30) }),
  ];
  await gateway.advance(days(29) + 86_000);
  await expireCharges(gateway.deps);
  expect(await statusOf(paid.id)).toMatchObject({ status: 'pending' });
  await gateway.bank.pay({ brCode: paid.content });
  await reconcilePayments(atHouse(gateway.deps));
  await gateway.advance(600);
  await expireCharges(gateway.deps);
  expect(await statusOf(paid.id)).toMatchObject({ status: 'paid' });
  expect(await statusOf(unpaid.id)).toMatchObject({ status: 'expired' });
});
