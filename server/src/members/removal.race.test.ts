import { once } from 'node:events';
import { removeMember } from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { addMember, enter, givenMember, givenNewcomer } from '../../test/given-member.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let shop: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway();
  admin = await givenAdmin(gateway);
});
beforeEach(async () => {
  shop = await givenMerchant(gateway, { admin });
});
afterAll(() => gateway.stop());

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim();
const remove = (id: number, { token } = shop as { token: string }, keys = 'keep') =>
  gateway.api('POST', `/authed/members/${id}/remove`, { keys }, { token });
const change = (id: number, terms: unknown, { token } = shop as { token: string }) =>
  gateway.api('PUT', `/authed/members/${id}`, terms, { token });
const leave = (accountId: number, token: string) =>
  gateway.api('POST', '/authed/accounts/leave', { account_id: String(accountId) }, { token });
const get = (path: string, token: string) => gateway.api('GET', path, undefined, { token });
const makeKey = async (token: string) => {
  const fields = { name: 'Loja', scopes: ['read'] };
  const { body } = await gateway.api('POST', '/authed/keys', fields, { token });
  return (body as { apiKey: string }).apiKey;
};
const mailsOf = async (userId: number) =>
  (
    await gateway.deps.db
      .selectFrom('mails')
      .select('subject')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .execute()
  ).map(({ subject }) => subject);

async function openScreen(token: string) {
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/notifications/ws?token=${token}`);
  const closed = once(socket, 'close').then(([code]) => Number(code));
  await once(socket, 'open');
  return { closed };
}

describe('a removed member', () => {
  test('loses sessions, screens and devices of the account at once, and keeps their own', async () => {
    const member = await givenMember(gateway, shop.id, 'finance');
    const { username, password } = member;
    const own = (await gateway.api('POST', '/login', { username, password })).body as { token: string };
    const [{ closed }, device] = [await openScreen(member.token), await addDevice(member.id, member.token)];
    expect((await remove(member.id)).status).toBe(200);
    expect(await closed).toBe(4401);
    expect(codeOf(await get('/authed/profile', member.token))).toBe('401 UNAUTHENTICATED');
    expect((await get('/authed/profile', own.token)).status).toBe(200);
    const devices = gateway.deps.db.selectFrom('push_subscriptions').select('id').where('id', '=', device);
    expect(await devices.execute()).toEqual([]);
    const again = { account_id: String(shop.id) };
    const answer = await gateway.api('POST', '/authed/accounts/enter', again, own);
    expect(codeOf(answer)).toBe('404 MEMBERSHIP_NOT_FOUND');
  });

  /** Registers a browser for push messages in the session of this token. */
  async function addDevice(userId: number, token: string): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into push_subscriptions
        (merchant_id, id, endpoint_hash, sealed_subscription, session_hash, user_agent, created_at, refreshed_at)
      values (${userId}, gen_random_uuid(), sha256(${token}::bytea), '', sha256(${token}::bytea), '', now(), now())
      returning id
    `.execute(gateway.deps.db);
    return rows[0]?.id ?? '';
  }

  test('leaves the keys that an owner keeps, and no others', async () => {
    const [kept, revoked] = [
      await givenMember(gateway, shop.id, 'developer'),
      await givenMember(gateway, shop.id, 'developer'),
    ];
    const [keptKey, revokedKey] = [await makeKey(kept.token), await makeKey(revoked.token)];
    const ofKept = parseSuccess(removeMember.response, await remove(kept.id, shop, 'keep'));
    const ofRevoked = parseSuccess(removeMember.response, await remove(revoked.id, shop, 'revoke'));
    expect([ofKept.revoked_keys, ofRevoked.revoked_keys]).toEqual([0, 1]);
    const statusOf = async (apiKey: string) =>
      (await gateway.api('GET', '/balance', undefined, { apiKey })).status;
    expect([await statusOf(keptKey), await statusOf(revokedKey), await statusOf(shop.apiKey)]).toEqual([
      200, 401, 200,
    ]);
  });

  test('makes no call that begins after the removal, however many are under way', async () => {
    for (let round = 0; round < 10; round += 1) {
      const member = await givenMember(gateway, shop.id, 'accountant');
      let isRemoved = false;
      const late: string[] = [];
      let admitted = 0;
      const keepCalling = async () => {
        for (;;) {
          const beganAfterwards = isRemoved;
          const { status } = await get('/authed/wallet/stats', member.token);
          if (status === 200) admitted += 1;
          if (beganAfterwards) return late.push(String(status));
        }
      };
      const callers = Array.from({ length: 8 }, keepCalling);
      await expect.poll(() => admitted, { interval: 1 }).toBeGreaterThan(8);
      expect((await remove(member.id)).status).toBe(200);
      isRemoved = true;
      await Promise.all(callers);
      expect(late).toEqual(Array.from({ length: 8 }, () => '401'));
    }
  });

  test('does not come back by entering the account at the same moment', async () => {
    for (let round = 0; round < 25; round += 1) {
      const member = await givenMember(gateway, shop.id, 'accountant');
      await enter(gateway, member.token, member.id);
      const entering = gateway.api('POST', '/authed/accounts/enter', { account_id: String(shop.id) }, member);
      const [entered, removed] = await Promise.all([entering, remove(member.id)]);
      expect(removed.status).toBe(200);
      const answer = await get('/authed/accounts', member.token);
      // Either the session entered first, and ended with the membership; or it stayed in the member's own account.
      expect([200, 404]).toContain(entered.status);
      expect(answer.status).toBe(entered.status === 200 ? 401 : 200);
    }
  });

  test('is told by mail, like the owners, and the audit log names who did it', async () => {
    const owner = await givenMember(gateway, shop.id, 'owner');
    const member = await givenMember(gateway, shop.id, 'cashier');
    expect((await change(member.id, { role: 'operator', refund_limit: 50 }, owner)).status).toBe(200);
    expect((await remove(member.id, owner, 'revoke')).status).toBe(200);
    expect(await mailsOf(member.id)).toEqual([
      'Seu papel em uma conta mudou',
      'Você não é mais membro de uma conta',
    ]);
    for (const id of [owner.id, shop.id])
      expect((await mailsOf(id)).slice(-2)).toEqual(['Membro alterado', 'Membro removido']);
    const log = await gateway.api('GET', `/admin/audit-log?user=${owner.id}`, undefined, admin);
    expect((log.body as { entries: unknown[] }).entries).toMatchObject([
      {
        action: 'member removed',
        actor: { id: String(owner.id), name: 'Beatriz Nogueira' },
        subject: { id: String(shop.id), name: 'Maria da Feira' },
        before: { email: member.email, role: 'operator', refund_limit: 50 },
        after: { keys: 'revoke', revoked_keys: 0 },
      },
      {
        action: 'member changed',
        before: { role: 'cashier' },
        after: { role: 'operator', refund_limit: 50 },
      },
    ]);
  });
});

describe('a change of role', () => {
  test('holds from the next call on, and reopens the screens', async () => {
    const member = await givenMember(gateway, shop.id, 'cashier');
    expect(codeOf(await get('/authed/wallet/stats', member.token))).toBe('403 MEMBER_ROLE_MISSING');
    const { closed } = await openScreen(member.token);
    await change(member.id, { role: 'accountant' });
    expect(await closed).toBe(1012);
    expect((await get('/authed/wallet/stats', member.token)).status).toBe(200);
  });

  test('is refused for who is no member, for an owner with a limit, and for the holder', async () => {
    const stranger = await givenNewcomer(gateway);
    const second = await givenMember(gateway, shop.id, 'owner');
    for (const id of [stranger.id, 0, 999_999])
      expect(codeOf(await change(id, { role: 'cashier' }))).toBe('404 MEMBER_NOT_FOUND');
    expect(codeOf(await change(second.id, { role: 'owner', refund_limit: 1 }))).toBe('400 INVALID_BODY');
    expect(codeOf(await change(shop.id, { role: 'cashier' }, second))).toBe('409 HOLDER_STAYS');
    expect(codeOf(await remove(shop.id, second))).toBe('409 HOLDER_STAYS');
    expect(codeOf(await leave(shop.id, shop.token))).toBe('409 HOLDER_STAYS');
  });
});

describe('leaving', () => {
  test('ends a membership by the member’s own wish, whose session goes on in their own account', async () => {
    const member = await givenMember(gateway, shop.id, 'developer');
    const key = await makeKey(member.token);
    expect((await leave(shop.id, member.token)).status).toBe(200);
    expect((await gateway.api('GET', '/balance', undefined, { apiKey: key })).status).toBe(401);
    const { body } = await get('/authed/accounts', member.token);
    expect(body).toMatchObject({ accounts: [{ account_id: String(member.id), current: true }] });
    expect(codeOf(await leave(shop.id, member.token))).toBe('404 MEMBERSHIP_NOT_FOUND');
    expect((await mailsOf(shop.id)).at(-1)).toBe('Membro saiu');
  });

  test('is refused for accounts of which one is no member', async () => {
    const { token } = await givenNewcomer(gateway);
    for (const id of [shop.id, 0, 999_999])
      expect(codeOf(await leave(id, token))).toBe('404 MEMBERSHIP_NOT_FOUND');
  });
});

describe('the last owner', () => {
  const ownersOf = async (accountId: number) => {
    const owners = gateway.deps.db
      .selectFrom('members')
      .select('user_id')
      .where('merchant_id', '=', accountId)
      .orderBy('user_id');
    return (await owners.where('role', '=', 'owner').execute()).map(({ user_id }) => user_id);
  };

  test('remains, when two owners remove each other or leave at once', async () => {
    const account = await givenMerchant(gateway, { admin });
    for (let round = 0; round < 50; round += 1) {
      const [left, right] = [
        await givenMember(gateway, account.id, 'owner'),
        await givenMember(gateway, account.id, 'owner'),
      ];
      const answers = await Promise.all([
        remove(right.id, left),
        round % 2 === 0 ? remove(left.id, right) : leave(account.id, right.token),
      ]);
      const outcomes = answers.map(codeOf);
      expect(outcomes).toContain('200');
      const remaining = await ownersOf(account.id);
      // The first removal ends the session of the other, who then removes nobody.
      expect(remaining).toEqual(round % 2 === 0 ? [account.id, expect.any(Number)] : [account.id, left.id]);
      await gateway.deps.db
        .deleteFrom('members')
        .where('merchant_id', '=', account.id)
        .where('user_id', '<>', account.id)
        .execute();
    }
  });

  test('is kept by the database itself', async () => {
    for (let round = 0; round < 50; round += 1) {
      const [holder, second] = [await givenNewcomer(gateway), await givenNewcomer(gateway)];
      await addMember(gateway, holder.id, { id: second.id, role: 'owner' });
      const { db } = gateway.deps;
      const deletion = (userId: number) =>
        db.deleteFrom('members').where('merchant_id', '=', holder.id).where('user_id', '=', userId).execute();
      const demotion = (userId: number) =>
        db
          .updateTable('members')
          .set({ role: 'cashier' })
          .where('merchant_id', '=', holder.id)
          .where('user_id', '=', userId)
          .execute();
      const outcomes = await Promise.allSettled([
        deletion(holder.id),
        round % 2 === 0 ? deletion(second.id) : demotion(second.id),
      ]);
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(await ownersOf(holder.id)).toHaveLength(1);
    }
  });
});
