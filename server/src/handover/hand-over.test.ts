import { adminGetUser, getHandover, listAccounts, listMembers, profile } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  parseSuccess,
} from '../../test/given.ts';
import { enter, type GivenMember, givenMember, givenNewcomer } from '../../test/given-member.ts';
import { inTransaction } from '../db/transaction.ts';
import { sendDocuments } from '../kyc/send-documents.ts';
import { holdPerson } from '../withdrawals/index.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let shop: GivenMerchant;
let heir: GivenMember;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
beforeEach(async () => {
  admin = await givenAdmin(gateway);
  shop = await givenMerchant(gateway, { admin });
  heir = await givenMember(gateway, shop.id, 'owner');
});
afterAll(() => gateway.stop());

type Token = { readonly token: string };
const path = '/authed/account-handover';
const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim();
const api = (method: string, target: string, { token }: Token, body?: unknown) =>
  gateway.api(method, target, body, { token });
const offer = (id: number, by: Token = shop) => api('POST', path, by, { member_id: String(id) });
const confirm = (by: Token = heir) => api('POST', `${path}/confirm`, by);
const end = (by: Token) => api('DELETE', path, by);
const waiting = async (by: Token = shop) =>
  parseSuccess(getHandover.response, await api('GET', path, by)).handover;
const holderOf = async (by: Token) =>
  parseSuccess(listMembers.response, await api('GET', '/authed/members', by)).members.find(
    ({ holder }) => holder,
  )?.id;
const handOver = async () => {
  expect([codeOf(await offer(heir.id)), codeOf(await confirm())]).toEqual(['201', '200']);
};
const remove = (id: number, by: Token) => api('POST', `/authed/members/${id}/remove`, by, { keys: 'keep' });
const titlesTo = async (userId: number) =>
  (
    await gateway.deps.db
      .selectFrom('notifications')
      .select('title')
      .where('merchant_id', '=', userId)
      .orderBy('id')
      .execute()
  ).map(({ title }) => title);
const mailsTo = async (userId: number) =>
  (
    await gateway.deps.db
      .selectFrom('mails')
      .select('subject')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute()
  ).map(({ subject }) => subject);

describe('an account', () => {
  test('passes to another owner when the holder proposes it and the owner confirms', async () => {
    expect(await waiting()).toBeNull();
    expect((await offer(heir.id)).status).toBe(201);
    expect(await waiting(heir)).toMatchObject({
      offered_by: { id: String(shop.id), name: 'Maria da Feira' },
      offered_to: { id: String(heir.id), name: 'Beatriz Nogueira' },
    });
    expect(await holderOf(shop)).toBe(String(shop.id));
    expect(codeOf(await confirm())).toBe('200');
    expect(await waiting()).toBeNull();
    expect(await holderOf(shop)).toBe(String(heir.id));
    for (const { id } of [shop, heir])
      expect((await mailsTo(id)).slice(-2)).toEqual([
        'Proposta de passar a conta',
        'A conta tem outro titular',
      ]);
    const log = await api('GET', `/admin/audit-log?user=${shop.id}`, admin);
    expect((log.body as { entries: unknown[] }).entries.slice(0, 2)).toMatchObject([
      {
        action: 'account handed over',
        actor: { id: String(heir.id) },
        before: { holder: 'Maria da Feira' },
        after: { holder: 'Beatriz Nogueira' },
      },
      { action: 'account offered', actor: { id: String(shop.id) } },
    ]);
  });

  test('tells its owners so however many mails about members they got', async () => {
    const invited = Array.from({ length: 20 }, (_, index) => ({ email: `convite${index}@example.com` }));
    for (const { email } of invited)
      expect(codeOf(await api('POST', '/authed/member-invitations', shop, { email, role: 'cashier' }))).toBe(
        '201',
      );
    await handOver();
    for (const { id } of [shop, heir])
      expect((await mailsTo(id)).slice(-2)).toEqual([
        'Proposta de passar a conta',
        'A conta tem outro titular',
      ]);
  });

  test('is passed only by its holder, and only to an owner', async () => {
    const [cashier, stranger] = [
      await givenMember(gateway, shop.id, 'cashier'),
      await givenNewcomer(gateway),
    ];
    expect(codeOf(await offer(shop.id, heir))).toBe('403 NOT_HOLDER');
    expect(codeOf(await offer(heir.id, cashier))).toBe('403 MEMBER_ROLE_MISSING');
    expect(codeOf(await offer(cashier.id))).toBe('409 HANDOVER_NEEDS_OWNER');
    expect(codeOf(await offer(shop.id))).toBe('409 HANDOVER_NEEDS_OWNER');
    for (const id of [stranger.id, 0, 999_999]) expect(codeOf(await offer(id))).toBe('404 MEMBER_NOT_FOUND');
    expect(await waiting()).toBeNull();
  });

  test('passes only on the word of the owner meant, and not once the proposal ended', async () => {
    const third = await givenMember(gateway, shop.id, 'owner');
    const none = '404 HANDOVER_NOT_FOUND';
    expect(codeOf(await confirm())).toBe(none);
    await offer(heir.id);
    for (const other of [shop, third]) expect(codeOf(await confirm(other))).toBe(none);
    expect(codeOf(await end(third))).toBe(none);
    for (const ender of [shop, heir]) {
      await offer(heir.id);
      expect(codeOf(await end(ender))).toBe('200');
      expect(codeOf(await confirm())).toBe(none);
      expect((await mailsTo(heir.id)).at(-1)).toBe('A conta não muda de titular');
    }
    await offer(heir.id);
    await gateway.advance(72 * 3600 + 1);
    const { body } = await gateway.api('POST', '/login', heir);
    const token = (body as Token).token;
    await enter(gateway, token, shop.id);
    expect(codeOf(await confirm({ token }))).toBe(none);
  });

  test('does not pass to somebody who ceased to be an owner meanwhile', async () => {
    await offer(heir.id);
    await api('PUT', `/authed/members/${heir.id}`, shop, { role: 'finance' });
    expect(codeOf(await confirm())).toBe('403 MEMBER_ROLE_MISSING');
    expect(await holderOf(shop)).toBe(String(shop.id));
  });

  test('passes once, when two confirm and the holder withdraws at once', async () => {
    for (let round = 0; round < 10; round += 1) {
      await offer(heir.id);
      const answers = await Promise.all([confirm(), end(shop), confirm()]);
      const succeeded = answers.filter(({ status }) => status === 200);
      expect(succeeded).toHaveLength(1);
      const holder = await holderOf(shop);
      expect(holder).toBe(answers[1]?.status === 200 ? String(shop.id) : String(heir.id));
      if (holder === String(shop.id)) continue;
      await offer(shop.id, heir);
      await confirm(shop);
      expect(await holderOf(shop)).toBe(String(shop.id));
    }
  });
});

describe('after an account was handed over', () => {
  test('money that leaves is held for a day, and the operator is asked to look at the identity', async () => {
    await givenPin(gateway, shop);
    await givenBalance(gateway, shop, 100);
    await handOver();
    const order = {
      amount: 50,
      pixKey: 'maria@example.com',
      pix_key_type: 'email',
      withdrawal_pin: defaultPin,
    };
    const held = await api('POST', '/authed/withdraw', shop, order);
    expect(codeOf(held)).toBe('403 WITHDRAWALS_HELD');
    expect(held.body).toMatchObject({ message: expect.stringContaining('passou para outra pessoa') });
    const userOf = async () =>
      parseSuccess(adminGetUser.response, await api('GET', `/admin/users/${shop.id}`, admin)).user;
    expect(await userOf()).toMatchObject({
      held_by: { id: String(heir.id), name: 'Beatriz Nogueira' },
      identity_review_since: expect.any(String),
    });
    expect(await titlesTo(admin.id)).toContain('Conta com outro titular');
    const review = (by: Token) =>
      api('POST', `/admin/users/${shop.id}/identity-reviewed`, by, { reason: 'Documentos conferidos.' });
    expect(codeOf(await review(admin))).toBe('200');
    expect((await userOf()).identity_review_since).toBeNull();
    expect(codeOf(await review(admin))).toBe('409 NOTHING_TO_REVIEW');
  });

  test('the new holder stays, and the old one is an owner like others, who can be removed', async () => {
    await handOver();
    expect(codeOf(await remove(heir.id, shop))).toBe('409 HOLDER_STAYS');
    expect(codeOf(await remove(shop.id, heir))).toBe('200');
    // The old session says nothing of the account any more, and shows its person that they are a member of none.
    expect(codeOf(await api('GET', '/authed/wallet/stats', shop))).toBe('403 MEMBERSHIP_ENDED');
    expect((await api('GET', '/authed/profile', shop)).body).toMatchObject({ account: null });
    const accounts = parseSuccess(listAccounts.response, await api('GET', '/authed/accounts', shop));
    expect(accounts.accounts).toEqual([]);
  });

  test('a removed former holder signs in to another account of theirs, and knows nothing of the old one', async () => {
    await givenBalance(gateway, shop, 100);
    const other = await givenMerchant(gateway, { admin, account: { name: 'Outra loja' } });
    await handOver();
    await remove(shop.id, heir);
    const row = { role: 'accountant', added_at: gateway.deps.clock.now(), added_by: other.id };
    await gateway.deps.db
      .insertInto('members')
      .values({ merchant_id: other.id, user_id: shop.id, ...row })
      .execute();
    const { body } = await gateway.api('POST', '/login', shop);
    const by = body as Token;
    const { accounts } = parseSuccess(listAccounts.response, await api('GET', '/authed/accounts', by));
    expect(accounts).toMatchObject([{ account_id: String(other.id), current: true, own: false }]);
    expect((await api('GET', '/authed/wallet/stats', by)).status).toBe(200);
    const { user } = parseSuccess(profile.response, await api('GET', '/authed/profile', by));
    expect(user).toMatchObject({ id: String(shop.id), balance: 0, apiKey: '' });
    await api('POST', '/authed/confirm-password', by, { password: shop.password });
    const exported = await api('GET', '/authed/personal-data', by);
    expect(exported.status).toBe(200);
    expect(JSON.stringify(exported.body)).not.toContain('chave_de_api');
  });

  test('its name, documents and end are not the former holder’s to decide', async () => {
    await handOver();
    const { password } = shop;
    expect(codeOf(await api('POST', '/authed/name', shop, { name: 'Loja do Golpe', password }))).toBe(
      '403 NOT_HOLDER',
    );
    expect(codeOf(await api('POST', '/authed/close-account', shop, { password }))).toBe('403 NOT_HOLDER');
    const picture = Buffer.from('x');
    await expect(
      sendDocuments(gateway.deps, shop.id, {
        document_front: picture,
        document_back: picture,
        selfie: picture,
      }),
    ).rejects.toMatchObject({ code: 'NOT_HOLDER' });
    expect((await api('POST', '/authed/name', heir, { name: 'Bia Nogueira', password })).status).toBe(200);
  });

  test('what is told about it goes to the new holder, and what concerns the former one stays with them', async () => {
    await handOver();
    const before = await Promise.all([shop.id, heir.id].map(titlesTo));
    const mailsBefore = await Promise.all([shop.id, heir.id].map(mailsTo));
    await givenBalance(gateway, shop, 30);
    await api('POST', '/authed/keys', shop, { name: 'Loja', scopes: ['read'], password: shop.password });
    await gateway.api('POST', '/login', { ...shop, password: shop.password });
    const news = async (id: number, index: number) => (await titlesTo(id)).slice(before[index]?.length);
    const mails = async (id: number, index: number) => (await mailsTo(id)).slice(mailsBefore[index]?.length);
    expect(await news(heir.id, 1)).toEqual(['Pix recebido', 'Chave de API criada']);
    expect(await mails(heir.id, 1)).toEqual(['Chave de API criada']);
    expect(await news(shop.id, 0)).not.toContain('Pix recebido');
    expect(await mails(shop.id, 0)).not.toContain('Chave de API criada');
    await api('POST', '/authed/password', shop, {
      current_password: shop.password,
      new_password: 'uma senha bem nova',
    });
    expect(await mails(shop.id, 0)).toContain('Senha alterada');
    expect(await mails(heir.id, 1)).not.toContain('Senha alterada');
  });

  test('what the operator changes is told to the new holder, and of a freeze the person as well', async () => {
    await handOver();
    const before = await Promise.all([shop.id, heir.id].map(mailsTo));
    const mails = async () =>
      Promise.all(
        [shop.id, heir.id].map(async (id, index) => (await mailsTo(id)).slice(before[index]?.length)),
      );
    const { user } = parseSuccess(adminGetUser.response, await api('GET', `/admin/users/${shop.id}`, admin));
    const change = { version: user.version, apiActive: false };
    expect(codeOf(await api('PUT', `/admin/users/${shop.id}`, admin, change))).toBe('200');
    expect(await mails()).toEqual([[], ['Conta alterada']]);
    await api('POST', `/admin/users/${shop.id}/freeze`, admin, { reason: 'suspeita' });
    await api('POST', `/admin/users/${shop.id}/unfreeze`, admin, { reason: 'tudo certo' });
    expect(await mails()).toEqual([
      ['O seu acesso foi bloqueado', 'O seu acesso foi desbloqueado'],
      ['Conta alterada', 'Sua conta foi bloqueada', 'Sua conta foi desbloqueada'],
    ]);
  });

  test('a hold of the new holder holds it altogether, and one of the former holder does not', async () => {
    await handOver();
    await gateway.deps.db
      .updateTable('withdrawal_controls')
      .set({ held_until: null, held_because: null })
      .where('merchant_id', '=', shop.id)
      .execute();
    const heldUntil = async () =>
      (
        await gateway.deps.db
          .selectFrom('withdrawal_controls')
          .select('held_until')
          .where('merchant_id', '=', shop.id)
          .executeTakeFirst()
      )?.held_until;
    await inTransaction(gateway.deps, (tx) => holdPerson(tx, shop.id, 'email-changed'));
    expect(await heldUntil()).toBeNull();
    await inTransaction(gateway.deps, (tx) => holdPerson(tx, heir.id, 'email-changed'));
    expect(await heldUntil()).not.toBeNull();
  });

  test('an administrator who holds it, or is a member, decides nothing about it', async () => {
    const other = await givenAdmin(gateway);
    await gateway.deps.db
      .insertInto('members')
      .values({
        merchant_id: shop.id,
        user_id: other.id,
        role: 'finance',
        added_at: gateway.deps.clock.now(),
      })
      .execute();
    await handOver();
    const review = await api('POST', `/admin/users/${shop.id}/identity-reviewed`, other, {
      reason: 'Documentos conferidos.',
    });
    expect(codeOf(review)).toBe('403 OWN_ACCOUNT');
  });
});
