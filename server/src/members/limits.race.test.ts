import { listPayments, type MemberRole, removeMember } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  defaultPin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenCharge,
  givenMerchant,
  givenPin,
  parseSuccess,
} from '../../test/given.ts';
import { givenMember, type MemberLimits } from '../../test/given-member.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';

let stand: WithdrawalStand;
let shop: GivenMerchant;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
beforeEach(async () => {
  // An administrator of each test's own, because tests move the time, which ends sessions.
  const admin = await givenAdmin(stand.gateway);
  shop = await givenMerchant(stand.gateway, { admin });
  await givenBalance(stand.gateway, shop, 2000);
  await stand.pollBankBalance();
});
afterAll(() => stand.gateway.stop());

const api = (method: string, path: string, body: unknown, token: string) =>
  stand.gateway.api(method, path, body, { token });
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim();
const givenMemberOf = (role: MemberRole, limits?: MemberLimits) =>
  givenMember(stand.gateway, shop.id, role, limits);
const refund = (chargeId: string, amount: number | undefined, token: string) =>
  api('POST', `/pix/${chargeId}/refund`, amount === undefined ? {} : { amount }, token);
const withdraw = (amount: number, token: string) => {
  const destination = { pixKey: 'maria@example.com', pix_key_type: 'email' };
  return api('POST', '/authed/withdraw', { amount, ...destination, withdrawal_pin: defaultPin }, token);
};
const paidCharges = async (count: number, amount: number) => {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1)
    ids.push((await givenBalance(stand.gateway, shop, amount)).chargeId);
  return ids;
};
const sumOf = async (table: 'refunds' | 'withdrawals', userId: number) => {
  const rows = stand.deps.db.selectFrom(table).select('amount_cents').where('requested_by', '=', userId);
  return (await rows.execute()).reduce((sum, row) => sum + row.amount_cents, 0);
};

describe('the limit of a member', () => {
  test('of refunds holds for the day, also against many at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const operator = await givenMemberOf('operator', { refundCents: 5000 });
      const charges = await paidCharges(8, 20);
      const answers = await Promise.all(charges.map((id) => refund(id, 20, operator.token)));
      expect(answers.map(codeOf).toSorted()).toEqual([
        ...Array.from({ length: 2 }, () => '201'),
        ...Array.from({ length: 6 }, () => '403 MEMBER_DAY_LIMIT'),
      ]);
      expect(await sumOf('refunds', operator.id)).toBe(4000);
    }
  });

  test('says what is left, and is new on the next day', async () => {
    const operator = await givenMemberOf('operator', { refundCents: 3000 });
    const [first = '', second = ''] = await paidCharges(2, 40);
    expect((await refund(first, 25, operator.token)).status).toBe(201);
    const refused = await refund(second, undefined, operator.token);
    expect(refused.body).toMatchObject({
      message: expect.stringMatching(
        /^O seu limite por dia nesta conta é de R\$\s30,00, e restam R\$\s5,00 hoje\.$/,
      ),
      error: { code: 'MEMBER_DAY_LIMIT', details: { limit: 30, left: 5 } },
    });
    // Neither an owner nor an API key has it.
    expect((await refund(second, 10, shop.token)).status).toBe(201);
    await stand.gateway.advance(86_400);
    const { username, password } = operator;
    const { body } = await stand.gateway.api('POST', '/login', { username, password });
    const { token } = body as { token: string };
    await api('POST', '/authed/accounts/enter', { account_id: String(shop.id) }, token);
    expect((await refund(second, 30, token)).status).toBe(201);
  });

  test('of withdrawals holds, also against two at once', async () => {
    await givenPin(stand.gateway, shop);
    const finance = await givenMemberOf('finance', { withdrawalCents: 8000 });
    expect(codeOf(await withdraw(80.01, finance.token))).toBe('403 MEMBER_DAY_LIMIT');
    // The screen knows it beforehand.
    const { body } = await stand.gateway.api('GET', '/authed/out-fees', undefined, { token: finance.token });
    expect(body).toMatchObject({
      caps: expect.arrayContaining([expect.objectContaining({ limit: 80, left: 80 })]),
    });
    const answers = await Promise.all([withdraw(50, finance.token), withdraw(50, finance.token)]);
    expect(answers.map(codeOf).toSorted()).toEqual(['201', '403 MEMBER_DAY_LIMIT']);
    const made = answers.find(({ status }) => status === 201)?.body as { withdrawal: { id: string } };
    await stand.pollBankBalance();
    await stand.sendDueWithdrawals();
    await stand.advanceUntilStatus(shop, made.withdrawal.id, 'completed');
    expect(codeOf(await withdraw(50, finance.token))).toBe('403 MEMBER_DAY_LIMIT');
    expect(await sumOf('withdrawals', finance.id)).toBe(5000);
  });

  test('does not let a removed member’s order through that was under way', async () => {
    for (let round = 0; round < 20; round += 1) {
      const operator = await givenMemberOf('operator');
      const [charge = ''] = await paidCharges(1, 5);
      const removal = api('POST', `/authed/members/${operator.id}/remove`, { keys: 'keep' }, shop.token);
      const [answer, removed] = await Promise.all([refund(charge, 5, operator.token), removal]);
      parseSuccess(removeMember.response, removed);
      expect(['201', '401 UNAUTHENTICATED', '403 MEMBER_ROLE_MISSING']).toContain(codeOf(answer));
      expect(codeOf(await refund(charge, 1, operator.token))).toBe('401 UNAUTHENTICATED');
    }
  });
});

describe('a cashier', () => {
  const charges = async (token: string, query = '') =>
    parseSuccess(listPayments.response, await stand.gateway.api('GET', `/pix${query}`, undefined, { token }))
      .data;
  const create = async (token: string) =>
    ((await api('POST', '/pix/new', { amount: 10 }, token)).body as { id: string }).id;

  test('sees the charges that they created today, and no others', async () => {
    const [cashier, colleague] = [await givenMemberOf('cashier'), await givenMemberOf('cashier')];
    const [own, others] = [await create(cashier.token), await create(colleague.token)];
    const ofOwner = (await givenCharge(stand.gateway, shop)).id;
    expect((await charges(cashier.token)).map(({ id }) => id)).toEqual([own]);
    expect(await charges(cashier.token, '?status=paid')).toEqual([]);
    const statusOf = async (id: string) =>
      codeOf(await stand.gateway.api('GET', `/pix/status/${id}`, undefined, cashier));
    expect(await statusOf(own)).toBe('200');
    for (const id of [others, ofOwner]) expect(await statusOf(id)).toBe('404 PAYMENT_NOT_FOUND');
    const searched = await stand.gateway.api('GET', '/pix?external_id=x', undefined, cashier);
    expect(codeOf(searched)).toBe('400 INVALID_QUERY');
    // A member with the right to all charges sees these too.
    expect((await charges(shop.token)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([own, others, ofOwner]),
    );
    await stand.gateway.advance(86_400);
    const { username, password } = cashier;
    const { body } = await stand.gateway.api('POST', '/login', { username, password });
    const { token } = body as { token: string };
    await api('POST', '/authed/accounts/enter', { account_id: String(shop.id) }, token);
    expect(await charges(token, '?from=2020-01-01')).toEqual([]);
    expect(codeOf(await stand.gateway.api('GET', `/pix/status/${own}`, undefined, { token }))).toBe(
      '404 PAYMENT_NOT_FOUND',
    );
  });

  test('costs the charges of owners and keys no row of their own', async () => {
    await create(shop.token);
    await givenCharge(stand.gateway, shop);
    const rows = stand.deps.db
      .selectFrom('charge_options')
      .select('charge_id')
      .where('merchant_id', '=', shop.id);
    expect(await rows.execute()).toEqual([]);
  });
});
