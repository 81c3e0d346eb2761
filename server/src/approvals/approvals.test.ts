import { profile, withdraw } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, defaultPin, type GivenMerchant, parseSuccess } from '../../test/given.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenApprover,
  givenPolicyAccount,
  onlyRequest,
  openRequests,
  type PolicyTerms,
  signRequest,
} from '../../test/given-approvals.ts';
import { givenMember } from '../../test/given-member.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { orderHooks } from '../order-hooks.ts';
import { approvalLoops } from './index.ts';

let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());

const call = (person: { token: string }, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  stand.gateway.api(method, path, body, { token: person.token });

async function fundedAccount(terms: PolicyTerms & { others?: number } = {}) {
  return givenPolicyAccount(stand.gateway, await stand.createFundedMerchant(5000), terms);
}

/** Asks for a withdrawal and returns its id and the id of its request. */
async function givenWaiting(owner: GivenMerchant, amount: number) {
  const { withdrawal } = parseSuccess(withdraw.response, await askWithdrawal(stand.gateway, owner, amount));
  const request = await onlyRequest(stand.gateway, owner);
  return { id: withdrawal.id, requestId: request.id, withdrawal };
}

const isSent = async (id: string) => {
  await stand.sendDueWithdrawals();
  return (await stand.payoutsOf(id)).length;
};

const waitingFor = async (person: { token: string }) =>
  parseSuccess(profile.response, await call(person, 'GET', '/authed/profile')).approvals;

test('the profile counts what waits for the person, and says nothing where nobody could approve', async () => {
  const alone = await stand.createFundedMerchant(100);
  expect(await waitingFor(alone)).toBeUndefined();
  await givenMember(stand.gateway, alone.id, 'cashier');
  expect(await waitingFor(alone)).toEqual({ waiting: 0 });
  const { owner, approvers } = await fundedAccount();
  const [finance] = approvers as [GivenApprover];
  const cashier = await givenMember(stand.gateway, owner.id, 'cashier');
  const { requestId } = await givenWaiting(owner, 50);
  expect(await waitingFor(owner)).toEqual({ waiting: 0 });
  expect(await waitingFor(cashier)).toEqual({ waiting: 0 });
  expect(await waitingFor(finance)).toEqual({ waiting: 1 });
  await approveAs(stand.gateway, finance, requestId);
  expect(await waitingFor(finance)).toEqual({ waiting: 0 });
});

describe('a withdrawal above the amount', () => {
  test('waits with its money held, and is sent once another person has approved it', async () => {
    const { owner, approvers } = await fundedAccount({ from: 100 });
    const [finance] = approvers as [GivenApprover];
    const { id, requestId, withdrawal } = await givenWaiting(owner, 100);
    expect(withdrawal).toMatchObject({ status: 'pending' });
    expect(withdrawal.error).toMatch(/^Espera a aprovação de outra pessoa, até /);
    expect(withdrawal.awaits_approval).toBe(true);
    // A second one is refused, and says for what it waits.
    expect((await askWithdrawal(stand.gateway, owner, 50)).body).toMatchObject({
      error: {
        code: 'WITHDRAWAL_PENDING',
        message: expect.stringMatching(/R\$.100,00 ainda espera a aprovação/),
        details: { awaits_approval: id },
      },
    });
    expect(await isSent(id)).toBe(0);

    const seen = await openRequests(stand.gateway, finance);
    expect(seen.waiting_for_you).toBe(1);
    expect(seen.open[0]).toMatchObject({
      id: requestId,
      kind: 'withdrawal',
      order_id: id,
      amount_cents: 10_000,
      summary: expect.stringMatching(/^Saque de R\$.100,00 para maria@example.com$/),
      maker: { id: String(owner.id) },
      needed: 1,
      may_approve: true,
      unusual: ['new-key'],
    });
    const approved = await approveAs(stand.gateway, finance, requestId);
    expect(approved).toMatchObject({ status: 'approved', approvals: [{ method: 'passkey', is_own: true }] });
    expect(await isSent(id)).toBe(1);
    const completed = await stand.advanceUntilStatus(owner, id, 'completed');
    expect(completed).toMatchObject({ error: null });
    expect(completed).not.toHaveProperty('awaits_approval');
    const { body } = await call(owner, 'GET', `/authed/approvals/${requestId}`);
    expect(body).toMatchObject({ approval: { status: 'done' } });
  });

  test('below the amount is sent without anybody, but not in parts that reach it within 24 hours', async () => {
    const { owner } = await fundedAccount({ from: 100 });
    const first = parseSuccess(withdraw.response, await askWithdrawal(stand.gateway, owner, 60)).withdrawal;
    expect(first.error).toBeNull();
    expect(await isSent(first.id)).toBe(1);
    await stand.advanceUntilStatus(owner, first.id, 'completed');
    const second = await givenWaiting(owner, 40);
    expect(second.withdrawal.error).toMatch(/^Espera a aprovação/);
    // The order says with what it adds up, to who asked and to who approves.
    expect(second.withdrawal.error).toMatch(/Com os R\$\s60,00 .* alcança os R\$\s100,00 da política\.$/);
    const { open } = await openRequests(stand.gateway, owner);
    expect(open[0]?.unusual).toContain('with-others');
    expect(await isSent(second.id)).toBe(0);
  });

  test('is not approved by its maker, by others without the role, nor twice by the same person', async () => {
    const { owner, approvers } = await fundedAccount({ from: 0, approvals: 2, others: 2 });
    const [first, second] = approvers as [GivenApprover, GivenApprover];
    const { id, requestId } = await givenWaiting(owner, 50);
    const path = `/authed/approvals/${requestId}`;
    expect(codeOf(await call(owner, 'POST', `${path}/options`, {}))).toBe('403 APPROVAL_OF_OWN');
    const cashier = await givenMember(stand.gateway, owner.id, 'cashier');
    expect(codeOf(await call(cashier, 'POST', `${path}/options`, {}))).toBe('403 MEMBER_ROLE_MISSING');
    const newcomer = await givenApprover(stand.gateway, owner.id);
    expect(codeOf(await call(newcomer, 'POST', `${path}/options`, {}))).toBe('403 APPROVER_NOT_COUNTED');

    expect((await approveAs(stand.gateway, first, requestId)).status).toBe('open');
    expect((await approveAs(stand.gateway, first, requestId)).approvals).toHaveLength(1);
    expect(await isSent(id)).toBe(0);
    expect((await approveAs(stand.gateway, second, requestId)).status).toBe('approved');
    expect(await isSent(id)).toBe(1);
  });

  test('accepts no signature over another order, by another key or with another origin', async () => {
    const { owner, approvers } = await fundedAccount({ from: 0 });
    const [finance] = approvers as [GivenApprover];
    const other = await fundedAccount({ from: 0 });
    const { requestId } = await givenWaiting(owner, 50);
    const { requestId: otherId } = await givenWaiting(other.owner, 50);
    const [otherFinance] = other.approvers as [GivenApprover];
    const path = `/authed/approvals/${requestId}/approve`;
    const foreign = await signRequest(stand.gateway, otherFinance, otherId);
    expect(codeOf(await call(finance, 'POST', path, { credential: foreign }))).toBe(
      '403 SECOND_FACTOR_WRONG',
    );
    const { body } = await call(finance, 'POST', `/authed/approvals/${requestId}/options`, {});
    const { options } = body as { options: { challenge: string } };
    for (const lie of [{ origin: 'https://evil.example' }, { challenge: 'AAAA' }, { present: false }])
      expect(
        codeOf(await call(finance, 'POST', path, { credential: finance.passkey.get(options, lie) })),
      ).toBe('403 SECOND_FACTOR_WRONG');
    expect(codeOf(await call(otherFinance, 'POST', path, { credential: foreign }))).toBe(
      '404 APPROVAL_NOT_FOUND',
    );
  });

  test('gives the money back when it is rejected, cancelled or its time is over', async () => {
    const { owner, approvers } = await fundedAccount({ from: 0, expires_hours: 1 });
    const [finance] = approvers as [GivenApprover];
    const rejected = await givenWaiting(owner, 50);
    const answer = await call(finance, 'POST', `/authed/approvals/${rejected.requestId}/reject`, {
      reason: 'Não',
    });
    expect(answer.body).toMatchObject({ approval: { status: 'rejected', reason: 'Não' } });
    expect(await stand.readWithdrawal(owner, rejected.id)).toMatchObject({
      status: 'failed',
      error: 'Quem aprova recusou o pedido. O valor voltou ao seu saldo.',
    });
    expect(codeOf(await call(finance, 'POST', `/authed/approvals/${rejected.requestId}/options`, {}))).toBe(
      '409 APPROVAL_ENDED',
    );

    const cancelled = await givenWaiting(owner, 50);
    expect(codeOf(await call(finance, 'POST', `/authed/approvals/${cancelled.requestId}/cancel`, {}))).toBe(
      '403 APPROVAL_OF_OTHER',
    );
    await call(owner, 'POST', `/authed/approvals/${cancelled.requestId}/cancel`, {});
    expect((await stand.readWithdrawal(owner, cancelled.id)).status).toBe('failed');

    const late = await givenWaiting(owner, 50);
    await stand.gateway.advance(3601);
    for (const { work } of approvalLoops(orderHooks)) await work(stand.deps);
    expect(await stand.readWithdrawal(owner, late.id)).toMatchObject({
      status: 'failed',
      error: 'O prazo terminou sem as aprovações. O valor voltou ao seu saldo.',
    });
  });

  test('waits again when its approver takes the approval back or is removed', async () => {
    const { owner, approvers } = await fundedAccount({ from: 0, others: 2 });
    const [first, second] = approvers as [GivenApprover, GivenApprover];
    const { id, requestId } = await givenWaiting(owner, 50);
    await approveAs(stand.gateway, first, requestId);
    const { body } = await call(first, 'POST', `/authed/approvals/${requestId}/retract`, {});
    expect(body).toMatchObject({ approval: { status: 'open', approvals: [] } });
    await approveAs(stand.gateway, second, requestId);
    await call(owner, 'POST', `/authed/members/${second.id}/remove`, { keys: 'keep' });
    expect(await onlyRequest(stand.gateway, owner)).toMatchObject({ status: 'open', approvals: [] });
    expect(await isSent(id)).toBe(0);
    await approveAs(stand.gateway, first, requestId);
    expect(await isSent(id)).toBe(1);
  });
});

describe('the policy', () => {
  test('needs two people who can approve, and is weakened only under itself', async () => {
    const merchant = await stand.createFundedMerchant(1000);
    const put = (person: { token: string }, body: unknown) =>
      call(person, 'PUT', '/authed/approval-policy', body);
    expect(codeOf(await put(merchant, { enabled: true }))).toBe('409 FACTOR_MISSING');
    const { owner, approvers } = await fundedAccount({ from: 100 });
    const [finance] = approvers as [GivenApprover];
    const asked = await put(owner, { enabled: false });
    expect(codeOf(asked)).toBe('409 APPROVAL_REQUESTED');
    expect(codeOf(await put(owner, { enabled: true, from: 100_000 }))).toBe('409 APPROVAL_REQUESTED');
    const { open } = await openRequests(stand.gateway, finance);
    const off = open.find(({ summary }) => summary === 'Desligar a política de aprovação');
    await approveAs(stand.gateway, finance, off?.id ?? '');
    expect((await call(owner, 'GET', '/authed/approval-policy')).body).toMatchObject({
      policy: { enabled: false },
    });
    expect(codeOf(await askWithdrawal(stand.gateway, owner, 200))).toBe('201');
  });

  test('counts a new person only after others have approved them, and no factor that was removed', async () => {
    const { owner, approvers } = await fundedAccount({ from: 0, others: 2 });
    const [first, second] = approvers as [GivenApprover, GivenApprover];
    const newcomer = await givenApprover(stand.gateway, owner.id);
    expect(codeOf(await call(newcomer, 'POST', '/authed/approvers', {}))).toBe('409 APPROVAL_REQUESTED');
    const asked = await onlyRequest(stand.gateway, first);
    expect(asked).toMatchObject({ kind: 'approver', maker: { id: String(newcomer.id) } });
    expect((await approveAs(stand.gateway, first, asked.id)).status).toBe('done');
    const { id, requestId } = await givenWaiting(owner, 50);
    await approveAs(stand.gateway, newcomer, requestId);
    expect(await isSent(id)).toBe(1);
    await stand.advanceUntilStatus(owner, id, 'completed');

    await stand.deps.db.deleteFrom('passkeys').where('user_id', '=', second.id).execute();
    const next = await givenWaiting(owner, 50);
    expect(codeOf(await call(second, 'POST', `/authed/approvals/${next.requestId}/options`, {}))).toBe(
      '403 APPROVER_NOT_COUNTED',
    );
  });

  test('leaves accounts without a policy as they were', async () => {
    const merchant = await stand.createFundedMerchant(1000);
    const body = {
      amount: 500,
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      withdrawal_pin: defaultPin,
    };
    const { withdrawal } = parseSuccess(
      withdraw.response,
      await call(merchant, 'POST', '/authed/withdraw', body),
    );
    expect(withdrawal.error).toBeNull();
    expect(await isSent(withdrawal.id)).toBe(1);
  });
});
