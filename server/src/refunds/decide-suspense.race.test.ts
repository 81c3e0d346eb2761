import { randomBytes } from 'node:crypto';
import {
  adminSuspense,
  type ErrorCode,
  errorEnvelope,
  errors,
  login,
  suspensePix,
  transactionFeed,
} from '@jangada/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { givenRefund, readRefunds } from '../../test/refunds.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { PLATFORM, readBalances } from '../ledger/index.ts';

let gateway: TestGateway;
let admins: readonly [GivenAdmin, GivenAdmin];

beforeAll(async () => {
  gateway = await startTestGateway();
  admins = [await givenAdmin(gateway), await givenAdmin(gateway)];
});
afterEach(() => gateway.bank.setBehaviour({}));
afterAll(async () => {
  expect(await countDeadlocks(gateway.deps.db)).toBe(0);
  await gateway.stop();
});

/** A booked Pix to the gateway's key that matches no charge. Amount in BRL. */
async function givenSuspensePix(amount: number): Promise<string> {
  const endToEndId = await gateway.bank.pay({
    key: gateway.deps.config.pixKey,
    txid: `estranho${randomBytes(10).toString('hex')}`,
    amount,
  });
  await expect.poll(() => readOutcome(endToEndId)).toBe('suspense');
  return endToEndId;
}

async function readOutcome(endToEndId: string): Promise<string | undefined> {
  const row = await gateway.deps.db
    .selectFrom('received_pix')
    .select('outcome')
    .where('end_to_end_id', '=', endToEndId)
    .executeTakeFirst();
  return row?.outcome;
}

const decide = (
  { token }: GivenAdmin,
  endToEndId: string,
  action: 'assign' | 'return',
  body: Readonly<Record<string, unknown>> = {},
) =>
  gateway.api('POST', `/admin/suspense/${endToEndId}/${action}`, { reason: 'conferido', ...body }, { token });
const assign = (admin: GivenAdmin, endToEndId: string, { id }: Pick<GivenMerchant, 'id'>) =>
  decide(admin, endToEndId, 'assign', { userId: String(id) });
const codeOf = (response: ApiAnswer) => errorEnvelope.safeParse(response.body).data?.error.code;
function expectRefusal(response: ApiAnswer, code: ErrorCode): void {
  expect({ status: response.status, code: codeOf(response) }).toEqual({ status: errors[code].status, code });
}
const readSuspenseCents = async () => (await readBalances(gateway.deps.db, PLATFORM)).suspense;
const readAudit = async (endToEndId: string) => {
  const rows = await gateway.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id', 'subject_id', 'before'])
    .orderBy('id')
    .execute();
  return rows
    .filter(({ before }) => JSON.stringify(before).includes(endToEndId))
    .map(({ action, actor_id, subject_id }) => [action, actor_id, subject_id]);
};

describe('a Pix in suspense', () => {
  test('is listed, and an administrator assigns it to a merchant as a payment under the merchant’s terms', async () => {
    const taxes = {
      pix: { in: 1, out: 0, fixIn: 0, fixOut: 0 },
      crypto: 0,
      reserve: { enabled: true, percentage: 10, liberationTime: 5 },
    };
    const merchant = await givenMerchant(gateway, { admin: admins[0], account: { taxes } });
    const before = await readSuspenseCents();
    const endToEndId = await givenSuspensePix(100);
    const list = parseSuccess(
      adminSuspense.response,
      await gateway.api('GET', '/admin/suspense', undefined, { token: admins[0].token }),
    );
    expect(list.pix.at(-1)).toMatchObject({
      end_to_end_id: endToEndId,
      amount: 100,
      why: 'unknown-txid',
      status: 'suspense',
      proposal: null,
    });
    expect(await readSuspenseCents()).toBe(before + 10_000);

    const response = await assign(admins[0], endToEndId, merchant);
    expect(parseSuccess(suspensePix, response)).toMatchObject({ status: 'assigned', proposal: null });
    expect(await readSuspenseCents()).toBe(before);
    expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({
      available: 8910,
      reserved: 990,
      fees: 100,
    });
    const feed = parseSuccess(
      transactionFeed.response,
      await gateway.api('GET', '/authed/feed/transactions', undefined, { token: merchant.token }),
    );
    expect(feed.data).toMatchObject([
      { status: 'paid', amount: 100, credited_amount: 99, end_to_end_id: endToEndId },
    ]);
    const [charge] = feed.data;
    if (charge === undefined) throw new Error('The payment is not in the feed');
    await givenRefund(gateway, merchant, charge.id, { amount: 50 });
    await expect.poll(async () => (await readRefunds(gateway, merchant, charge.id)).refunded_amount).toBe(50);
    expect(await readAudit(endToEndId)).toEqual([['suspense assigned', admins[0].id, merchant.id]]);
    expectRefusal(await assign(admins[0], endToEndId, merchant), 'SUSPENSE_SETTLED');
    expectRefusal(await decide(admins[0], endToEndId, 'return'), 'SUSPENSE_SETTLED');
  });

  test('is returned to its payer, and is in suspense again if the bank refuses', async () => {
    const before = await readSuspenseCents();
    const endToEndId = await givenSuspensePix(15.01);
    const bankBefore = await gateway.bank.balanceCents();
    expect(parseSuccess(suspensePix, await decide(admins[0], endToEndId, 'return'))).toMatchObject({
      status: 'returning',
    });
    expect(await readSuspenseCents()).toBe(before);
    await expect.poll(() => readOutcome(endToEndId)).toBe('suspense');
    expect(await readSuspenseCents()).toBe(before + 1501);
    expect(await gateway.bank.balanceCents()).toBe(bankBefore);

    const second = await givenSuspensePix(20);
    await decide(admins[0], second, 'return');
    await expect.poll(() => readOutcome(second)).toBe('returned');
    expect(await readSuspenseCents()).toBe(before + 1501);
    expect(await gateway.bank.balanceCents()).toBe(bankBefore);
    expectRefusal(await decide(admins[0], second, 'return'), 'SUSPENSE_SETTLED');
    expect(await readAudit(second)).toEqual([['suspense returned', admins[0].id, 0]]);
  });

  test('partly returned by the bank can only be returned, and is then returned in full', async () => {
    const merchant = await givenMerchant(gateway, { admin: admins[0] });
    const before = await readSuspenseCents();
    const endToEndId = await givenSuspensePix(90);
    const order = { endToEndId, refundId: randomBytes(8).toString('hex'), amountCents: 3000, note: '' };
    await gateway.deps.psp.refunds?.requestRefund(order);
    await expect.poll(readSuspenseCents).toBe(before + 6000);
    expect(await readOutcome(endToEndId)).toBe('suspense');
    expectRefusal(await assign(admins[0], endToEndId, merchant), 'SUSPENSE_SETTLED');
    expect((await decide(admins[0], endToEndId, 'return')).status).toBe(200);
    await expect.poll(() => readOutcome(endToEndId)).toBe('returned');
    expect(await readSuspenseCents()).toBe(before);

    const secondId = await givenSuspensePix(25);
    const fullReturn = { ...order, endToEndId: secondId, amountCents: 2500 };
    await gateway.deps.psp.refunds?.requestRefund(fullReturn);
    await expect.poll(() => readOutcome(secondId)).toBe('returned');
    expectRefusal(await decide(admins[0], secondId, 'return'), 'SUSPENSE_SETTLED');
    expect(await readSuspenseCents()).toBe(before);
  });

  test('is not assigned to an unknown user, to the deciding administrator, or where the fee takes it all', async () => {
    const endToEndId = await givenSuspensePix(1);
    for (const userId of ['0', '999999', '-1', 'x']) {
      const response = await decide(admins[0], endToEndId, 'assign', { userId });
      expectRefusal(response, 'USER_NOT_FOUND');
    }
    expectRefusal(await assign(admins[0], endToEndId, admins[0]), 'OWN_ACCOUNT');
    const pix = { in: 0, out: 0, fixIn: 1, fixOut: 0 };
    const reserve = { enabled: false, percentage: 0, liberationTime: 0 };
    const account = { taxes: { pix, crypto: 0, reserve } };
    const merchant = await givenMerchant(gateway, { admin: admins[0], account });
    expectRefusal(await assign(admins[0], endToEndId, merchant), 'AMOUNT_BELOW_FEE');
    expectRefusal(await decide(admins[0], 'E0', 'return'), 'PIX_NOT_FOUND');
    expectRefusal(await gateway.api('GET', '/admin/suspense', undefined, merchant), 'FORBIDDEN');
    expect(await readOutcome(endToEndId)).toBe('suspense');
    expect(await readAudit(endToEndId)).toEqual([]);
  });

  test('is neither assigned nor returned while its payer disputes it', async () => {
    const contested = await givenSuspensePix(30);
    await gateway.bank.openDispute({ endToEndId: contested });
    await expect
      .poll(async () => codeOf(await decide(admins[0], contested, 'assign', { userId: '999999' })))
      .toBe('PAYMENT_IN_DISPUTE');
    expectRefusal(await decide(admins[0], contested, 'return'), 'PAYMENT_IN_DISPUTE');
  });
});

describe('above R$ 1.000,00', () => {
  test('one administrator proposes and another confirms; the proposer cannot confirm', async () => {
    const merchant = await givenMerchant(gateway, { admin: admins[0] });
    const endToEndId = await givenSuspensePix(1000.01);
    const proposed = parseSuccess(suspensePix, await assign(admins[0], endToEndId, merchant));
    expect(proposed).toMatchObject({
      status: 'suspense',
      proposal: {
        action: 'assign',
        user_id: String(merchant.id),
        reason: 'conferido',
        proposed_by: String(admins[0].id),
      },
    });
    expectRefusal(await assign(admins[0], endToEndId, merchant), 'SECOND_ADMIN_NEEDED');
    expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({ available: 0 });
    expect(parseSuccess(suspensePix, await assign(admins[1], endToEndId, merchant))).toMatchObject({
      status: 'assigned',
      proposal: null,
    });
    expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({ available: 100_001 });
    expect(await readAudit(endToEndId)).toEqual([
      ['suspense proposed', admins[0].id, merchant.id],
      ['suspense assigned', admins[1].id, merchant.id],
    ]);
  });

  test('a different decision is a new proposal, which again takes another administrator', async () => {
    const [merchant, other] = [
      await givenMerchant(gateway, { admin: admins[0] }),
      await givenMerchant(gateway, { admin: admins[0] }),
    ];
    const endToEndId = await givenSuspensePix(1500);
    await assign(admins[0], endToEndId, merchant);
    expect(parseSuccess(suspensePix, await assign(admins[1], endToEndId, other))).toMatchObject({
      status: 'suspense',
      proposal: { user_id: String(other.id), proposed_by: String(admins[1].id) },
    });
    expect(parseSuccess(suspensePix, await decide(admins[1], endToEndId, 'return'))).toMatchObject({
      status: 'suspense',
      proposal: { action: 'return', user_id: null },
    });
    expectRefusal(await decide(admins[1], endToEndId, 'return'), 'SECOND_ADMIN_NEEDED');
    await decide(admins[0], endToEndId, 'return');
    await expect.poll(() => readOutcome(endToEndId)).toBe('returned');
  });

  test('of two administrators who owe their role to one person, one cannot confirm what the other proposed', async () => {
    const merchant = await givenMerchant(gateway, { admin: admins[0] });
    const promote = async (promoter: Pick<GivenAdmin, 'token'>) => {
      const account = await givenMerchant(gateway, { admin: admins[0] });
      const role = { version: 2, role: 'ADMIN' };
      const response = await gateway.api('PUT', `/admin/users/${account.id}`, role, {
        token: promoter.token,
      });
      expect(response.status).toBe(200);
      const { username, password } = account;
      const signIn = await gateway.api('POST', '/login', { username, password });
      return { id: account.id, token: parseSuccess(login.response, signIn).token, password };
    };
    const child = await promote(admins[0]);
    const [grandchild, sibling] = [await promote(child), await promote(admins[0])];
    const smallPix = await givenSuspensePix(10);
    for (const [decider, account] of [
      [child, admins[0]],
      [admins[0], child],
      [grandchild, sibling],
    ] as const)
      expectRefusal(await assign(decider, smallPix, account), 'OWN_ACCOUNT');
    const endToEndId = await givenSuspensePix(1100);
    for (const [proposer, confirmer] of [
      [admins[0], child],
      [child, admins[0]],
      [admins[0], grandchild],
      [grandchild, sibling],
    ] as const) {
      await decide(proposer, endToEndId, 'return');
      expectRefusal(await decide(confirmer, endToEndId, 'return'), 'SECOND_ADMIN_NEEDED');
      expect(await readOutcome(endToEndId)).toBe('suspense');
      // A different decision replaces the proposal, so that the next round starts without one for a return.
      await assign(confirmer, endToEndId, merchant);
    }
    await decide(grandchild, endToEndId, 'return');
    await decide(admins[1], endToEndId, 'return');
    await expect.poll(() => readOutcome(endToEndId)).toBe('returned');
  });

  test.each([
    ['no longer an administrator', 'PUT', '', { version: 1, role: 'USER' }],
    ['frozen', 'POST', '/freeze', { reason: 'acesso suspeito' }],
  ])('the proposal of an administrator who is %s does not count', async (_, method, path, change) => {
    const merchant = await givenMerchant(gateway, { admin: admins[0] });
    const formerAdmin = await givenAdmin(gateway);
    const endToEndId = await givenSuspensePix(2000);
    await assign(formerAdmin, endToEndId, merchant);
    const { token } = admins[0];
    const changed = await gateway.api(method, `/admin/users/${formerAdmin.id}${path}`, change, { token });
    expect(changed.status).toBe(200);
    expect(parseSuccess(suspensePix, await assign(admins[0], endToEndId, merchant))).toMatchObject({
      status: 'suspense',
      proposal: { proposed_by: String(admins[0].id) },
    });
  });
});

describe('concurrently', () => {
  test('many calls of administrators decide a Pix once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const merchant = await givenMerchant(gateway, { admin: admins[0] });
      const before = await readSuspenseCents();
      const endToEndId = await givenSuspensePix(40);
      const results = await runConcurrently(12, (index) => {
        const admin = admins[index % 2 === 0 ? 0 : 1];
        return index % 3 === 0 ? decide(admin, endToEndId, 'return') : assign(admin, endToEndId, merchant);
      });
      const statuses = results.map((result) =>
        result.status === 'fulfilled' ? result.value.status : result.reason,
      );
      expect(statuses.toSorted()).toEqual([200, ...Array(11).fill(409)]);
      await expect.poll(() => readOutcome(endToEndId)).toMatch(/^(assigned|returned)$/);
      expect(await readSuspenseCents()).toBe(before);
      const { available } = await readBalances(gateway.deps.db, merchant.id);
      expect(available).toBe((await readOutcome(endToEndId)) === 'assigned' ? 4000 : 0);
    }
  });

  test('of two administrators who propose the same for a large Pix, one proposes and the other confirms', async () => {
    for (let round = 0; round < 5; round += 1) {
      const merchant = await givenMerchant(gateway, { admin: admins[0] });
      const endToEndId = await givenSuspensePix(1200);
      const responses = await Promise.all(admins.map((admin) => assign(admin, endToEndId, merchant)));
      const statuses = responses.map((response) => parseSuccess(suspensePix, response).status).toSorted();
      expect(statuses).toEqual(['assigned', 'suspense']);
      expect(await readBalances(gateway.deps.db, merchant.id)).toMatchObject({ available: 120_000 });
    }
  });
});
