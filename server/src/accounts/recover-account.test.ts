import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenAdmin, type GivenMerchant, givenAdmin, givenMerchant } from '../../test/given.ts';
import { givenTotp } from '../../test/given-factor.ts';
import { addMember, enter, type GivenMember, givenMember, givenNewcomer } from '../../test/given-member.ts';
import { mailsTo, sendQueuedMails, tokenIn } from '../../test/mailbox.ts';
import { formatMomentForSentence } from '../calendar-day.ts';
import { inTransaction } from '../db/transaction.ts';
import { recoverAccount } from './recover-account.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let shop: GivenMerchant;
let lost: GivenMember;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
beforeEach(async () => {
  admin = await givenAdmin(gateway);
  shop = await givenMerchant(gateway, { admin });
  lost = await givenNewcomer(gateway);
});
afterAll(() => gateway.stop());

const newAddress = () => `nova-${randomBytes(6).toString('hex')}@example.com`;
const reason = 'Identidade conferida em vídeo, com o documento.';
const recover = (email: string, { personId = lost.id, actorId = admin.id } = {}) =>
  inTransaction(gateway.deps, (tx) => recoverAccount(tx, { actorId, personId, email, reason }));
const get = (path: string, token: string) => gateway.api('GET', path, undefined, { token });
const holdOf = async (accountId: number) => {
  const row = await gateway.deps.db
    .selectFrom('withdrawal_controls')
    .select(['held_until', 'held_because'])
    .where('merchant_id', '=', accountId)
    .executeTakeFirst();
  const hours = ((row?.held_until?.getTime() ?? 0) - gateway.deps.clock.now().getTime()) / 3_600_000;
  return { because: row?.held_because ?? null, hours: Math.round(Math.max(hours, 0)) };
};

test('no administrator gives access alone', async () => {
  const path = `/admin/users/${lost.id}/recover`;
  const body = { email: newAddress(), reason };
  const answer = await gateway.api('POST', path, body, { token: admin.token });
  expect(answer).toMatchObject({ status: 409, body: { error: { code: 'APPROVALS_OFF' } } });
});

describe('a person who lost everything', () => {
  test('gets a link at a new address, with which alone they sign in again', async () => {
    await givenTotp(gateway, lost);
    const email = newAddress();
    await recover(email);
    expect((await get('/authed/profile', lost.token)).status).toBe(401);
    const { username, password } = lost;
    expect((await gateway.api('POST', '/login', { username, password })).status).toBe(401);
    await sendQueuedMails(gateway);
    const mail = (await mailsTo(gateway, email)).find(({ text }) => text.includes('/redefinir-senha'));
    const token = tokenIn(mail ?? { text: '' });
    const chosen = 'uma senha que eu sei';
    expect((await gateway.api('POST', '/reset-password', { token, password: chosen })).status).toBe(200);
    const again = await gateway.api('POST', '/reset-password', { token, password: chosen });
    expect(again.status).toBe(400);
    await sendQueuedMails(gateway);
    const hold = gateway.deps.db
      .selectFrom('person_holds')
      .select('held_until')
      .where('user_id', '=', lost.id);
    const until = formatMomentForSentence((await hold.executeTakeFirstOrThrow()).held_until);
    expect((await mailsTo(gateway, email)).map(({ text }) => text).join()).toContain(
      `os saques ficam suspensos até ${until}.`,
    );
    const signedIn = await gateway.api('POST', '/login', { username: email, password: chosen });
    expect([signedIn.status, signedIn.body]).toMatchObject([200, { token: expect.any(String) }]);
    const { token: session } = signedIn.body as { token: string };
    expect((await get('/authed/security', session)).body).toMatchObject({ totp: false, passkeys: [] });
  });

  test('moves no money for three days, nor does anybody from the accounts that they own', async () => {
    await addMember(gateway, shop.id, { id: lost.id, role: 'owner' });
    const [other] = [await givenMerchant(gateway, { admin })];
    await addMember(gateway, other.id, { id: lost.id, role: 'finance' });
    await recover(newAddress());
    expect(await holdOf(lost.id)).toEqual({ because: 'recovered', hours: 72 });
    expect(await holdOf(shop.id)).toEqual({ because: 'recovered', hours: 72 });
    expect(await holdOf(other.id)).toEqual({ because: null, hours: 0 });
    const held = gateway.deps.db.selectFrom('person_holds').selectAll().where('user_id', '=', lost.id);
    expect(await held.execute()).toMatchObject([{ held_because: 'recovered' }]);
  });

  test('is told to every member of their accounts, to the lost mailbox, and to the audit log', async () => {
    await addMember(gateway, shop.id, { id: lost.id, role: 'owner' });
    const cashier = await givenMember(gateway, shop.id, 'cashier');
    const other = await givenMerchant(gateway, { admin });
    await addMember(gateway, other.id, { id: lost.id, role: 'finance' });
    const otherCashier = await givenMember(gateway, other.id, 'cashier');
    const email = newAddress();
    await recover(email);
    const subjectsTo = async (recipient: string) => {
      const mails = gateway.deps.db.selectFrom('mails').select('subject').where('recipient', '=', recipient);
      return (await mails.execute()).map(({ subject }) => subject);
    };
    expect(await subjectsTo(lost.email)).toContain('Acesso recuperado pelo suporte');
    expect(await subjectsTo(email)).toEqual(['Recupere o seu acesso']);
    expect(await subjectsTo(cashier.email)).toEqual(['Acesso de um membro recuperado']);
    expect(await subjectsTo(otherCashier.email)).toEqual([]);
    const toOwner = gateway.deps.db.selectFrom('mails').select('subject').where('user_id', '=', other.id);
    expect(await toOwner.execute()).toEqual([{ subject: 'Acesso de um membro recuperado' }]);
    const log = await gateway.api('GET', `/admin/audit-log?user=${lost.id}`, undefined, admin);
    expect((log.body as { entries: unknown[] }).entries[0]).toMatchObject({
      action: 'account recovered',
      actor: { id: String(admin.id) },
      reason,
      before: { email: lost.email },
      after: { email },
    });
  });
});

describe('nobody recovers', () => {
  test('themself, staff, somebody unknown, or a person whose account they share', async () => {
    const second = await givenAdmin(gateway);
    const email = newAddress();
    await expect(recover(email, { personId: admin.id })).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
    await expect(recover(email, { personId: 999_999 })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await expect(recover(email, { personId: second.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await addMember(gateway, lost.id, { id: admin.id, role: 'accountant' });
    await expect(recover(email)).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
    const shared = await givenNewcomer(gateway);
    await addMember(gateway, shop.id, { id: shared.id, role: 'owner' });
    await addMember(gateway, shop.id, { id: admin.id, role: 'cashier' });
    await expect(recover(email, { personId: shared.id })).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
  });

  test('a frozen person, or to an address of somebody else, and then nothing has changed', async () => {
    const other = await givenNewcomer(gateway);
    await expect(recover(other.email, { personId: lost.id })).rejects.toMatchObject({ code: 'EMAIL_TAKEN' });
    const untouched = await givenNewcomer(gateway);
    await enter(gateway, untouched.token, untouched.id);
    await expect(recover(other.email, { personId: untouched.id })).rejects.toMatchObject({
      code: 'EMAIL_TAKEN',
    });
    expect((await get('/authed/profile', untouched.token)).status).toBe(200);
    expect(await holdOf(untouched.id)).toEqual({ because: null, hours: 0 });
    await gateway.api('POST', `/admin/users/${untouched.id}/freeze`, { reason: 'suspeita' }, admin);
    await expect(recover(newAddress(), { personId: untouched.id })).rejects.toMatchObject({
      code: 'ACCOUNT_FROZEN',
    });
  });
});
