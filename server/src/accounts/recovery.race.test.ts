import { once } from 'node:events';
import { profile } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { countDeadlocks } from '../../test/deadlocks.ts';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  parseSuccess,
} from '../../test/given.ts';
import { givenPasskey } from '../../test/given-factor.ts';
import { mailsTo, sendQueuedMails, tokenIn } from '../../test/mailbox.ts';
import { randomAddress } from '../../test/people.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { verifyLinkToken } from '../mail/index.ts';
import { recoverPassword, sendRecoveryLinks } from './recover-password.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
beforeAll(async () => {
  gateway = await startTestGateway();
  admin = await givenAdmin(gateway);
});
afterAll(() => gateway.stop());

const codeOf = ({ status, body }: ApiAnswer): string | number =>
  status < 300 ? status : (body as { error: { code: string } }).error.code;
const post = (path: string, body: unknown, token?: string) =>
  gateway.api('POST', path, body, token === undefined ? {} : { token });

type Someone = Awaited<ReturnType<typeof givenSomeone>>;

async function givenSomeone() {
  const merchant = await givenMerchant(gateway, { admin });
  const { user } = parseSuccess(
    profile.response,
    await gateway.api('GET', '/authed/profile', undefined, { token: merchant.token }),
  );
  return { ...merchant, email: user.email };
}

const recoveryMailsTo = async (address: string) =>
  (await mailsTo(gateway, address)).filter(({ subject }) => subject === 'Crie outra senha');

async function givenLink({ email }: Someone): Promise<string> {
  const earlierMails = await recoveryMailsTo(email);
  expect(codeOf(await post('/recover-password', { email }))).toBe(200);
  await runBackgroundWork();
  const mails = await recoveryMailsTo(email);
  expect(mails).toHaveLength(earlierMails.length + 1);
  return tokenIn(mails[0] ?? { text: '' });
}

/** Does the background work that follows recovery requests: sends their links and all mails. */
async function runBackgroundWork(): Promise<void> {
  const { db } = gateway.deps;
  const sendAndReadQueue = async () => {
    await sendRecoveryLinks(gateway.deps);
    return db.selectFrom('password_recoveries').select('id').execute();
  };
  await expect.poll(sendAndReadQueue, { interval: 10 }).toEqual([]);
  await sendQueuedMails(gateway);
}

const newPassword = 'maré alta, barco leve';
const reset = (token: string, password = newPassword) => post('/reset-password', { token, password });
const signIn = ({ username }: Someone, password: string) => post('/login', { username, password });

test('a recovery link works once, even concurrently; only the new password signs in', async () => {
  const someone = await givenSomeone();
  const token = await givenLink(someone);
  const passwords = Array.from({ length: 8 }, (_, index) => `${newPassword} ${index}`);
  const answers = await runConcurrently(8, async (index) => codeOf(await reset(token, passwords[index])));
  const codes = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : answer.reason));
  expect(codes.filter((code) => code === 200)).toHaveLength(1);
  expect(codes.filter((code) => code === 'LINK_EXPIRED')).toHaveLength(7);
  const acceptedPassword = passwords[codes.indexOf(200)] ?? '';
  const signIns = await runConcurrently(8, async (index) =>
    codeOf(await signIn(someone, passwords[index] ?? '')),
  );
  expect(signIns.filter((answer) => answer.status === 'fulfilled' && answer.value === 200)).toHaveLength(1);
  expect(codeOf(await signIn(someone, acceptedPassword))).toBe(200);
  expect(codeOf(await signIn(someone, someone.password))).toBe('INVALID_CREDENTIALS');
  expect(await countDeadlocks(gateway.deps.db)).toBe(0);
});

test('a password reset ends all sessions and live channels, holds withdrawals for a day, notifies the owner, forgets known browsers, and keeps a second factor older than a day', async () => {
  const someone = await givenSomeone();
  await givenPin(gateway, someone);
  await givenBalance(gateway, someone, 300);
  const { deps } = gateway;
  const { db } = deps;
  const now = deps.clock.now();
  const dayAgo = new Date(now.getTime() - 86_400_000);
  const user_id = someone.id;
  await givenPasskey(gateway, someone);
  await db
    .insertInto('totp_factors')
    .values({ user_id, sealed_secret: Buffer.of(1), created_at: dayAgo, confirmed_at: dayAgo })
    .execute();
  await db
    .insertInto('known_devices')
    .values({ user_id, device_hash: Buffer.of(1), last_used_at: now })
    .execute();
  const socket = new WebSocket(
    `${gateway.url.replace('http', 'ws')}/api/notifications/ws?token=${someone.token}`,
  );
  await once(socket, 'open');
  const closed = once(socket, 'close');

  expect(codeOf(await reset(await givenLink(someone)))).toBe(200);
  expect((await closed)[0]).toBe(4401);
  const { token } = someone;
  expect((await gateway.api('GET', '/authed/profile', undefined, { token })).status).toBe(401);
  expect((await signIn(someone, newPassword)).body).toMatchObject({
    error: { code: 'SECOND_FACTOR_REQUIRED', details: { methods: ['totp', 'recovery-code'] } },
  });
  expect(await db.selectFrom('known_devices').selectAll().where('user_id', '=', user_id).execute()).toEqual(
    [],
  );
  await runBackgroundWork();
  const resetMail = (await mailsTo(gateway, someone.email)).find(
    ({ subject }) => subject === 'Senha redefinida',
  );
  expect(resetMail?.text).toContain('cadastrado nas últimas 24 horas foi removido');

  await deps.db.deleteFrom('totp_factors').where('user_id', '=', someone.id).execute();
  const newSession = (await signIn(someone, newPassword)).body as { token: string };
  const withdrawal = {
    amount: 50,
    pixKey: 'maria@example.com',
    pix_key_type: 'email',
    withdrawal_pin: defaultPin,
  };
  const answer = await post('/authed/withdraw', withdrawal, newSession.token);
  expect(answer.body).toMatchObject({
    error: { code: 'WITHDRAWALS_HELD', message: expect.stringContaining('a senha da conta foi redefinida') },
  });
});

test('a recovery link can be checked without being used; used and forged links are invalid', async () => {
  const someone = await givenSomeone();
  const token = await givenLink(someone);
  const check = (link: string) => post('/reset-password/link', { token: link });
  expect(codeOf(await check(token))).toBe(200);
  expect(codeOf(await check(token))).toBe(200);
  expect(codeOf(await check(`${token.slice(0, -4)}AAAA`))).toBe('LINK_EXPIRED');
  expect(codeOf(await reset(token))).toBe(200);
  expect(codeOf(await check(token))).toBe('LINK_EXPIRED');
});

test('a recovery link expires after 30 minutes, and the stored mail no longer contains it', async () => {
  const someone = await givenSomeone();
  const token = await givenLink(someone);
  await gateway.advance(30 * 60 + 1);
  expect(codeOf(await post('/reset-password/link', { token }))).toBe('LINK_EXPIRED');
  expect(codeOf(await reset(token))).toBe('LINK_EXPIRED');
  const [mail] = await recoveryMailsTo(someone.email);
  expect(mail?.text).not.toContain(token);
  expect(codeOf(await signIn(someone, someone.password))).toBe(200);
});

test('a weak password is refused, and the link works with a better one; other links of the account become invalid', async () => {
  const someone = await givenSomeone();
  const first = await givenLink(someone);
  const second = await givenLink(someone);
  expect(second).not.toBe(first);
  expect(codeOf(await reset(first, 'flamengo10'))).toBe('PASSWORD_COMMON');
  expect(codeOf(await reset(first, someone.username))).toBe('PASSWORD_COMMON');
  expect(codeOf(await reset(first))).toBe(200);
  expect(codeOf(await reset(second))).toBe('LINK_EXPIRED');
});

test('a forged token is refused, and so is a recovery token where another kind of link is required', async () => {
  const someone = await givenSomeone();
  const token = await givenLink(someone);
  const bytes = Buffer.from(token, 'base64url');
  for (const index of [0, 15, 16, 47]) {
    const forged = Buffer.from(bytes);
    forged[index] = (forged[index] ?? 0) ^ 1;
    expect(codeOf(await reset(forged.toString('base64url')))).toBe('LINK_EXPIRED');
  }
  for (const malformed of ['x'.repeat(64), token.slice(0, -4), `${token}AAAA`])
    expect(codeOf(await reset(malformed))).toBe('LINK_EXPIRED');
  expect(codeOf(await post('/confirm-email', { token }))).toBe('LINK_EXPIRED');
  expect(codeOf(await reset(token))).toBe(200);
});

test('a known and an unknown e-mail get the same response, and only the known one gets a mail', async () => {
  const someone = await givenSomeone();
  const unknownEmail = `ninguem-${someone.email}`;
  const knownAnswer = await post('/recover-password', { email: someone.email.toUpperCase() });
  const unknownAnswer = await post('/recover-password', { email: unknownEmail });
  const { date: _, ...headers } = knownAnswer.headers;
  const { date: __, ...unknownHeaders } = unknownAnswer.headers;
  expect([unknownAnswer.status, unknownAnswer.body, Object.keys(unknownHeaders)]).toEqual([
    knownAnswer.status,
    knownAnswer.body,
    Object.keys(headers),
  ]);
  await runBackgroundWork();
  expect(await recoveryMailsTo(someone.email)).toHaveLength(1);
  expect(await mailsTo(gateway, unknownEmail)).toEqual([]);
});

test('recovery requests are limited per e-mail, known or unknown, and allowed again after an hour', async () => {
  const someone = await givenSomeone();
  for (const email of [someone.email, `ninguem-${someone.email}`]) {
    const codes = [];
    for (let attempt = 0; attempt < 6; attempt += 1)
      codes.push(codeOf(await post('/recover-password', { email })));
    expect(codes).toEqual([200, 200, 200, 200, 200, 'RATE_LIMITED']);
  }
  await gateway.advance(3600);
  expect(codeOf(await post('/recover-password', { email: someone.email }))).toBe(200);
});

test('refused requests for one e-mail do not use up the limit of their network', async () => {
  const address = randomAddress();
  const requestRecovery = (email: string) =>
    recoverPassword(gateway.deps, email, address).then(() => 'asked', String);
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await requestRecovery('muitas@example.com')).toBe('asked');
  for (let attempt = 0; attempt < 30; attempt += 1)
    expect(await requestRecovery('muitas@example.com')).toMatch(/Refusal/);
  expect(await requestRecovery('outra@example.com')).toBe('asked');
});

test('a frozen account is not recovered: no link is sent, and earlier links are invalid', async () => {
  const someone = await givenSomeone();
  const token = await givenLink(someone);
  const { db, clock } = gateway.deps;
  const setFrozenAt = (frozen_at: Date | null) =>
    db
      .updateTable('users')
      .set({ frozen_at, frozen_because: frozen_at && 'x' })
      .where('id', '=', someone.id)
      .execute();
  await setFrozenAt(clock.now());
  expect(codeOf(await post('/reset-password/link', { token }))).toBe('LINK_EXPIRED');
  expect(codeOf(await reset(token))).toBe('LINK_EXPIRED');
  const mailCount = (await mailsTo(gateway, someone.email)).length;
  expect(codeOf(await post('/recover-password', { email: someone.email }))).toBe(200);
  await runBackgroundWork();
  expect(await mailsTo(gateway, someone.email)).toHaveLength(mailCount);
  await setFrozenAt(null);
});

test('the stored data of links and mails do not contain a usable token', async () => {
  const someone = await givenSomeone();
  const token = await givenLink(someone);
  const { db, secrets } = gateway.deps;
  const rows = await db.selectFrom('mails').selectAll().execute();
  const links = await db.selectFrom('mail_links').selectAll().execute();
  const stored = JSON.stringify([rows, links]);
  expect(stored).toContain(verifyLinkToken(secrets, token));
  for (const part of [token, token.slice(22)]) expect(stored).not.toContain(part);
  const tokenOfLinkId = Buffer.concat([
    Buffer.from(verifyLinkToken(secrets, token)?.replaceAll('-', '') ?? '', 'hex'),
    Buffer.alloc(32),
  ]);
  expect(codeOf(await reset(tokenOfLinkId.toString('base64url')))).toBe('LINK_EXPIRED');
});
