import { getReserves, login } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenAdmin, givenBalance, givenMerchant, parseSuccess } from '../../test/given.ts';
import { givenAdjustment } from '../../test/given-adjustment.ts';
import { getDisputeAsMerchant, givenDispute, processDisputes } from '../../test/given-dispute.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { releaseReserves } from '../payments/credit-counters.ts';
import { bookReturnsOfPix } from '../refunds/index.ts';

const day = 24 * 3600;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

/** A merchant without fees, with a tenth of each payment reserved for this many days. */
async function givenShop(days: number) {
  const reserve = { enabled: true, percentage: 10, liberationTime: days };
  const taxes = { pix: { in: 0, out: 0, fixIn: 0, fixOut: 0 }, crypto: 0, reserve };
  const admin = await givenAdmin(gateway);
  const merchant = await givenMerchant(gateway, { admin, account: { taxes } });
  /** Signs in for each call, because sessions expire as days pass. */
  const signIn = async () => {
    const { username, password } = merchant;
    return parseSuccess(login.response, await gateway.api('POST', '/login', { username, password }));
  };
  return {
    pay: (amount: number) => givenBalance(gateway, merchant, amount),
    spend: (cents: number) => givenAdjustment(gateway.deps, merchant.id, -cents),
    openDispute: async (pix: { endToEndId: string }) => givenDispute(gateway, await signIn(), pix),
    readDispute: async (dispute: { id: string }) => getDisputeAsMerchant(gateway, await signIn(), dispute),
    async balances() {
      const { available, reserved, blocked } = await readBalances(gateway.deps.db, merchant.id);
      return { available, reserved, blocked };
    },
    async sumReservesByReleaseDay() {
      const answer = await gateway.api('GET', '/authed/reserves', undefined, await signIn());
      return parseSuccess(getReserves.response, answer).releases.map(({ amount }) => amount);
    },
  };
}

async function winDispute({ id, bankId }: { id: string; bankId: string }): Promise<void> {
  await gateway.bank.resolveDispute(bankId, { accepted: false });
  const disputeRow = gateway.deps.db.selectFrom('disputes').select('status').where('id', '=', id);
  const processAndRead = () => processDisputes(gateway).then(() => disputeRow.executeTakeFirst());
  await expect.poll(processAndRead).toEqual({ status: 'won' });
}

async function advance(seconds: number): Promise<void> {
  await gateway.advance(seconds);
  await releaseReserves(gateway.deps);
}

test('amounts blocked from reserves return to each reserve when the dispute is won, and are released on their day', async () => {
  const shop = await givenShop(2);
  const first = await shop.pay(100);
  await advance(day);
  await shop.pay(200);
  await shop.spend(270_00);
  const dispute = await shop.openDispute(first);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 30_00 });
  expect(await shop.sumReservesByReleaseDay()).toEqual([]);
  await winDispute(dispute);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 30_00, blocked: 0 });
  expect(await shop.sumReservesByReleaseDay()).toEqual([10, 20]);
  await advance(day);
  expect(await shop.balances()).toEqual({ available: 10_00, reserved: 20_00, blocked: 0 });
  await advance(day);
  expect(await shop.balances()).toEqual({ available: 30_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});

test('amounts returning to reserves first cover another dispute’s shortfall, and return to the same reserves when that one is won', async () => {
  const shop = await givenShop(2);
  const [large, small] = [await shop.pay(100), await shop.pay(50)];
  await shop.spend(135_00);
  const first = await shop.openDispute(large);
  const second = await shop.openDispute(small);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 15_00 });
  await winDispute(first);
  expect(await shop.readDispute(second)).toMatchObject({ blocked_amount: 15, shortfall_amount: 35 });
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 15_00 });
  await winDispute(second);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 15_00, blocked: 0 });
  await advance(2 * day);
  expect(await shop.balances()).toEqual({ available: 15_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});

test('an amount returning to a reserve that fell due meanwhile becomes available', async () => {
  const shop = await givenShop(2);
  const dispute = await shop.openDispute(await shop.pay(100));
  await advance(2 * day);
  await winDispute(dispute);
  expect(await shop.balances()).toEqual({ available: 100_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});

test('a partly accepted dispute uses the amount blocked from the balance first, and the reserve is restored', async () => {
  const shop = await givenShop(120);
  const pix = await shop.pay(100);
  const dispute = await shop.openDispute(pix);
  await gateway.bank.resolveDispute(dispute.bankId, { accepted: true, amountCents: 93_00 });
  await processDisputes(gateway);
  await expect.poll(() => bookReturnsOfPix(gateway.deps, pix.endToEndId)).toBe(true);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 7_00 });
  await advance(90 * day);
  await processDisputes(gateway);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 7_00, blocked: 0 });
  await advance(30 * day);
  expect(await shop.balances()).toEqual({ available: 7_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});
