import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codeOf, defaultPin, type GivenAdmin, givenAdmin, givenMerchant } from '../../test/given.ts';
import {
  approveAs,
  askWithdrawal,
  type GivenApprover,
  givenPolicyAccount,
  onlyRequest,
  openRequests,
  type PolicyTerms,
  tryApprove,
} from '../../test/given-approvals.ts';
import { givenPasskey } from '../../test/given-factor.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { orderHooks } from '../order-hooks.ts';
import { approvalLoops } from './index.ts';

let stand: WithdrawalStand;
beforeAll(async () => {
  stand = await WithdrawalStand.start();
});
afterAll(() => stand.gateway.stop());

type Person = { readonly token: string };
const call = (person: Person, method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown) =>
  stand.gateway.api(method, path, body, { token: person.token });

async function policyAccount(terms: PolicyTerms = {}) {
  const { owner, approvers } = await givenPolicyAccount(
    stand.gateway,
    await stand.createFundedMerchant(5000),
    terms,
  );
  const [finance] = approvers as [GivenApprover];
  return { owner, finance };
}

/** An account with two approvers beside its owner. */
async function accountOfThree() {
  const merchant = await stand.createFundedMerchant(5000);
  const { owner, approvers } = await givenPolicyAccount(stand.gateway, merchant, { others: 2 });
  const [first, second] = approvers as [GivenApprover, GivenApprover];
  return { owner, first, second };
}

const proof = ({ password }: { password: string }) => ({ password, withdrawal_pin: defaultPin });

describe('what opens a way for money', () => {
  test('a key that moves money is made once others have approved exactly this key', async () => {
    const { owner, finance } = await policyAccount({ from: 1000 });
    const make = (fields: object) =>
      call(owner, 'POST', '/authed/keys', { name: 'ERP', scopes: ['withdrawals'], ...fields });
    expect(codeOf(await make({ scopes: ['charges'] }))).toBe('201');
    const asked = await make({});
    expect(asked).toMatchObject({ status: 409, body: { error: { code: 'APPROVAL_REQUESTED' } } });
    expect(codeOf(await make({}))).toBe('409 APPROVAL_REQUESTED');
    const request = await onlyRequest(stand.gateway, finance);
    expect(request).toMatchObject({
      kind: 'key',
      summary: 'Chave de API que move dinheiro: ERP, com Saques',
    });
    expect((await approveAs(stand.gateway, finance, request.id)).status).toBe('approved');
    expect(codeOf(await make({ name: 'Outra' }))).toBe('409 APPROVAL_REQUESTED');
    expect(codeOf(await make({}))).toBe('201');
    // One approval serves for one key.
    expect(codeOf(await make({}))).toBe('409 APPROVAL_REQUESTED');
    expect(codeOf(await call(owner, 'POST', '/authed/apikey', {}))).toBe('409 APPROVAL_REQUESTED');
  });

  test('a destination that was approved takes withdrawals by API up to its limit without a person', async () => {
    const { owner, finance } = await policyAccount({ from: 0 });
    const approveAll = async () => {
      const { open } = await openRequests(stand.gateway, finance);
      for (const { id } of open) await approveAs(stand.gateway, finance, id);
    };
    const turnOn = () => call(owner, 'PUT', '/authed/api-withdrawals', { enabled: true, ...proof(owner) });
    const destination = {
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      day_limit: 100,
      ...proof(owner),
    };
    const save = () => call(owner, 'POST', '/authed/api-withdrawals/destinations', destination);
    expect(codeOf(await turnOn())).toBe('409 APPROVAL_REQUESTED');
    expect(codeOf(await save())).toBe('409 APPROVAL_REQUESTED');
    await approveAll();
    expect(codeOf(await turnOn())).toBe('200');
    expect(codeOf(await save())).toBe('201');

    const ask = (amount: number) =>
      stand.gateway.api(
        'POST',
        '/withdraw',
        { amount, pixKey: 'maria@example.com', keyType: 'email' },
        { apiKey: owner.apiKey },
      );
    const first = (await ask(6000)).body as { withdrawal_id: string };
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(first.withdrawal_id)).toHaveLength(1);
    await stand.advanceUntilStatus(owner, first.withdrawal_id, 'completed');
    const second = (await ask(5000)).body as { withdrawal_id: string };
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(second.withdrawal_id)).toHaveLength(0);
    const request = await onlyRequest(stand.gateway, finance);
    // Whoever holds the key may be one of those who approve, so it takes one approval more.
    expect(request).toMatchObject({ kind: 'withdrawal', maker: null, needed: 2 });
    expect((await approveAs(stand.gateway, owner, request.id)).status).toBe('open');
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(second.withdrawal_id)).toHaveLength(0);
    expect((await approveAs(stand.gateway, finance, request.id)).status).toBe('approved');
  });

  test('the limit of an approved destination holds below the amount of the policy too', async () => {
    const { owner, finance } = await policyAccount({ from: 100 });
    const destination = {
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      day_limit: 10,
      ...proof(owner),
    };
    const turnOn = () => call(owner, 'PUT', '/authed/api-withdrawals', { enabled: true, ...proof(owner) });
    const save = () => call(owner, 'POST', '/authed/api-withdrawals/destinations', destination);
    await turnOn();
    await save();
    for (const { id } of (await openRequests(stand.gateway, finance)).open)
      await approveAs(stand.gateway, finance, id);
    await turnOn();
    await save();
    const body = { amount: 9900, pixKey: 'maria@example.com', keyType: 'email' };
    const asked = await stand.gateway.api('POST', '/withdraw', body, { apiKey: owner.apiKey });
    const { withdrawal_id: id } = asked.body as { withdrawal_id: string };
    await stand.sendDueWithdrawals();
    expect(await stand.payoutsOf(id)).toHaveLength(0);
    expect(await onlyRequest(stand.gateway, finance)).toMatchObject({ kind: 'withdrawal' });
  });

  test('a member with a role that moves money is invited or promoted only with approval', async () => {
    const { owner, finance } = await policyAccount();
    const invite = (role: string) =>
      call(owner, 'POST', '/authed/member-invitations', { email: `${role}@example.com`, role });
    expect(codeOf(await invite('cashier'))).toBe('201');
    expect(codeOf(await invite('finance'))).toBe('409 APPROVAL_REQUESTED');
    const request = await onlyRequest(stand.gateway, finance);
    await approveAs(stand.gateway, finance, request.id);
    expect(codeOf(await invite('finance'))).toBe('201');
  });

  test('an invitation from before the policy gives no role that moves money', async () => {
    const owner = await stand.createFundedMerchant(100);
    for (const role of ['cashier', 'finance', 'operator', 'owner'])
      expect(
        codeOf(
          await call(owner, 'POST', '/authed/member-invitations', {
            email: `antes-${role}@example.com`,
            role,
          }),
        ),
      ).toBe('201');
    await givenPolicyAccount(stand.gateway, owner);
    const { body } = await call(owner, 'GET', '/authed/members');
    expect((body as { invitations: { role: string }[] }).invitations.map(({ role }) => role)).toEqual([
      'cashier',
    ]);
    const links = stand.gateway.deps.db
      .selectFrom('mail_links')
      .select('email')
      .where('user_id', '=', owner.id);
    expect((await links.execute()).map(({ email }) => email)).toEqual(['antes-cashier@example.com']);
    const news = await stand.gateway.deps.db
      .selectFrom('notifications')
      .select('body')
      .where('merchant_id', '=', owner.id)
      .where('title', '=', 'Convites encerrados')
      .execute();
    expect(news).toMatchObject([{ body: expect.stringContaining('antes-finance@example.com') }]);
  });
});

describe('whoever loses their place', () => {
  test.each(['is removed', 'leaves', 'gets a lower role'] as const)(
    'and %s asks for nothing any more, and the money comes back',
    async (how) => {
      const { owner, first: gone, second: finance } = await accountOfThree();
      expect(codeOf(await askWithdrawal(stand.gateway, gone, 500))).toBe('201');
      expect(codeOf(await call(gone, 'POST', '/authed/approvers', {}))).toBe('200');
      const request = await onlyRequest(stand.gateway, finance);
      await approveAs(stand.gateway, finance, request.id);
      const acts = {
        leaves: () => call(gone, 'POST', '/authed/accounts/leave', { account_id: String(owner.id) }),
        'is removed': () => call(owner, 'POST', `/authed/members/${gone.id}/remove`, { keys: 'keep' }),
        'gets a lower role': () => call(owner, 'PUT', `/authed/members/${gone.id}`, { role: 'accountant' }),
      };
      expect(codeOf(await acts[how]())).toBe('200');
      const after = await openRequests(stand.gateway, finance);
      expect(after.open).toEqual([]);
      expect(after.ended).toContainEqual(
        expect.objectContaining({
          id: request.id,
          status: 'cancelled',
          reason:
            how === 'gets a lower role' ? 'O papel de quem pediu mudou.' : 'Quem pediu não faz mais parte.',
        }),
      );
      await stand.sendDueWithdrawals();
      expect(await stand.payoutsOf(request.order_id ?? '')).toHaveLength(0);
      const { body } = await call(owner, 'GET', '/authed/withdrawals');
      expect(body).toMatchObject({ withdrawals: [{ status: 'failed' }] });
    },
  );

  test('and gets a role that may ask for it too goes on waiting', async () => {
    const { owner, first: second, second: finance } = await accountOfThree();
    expect(codeOf(await call(owner, 'PUT', `/authed/members/${second.id}`, { role: 'owner' }))).toBe(
      '409 APPROVAL_REQUESTED',
    );
    await approveAs(stand.gateway, finance, (await onlyRequest(stand.gateway, finance)).id);
    expect(codeOf(await call(owner, 'PUT', `/authed/members/${second.id}`, { role: 'owner' }))).toBe('200');
    expect(codeOf(await askWithdrawal(stand.gateway, second, 500))).toBe('201');
    expect(codeOf(await call(owner, 'PUT', `/authed/members/${second.id}`, { role: 'finance' }))).toBe(
      '409 APPROVAL_REQUESTED',
    );
    const { open } = await openRequests(stand.gateway, finance);
    const change = open.find(({ kind }) => kind === 'member');
    await approveAs(stand.gateway, finance, change?.id ?? '');
    expect(codeOf(await call(owner, 'PUT', `/authed/members/${second.id}`, { role: 'finance' }))).toBe('200');
    const [loop] = approvalLoops(orderHooks);
    await loop?.work(stand.gateway.deps);
    expect((await openRequests(stand.gateway, finance)).open.map(({ kind }) => kind)).toEqual(['withdrawal']);
  });

  test('as a request arrives asks for nothing any more either, a moment later', async () => {
    const { owner, first: gone, second: finance } = await accountOfThree();
    await askWithdrawal(stand.gateway, gone, 500);
    const { db } = stand.gateway.deps;
    await db
      .deleteFrom('members')
      .where('merchant_id', '=', owner.id)
      .where('user_id', '=', gone.id)
      .execute();
    expect((await openRequests(stand.gateway, finance)).open).toHaveLength(1);
    const [loop] = approvalLoops(orderHooks);
    await loop?.work(stand.gateway.deps);
    expect((await openRequests(stand.gateway, finance)).open).toEqual([]);
    // A request of somebody whose role was lowered at that moment.
    expect(codeOf(await askWithdrawal(stand.gateway, finance, 500))).toBe('201');
    await db
      .updateTable('members')
      .set({ role: 'operator' })
      .where('merchant_id', '=', owner.id)
      .where('user_id', '=', finance.id)
      .execute();
    await loop?.work(stand.gateway.deps);
    expect((await openRequests(stand.gateway, owner)).open).toEqual([]);
  });
});

test('a withdrawal that the operator holds says so to the merchant, also once others approved it', async () => {
  const { owner, finance } = await policyAccount({ from: 0 });
  const admin = await givenAdmin(stand.gateway);
  const asked = await askWithdrawal(stand.gateway, owner, 500);
  const request = await onlyRequest(stand.gateway, finance);
  const id = request.order_id ?? '';
  const path = `/admin/users/${owner.id}/withdrawals/${id}`;
  expect([codeOf(asked), codeOf(await call(admin, 'POST', `${path}/hold`, { reason: 'Conferir' }))]).toEqual([
    '201',
    '200',
  ]);
  await approveAs(stand.gateway, finance, request.id);
  const shown = async () => (await call(owner, 'GET', `/authed/withdrawals/${id}`)).body;
  const held = { status: 'pending', error: expect.stringContaining('Em análise pelo operador') };
  expect(await shown()).toMatchObject(held);
  await stand.sendDueWithdrawals();
  expect(await shown()).toMatchObject(held);
  await call(admin, 'POST', `${path}/release`, { reason: 'Conferido' });
  await stand.sendDueWithdrawals();
  expect(await stand.payoutsOf(id)).toHaveLength(1);
});

test('nobody leaves without whom the others could approve nothing', async () => {
  const { owner, finance } = await policyAccount();
  const leave = () => call(finance, 'POST', '/authed/accounts/leave', { account_id: String(owner.id) });
  expect(codeOf(await leave())).toBe('409 APPROVERS_TOO_FEW');
  const off = await call(owner, 'PUT', '/authed/approval-policy', { enabled: false });
  expect(codeOf(off)).toBe('409 APPROVAL_REQUESTED');
  await approveAs(stand.gateway, finance, (await onlyRequest(stand.gateway, finance)).id);
  expect(codeOf(await leave())).toBe('200');
});

describe('the operator', () => {
  async function administrators(): Promise<(GivenAdmin & Pick<GivenApprover, 'passkey'>)[]> {
    const people = [];
    for (let index = 0; index < 2; index += 1) {
      const admin = await givenAdmin(stand.gateway);
      people.push({ ...admin, passkey: await givenPasskey(stand.gateway, admin) });
    }
    return people;
  }

  test('approves its own acts: releasing a withdrawal, resuming payouts, making an administrator', async () => {
    const [first, second] = (await administrators()) as [
      GivenAdmin & Pick<GivenApprover, 'passkey'>,
      GivenAdmin & Pick<GivenApprover, 'passkey'>,
    ];
    const policy = { enabled: true, of: 'operator' };
    expect(codeOf(await call(first, 'PUT', '/authed/approval-policy', policy))).toBe('200');
    const waiting = async () => {
      const answer = await call(second, 'GET', '/authed/approvals?of=operator');
      return (answer.body as { open: { id: string; kind: string }[] }).open;
    };
    const approveWaiting = async () => {
      for (const { id } of await waiting()) await approveAs(stand.gateway, second, id);
    };

    const merchant = await stand.createFundedMerchant(1000);
    const withdrawal = await stand.ask(merchant);
    const path = `/admin/users/${merchant.id}/withdrawals/${withdrawal.id}`;
    await call(first, 'POST', `${path}/hold`, { reason: 'Conferir' });
    const release = () => call(first, 'POST', `${path}/release`, { reason: 'Conferido' });
    expect(codeOf(await release())).toBe('409 APPROVAL_REQUESTED');
    expect((await waiting()).map(({ kind }) => kind)).toEqual(['held-withdrawal']);
    await approveWaiting();
    // What was approved is also the reason: another one names the request that waits, and makes none.
    const otherReason = await call(first, 'POST', `${path}/release`, { reason: 'Visto com o lojista' });
    expect(otherReason).toMatchObject({ status: 409, body: { error: { code: 'APPROVAL_REQUESTED' } } });
    expect(JSON.stringify(otherReason.body)).toContain('já foi aprovado, com outro motivo: “Conferido”');
    expect(await waiting()).toHaveLength(1);
    // Another administrator asks for the same: their request ends when the act is done.
    await call(second, 'POST', `${path}/release`, { reason: 'Eu também' });
    expect(await waiting()).toHaveLength(2);
    expect(codeOf(await release())).toBe('200');
    expect(await waiting()).toEqual([]);

    await call(first, 'POST', '/admin/payouts/stop', { reason: 'Teste' });
    const resume = () => call(first, 'POST', '/admin/payouts/resume', { reason: 'Teste' });
    expect(codeOf(await resume())).toBe('409 APPROVAL_REQUESTED');
    await approveWaiting();
    expect(codeOf(await resume())).toBe('200');

    const friend = await givenMerchant(stand.gateway, { admin: first });
    const promote = () => call(first, 'PUT', `/admin/users/${friend.id}`, { version: 2, role: 'ADMIN' });
    expect(codeOf(await promote())).toBe('409 APPROVAL_REQUESTED');
    await approveWaiting();
    expect(codeOf(await promote())).toBe('200');

    // Whom somebody made an administrator counts as the same person for 30 days.
    const again = await stand.gateway.api('POST', '/login', {
      username: friend.username,
      password: friend.password,
    });
    const { token } = again.body as { token: string };
    const promoted = { ...friend, token };
    const passkey = await givenPasskey(stand.gateway, promoted);
    expect(codeOf(await call(promoted, 'POST', '/authed/approvers', { of: 'operator' }))).toBe(
      '409 APPROVAL_REQUESTED',
    );
    // Neither does whoever promoted somebody approve that they count.
    const [asked] = await waiting();
    await expect(tryApprove(stand.gateway, first, asked?.id ?? '')).rejects.toThrow('APPROVAL_OF_OWN');
    await approveWaiting();
    await call(first, 'POST', '/admin/payouts/stop', { reason: 'Teste' });
    expect(codeOf(await resume())).toBe('409 APPROVAL_REQUESTED');
    const [request] = await waiting();
    await expect(tryApprove(stand.gateway, { token, passkey }, request?.id ?? '')).rejects.toThrow(
      'APPROVAL_OF_OWN',
    );
    await approveWaiting();
    expect(codeOf(await resume())).toBe('200');
    expect(codeOf(await askWithdrawal(stand.gateway, await stand.createFundedMerchant(100), 50))).toBe('201');
  });

  test('has a history of its own people only', async () => {
    const [first, second] = (await administrators()) as [
      GivenAdmin & Pick<GivenApprover, 'passkey'>,
      GivenAdmin & Pick<GivenApprover, 'passkey'>,
    ];
    await call(first, 'PUT', '/authed/approval-policy', { enabled: true, of: 'operator' });
    const { finance } = await policyAccount();
    const { db } = stand.gateway.deps;
    for (const { id } of [finance, second])
      await db.deleteFrom('passkeys').where('user_id', '=', id).execute();
    const ends = async (userId: number) =>
      (
        await db
          .selectFrom('approval_history')
          .select('merchant_id')
          .where('kind', '=', 'end')
          .where('user_id', '=', userId)
          .execute()
      ).map(({ merchant_id }) => merchant_id === 0);
    expect(await ends(finance.id)).toEqual([false]);
    expect(await ends(second.id)).toEqual([true]);
  });

  test('lets nobody else see or set its policy', async () => {
    const merchant = await stand.createFundedMerchant(100);
    expect(codeOf(await call(merchant, 'GET', '/authed/approvals?of=operator'))).toBe('403 FORBIDDEN');
    expect(
      codeOf(await call(merchant, 'PUT', '/authed/approval-policy', { enabled: true, of: 'operator' })),
    ).toBe('403 FORBIDDEN');
  });
});
