import { stepUp } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GivenMerchant, parseSuccess } from '../../test/given.ts';
import { givenTotp, totpCodeOf } from '../../test/given-factor.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';

let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());

const maria = { pixKey: 'maria@example.com', pix_key_type: 'email' };
const joana = { pixKey: 'Joana@Example.com', pix_key_type: 'email' };
const errorCodeOf = ({ body }: { body: unknown }) => (body as { error?: { code?: string } }).error?.code;

function requestWithdrawal(merchant: GivenMerchant, payee: object, headers: Record<string, string> = {}) {
  const body = { amount: 50, withdrawal_pin: '2580', ...payee };
  return stand.gateway.api('POST', '/authed/withdraw', body, { token: merchant.token, headers });
}

/** Sends the queued withdrawals, and waits until they are paid. */
async function sendAndComplete(merchant: GivenMerchant): Promise<void> {
  const { id } = await stand.deps.db
    .selectFrom('withdrawals')
    .select('id')
    .where('merchant_id', '=', merchant.id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  await stand.pollBankBalance();
  await stand.sendDueWithdrawals();
  await stand.advanceUntilStatus(merchant, id, 'completed');
}

test('a withdrawal to a new key requires the second factor, and a withdrawal to a known key does not', async () => {
  const merchant = await stand.createFundedMerchant(1000);
  expect(await requestWithdrawal(merchant, maria)).toMatchObject({ status: 201 });
  await sendAndComplete(merchant);
  const { secret } = await givenTotp(stand.gateway, merchant);
  await stand.gateway.advance(300);

  expect(await requestWithdrawal(merchant, maria)).toMatchObject({ status: 201 });
  await sendAndComplete(merchant);
  const idempotencyHeader = { 'idempotency-key': 'um-saque-a-joana' };
  expect(errorCodeOf(await requestWithdrawal(merchant, joana, idempotencyHeader))).toBe('STEP_UP_REQUIRED');
  // The refusal used no PIN attempt, and stored nothing under the idempotency key.
  expect(errorCodeOf(await requestWithdrawal(merchant, { ...joana, withdrawal_pin: '9999' }))).toBe(
    'STEP_UP_REQUIRED',
  );
  const stepUpResponse = await stand.gateway.api(
    'POST',
    '/authed/step-up',
    { code: totpCodeOf(stand.gateway, secret) },
    { token: merchant.token },
  );
  const { token } = parseSuccess(stepUp.response, stepUpResponse);
  await stand.deps.db.updateTable('sessions').set({ factor_at: null }).execute();
  expect(
    await requestWithdrawal(merchant, joana, { ...idempotencyHeader, 'x-step-up': token }),
  ).toMatchObject({
    status: 201,
  });
  await sendAndComplete(merchant);
  expect(await requestWithdrawal(merchant, { ...joana, pixKey: 'joana@example.com' })).toMatchObject({
    status: 201,
  });
});

test('a key is new to a merchant even if another merchant withdrew to it', async () => {
  // The merchant of the previous test has withdrawn to Maria's key.
  const merchant = await stand.createFundedMerchant(1000);
  await givenTotp(stand.gateway, merchant);
  await stand.gateway.advance(300);
  expect(errorCodeOf(await requestWithdrawal(merchant, maria))).toBe('STEP_UP_REQUIRED');
});
