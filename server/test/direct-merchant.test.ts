import { afterAll, beforeAll, expect, test } from 'vitest';
import { rereadDisputeList } from '../src/disputes/poll-disputes.ts';
import { processDueDisputes } from '../src/disputes/process-due-disputes.ts';
import { invariant } from '../src/invariant.ts';
import { readBalances } from '../src/ledger/index.ts';
import { reconcilePayments } from '../src/payments/reconcile-payments.ts';
import { atBank } from '../src/psp/index.ts';
import { processReturnHints } from '../src/refunds/book-returns-of-pix.ts';
import { sendRefunds } from '../src/refunds/send-refunds.ts';
import { type GivenMerchant, givenCharge } from './given.ts';
import { type OwnBank, type OwnBanksStand, startOwnBanks } from './own-banks.ts';
import { givenRefund, readRefunds } from './refunds.ts';

// What follows a payment of a merchant who is paid into an account of their own.

let stand: OwnBanksStand;
beforeAll(async () => {
  stand = await startOwnBanks();
});
afterAll(() => stand.stop());

/** A payment of R$ 100,00 at the merchant's own account. */
async function givenPaid() {
  const merchant = await stand.givenDirectMerchant(1);
  const [own] = merchant.own;
  invariant(own !== undefined, 'one account');
  const { id, content } = await givenCharge(stand.gateway, merchant, { amount: 100 });
  const endToEndId = await own.bank.pay({ brCode: content });
  await reconcilePayments(at(own));
  return { merchant, own, id, endToEndId };
}

const at = ({ id }: OwnBank) => atBank(stand.gateway.deps, id);
const ownBalances = (merchant: GivenMerchant, own: OwnBank) =>
  readBalances(stand.gateway.deps.db, merchant.id, own.id);
const notificationsOf = async ({ id }: GivenMerchant) => {
  const rows = await stand.gateway.deps.db
    .selectFrom('notifications')
    .select(['title', 'body'])
    .where('merchant_id', '=', id)
    .execute();
  return rows.map(({ title, body }) => `${title}: ${body}`);
};
const refundUntilEnd = async (own: OwnBank, merchant: GivenMerchant, chargeId: string) => {
  await expect
    .poll(async () => {
      await sendRefunds(at(own));
      await stand.advance(30);
      return (await readRefunds(stand.gateway, merchant, chargeId)).refunds[0]?.status;
    })
    .not.toBe('processing');
  return readRefunds(stand.gateway, merchant, chargeId);
};

test('a refund is paid by the merchant’s own bank, whatever is known of the operator’s balance', async () => {
  const { merchant, own, id } = await givenPaid();
  await givenRefund(stand.gateway, merchant, id, { amount: 40 });
  expect(await refundUntilEnd(own, merchant, id)).toMatchObject({
    refunded_amount: 40,
    refunds: [{ status: 'completed', amount: 40 }],
  });
  expect(await ownBalances(merchant, own)).toMatchObject({ available: 6000, in_transit: 0, psp: -6000 });
  expect(await readBalances(stand.gateway.deps.db, merchant.id)).toMatchObject({ available: 0, psp: 0 });
  expect(await notificationsOf(merchant)).toContainEqual(expect.stringContaining('Estorno concluído'));
});

test('a refund that the merchant’s own bank refuses says where the money is', async () => {
  const { merchant, own, id } = await givenPaid();
  await own.bank.setBehaviour({ refunds: 'refused' });
  await givenRefund(stand.gateway, merchant, id, { amount: 40 });
  expect((await refundUntilEnd(own, merchant, id)).refunds).toMatchObject([{ status: 'failed' }]);
  expect(await ownBalances(merchant, own)).toMatchObject({ available: 10_000, in_transit: 0 });
  expect(await notificationsOf(merchant)).toContainEqual(
    expect.stringMatching(/^Estorno não realizado: .*40,00 ficaram na sua conta bancária\./),
  );
});

test('a dispute is mirrored as the merchant’s own bank decides it, and leaves no debt', async () => {
  const { merchant, own, endToEndId } = await givenPaid();
  const disputeId = await own.bank.openDispute({ endToEndId });
  const mirror = async () => {
    await stand.advance(60);
    await rereadDisputeList(at(own));
    await processDueDisputes(at(own));
    await reconcilePayments(at(own));
    await processReturnHints(at(own));
  };
  await mirror();
  expect(await ownBalances(merchant, own)).toMatchObject({ available: 0, blocked: 10_000 });
  expect(await notificationsOf(merchant)).toContainEqual(
    expect.stringMatching(/100,00 estão bloqueados na sua conta bancária\./),
  );
  await own.bank.resolveDispute(disputeId, { accepted: true, returnSeconds: 0 });
  await expect
    .poll(async () => {
      await mirror();
      return (await ownBalances(merchant, own)).blocked;
    })
    .toBe(0);
  const house = await readBalances(stand.gateway.deps.db, merchant.id);
  expect(house).toMatchObject({ available: 0, receivable: 0 });
});
