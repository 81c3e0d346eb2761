import { getWithdrawal } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenMerchant,
  givenBalance,
  givenMerchant,
  givenPin,
  givenWithdrawal,
  parseSuccess,
} from '../../test/given.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
let receiver: WebhookReceiver;

// All background work runs, as in production. The limit of the night is raised, because the tests may run at night.
beforeAll(async () => {
  gateway = await startTestGateway({ env: { WITHDRAWAL_NIGHT: '15000' } });
  receiver = await startWebhookReceiver();
  merchant = await givenMerchant(gateway);
  await givenPin(gateway, merchant);
  await givenBalance(gateway, merchant, 1000);
});
afterAll(async () => {
  await gateway.stop();
  await receiver.close();
});

const statusOf = async (id: string) => {
  const response = await gateway.api('GET', `/authed/withdrawals/${id}`, undefined, {
    token: merchant.token,
  });
  return parseSuccess(getWithdrawal.response, response).status;
};

test('a withdrawal is sent and completed in the background', async () => {
  const { id } = await givenWithdrawal(gateway, merchant, { amount: 100 });
  await expect.poll(() => statusOf(id)).toBe('completed');
});

test('for a withdrawal, the merchant’s system receives signed webhooks, first for pending, then for paid', async () => {
  const { token, apiKey, password } = merchant;
  const proof = { password, withdrawal_pin: defaultPin };
  const payee = { pixKey: 'maria@example.com', pix_key_type: 'email' };
  await gateway.api('PUT', '/authed/api-withdrawals', { enabled: true, ...proof }, { token });
  await gateway.api('POST', '/authed/api-withdrawals/destinations', { ...payee, ...proof }, { token });
  const request = { amount: 10_000, ...payee, callbackUrl: `${receiver.url}/saques` };
  const response = await gateway.api('POST', '/withdraw', request, { apiKey });
  const { withdrawal_id: id } = response.body as { withdrawal_id: string };
  await expect.poll(() => receiver.received.length).toBe(2);
  const events = receiver.received.map(({ body, headers }) => ({
    isSigned: String(headers['webhook-signature']).startsWith('v1,'),
    ...JSON.parse(body),
  }));
  expect(events).toMatchObject([
    { isSigned: true, type: 'withdrawal.pending', id, status: 'PENDING', amount: 10_000, fee: 150 },
    { isSigned: true, type: 'withdrawal.paid', id, status: 'PAID', amount: 10_000, fee: 150 },
  ]);
});

// This test is the last one, because it moves the clock, after which the bank's balance has to be read again.
test('the bank’s callback about a returned payout is processed', async () => {
  await gateway.bank.setBehaviour({ payouts: 'returned', payoutReturnSeconds: 3600 });
  const { id } = await givenWithdrawal(gateway, merchant, { amount: 100 });
  await expect.poll(() => statusOf(id)).toBe('completed');
  await gateway.advance(3601);
  await expect.poll(() => statusOf(id)).toBe('failed');
  await gateway.bank.setBehaviour({});
});
