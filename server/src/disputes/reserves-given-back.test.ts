import { getReserves, login } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { givenAdmin, givenBalance, givenMerchant, read } from '../../test/given.ts';
import { givenAdjustment } from '../../test/given-adjustment.ts';
import { attend, givenDispute, seeDispute } from '../../test/given-dispute.ts';
import { auditLedger, readBalances } from '../ledger/index.ts';
import { releaseReserves } from '../payments/credit-counters.ts';
import { bookReturnsOfPix } from '../refunds/index.ts';

const day = 24 * 3600;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ work: false });
});
afterAll(() => gateway.stop());

/** A merchant without fees, with a tenth of each payment reserved for this many days. */
async function givenShop(days: number) {
  const reserve = { enabled: true, percentage: 10, liberationTime: days };
  const taxes = { pix: { in: 0, out: 0, fixIn: 0, fixOut: 0 }, crypto: 0, reserve };
  const admin = await givenAdmin(gateway);
  const merchant = await givenMerchant(gateway, { admin, account: { taxes } });
  /** Sessions expire as days pass. */
  const signIn = async () => {
    const { username, password } = merchant;
    return read(login.response, await gateway.api('POST', '/login', { username, password }));
  };
  return {
    pay: (amount: number) => givenBalance(gateway, merchant, amount),
    takeOut: (cents: number) => givenAdjustment(gateway.deps, merchant.id, -cents),
    contest: async (pix: { endToEndId: string }) => givenDispute(gateway, await signIn(), pix),
    see: async (dispute: { id: string }) => seeDispute(gateway, await signIn(), dispute),
    async balances() {
      const { available, reserved, blocked } = await readBalances(gateway.deps.db, merchant.id);
      return { available, reserved, blocked };
    },
    async releases() {
      const answer = await gateway.api('GET', '/authed/reserves', undefined, await signIn());
      return read(getReserves.response, answer).releases.map(({ amount }) => amount);
    },
  };
}

async function win({ id, bankId }: { id: string; bankId: string }): Promise<void> {
  await gateway.bank.resolveDispute(bankId, { accepted: false });
  const named = gateway.deps.db.selectFrom('disputes').select('status').where('id', '=', id);
  const read = () => attend(gateway).then(() => named.executeTakeFirst());
  await expect.poll(read).toEqual({ status: 'won' });
}

async function pass(seconds: number): Promise<void> {
  await gateway.advance(seconds);
  await releaseReserves(gateway.deps);
}

test('amounts blocked from reserves return to each reserve when the dispute is won, and are released on their day', async () => {
  const shop = await givenShop(2);
  const first = await shop.pay(100);
  await pass(day);
  await shop.pay(200);
  await shop.takeOut(270_00);
  const dispute = await shop.contest(first);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 30_00 });
  expect(await shop.releases()).toEqual([]);
  await win(dispute);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 30_00, blocked: 0 });
  expect(await shop.releases()).toEqual([10, 20]);
  await pass(day);
  expect(await shop.balances()).toEqual({ available: 10_00, reserved: 20_00, blocked: 0 });
  await pass(day);
  expect(await shop.balances()).toEqual({ available: 30_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});

test('amounts returning to reserves first cover another dispute’s shortfall, and return to the same reserves when that one is won', async () => {
  const shop = await givenShop(2);
  const [large, small] = [await shop.pay(100), await shop.pay(50)];
  await shop.takeOut(135_00);
  const first = await shop.contest(large);
  const second = await shop.contest(small);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 15_00 });
  await win(first);
  expect(await shop.see(second)).toMatchObject({ blocked_amount: 15, shortfall_amount: 35 });
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 15_00 });
  await win(second);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 15_00, blocked: 0 });
  await pass(2 * day);
  expect(await shop.balances()).toEqual({ available: 15_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});

test('an amount returning to a reserve that fell due meanwhile becomes available', async () => {
  const shop = await givenShop(2);
  const dispute = await shop.contest(await shop.pay(100));
  await pass(2 * day);
  await win(dispute);
  expect(await shop.balances()).toEqual({ available: 100_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});

test('a partly accepted dispute uses the amount blocked from the balance first, and the reserve is restored', async () => {
  const shop = await givenShop(120);
  const pix = await shop.pay(100);
  const dispute = await shop.contest(pix);
  await gateway.bank.resolveDispute(dispute.bankId, { accepted: true, amountCents: 93_00 });
  await attend(gateway);
  await expect.poll(() => bookReturnsOfPix(gateway.deps, pix.endToEndId)).toBe(true);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 0, blocked: 7_00 });
  await pass(90 * day);
  await attend(gateway);
  expect(await shop.balances()).toEqual({ available: 0, reserved: 7_00, blocked: 0 });
  await pass(30 * day);
  expect(await shop.balances()).toEqual({ available: 7_00, reserved: 0, blocked: 0 });
  expect(await auditLedger(gateway.deps.db)).toEqual([]);
});
