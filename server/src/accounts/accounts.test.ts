import { once } from 'node:events';
import { adminGetUser, changeEmail, getSecurity, listSessions, profile } from '@jangada/contract';
import { request } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  givenAdmin,
  givenBalance,
  givenMerchant,
  givenPin,
  givenWithdrawal,
  parseSuccess,
} from '../../test/given.ts';
import { givenTotp } from '../../test/given-factor.ts';
import { mailsTo, sendQueuedMails, tokenIn } from '../../test/mailbox.ts';

let gateway: TestGateway;
let admin: GivenAdmin;
beforeAll(async () => {
  gateway = await startTestGateway();
  admin = await givenAdmin(gateway);
});
afterAll(() => gateway.stop());

const codeOf = ({ status, body }: ApiAnswer): string | number =>
  status < 300 ? status : (body as { error: { code: string } }).error.code;
const call = (token: string, method: string, path: string, body?: unknown) =>
  gateway.api(method, path, body, { token });

type Someone = Awaited<ReturnType<typeof givenSomeone>>;

async function givenSomeone() {
  const merchant = await givenMerchant(gateway, { admin });
  const { user } = parseSuccess(profile.response, await call(merchant.token, 'GET', '/authed/profile'));
  return { ...merchant, email: user.email };
}

async function signIn({ username, password }: Pick<Someone, 'username' | 'password'>): Promise<string> {
  const answer = await gateway.api('POST', '/login', { username, password });
  return (answer.body as { token: string }).token;
}

/** The subjects of mails to an address, newest first, after sending all queued ones. */
async function subjectsTo(address: string): Promise<string[]> {
  await sendQueuedMails(gateway);
  return (await mailsTo(gateway, address)).map(({ subject }) => subject);
}

const newPassword = 'vento leste, mar de rosas';

test('a password change requires the current password, ends all other sessions and live channels, keeps this session, and notifies the owner', async () => {
  const someone = await givenSomeone();
  const other = await signIn(someone);
  const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/notifications/ws?token=${other}`);
  await once(socket, 'open');
  const closed = once(socket, 'close');
  const change = (current_password: string, new_password: string) =>
    call(someone.token, 'POST', '/authed/password', { current_password, new_password });

  expect(codeOf(await change('errada', newPassword))).toBe('PASSWORD_WRONG');
  expect(codeOf(await change(someone.password, 'senha2026'))).toBe('PASSWORD_COMMON');
  expect(codeOf(await change(someone.password, newPassword))).toBe(200);
  expect((await closed)[0]).toBe(4401);
  expect(codeOf(await call(other, 'GET', '/authed/profile'))).toBe('UNAUTHENTICATED');
  expect(codeOf(await call(someone.token, 'GET', '/authed/profile'))).toBe(200);
  expect(codeOf(await gateway.api('POST', '/login', someone))).toBe('INVALID_CREDENTIALS');
  expect(await signIn({ ...someone, password: newPassword })).toMatch(/^[\w-]{43}$/);
  expect(await subjectsTo(someone.email)).toContain('Senha alterada');
});

test('a password change ends pending sign-ins and e-mail changes', async () => {
  const someone = await givenSomeone();
  const { token, password, username } = someone;
  const { recoveryCodes } = await givenTotp(gateway, someone);
  const email = `ladrao-${someone.email}`;
  expect(codeOf(await call(token, 'POST', '/authed/email', { email, password }))).toBe(200);
  await subjectsTo(email);
  const [confirmationMail] = await mailsTo(gateway, email);
  const { body } = await gateway.api('POST', '/login', { username, password });
  const { challenge } = (body as { error: { details: { challenge: string } } }).error.details;

  const change = { current_password: password, new_password: newPassword };
  expect(codeOf(await call(token, 'POST', '/authed/password', change))).toBe(200);
  const answer = { challenge, code: recoveryCodes[0] };
  expect(codeOf(await gateway.api('POST', '/login/second-factor', answer))).toBe('CHALLENGE_EXPIRED');
  const link = tokenIn(confirmationMail ?? { text: '' });
  expect(codeOf(await gateway.api('POST', '/confirm-email', { token: link }))).toBe('LINK_EXPIRED');
  expect(codeOf(await call(token, 'GET', '/authed/profile'))).toBe(200);
});

test('a password or e-mail change requires the second factor, if there is one', async () => {
  const someone = await givenSomeone();
  const { db, clock } = gateway.deps;
  const now = clock.now();
  await db
    .insertInto('totp_factors')
    .values({ user_id: someone.id, sealed_secret: Buffer.of(1), created_at: now, confirmed_at: now })
    .execute();
  const { token, password, email } = someone;
  const changes = [
    ['/authed/password', { current_password: password, new_password: newPassword }],
    ['/authed/email', { email: `nova-${email}`, password }],
  ] as const;
  for (const [path, body] of changes) {
    expect(
      codeOf(await call(token, 'POST', path, { ...body, current_password: 'errada', password: 'errada' })),
    ).toBe('PASSWORD_WRONG');
    expect(codeOf(await call(token, 'POST', path, body))).toBe('STEP_UP_REQUIRED');
  }
});

test('sessions are listed with the current one marked, end singly or all others at once, and are invisible to other users', async () => {
  const someone = await givenSomeone();
  const stranger = await givenSomeone();
  const [second, third] = [await signIn(someone), await signIn(someone)];
  const list = async (token: string) =>
    parseSuccess(listSessions.response, await call(token, 'GET', '/authed/sessions')).sessions;
  const sessions = await list(someone.token);
  expect(sessions).toHaveLength(3);
  expect(sessions.filter(({ current }) => current)).toHaveLength(1);
  expect(sessions.every(({ second_factor }) => !second_factor)).toBe(true);

  const secondSession = (await list(second)).find(({ current }) => current);
  const end = (token: string) => call(token, 'DELETE', `/authed/sessions/${secondSession?.id}`);
  expect(codeOf(await end(stranger.token))).toBe('NOT_FOUND');
  expect(codeOf(await end(someone.token))).toBe(200);
  expect(codeOf(await end(someone.token))).toBe('NOT_FOUND');
  expect(codeOf(await call(second, 'GET', '/authed/profile'))).toBe('UNAUTHENTICATED');
  const ended = await call(someone.token, 'DELETE', '/authed/sessions');
  expect(ended.body).toEqual({ success: true, ended: 1 });
  expect(codeOf(await call(third, 'GET', '/authed/profile'))).toBe('UNAUTHENTICATED');
  expect(await list(someone.token)).toHaveLength(1);
});

test('a new e-mail takes effect through its link; the old address gets two mails, and withdrawals are held for a day', async () => {
  const someone = await givenSomeone();
  await givenPin(gateway, someone);
  const email = `nova-${someone.email}`;
  const change = (newEmail: string, password = someone.password) =>
    call(someone.token, 'POST', '/authed/email', { email: newEmail, password });
  expect(codeOf(await change(email, 'errada'))).toBe('PASSWORD_WRONG');
  expect(codeOf(await change((await givenSomeone()).email))).toBe('EMAIL_TAKEN');
  expect(parseSuccess(changeEmail.response, await change(email.toUpperCase()))).toEqual({
    email,
    pending: true,
  });

  expect(await subjectsTo(someone.email)).toContain('Troca de e-mail pedida');
  const [confirmationMail] = await mailsTo(gateway, email);
  const token = tokenIn(confirmationMail ?? { text: '' });
  const confirm = () => gateway.api('POST', '/confirm-email', { token });
  const readProfile = async () =>
    parseSuccess(profile.response, await call(someone.token, 'GET', '/authed/profile')).user;
  expect((await readProfile()).email).toBe(someone.email);
  const check = () => gateway.api('POST', '/confirm-email/link', { token });
  for (const _ of ['once', 'again']) expect(codeOf(await check())).toBe(200);
  expect((await readProfile()).email).toBe(someone.email);
  expect((await confirm()).body).toEqual({ email });
  expect(codeOf(await check())).toBe('LINK_EXPIRED');
  expect(codeOf(await confirm())).toBe('LINK_EXPIRED');
  expect((await readProfile()).email).toBe(email);
  expect(await subjectsTo(someone.email)).toContain('E-mail alterado');
  const { held_until } = await gateway.deps.db
    .selectFrom('withdrawal_controls')
    .select('held_until')
    .where('merchant_id', '=', someone.id)
    .executeTakeFirstOrThrow();
  expect((held_until?.getTime() ?? 0) - gateway.deps.clock.now().getTime()).toBeGreaterThan(23 * 3_600_000);
  const found = await call(admin.token, 'GET', `/admin/user/basics?search=${encodeURIComponent(email)}`);
  expect(JSON.stringify(found.body)).toContain(email);
});

test('a later e-mail change replaces the earlier one, and a change to the current address cancels the pending one', async () => {
  const someone = await givenSomeone();
  const change = (email: string) =>
    call(someone.token, 'POST', '/authed/email', { email, password: someone.password });
  const tokens: string[] = [];
  for (const name of ['um', 'dois']) {
    expect(codeOf(await change(`${name}-${someone.email}`))).toBe(200);
    await subjectsTo(someone.email);
    const [mail] = await mailsTo(gateway, `${name}-${someone.email}`);
    tokens.push(tokenIn(mail ?? { text: '' }));
  }
  const [first, second] = tokens;
  const check = async (token?: string) => codeOf(await gateway.api('POST', '/confirm-email/link', { token }));
  expect(await check(first)).toBe('LINK_EXPIRED');
  expect(codeOf(await gateway.api('POST', '/confirm-email', { token: first }))).toBe('LINK_EXPIRED');
  expect(await check(second)).toBe(200);
  expect((await change(someone.email)).body).toEqual({ email: someone.email, pending: false });
  expect(await check(second)).toBe('LINK_EXPIRED');
  expect(codeOf(await gateway.api('POST', '/confirm-email', { token: second }))).toBe('LINK_EXPIRED');
});

test('a pending e-mail change can be cancelled without a password, and its link replaced by a new one five times an hour', async () => {
  const someone = await givenSomeone();
  const email = `outra-${someone.email}`;
  const readPendingEmail = async () =>
    parseSuccess(getSecurity.response, await call(someone.token, 'GET', '/authed/security')).pending_email;
  const resendLink = () => call(someone.token, 'POST', '/authed/email/link');
  const cancelChange = () => call(someone.token, 'DELETE', '/authed/email/link');
  const confirm = (token: string) => gateway.api('POST', '/confirm-email', { token });
  const linkTo = async () => {
    await subjectsTo(email);
    const [newest] = await mailsTo(gateway, email);
    return tokenIn(newest ?? { text: '' });
  };
  expect(codeOf(await resendLink())).toBe('NOT_FOUND');
  const changeRequest = { email, password: someone.password };
  expect(codeOf(await call(someone.token, 'POST', '/authed/email', changeRequest))).toBe(200);
  const first = await linkTo();
  expect((await resendLink()).body).toEqual({ email });
  const second = await linkTo();
  expect(second).not.toBe(first);
  expect(codeOf(await confirm(first))).toBe('LINK_EXPIRED');
  expect(await readPendingEmail()).toBe(email);
  expect(codeOf(await cancelChange())).toBe(200);
  expect(await readPendingEmail()).toBe(null);
  expect(codeOf(await confirm(second))).toBe('LINK_EXPIRED');
  expect(codeOf(await cancelChange())).toBe('NOT_FOUND');
  expect(codeOf(await resendLink())).toBe('NOT_FOUND');
  expect(codeOf(await resendLink())).toBe('NOT_FOUND');
  expect(codeOf(await resendLink())).toBe('RATE_LIMITED');
});

test('an e-mail with an incomplete domain is refused as a new address, but accepted for a password recovery', async () => {
  const someone = await givenSomeone();
  for (const email of ['x@y', 'x@y.', 'x@.br', 'x@a..br']) {
    const answer = await call(someone.token, 'POST', '/authed/email', { email, password: someone.password });
    expect([email, answer.body]).toMatchObject([email, { error: { code: 'INVALID_BODY' } }]);
    expect(JSON.stringify(answer.body)).toContain('Informe o e-mail inteiro');
  }
  expect(codeOf(await gateway.api('POST', '/recover-password', { email: 'x@y' }))).toBe(200);
});

test('the time of the last password change is shown, and none before the first change', async () => {
  const someone = await givenSomeone();
  const changedAt = async (token: string) =>
    parseSuccess(getSecurity.response, await call(token, 'GET', '/authed/security')).password_changed_at;
  expect(await changedAt(someone.token)).toBe(null);
  const body = { current_password: someone.password, new_password: 'remo firme, maré boa' };
  expect(codeOf(await call(someone.token, 'POST', '/authed/password', body))).toBe(200);
  expect(await changedAt(someone.token)).not.toBe(null);
});

test('an e-mail taken by another account in the meantime is not confirmed', async () => {
  const someone = await givenSomeone();
  const rival = await givenSomeone();
  const email = `disputado-${someone.email}`;
  for (const user of [someone, rival])
    expect(codeOf(await call(user.token, 'POST', '/authed/email', { email, password: user.password }))).toBe(
      200,
    );
  await subjectsTo(email);
  const [newerToken, olderToken] = (await mailsTo(gateway, email)).map(tokenIn);
  expect(codeOf(await gateway.api('POST', '/confirm-email', { token: olderToken }))).toBe(200);
  expect(codeOf(await gateway.api('POST', '/confirm-email', { token: newerToken }))).toBe('EMAIL_TAKEN');
});

test('a name change requires the password, appears in the search immediately, and is in the audit log', async () => {
  const someone = await givenSomeone();
  const change = (name: string, password = someone.password) =>
    call(someone.token, 'POST', '/authed/name', { name, password });
  expect(codeOf(await change('Zenóbia', 'errada'))).toBe('PASSWORD_WRONG');
  expect((await change('  Zenóbia   das Dores ')).body).toEqual({ name: 'Zenóbia das Dores' });
  const found = await call(admin.token, 'GET', '/admin/user/basics?search=zenobia+dores');
  expect(JSON.stringify(found.body)).toContain(someone.username);
  const entries = await gateway.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'before', 'after'])
    .where('subject_id', '=', someone.id)
    .where('actor_id', '=', someone.id)
    .execute();
  expect(entries).toEqual([
    {
      actor_id: someone.id,
      action: 'user updated',
      before: { name: 'Maria da Feira' },
      after: { name: 'Zenóbia das Dores' },
    },
  ]);
});

test('a request to close an account requires the password, is visible to administrators, and can be withdrawn', async () => {
  const someone = await givenSomeone();
  const requestClosing = (password = someone.password) =>
    call(someone.token, 'POST', '/authed/close-account', { password, reason: 'Mudei de ramo' });
  const readClosingRequest = async () =>
    parseSuccess(adminGetUser.response, await call(admin.token, 'GET', `/admin/users/${someone.id}`)).user
      .closing_requested_at;
  const withdrawRequest = () => call(someone.token, 'DELETE', '/authed/close-account');
  expect(codeOf(await withdrawRequest())).toBe('NOT_FOUND');
  expect(codeOf(await requestClosing('errada'))).toBe('PASSWORD_WRONG');
  expect(codeOf(await requestClosing())).toBe(200);
  expect(codeOf(await requestClosing())).toBe('CLOSING_REQUESTED');
  expect(await readClosingRequest()).not.toBeNull();
  expect(codeOf(await withdrawRequest())).toBe(200);
  expect(await readClosingRequest()).toBeNull();
  expect((await subjectsTo(someone.email)).slice(0, 2).sort()).toEqual([
    'Encerramento da conta pedido',
    'Pedido de encerramento retirado',
  ]);
});

test('requests to close an account are limited per hour', async () => {
  const someone = await givenSomeone();
  const requestClosing = () =>
    call(someone.token, 'POST', '/authed/close-account', { password: someone.password });
  const withdrawRequest = () => call(someone.token, 'DELETE', '/authed/close-account');
  for (let round = 0; round < 10; round += 1) {
    expect(codeOf(await requestClosing())).toBe(200);
    expect(codeOf(await withdrawRequest())).toBe(200);
  }
  expect(codeOf(await withdrawRequest())).toBe('RATE_LIMITED');
  expect(codeOf(await requestClosing())).toBe('RATE_LIMITED');
});

test('personal data are exported as one JSON file, with the password, without secrets and without other users’ data', async () => {
  const someone = await givenSomeone();
  await givenPin(gateway, someone);
  const stranger = await givenSomeone();
  for (const [turn, reason] of [
    ['freeze', 'pedido sigiloso da polícia'],
    ['unfreeze', 'pedido sigiloso esclarecido'],
  ])
    await call(admin.token, 'POST', `/admin/users/${someone.id}/${turn}`, { reason });
  const signedIn = await gateway.api('POST', '/login', someone);
  const { token } = signedIn.body as { token: string };
  const exportData = () =>
    request(`${gateway.url}/api/authed/personal-data`, {
      headers: { authorization: `Bearer ${token}` },
    });
  const file = await exportData();
  expect(file.headers['content-disposition']).toBe('attachment; filename="dados-pessoais.json"');
  const text = await file.body.text();
  const data = JSON.parse(text);
  expect(data.conta).toMatchObject([{ username: someone.username, email: someone.email }]);
  expect(data.sessoes).toHaveLength(1);
  expect(data.saques).toMatchObject([{ pin_set_at: expect.any(String) }]);
  expect(data.notificacoes.length).toBeGreaterThan(0);
  expect(data.registro_de_auditoria).toMatchObject([
    { action: 'user updated', por: 'administração', after: { approved: true } },
    { action: 'user frozen', por: 'administração', reason: null, before: null, after: null },
    { action: 'user unfrozen', por: 'administração', reason: null, before: null, after: null },
  ]);
  expect(text).not.toContain('sigiloso');
  expect(data.dinheiro).toMatchObject([{ cobrancas_pagas: 0 }]);
  const { db, secrets } = gateway.deps;
  const { password_hash } = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', someone.id)
    .executeTakeFirstOrThrow();
  const ownSecrets = [
    password_hash,
    token,
    someone.apiKey,
    secrets.hash('api-key', someone.apiKey).toString('hex'),
  ];
  for (const value of [...ownSecrets, stranger.username, stranger.email]) expect(text).not.toContain(value);

  await gateway.advance(301);
  const laterExport = await exportData();
  expect(await laterExport.body.json()).toMatchObject({ error: { code: 'PASSWORD_REQUIRED' } });
});

test('a new key, a PIN, and a requested and a completed withdrawal are mailed to the owner, without the full key', async () => {
  const someone = await givenSomeone();
  await givenPin(gateway, someone);
  await givenBalance(gateway, someone, 200);
  await givenWithdrawal(gateway, someone);
  expect(codeOf(await call(someone.token, 'POST', '/authed/apikey'))).toBe(200);
  const readSubjects = async () => {
    await gateway.advance(5);
    return subjectsTo(someone.email);
  };
  await expect
    .poll(readSubjects, { interval: 250 })
    .toEqual(
      expect.arrayContaining(['Chave de API nova', 'PIN de saque', 'Saque pedido', 'Saque concluído']),
    );
  const mails = await mailsTo(gateway, someone.email);
  const textOfMail = (subject: string) => mails.find((mail) => mail.subject === subject)?.text ?? '';
  expect(textOfMail('Saque pedido')).toContain(
    'R$\u00a050,00 para a chave m•••@example.com foi pedido no painel.',
  );
  expect(textOfMail('Saque concluído')).toContain('m•••@example.com.');
  for (const { text } of mails) expect(text).not.toMatch(/maria@example|2580/);
});

test('an e-mail changed by an administrator invalidates mailed links, and the old address is notified', async () => {
  const someone = await givenSomeone();
  const requestRecovery = () => gateway.api('POST', '/recover-password', { email: someone.email });
  expect(codeOf(await requestRecovery())).toBe(200);
  await expect.poll(() => subjectsTo(someone.email)).toContain('Crie outra senha');
  const [mail] = await mailsTo(gateway, someone.email);
  const token = tokenIn(mail ?? { text: '' });
  const { user } = parseSuccess(
    adminGetUser.response,
    await call(admin.token, 'GET', `/admin/users/${someone.id}`),
  );
  const change = { version: user.version, email: `outro-${someone.email}` };
  expect(codeOf(await call(admin.token, 'PUT', `/admin/users/${someone.id}`, change))).toBe(200);
  expect(await subjectsTo(someone.email)).toContain('E-mail alterado');
  const reset = await gateway.api('POST', '/reset-password', { token, password: newPassword });
  expect(codeOf(reset)).toBe('LINK_EXPIRED');
});
