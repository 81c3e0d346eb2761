import { createPaymentLink, errorEnvelope } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GivenMerchant, givenCharge, givenMerchant, parseSuccess } from '../../test/given.ts';
import { givenStatementOf } from '../../test/given-fees.ts';
import { type OwnBanksStand, startOwnBanks } from '../../test/own-banks.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { canReceiveByLink } from '../payment-links/create-link-charge.ts';
import { reconcilePayments } from '../payments/reconcile-payments.ts';
import { atBank } from '../psp/index.ts';
import { makeStatementCharge } from './make-charge.ts';

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
});
afterAll(() => stand.stop());

const day = 86_400;
const refusalOf = async ({ apiKey }: GivenMerchant) => {
  const answer = await stand.gateway.api('POST', '/pix/new', { amount: 50 }, { apiKey });
  const { code } = errorEnvelope.parse(answer.body).error;
  return `${answer.status} ${code}`;
};
async function canBePaidByLink(merchantId: number): Promise<boolean> {
  const merchant = await readMerchant(stand.gateway.deps.db, merchantId);
  invariant(merchant !== undefined, 'a merchant that was stored');
  return canReceiveByLink(stand.gateway.deps, merchant);
}

test('a statement that stays unpaid stops new charges and links, and no charge that exists, until it is paid', async () => {
  const { gateway } = stand;
  const merchant = await stand.givenDirectMerchant(1);
  const [own] = merchant.own;
  invariant(own !== undefined, 'an account of their own');
  const statementId = await givenStatementOf(gateway, merchant.id);
  parseSuccess(
    createPaymentLink.response,
    await gateway.api('POST', '/payment-links', { title: 'Camiseta' }, { apiKey: merchant.apiKey }),
  );
  const charge = await givenCharge(gateway, merchant);
  const overdueDays = gateway.deps.config.feesOverdueDays;
  await stand.advance((9 + overdueDays + 11) * day);
  expect(await refusalOf(merchant)).toBe('403 FEES_OVERDUE');
  expect(await canBePaidByLink(merchant.id)).toBe(false);
  await own.bank.pay({ brCode: charge.content, force: true });
  expect(await reconcilePayments(atBank(gateway.deps, own.id))).toBe(1);

  const { charge: code } = await makeStatementCharge(gateway.deps, merchant.id, statementId);
  await gateway.bank.pay({ brCode: code.brCode });
  await reconcilePayments(gateway.deps);
  await givenCharge(gateway, merchant);
  expect(await canBePaidByLink(merchant.id)).toBe(true);
});

test('the statement of a merchant who is paid into the operator’s account by now stops nothing', async () => {
  const { gateway } = stand;
  const pooled = await givenMerchant(gateway);
  await givenStatementOf(gateway, pooled.id);
  await stand.advance(40 * day);
  await givenCharge(gateway, pooled);
  expect(await canBePaidByLink(pooled.id)).toBe(true);
});
