import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenCharge, givenMerchant } from '../../test/given.ts';
import { createNoticeProcessor } from './process-notices.ts';
import { reconcilePayments } from './reconcile-payments.ts';

// A hint is a bank's callback about a payout, a return or a dispute, stored so that the bank is asked about it. A
// notice is a callback about a received payment.

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  // Hints are not processed here, so that they can be inspected.
  gateway = await startTestGateway({ startsWork: false });
  merchant = await givenMerchant(gateway);
  await gateway.bank.moveMoney('deposit', 100_000);
});
beforeEach(async () => {
  await gateway.bank.setBehaviour({});
  await gateway.deps.db.deleteFrom('bank_hints').execute();
});
afterAll(() => gateway.stop());

const readHints = () => gateway.deps.db.selectFrom('bank_hints').select(['kind', 'reference']).execute();
const receivePix = async () => {
  const { content } = await givenCharge(gateway, merchant);
  return gateway.bank.pay({ brCode: content });
};
/** Has the bank return a part of the Pix, without the gateway's books. */
async function refundAtBank(endToEndId: string): Promise<void> {
  const { refunds } = gateway.deps.psp;
  const refundId = randomUUID().replaceAll('-', '');
  await refunds?.requestRefund({ endToEndId, refundId, amountCents: 100, note: '' });
  await expect.poll(() => refunds?.findRefund(endToEndId, refundId)).toMatchObject({ status: 'completed' });
}
const readOutcome = (endToEndId: string) =>
  gateway.deps.db
    .selectFrom('received_pix')
    .select('outcome')
    .where('end_to_end_id', '=', endToEndId)
    .executeTakeFirst();

test('a payout callback is stored as a hint, and not as a payment notice', async () => {
  const idEnvio = randomUUID().replaceAll('-', '');
  const readInbox = () => gateway.deps.db.selectFrom('psp_inbox').select('id').execute();
  const before = await readInbox();
  const order = { idEnvio, amountCents: 1000, pixKey: 'saque@loja.example', note: '' };
  await gateway.deps.psp.payouts?.sendPayout(order);
  await expect.poll(readHints).toEqual([{ kind: 'payout', reference: idEnvio }]);
  expect(await readInbox()).toEqual(before);
});

test('callbacks of disputes and returns are stored as hints', async () => {
  const endToEndId = await receivePix();
  await gateway.bank.openDispute({ endToEndId, amountCents: 100 });
  await expect.poll(readHints).toEqual([{ kind: 'dispute', reference: endToEndId }]);
  const refundedPix = await receivePix();
  await refundAtBank(refundedPix);
  await expect.poll(readHints).toContainEqual({ kind: 'return', reference: refundedPix });
});

test('returns without a callback are found by reconciliation, of a booked Pix and of a new one', async () => {
  await gateway.bank.setBehaviour({ notifications: 'never' });
  const [returnedLater, returnedFirst] = [await receivePix(), await receivePix()];
  await refundAtBank(returnedFirst);
  await reconcilePayments(gateway.deps);
  expect(await readOutcome(returnedLater)).toEqual({ outcome: 'credited' });
  expect(await readOutcome(returnedFirst)).toEqual({ outcome: 'credited' });
  expect(await readHints()).toContainEqual({ kind: 'return', reference: returnedFirst });
  expect(await readHints()).not.toContainEqual({ kind: 'return', reference: returnedLater });
  await gateway.deps.db.deleteFrom('bank_hints').execute();
  await refundAtBank(returnedLater);
  await reconcilePayments(gateway.deps);
  expect(await readHints()).toContainEqual({ kind: 'return', reference: returnedLater });
});

test('a Pix returned before its notice is processed is booked, and its return is looked up', async () => {
  const endToEndId = await receivePix();
  await refundAtBank(endToEndId);
  await expect.poll(readHints).toEqual([{ kind: 'return', reference: endToEndId }]);
  await gateway.deps.db.deleteFrom('bank_hints').execute();
  const processor = createNoticeProcessor(gateway.deps);
  await processor.sweep();
  await processor.waitUntilIdle(5000);
  expect(await readOutcome(endToEndId)).toEqual({ outcome: 'credited' });
  expect(await readHints()).toContainEqual({ kind: 'return', reference: endToEndId });
});
