import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenCharge, givenMerchant } from '../../test/given.ts';
import { createNoticeProcessor } from './process-notices.ts';
import { reconcilePayments } from './reconcile-payments.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  // Hints are not processed here, so that they can be inspected.
  gateway = await startTestGateway({ work: false });
  merchant = await givenMerchant(gateway);
  await gateway.bank.moveMoney('deposit', 100_000);
});
beforeEach(async () => {
  await gateway.bank.behave({});
  await gateway.deps.db.deleteFrom('bank_hints').execute();
});
afterAll(() => gateway.stop());

const hints = () => gateway.deps.db.selectFrom('bank_hints').select(['kind', 'reference']).execute();
const receive = async () => {
  const { content } = await givenCharge(gateway, merchant);
  return gateway.bank.pay({ brCode: content });
};
async function giveBack(endToEndId: string): Promise<void> {
  const { refunds } = gateway.deps.psp;
  const refundId = randomUUID().replaceAll('-', '');
  await refunds?.requestRefund({ endToEndId, refundId, amountCents: 100, note: '' });
  await expect.poll(() => refunds?.findRefund(endToEndId, refundId)).toMatchObject({ status: 'completed' });
}
const noticed = (endToEndId: string) =>
  gateway.deps.db
    .selectFrom('received_pix')
    .select('outcome')
    .where('end_to_end_id', '=', endToEndId)
    .executeTakeFirst();

test('a payout callback is stored as a hint, and not as a payment notice', async () => {
  const idEnvio = randomUUID().replaceAll('-', '');
  const inbox = () => gateway.deps.db.selectFrom('psp_inbox').select('id').execute();
  const before = await inbox();
  const order = { idEnvio, amountCents: 1000, pixKey: 'saque@loja.example', note: '' };
  await gateway.deps.psp.payouts?.sendPayout(order);
  await expect.poll(hints).toEqual([{ kind: 'payout', reference: idEnvio }]);
  expect(await inbox()).toEqual(before);
});

test('callbacks of disputes and returns are stored as hints', async () => {
  const endToEndId = await receive();
  await gateway.bank.openDispute({ endToEndId, amountCents: 100 });
  await expect.poll(hints).toEqual([{ kind: 'dispute', reference: endToEndId }]);
  const other = await receive();
  await giveBack(other);
  await expect.poll(hints).toContainEqual({ kind: 'return', reference: other });
});

test('returns without a notice are found by reconciliation, of a booked Pix and of a new one', async () => {
  await gateway.bank.behave({ notifications: 'never' });
  const [untouched, endToEndId] = [await receive(), await receive()];
  await giveBack(endToEndId);
  await reconcilePayments(gateway.deps);
  expect(await noticed(untouched)).toEqual({ outcome: 'credited' });
  expect(await noticed(endToEndId)).toEqual({ outcome: 'credited' });
  expect(await hints()).toContainEqual({ kind: 'return', reference: endToEndId });
  expect(await hints()).not.toContainEqual({ kind: 'return', reference: untouched });
  await gateway.deps.db.deleteFrom('bank_hints').execute();
  await giveBack(untouched);
  await reconcilePayments(gateway.deps);
  expect(await hints()).toContainEqual({ kind: 'return', reference: untouched });
});

test('a Pix returned before its notice is processed is booked, and its return is looked up', async () => {
  const endToEndId = await receive();
  await giveBack(endToEndId);
  await expect.poll(hints).toEqual([{ kind: 'return', reference: endToEndId }]);
  await gateway.deps.db.deleteFrom('bank_hints').execute();
  const work = createNoticeProcessor(gateway.deps);
  await work.sweep();
  await work.idle(5000);
  expect(await noticed(endToEndId)).toEqual({ outcome: 'credited' });
  expect(await hints()).toContainEqual({ kind: 'return', reference: endToEndId });
});
