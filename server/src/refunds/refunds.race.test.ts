import { setTimeout as pause } from 'node:timers/promises';
import { errorEnvelope, refund, withdraw } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPaidPayment,
  givenPin,
  parseSuccess,
} from '../../test/given.ts';
import { readRefunds, requestRefundByApi } from '../../test/refunds.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';

const rounds = process.env['LONG'] === '1' ? 100 : 4;

let gateway: TestGateway;
let secondGateway: TestGateway;
let admin: GivenAdmin;

beforeAll(async () => {
  gateway = await startTestGateway();
  secondGateway = await startTestGateway({ sharedGateway: gateway });
  admin = await givenAdmin(gateway);
});
afterAll(async () => {
  expect(await countDeadlocks(gateway.deps.db)).toBe(0);
  await secondGateway.stop();
  await gateway.stop();
});

/** The outcomes of concurrent calls: how many were accepted, and the codes of the others. */
function outcomesOf(results: readonly PromiseSettledResult<ApiAnswer>[]): {
  acceptedCount: number;
  codes: string[];
} {
  const responses = results.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  const refused = responses.filter(({ status }) => status >= 300);
  return {
    acceptedCount: responses.length - refused.length,
    codes: [...new Set(refused.map(({ body }) => errorEnvelope.parse(body).error.code))].sort(),
  };
}

describe('concurrent refunds', () => {
  test('never return more than was paid, and each is made once at the bank', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const merchant = await givenMerchant(gateway, { admin });
      const payment = await givenPaidPayment(gateway, merchant, { amount: 50 });
      await givenBalance(gateway, merchant, 500);
      const before = await gateway.bank.balanceCents();
      const results = await runConcurrently(32, (index) =>
        requestRefundByApi(index % 2 === 0 ? gateway : secondGateway, merchant, payment.id, { amount: 7 }),
      );
      expect(outcomesOf(results)).toEqual({ acceptedCount: 7, codes: ['REFUND_EXCEEDS_PAYMENT'] });
      await expect
        .poll(async () => (await readRefunds(gateway, merchant, payment.id)).refunded_amount)
        .toBe(49);
      expect(await gateway.bank.balanceCents()).toBe(before - 4900);
      expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({
        available: 50_100,
        in_transit: 0,
      });
      const rows = await gateway.deps.db
        .selectFrom('refunds')
        .select('send_count')
        .where('merchant_id', '=', merchant.id)
        .execute();
      expect(rows).toEqual(Array(7).fill({ send_count: 1 }));
    }
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  });

  test('with the same refund id are one refund', async () => {
    const merchant = await givenMerchant(gateway, { admin });
    const payment = await givenPaidPayment(gateway, merchant, { amount: 50 });
    const results = await runConcurrently(16, (index) =>
      requestRefundByApi(index % 2 === 0 ? gateway : secondGateway, merchant, payment.id, {
        id: 'um',
        amount: 5,
      }),
    );
    const ids = results.map((result) =>
      result.status === 'fulfilled' ? parseSuccess(refund, result.value).id : result.reason,
    );
    expect(new Set(ids).size).toBe(1);
    expect((await readRefunds(gateway, merchant, payment.id)).refunds).toHaveLength(1);
  });

  test('and a withdrawal share one balance, which never falls below zero', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const merchant = await givenMerchant(gateway, { admin });
      await givenPin(gateway, merchant);
      const payment = await givenPaidPayment(gateway, merchant, { amount: 60 });
      const requestWithdrawal = () =>
        gateway.api(
          'POST',
          '/authed/withdraw',
          { amount: 60, pixKey: 'maria@example.com', pix_key_type: 'email', withdrawal_pin: defaultPin },
          { token: merchant.token },
        );
      const results = await runConcurrently(9, async (index) => {
        if (index === 0) return requestWithdrawal();
        // Verifying a PIN takes time, so refunds are spread before, during and after it.
        await pause((index * 37 + round * 53) % 160);
        return requestRefundByApi(gateway, merchant, payment.id, { amount: 20 });
      });
      const [withdrawalResult] = results;
      const isWithdrawn =
        withdrawalResult?.status === 'fulfilled' &&
        withdraw.response.safeParse(withdrawalResult.value.body).success;
      // Either the whole balance left as a withdrawal, or parts of it as refunds.
      const { acceptedCount, codes } = outcomesOf(results);
      expect(acceptedCount).toBe(isWithdrawn ? 1 : 3);
      expect(codes).not.toContain('INTERNAL');
      await expect.poll(async () => (await readBalances(gateway.deps.db, merchant.id)).in_transit).toBe(0);
      expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({ available: 0 });
    }
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  });
});
