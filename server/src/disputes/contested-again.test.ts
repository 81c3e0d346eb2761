import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenMerchant, givenPaidPayment } from '../../test/given.ts';
import { givenAdjustment } from '../../test/given-adjustment.ts';
import { getDisputeAsMerchant, givenDispute } from '../../test/given-dispute.ts';
import { withPsp } from '../../test/with-psp.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import type { AtBank } from '../psp/index.ts';
import { bookReturnsOfPix } from '../refunds/index.ts';

const day = 24 * 3600;

let gateway: TestGateway;
let merchant: GivenMerchant;

beforeAll(async () => {
  gateway = await startTestGateway();
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway);
});
afterAll(() => gateway.stop());

const pay = (amount: number) => givenPaidPayment(gateway, merchant, { amount });
const readMerchantBalances = () => readBalances(gateway.deps.db, merchant.id);
const readDispute = (dispute: { id: string }) => getDisputeAsMerchant(gateway, merchant, dispute);

/** Debits the merchant's balance, as if the money were spent. */
const spend = (amountCents: number) => givenAdjustment(gateway.deps, merchant.id, -amountCents);

/** Returns dependencies with a bank that has returned this amount of the Pix by itself. */
async function withReturn(endToEndId: string, amountCents: number): Promise<AtBank> {
  const { psp, clock } = gateway.deps;
  const pix = await psp.findReceivedPix(endToEndId);
  if (pix === undefined) throw new Error('The bank does not know the Pix');
  const refundId = randomBytes(8).toString('hex');
  const bankReturn = { refundId, rtrId: `D${refundId}`, amountCents, reason: undefined, at: clock.now() };
  const returns = [{ ...bankReturn, nature: 'dispute' as const, status: 'completed' as const }];
  return withPsp(gateway.deps, { ...psp, findReceivedPix: async () => ({ ...pix, returns }) });
}

const returnDelays = [
  ['before the money is returned', 3600],
  ['as the money is returned', 0],
] as const;
test.for(returnDelays)(
  'a Pix disputed again and lost %s claims no more than was paid, and uses blocked money before creating a debt',
  async ([, returnSeconds]) => {
    const { endToEndId } = await pay(100);
    await pay(100);
    const first = await givenDispute(gateway, merchant, { endToEndId });
    await gateway.bank.resolveDispute(first.bankId, { accepted: true, amountCents: 40_00 });
    await expect.poll(() => readDispute(first)).toMatchObject({ returned_amount: 40, blocked_amount: 60 });
    const second = await givenDispute(gateway, merchant, { endToEndId });
    expect(second).toMatchObject({ amount: 60, blocked_amount: 0, shortfall_amount: 0 });
    expect(await readMerchantBalances()).toMatchObject({ available: 100_00, blocked: 60_00 });
    await gateway.bank.resolveDispute(second.bankId, { accepted: true, returnSeconds });
    await expect.poll(() => readDispute(second)).toMatchObject({ status: 'lost' });
    if (returnSeconds > 0) await gateway.advance(returnSeconds);
    await expect.poll(() => readDispute(second)).toMatchObject({ status: 'lost', returned_amount: 60 });
    expect(await readDispute(first)).toMatchObject({ status: 'lost', blocked_amount: 0 });
    expect(await readMerchantBalances()).toMatchObject({ available: 100_00, blocked: 0, receivable: 0 });
    expect(await auditLedger(gateway.deps.db)).toEqual([]);
  },
);

test('a Pix disputed again without cover leaves no shortfall once it was returned in full', async () => {
  const { endToEndId } = await pay(100);
  await spend(100_00);
  const first = await givenDispute(gateway, merchant, { endToEndId, amountCents: 60_00 });
  await gateway.bank.resolveDispute(first.bankId, { accepted: true, returnSeconds: 30 * day });
  await expect.poll(() => readDispute(first)).toMatchObject({ status: 'lost', shortfall_amount: 60 });
  const second = await givenDispute(gateway, merchant, { endToEndId, amountCents: 40_00 });
  expect(second).toMatchObject({ blocked_amount: 0, shortfall_amount: 40 });
  expect(await bookReturnsOfPix(await withReturn(endToEndId, 100_00), endToEndId)).toBe(true);
  expect(await readMerchantBalances()).toMatchObject({ available: 0, blocked: 0, receivable: -100_00 });
  expect(await readDispute(first)).toMatchObject({ blocked_amount: 0, shortfall_amount: 0 });
  expect(await readDispute(second)).toMatchObject({ blocked_amount: 0, shortfall_amount: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});
