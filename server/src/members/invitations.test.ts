import { randomBytes } from 'node:crypto';
import { acceptInvitation, checkInvitation, inviteMember, listMembers, MAX_MEMBERS } from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { addMember, givenMember, givenNewcomer } from '../../test/given-member.ts';
import { mailsTo, sendQueuedMails, tokenIn } from '../../test/mailbox.ts';
import { newPerson } from '../../test/people.ts';
import { memberJobs } from './index.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
let shop: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
beforeEach(async () => {
  admin = await givenAdmin(gateway);
  shop = await givenMerchant(gateway, { admin });
});
afterAll(() => gateway.stop());

const codeOf = ({ status, body }: { status: number; body: unknown }) =>
  `${status} ${(body as { error?: { code: string } }).error?.code ?? ''}`.trim();
const invite = (fields: Readonly<Record<string, unknown>>, token = shop.token) =>
  gateway.api('POST', '/authed/member-invitations', fields, { token });
const check = (token: string) => gateway.api('POST', '/invitations/link', { token });
const accept = (link: string, token: string) =>
  gateway.api('POST', '/authed/invitations/accept', { token: link }, { token });
const membersOf = async (token = shop.token) =>
  parseSuccess(listMembers.response, await gateway.api('GET', '/authed/members', undefined, { token }));
const withdraw = (id: string, token = shop.token) =>
  gateway.api('DELETE', `/authed/member-invitations/${id}`, undefined, { token });
const newAddress = () => `convidada-${randomBytes(6).toString('hex')}@example.com`;

/** Invites somebody, and reads the link in the mail that comes. */
async function invited(email: string, terms: Readonly<Record<string, unknown>> = { role: 'cashier' }) {
  const { invitation } = parseSuccess(inviteMember.response, await invite({ email, ...terms }));
  await sendQueuedMails(gateway);
  const [mail] = (await mailsTo(gateway, email)).filter(({ text }) => text.includes('/convite?token='));
  if (mail === undefined) throw new Error('No invitation came.');
  return { invitation, link: tokenIn(mail), mail };
}

test('an invitation makes its addressee a member with the role and the limits that the owner chose', async () => {
  const person = await givenNewcomer(gateway);
  const terms = { role: 'finance', refund_limit: 50.5, withdrawal_limit: 1000 };
  const { link } = await invited(person.email.toUpperCase().toLowerCase(), terms);
  expect(parseSuccess(checkInvitation.response, await check(link))).toMatchObject({
    account_name: 'Maria da Feira',
    email: person.email,
    invited_by: 'Maria da Feira',
    registered: true,
    ...terms,
  });
  const { account } = parseSuccess(acceptInvitation.response, await accept(link, person.token));
  expect(account).toMatchObject({ account_id: String(shop.id), role: 'finance', own: false, current: false });
  expect(await membersOf()).toMatchObject({
    members: [
      { id: String(shop.id), role: 'owner', holder: true, refund_limit: null },
      { id: String(person.id), email: person.email, holder: false, ...terms },
    ],
    invitations: [],
  });
});

test('somebody who is not registered accepts after registering with the invited e-mail', async () => {
  const email = newAddress();
  const { link } = await invited(email);
  expect(parseSuccess(checkInvitation.response, await check(link)).registered).toBe(false);
  const { body } = await gateway.api('POST', '/register', newPerson({ email }));
  expect((await accept(link, (body as { token: string }).token)).status).toBe(200);
});

test('the link is in the mail alone, and the mail names neither account nor inviter', async () => {
  const email = newAddress();
  const { link, mail } = await invited(email);
  expect(mail.text).not.toContain('Maria da Feira');
  const kept = await gateway.deps.db
    .selectFrom('mails')
    .select('body')
    .where('recipient', '=', email)
    .execute();
  expect(JSON.stringify(kept)).not.toContain(link);
  const rows = await gateway.deps.db
    .selectFrom('member_invitations')
    .selectAll()
    .where('email', '=', email)
    .execute();
  expect(JSON.stringify(rows)).not.toContain(link);
});

test('a link is used once, also by two calls at once', async () => {
  const person = await givenNewcomer(gateway);
  const { link } = await invited(person.email);
  const outcomes = await Promise.all([accept(link, person.token), accept(link, person.token)]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect(codeOf(await accept(link, person.token))).toBe('400 LINK_EXPIRED');
  expect(codeOf(await check(link))).toBe('400 LINK_EXPIRED');
  expect((await membersOf()).members).toHaveLength(2);
});

test('a used link does not bring back a member who was removed', async () => {
  const person = await givenNewcomer(gateway);
  const { link } = await invited(person.email);
  await accept(link, person.token);
  await gateway.api('POST', `/authed/members/${person.id}/remove`, { keys: 'keep' }, { token: shop.token });
  expect(codeOf(await accept(link, person.token))).toBe('400 LINK_EXPIRED');
  expect((await membersOf()).members).toHaveLength(1);
});

test('an invitation changes nothing for somebody who is a member already', async () => {
  const person = await givenNewcomer(gateway);
  const { link } = await invited(person.email, { role: 'owner' });
  await addMember(gateway, shop.id, { id: person.id, role: 'cashier' });
  expect(codeOf(await accept(link, person.token))).toBe('409 MEMBER_EXISTS');
  expect((await membersOf()).members[1]).toMatchObject({ role: 'cashier' });
});

test('only the person with the invited e-mail accepts', async () => {
  const [person, other] = [await givenNewcomer(gateway), await givenNewcomer(gateway)];
  const { link } = await invited(person.email);
  expect(codeOf(await accept(link, other.token))).toBe('403 INVITATION_OF_OTHER');
  expect((await accept(link, person.token)).status).toBe(200);
});

test('a link of a withdrawn, replaced, expired or forged invitation opens nothing', async () => {
  const person = await givenNewcomer(gateway);
  const withdrawn = await invited(person.email);
  expect((await withdraw(withdrawn.invitation.id)).status).toBe(200);
  const replaced = await invited(person.email, { role: 'owner' });
  await gateway.deps.db.deleteFrom('mails').where('recipient', '=', person.email).execute();
  const { link } = await invited(person.email, { role: 'accountant' });
  const forged = `${link.slice(0, -4)}AAAA`;
  for (const old of [withdrawn.link, replaced.link, forged]) {
    expect(codeOf(await check(old))).toBe('400 LINK_EXPIRED');
    expect(codeOf(await accept(old, person.token))).toBe('400 LINK_EXPIRED');
  }
  expect((await membersOf()).invitations).toMatchObject([{ email: person.email, role: 'accountant' }]);
  await gateway.advance(7 * 86_400 + 1);
  const { body } = await gateway.api('POST', '/login', {
    username: person.username,
    password: person.password,
  });
  expect(codeOf(await accept(link, (body as { token: string }).token))).toBe('400 LINK_EXPIRED');
  for (const { work } of memberJobs) await work(gateway.deps);
  const left = gateway.deps.db
    .selectFrom('member_invitations')
    .select('id')
    .where('email', '=', person.email);
  expect(await left.execute()).toEqual([]);
});

test('invitations of an owner end when this person is no owner any more', async () => {
  const second = await givenMember(gateway, shop.id, 'owner');
  const email = newAddress();
  await invite({ email, role: 'owner' }, second.token);
  await sendQueuedMails(gateway);
  const [mail] = await mailsTo(gateway, email);
  await gateway.api('PUT', `/authed/members/${second.id}`, { role: 'cashier' }, { token: shop.token });
  expect((await membersOf()).invitations).toEqual([]);
  expect(codeOf(await check(tokenIn(mail ?? { text: '' })))).toBe('400 LINK_EXPIRED');
});

test('impossible invitations are refused, each with its code', async () => {
  const member = await givenMember(gateway, shop.id, 'cashier');
  const email = newAddress();
  expect(codeOf(await invite({ email: member.email, role: 'finance' }))).toBe('409 MEMBER_EXISTS');
  expect(codeOf(await invite({ email, role: 'king' }))).toBe('400 INVALID_BODY');
  expect(codeOf(await invite({ email: 'x', role: 'cashier' }))).toBe('400 INVALID_BODY');
  expect(codeOf(await invite({ email, role: 'owner', refund_limit: 10 }))).toBe('400 INVALID_BODY');
  expect(codeOf(await invite({ email, role: 'operator', refund_limit: -1 }))).toBe('400 INVALID_BODY');
  expect(codeOf(await invite({ email, role: 'cashier' }, member.token))).toBe('403 MEMBER_ROLE_MISSING');
  expect(codeOf(await withdraw(crypto.randomUUID()))).toBe('404 INVITATION_NOT_FOUND');
  const { invitation } = parseSuccess(inviteMember.response, await invite({ email, role: 'cashier' }));
  const other = await givenMerchant(gateway, { admin });
  expect(codeOf(await withdraw(invitation.id, other.token))).toBe('404 INVITATION_NOT_FOUND');
  await gateway.advance(301);
  expect(codeOf(await invite({ email, role: 'cashier' }))).toBe('403 STEP_UP_REQUIRED');
});

test('an account has so many members and invitations at most, and invites so many an hour', async () => {
  for (let count = 1; count < MAX_MEMBERS; count += 1) {
    const { id } = await givenNewcomer(gateway);
    await addMember(gateway, shop.id, { id, role: 'cashier' });
  }
  expect(codeOf(await invite({ email: newAddress(), role: 'cashier' }))).toBe('409 MEMBERS_FULL');
  for (let count = 1; count < 20; count += 1) await invite({ email: newAddress(), role: 'cashier' });
  expect(codeOf(await invite({ email: newAddress(), role: 'cashier' }))).toBe('429 RATE_LIMITED');
});

test('a gateway that sends no mail invites nobody', async () => {
  const quiet = await startTestGateway({
    sharedGateway: gateway,
    startsWork: false,
    env: { SANDBOX_PUBLIC: 'true' },
  });
  const answer = await quiet.api(
    'POST',
    '/authed/member-invitations',
    { email: newAddress(), role: 'cashier' },
    shop,
  );
  expect(codeOf(answer)).toBe('501 INVITATIONS_OFF');
  await quiet.stop();
});
