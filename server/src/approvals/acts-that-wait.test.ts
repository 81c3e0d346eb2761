import {
  activateConnection,
  adminAssignSuspense,
  adminCloseItem,
  adminRecoverAccount,
  adminReleaseWithdrawal,
  adminResumePayouts,
  adminReturnSuspense,
  adminUpdateUser,
  apiWithdraw,
  approvalOptions,
  approve,
  askToApprove,
  changeMember,
  createScopedKey,
  type Endpoint,
  type ErrorCode,
  endpoints,
  generateApiKey,
  giveBackHeldPix,
  inviteMember,
  leaveAccount,
  orderConnections,
  refundPayment,
  removeMember,
  removePasskey,
  replaceCredentials,
  rotateScopedKey,
  saveDestination,
  setApiWithdrawals,
  setApprovalPolicy,
  setDebitAccount,
  updateScopedKey,
  withdraw,
} from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallOptions } from '../../test/gateway.ts';
import { codeOf, defaultPin, type GivenAdmin, givenAdmin, givenBalance } from '../../test/given.ts';
import { givenApprover, givenPolicyAccount } from '../../test/given-approvals.ts';
import { entryOf, openSandboxAccount } from '../../test/given-connection.ts';
import { givenPasskey } from '../../test/given-factor.ts';
import { givenMember } from '../../test/given-member.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { openItem } from '../bank-watch/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());

/** A call that waits for approval. */
type Act = {
  readonly endpoint: Endpoint;
  readonly by: CallOptions;
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

async function make({ endpoint: { method, path }, by, params = {}, body = {} }: Act) {
  const called = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '');
  return stand.gateway.api(method, called, body, by);
}

/** Makes the calls and returns what each was answered, by the names of their endpoints. */
async function answersTo(acts: readonly Act[]): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const act of acts) answers[act.endpoint.name] = codeOf(await make(act));
  return answers;
}

const allAnswered = (acts: readonly Act[], answer: string) =>
  Object.fromEntries(acts.map(({ endpoint }) => [endpoint.name, answer]));

const idOf = async (act: Act): Promise<string> => {
  const { body } = await make(act);
  const { id, key } = body as { id?: string; key?: { id: string } };
  return id ?? key?.id ?? '';
};

/** What a merchant's account asks for: acts that wait, and orders that are stored and wait. */
async function actsOfAccount() {
  const { gateway } = stand;
  const funded = await stand.createFundedMerchant(500);
  const { chargeId } = await givenBalance(gateway, funded, 100);
  const member = await givenMember(gateway, funded.id, 'cashier');
  const owner = { token: funded.token };
  const ownerProof = { password: funded.password, pin: defaultPin };
  const proof = { password: funded.password, withdrawal_pin: defaultPin };
  const destination = { pixKey: 'maria@example.com', pix_key_type: 'email', ...proof };
  const made = { name: 'ERP', scopes: ['charges'] };
  const params = { id: await idOf({ endpoint: createScopedKey, by: owner, body: made }) };
  const moving = { ...made, scopes: ['withdrawals'] };
  const movingId = await idOf({ endpoint: createScopedKey, by: owner, body: moving });
  await make({ endpoint: setApiWithdrawals, by: owner, body: { enabled: true, ...proof } });
  await make({ endpoint: saveDestination, by: owner, body: destination });
  const account = await openSandboxAccount(gateway);
  const created = await gateway.api('POST', '/authed/connections', entryOf(account), owner);
  const connection = { id: (created.body as { id: string }).id };
  const { clientId: client_id, clientSecret: client_secret } = account;
  const { approvers } = await givenPolicyAccount(gateway, funded, { from: 0, approvals: 2, others: 2 });
  const newcomer = await givenApprover(gateway, funded.id);

  const acts: Act[] = [
    { endpoint: generateApiKey, by: owner },
    { endpoint: createScopedKey, by: owner, body: moving },
    {
      endpoint: updateScopedKey,
      by: owner,
      params,
      body: { ...moving, allowed_addresses: [], expires_at: null },
    },
    { endpoint: rotateScopedKey, by: owner, params: { id: movingId } },
    { endpoint: setApiWithdrawals, by: owner, body: { enabled: true, ...proof } },
    { endpoint: saveDestination, by: owner, body: { ...destination, day_limit: 100 } },
    { endpoint: activateConnection, by: owner, params: connection, body: ownerProof },
    {
      endpoint: replaceCredentials,
      by: owner,
      params: connection,
      body: { client_id, client_secret, ...ownerProof },
    },
    {
      endpoint: setDebitAccount,
      by: owner,
      params: connection,
      body: { type: 'checking', number: '12345', ...ownerProof },
    },
    { endpoint: orderConnections, by: owner, body: { ids: [connection.id], ...ownerProof } },
    { endpoint: inviteMember, by: owner, body: { email: 'bia@loja.example', role: 'finance' } },
    { endpoint: changeMember, by: owner, params: { id: String(member.id) }, body: { role: 'finance' } },
    { endpoint: setApprovalPolicy, by: owner, body: { enabled: false } },
    { endpoint: askToApprove, by: { token: newcomer.token } },
  ];
  const withdrawal = { pixKey: 'maria@example.com', amount: 50 };
  const orders: Act[] = [
    {
      endpoint: withdraw,
      by: owner,
      body: { ...withdrawal, pix_key_type: 'email', withdrawal_pin: defaultPin },
    },
    {
      endpoint: apiWithdraw,
      by: { apiKey: funded.apiKey },
      body: { ...withdrawal, amount: 5000, keyType: 'email' },
    },
    { endpoint: refundPayment, by: owner, params: { id: chargeId }, body: { amount: 10 } },
  ];
  return { owner, accountId: funded.id, approvers, acts, orders };
}

const account = { acts: [] as readonly Act[], lonely: [] as readonly Act[] };
const operator = { acts: [] as readonly Act[], uncounted: [] as readonly Act[] };

test('what a merchant asks for waits for approval, and is refused where nobody could give it', async () => {
  const { owner, accountId, approvers, acts, orders } = await actsOfAccount();
  expect(await answersTo(acts)).toEqual(allAnswered(acts, '409 APPROVAL_REQUESTED'));
  const leaving = approvers.map(({ token }) => ({
    endpoint: leaveAccount,
    by: { token },
    body: { account_id: String(accountId) },
  }));
  expect(await answersTo(leaving)).toEqual(allAnswered(leaving, '409 APPROVERS_TOO_FEW'));

  for (const { id } of approvers)
    await make({ endpoint: removeMember, by: owner, params: { id: String(id) }, body: { keys: 'revoke' } });
  const { open } = (await stand.gateway.api('GET', '/authed/approvals', undefined, owner)).body as {
    open: { id: string }[];
  };
  for (const { id } of open)
    await stand.gateway.api('POST', `/authed/approvals/${id}/reject`, { reason: '' }, owner);
  const lonely = [...acts, ...orders];
  expect(await answersTo(lonely)).toEqual(allAnswered(lonely, '409 APPROVERS_TOO_FEW'));
  Object.assign(account, { acts, lonely: [...lonely, ...leaving] });
});

/** What an administrator asks for. */
async function actsOfOperator(by: GivenAdmin): Promise<Act[]> {
  const { gateway } = stand;
  const reason = 'Conferido com o lojista';
  const merchant = await stand.createFundedMerchant(1000);
  const userId = String(merchant.id);
  const { id } = await stand.ask(merchant);
  const withdrawal = { userId, id };
  await gateway.api('POST', `/admin/users/${userId}/withdrawals/${id}/hold`, { reason }, by);
  const large = { key: gateway.deps.config.pixKey, amount: 2000 };
  const strays = [await gateway.bank.pay(large), await gateway.bank.pay(large)] as const;
  for (const endToEndId of strays) await stand.bookReceivedPix(endToEndId);
  const [assigned, returned] = strays;
  const item = {
    kind: 'payout-not-debited',
    connectionId: HOUSE_CONNECTION,
    reference: id,
    merchantId: merchant.id,
    detail: {},
  } as const;
  await inTransaction(gateway.deps, (tx) => openItem(tx, item));
  const itemRow = gateway.deps.db.selectFrom('open_items').select('id').where('reference', '=', id);
  const itemId = (await itemRow.executeTakeFirstOrThrow()).id;
  return [
    { endpoint: adminResumePayouts, by, body: { reason } },
    { endpoint: adminReleaseWithdrawal, by, params: withdrawal, body: { reason } },
    { endpoint: adminAssignSuspense, by, params: { endToEndId: assigned }, body: { userId, reason } },
    { endpoint: adminReturnSuspense, by, params: { endToEndId: returned }, body: { reason } },
    { endpoint: adminCloseItem, by, params: { id: itemId }, body: { evidence: reason } },
    { endpoint: adminUpdateUser, by, params: { id: userId }, body: { version: 2, role: 'ADMIN' } },
    {
      endpoint: adminRecoverAccount,
      by,
      params: { userId },
      body: { email: 'marina@nova.example', reason },
    },
    { endpoint: setApprovalPolicy, by, body: { enabled: false, of: 'operator' } },
  ];
}

test('what an administrator asks for waits too, and needs that their own approvals count', async () => {
  const { gateway } = stand;
  const givenCounted = async () => {
    const admin = await givenAdmin(gateway);
    return { ...admin, passkey: await givenPasskey(gateway, admin) };
  };
  const [first, second, third] = [await givenCounted(), await givenCounted(), await givenCounted()];
  const acts = await actsOfOperator(first);
  await gateway.api('PUT', '/authed/approval-policy', { enabled: true, approvals: 2, of: 'operator' }, first);
  const newcomer = await givenCounted();
  const asking = { endpoint: askToApprove, by: newcomer, body: { of: 'operator' } };
  const uncounted = acts.map((act) => ({ ...act, by: newcomer }));
  expect(await answersTo(uncounted)).toEqual(allAnswered(uncounted, '403 APPROVER_NOT_COUNTED'));
  const waiting = [...acts, asking];
  expect(await answersTo(waiting)).toEqual(allAnswered(waiting, '409 APPROVAL_REQUESTED'));

  for (const { token, passkey } of [second, third])
    await make({ endpoint: removePasskey, by: { token }, params: { id: passkey.passkeyId } });
  const { open } = (await gateway.api('GET', '/authed/approvals?of=operator', undefined, first)).body as {
    open: { id: string }[];
  };
  for (const { id } of open)
    await gateway.api('POST', `/authed/approvals/${id}/reject`, { reason: '' }, first);
  expect(await answersTo(waiting)).toEqual(allAnswered(waiting, '409 APPROVERS_TOO_FEW'));
  Object.assign(operator, { acts: waiting, uncounted });
});

test('these are all calls whose contract names the refusals of approvals', () => {
  const namesOf = (code: ErrorCode) =>
    (endpoints as readonly Endpoint[])
      .filter(({ refusals }) => refusals.includes(code))
      .map(({ name }) => name)
      .sort();
  const made = (...acts: readonly (readonly Pick<Act, 'endpoint'>[])[]) =>
    [...new Set(acts.flat().map(({ endpoint }) => endpoint.name))].sort();
  expect(namesOf('APPROVAL_REQUESTED')).toEqual(made(account.acts, operator.acts));
  // A Pix that is given back from an account of the merchant's own is a refund, and refused where refunds are.
  const givingBack = [{ endpoint: giveBackHeldPix }];
  expect(namesOf('APPROVERS_TOO_FEW')).toEqual(made(account.lonely, operator.acts, givingBack));
  // Who approves is told so too, that their approvals do not count yet.
  const approving = [{ endpoint: approve }, { endpoint: approvalOptions }];
  expect(namesOf('APPROVER_NOT_COUNTED')).toEqual(made(operator.uncounted, approving));
});
