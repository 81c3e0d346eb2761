import { endpoints } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GivenAdmin, type GivenMerchant, givenAdmin } from '../../test/given.ts';
import { addMember } from '../../test/given-member.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { readUser } from './find-users.ts';

let stand: WithdrawalStand;
let member: GivenAdmin;
let merchant: GivenMerchant;
let withdrawalId: string;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
  member = await givenAdmin(stand.gateway);
  merchant = await stand.createFundedMerchant(100);
  withdrawalId = (await stand.ask(merchant)).id;
  await addMember(stand.gateway, merchant.id, { id: member.id, role: 'accountant' });
});
afterAll(() => stand.gateway.stop());

const reason = { reason: 'conferido' };
const evidence = { outcome: 'refused', evidence: 'extrato do banco' };

/** The calls by which an administrator decides about one account, with a body for each. */
const decisions: Record<string, () => object | Promise<object>> = {
  adminUpdateUser: async () => ({
    version: (await readUser(stand.deps, String(merchant.id))).version,
    name: 'Outro Nome',
    reason: 'nome novo',
  }),
  adminFreezeUser: () => reason,
  adminUnfreezeUser: () => reason,
  adminRecoverAccount: () => ({ email: 'nova@example.com', reason: 'perdeu tudo' }),
  adminConfirmIdentity: () => reason,
  adminAcceptKyc: () => ({}),
  adminRejectKyc: () => reason,
  adminHoldWithdrawal: () => reason,
  adminReleaseWithdrawal: () => reason,
  adminResolveWithdrawal: () => evidence,
  adminResolveRefund: () => evidence,
};
/** Looking in decides nothing, and a member sees the account anyway. */
const noDecisions = ['adminLookIn'];

const aboutOneAccount = endpoints.filter(
  ({ method, path, name }) =>
    method !== 'GET' && path.startsWith('/admin/users/') && !noDecisions.includes(name),
);

test('every call about one account is tried', () => {
  expect(aboutOneAccount.map(({ name }) => name).toSorted()).toEqual(Object.keys(decisions).toSorted());
});

test.each(aboutOneAccount.map(({ name, method, path }) => [name, method, path] as const))(
  '%s is refused to an administrator who is a member of the account',
  async (name, method, path) => {
    const url = path
      .replace('{userId}', String(merchant.id))
      .replace('{id}', path.endsWith('{id}') ? String(merchant.id) : withdrawalId);
    const body = await decisions[name]?.();
    expect(await stand.gateway.api(method, url, body, { token: member.token })).toMatchObject({
      status: 403,
      body: { error: { code: 'OWN_ACCOUNT' } },
    });
  },
);
