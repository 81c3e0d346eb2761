import { liveMessage } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultPin, givenAdmin, givenMerchant } from '../../test/given.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenPolicyAccount,
  onlyRequest,
} from '../../test/given-approvals.ts';
import { givenPasskey } from '../../test/given-factor.ts';
import { givenMember } from '../../test/given-member.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { readAnnouncement } from '../outbox/index.ts';

/* What changes for several people at once is refetched by all their open screens: each change is announced to them. */

let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
beforeEach(() => stand.gateway.deps.db.deleteFrom('outbox').execute());
afterAll(() => stand.gateway.stop());

/** What the screens of an account are told to refetch since this was last asked. */
async function changesShownTo(accountId: number): Promise<string[]> {
  const rows = await stand.gateway.deps.db.selectFrom('outbox').select('payload').orderBy('id').execute();
  await stand.gateway.deps.db.deleteFrom('outbox').execute();
  return rows
    .flatMap(({ payload }) => readAnnouncement(payload ?? ''))
    .filter(({ merchantId }) => merchantId === accountId)
    .map(({ message }) => liveMessage.parse(JSON.parse(message)))
    .flatMap((message) => (message.type === 'change' ? [message.of] : []));
}

type Person = { readonly token: string };
const call = (person: Person, method: string, path: string, body?: unknown) =>
  stand.gateway.api(method, path, body, { token: person.token });

test('each step of a request for approval, to the account', async () => {
  const funded = await stand.createFundedMerchant(5000);
  const { owner, approvers } = await givenPolicyAccount(stand.gateway, funded);
  const [finance] = approvers as [GivenApprover];
  expect(await changesShownTo(owner.id)).toContain('approvals');
  await askWithdrawal(stand.gateway, owner, 500);
  expect(await changesShownTo(owner.id)).toEqual(['approvals']);
  const { id } = await onlyRequest(stand.gateway, finance);
  await approveAs(stand.gateway, finance, id);
  expect(await changesShownTo(owner.id)).toEqual(['approvals']);
  await call(finance, 'POST', `/authed/approvals/${id}/retract`);
  expect(await changesShownTo(owner.id)).toEqual(['approvals']);
  await approveAs(stand.gateway, finance, id);
  await changesShownTo(owner.id);
  await stand.sendDueWithdrawals();
  expect(await changesShownTo(owner.id)).toEqual(['approvals']);
  await call(owner, 'POST', '/authed/approvers', {});
  await call(owner, 'PUT', '/authed/approval-policy', { enabled: false });
  await changesShownTo(owner.id);
  const { id: policyId } = await onlyRequest(stand.gateway, finance);
  await call(finance, 'POST', `/authed/approvals/${policyId}/reject`, { reason: '' });
  expect(await changesShownTo(owner.id)).toEqual(['approvals']);
});

test('the operator’s requests, to every administrator', async () => {
  const [first, second] = [await givenAdmin(stand.gateway), await givenAdmin(stand.gateway)];
  for (const admin of [first, second]) await givenPasskey(stand.gateway, admin);
  await call(first, 'PUT', '/authed/approval-policy', { enabled: true, of: 'operator' });
  expect(await changesShownTo(second.id)).toEqual(['approvals']);
});

test('members, the handover, support and destinations, to the account', async () => {
  const admin = await givenAdmin(stand.gateway);
  const shop = await givenMerchant(stand.gateway, { admin });
  const heir = await givenMember(stand.gateway, shop.id, 'owner');
  const cashier = await givenMember(stand.gateway, shop.id, 'cashier');
  await changesShownTo(shop.id);
  const acts: readonly (readonly [by: Person, method: string, path: string, body?: unknown])[] = [
    [shop, 'POST', '/authed/member-invitations', { email: 'novo@example.com', role: 'cashier' }],
    [shop, 'PUT', `/authed/members/${cashier.id}`, { role: 'accountant' }],
    [shop, 'POST', `/authed/members/${cashier.id}/remove`, { keys: 'keep' }],
    [shop, 'POST', '/authed/support-access', { hours: 1 }],
    [admin, 'POST', `/admin/users/${shop.id}/look-in`, { reason: 'Pediram ajuda.' }],
    [shop, 'DELETE', '/authed/support-access'],
    [shop, 'POST', '/authed/account-handover', { member_id: String(heir.id) }],
    [heir, 'POST', '/authed/account-handover/confirm'],
  ];
  for (const [by, method, path, body] of acts) {
    const { status } = await call(by, method, path, body);
    expect([path, status < 300, await changesShownTo(shop.id)]).toEqual([path, true, ['members']]);
  }
});

test('a destination that was saved or removed, to the account', async () => {
  const shop = await stand.createFundedMerchant(100);
  const pixKey = 'maria@example.com';
  const body = {
    pixKey,
    pix_key_type: 'email',
    day_limit: 10,
    password: shop.password,
    withdrawal_pin: defaultPin,
  };
  await changesShownTo(shop.id);
  expect((await call(shop, 'POST', '/authed/api-withdrawals/destinations', body)).status).toBe(201);
  expect(await changesShownTo(shop.id)).toEqual(['destinations']);
});
