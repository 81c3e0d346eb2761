import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  adminConnection,
  adminConnectionsPage,
  connection,
  listConnections,
  ownBank,
} from '@jangada/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiAnswer, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  defaultPin,
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenMerchant,
  givenPin,
  parseSuccess,
} from '../../test/given.ts';
import { entryOf, givenConnection, openSandboxAccount, waitForCheck } from '../../test/given-connection.ts';
import { givenTotp, totpCodeOf } from '../../test/given-factor.ts';
import { mailsTo, sendQueuedMails } from '../../test/mailbox.ts';
import { waitForBlockedTransactions } from '../../test/wait-for-blocked-transactions.ts';
import { lockConnection, updateConnection } from '../connections/index.ts';
import { inTransaction } from '../db/transaction.ts';
import { suspendByOperator } from './administer-connections.ts';
import { awaitChecks, makeChecks, stopChecks } from './make-checks.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
});
afterAll(() => gateway.stop());

const call = (by: Pick<GivenMerchant, 'token'>, method: string, path: string, body?: unknown, headers = {}) =>
  gateway.api(method, `/authed/connections${path}`, body, { token: by.token, headers });

const codeOf = ({ status, body }: ApiAnswer) =>
  `${status} ${(body as { error: { code: string } }).error.code}`;

test('an account is entered, checked at the bank and activated, and then its owner is paid there', async () => {
  const merchant = await givenMerchant(gateway);
  const account = await openSandboxAccount(gateway);
  const created = parseSuccess(connection, await call(merchant, 'POST', '', entryOf(account)));
  expect(created).toMatchObject({
    state: 'draft',
    bank_name: 'Banco Sandbox',
    pix_key: account.key,
    position: 1,
  });
  expect(created.client_id).toBe(account.clientId.slice(0, 8));
  expect(
    codeOf(await call(merchant, 'POST', `/${created.id}/activate`, { password: merchant.password })),
  ).toBe('409 CHECK_NEEDED');
  const checked = await waitForCheck(gateway, merchant, created.id);
  expect(checked.check).toMatchObject({ result: 'passed', ofNewCredentials: false });
  const activated = await call(merchant, 'POST', `/${created.id}/activate`, { password: merchant.password });
  expect(parseSuccess(connection, activated).state).toBe('active');
  const list = parseSuccess(listConnections.response, await call(merchant, 'GET', ''));
  expect(list).toMatchObject({ merchant_accounts: 'both', merchant_kind: 'direct', has_pin: false });
  expect(list.connections.map(({ id }) => id)).toEqual([created.id]);
  const facts = await gateway.api('GET', '/authed/own-bank', undefined, merchant);
  expect(parseSuccess(ownBank.response, facts)).toMatchObject({
    must_connect: false,
    is_paid_into_own: true,
    has_own_accounts: true,
  });
  const { psp } = gateway.deps.banks.of(Number(created.id));
  expect(await psp.findNoticeUrl()).toMatch(new RegExp(`/psp/sandbox/${created.id}/`));
});

test('the password, the PIN of an account that has one, and its second factor open an account and close it', async () => {
  const merchant = await givenMerchant(gateway);
  await givenPin(gateway, merchant);
  const { secret } = await givenTotp(gateway, merchant);
  await gateway.advance(3600);
  const { id } = parseSuccess(
    connection,
    await call(merchant, 'POST', '', entryOf(await openSandboxAccount(gateway))),
  );
  await waitForCheck(gateway, merchant, id);
  const { password } = merchant;
  const activate = (proof: object, headers = {}) => call(merchant, 'POST', `/${id}/activate`, proof, headers);
  expect(codeOf(await activate({ password, pin: defaultPin }))).toBe('403 STEP_UP_REQUIRED');
  expect(codeOf(await call(merchant, 'POST', `/${id}/retire`, { password, pin: defaultPin }))).toBe(
    '403 STEP_UP_REQUIRED',
  );
  const stepUp = await gateway.api(
    'POST',
    '/authed/step-up',
    { code: totpCodeOf(gateway, secret) },
    { token: merchant.token },
  );
  const factor = { 'x-step-up': (stepUp.body as { token: string }).token };
  expect(codeOf(await activate({ password: 'outra senha', pin: defaultPin }, factor))).toBe(
    '403 PASSWORD_WRONG',
  );
  expect(codeOf(await activate({ password, pin: '9876' }, factor))).toBe('403 PIN_WRONG');
  expect(codeOf(await activate({ password }, factor))).toBe('403 PIN_WRONG');
  const proof = { password, pin: defaultPin };
  expect((await activate(proof, factor)).status).toBe(200);
  const retired = await call(merchant, 'POST', `/${id}/retire`, proof, factor);
  expect(parseSuccess(connection, retired).state).toBe('retiring');
});

test('each change that opens or closes a way for money is told by mail and recorded', async () => {
  const merchant = await givenMerchant(gateway);
  const { id, account } = await givenConnection(gateway, merchant);
  const proof = { password: merchant.password };
  const { clientId: client_id, clientSecret: client_secret } = account;
  await call(merchant, 'PUT', `/${id}/credentials`, { ...proof, client_id, client_secret });
  await waitForCheck(gateway, merchant, String(id));
  await call(merchant, 'POST', `/${id}/suspend`);
  await call(merchant, 'POST', `/${id}/retire`, proof);
  await sendQueuedMails(gateway);
  const mails = await mailsTo(gateway, `${merchant.username.replace('loja-', '')}@example.com`);
  expect(mails.map(({ subject }) => subject).reverse()).toEqual([
    'Conta bancária ativada',
    'Credenciais do banco alteradas',
    'Conta bancária suspensa',
    'Conta bancária em encerramento',
  ]);
  const entries = await gateway.deps.db
    .selectFrom('audit_log')
    .select(['action', 'actor_id'])
    .where('subject_id', '=', merchant.id)
    .where('action', 'like', 'connection%')
    .orderBy('id')
    .execute();
  expect(entries).toEqual(
    ['activated', 'credentials replaced', 'suspended', 'retired'].map((what) => ({
      action: `connection ${what}`,
      actor_id: merchant.id,
    })),
  );
  const told = await gateway.deps.db
    .selectFrom('notifications')
    .select('data')
    .where('merchant_id', '=', merchant.id)
    .orderBy('id')
    .execute();
  // Each leads to the account, and the end of an account has another type than the beginning of its end.
  expect(told.map(({ data }) => data)).toEqual(
    ['activated', 'credentials-replaced', 'suspended', 'retiring'].map((what) => ({
      type: `connection.${what}`,
      id: String(id),
    })),
  );
});

test('a check that a stopping process gives up is begun anew by the next one', async () => {
  const merchant = await givenMerchant(gateway);
  const entry = entryOf(await openSandboxAccount(gateway));
  const { id } = parseSuccess(connection, await call(merchant, 'POST', '', entry));
  expect(await makeChecks(gateway.deps)).toBe(1);
  await stopChecks(gateway.deps);
  const stopped = parseSuccess(connection, await call(merchant, 'GET', `/${id}`));
  expect(stopped.check).toMatchObject({ result: 'running', ended_at: null, steps: [] });
  expect((await waitForCheck(gateway, merchant, id)).check?.result).toBe('passed');
});

test('new credentials take the place of the old ones only when their check has passed', async () => {
  const merchant = await givenMerchant(gateway);
  const { id, account } = await givenConnection(gateway, merchant);
  const replace = (client_secret: string) =>
    call(merchant, 'PUT', `/${id}/credentials`, {
      password: merchant.password,
      client_id: account.clientId,
      client_secret,
    });
  const sealedCredentials = async () =>
    (
      await gateway.deps.db
        .selectFrom('bank_connections')
        .select('sealed_credentials')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).sealed_credentials?.toString('hex');
  const before = await sealedCredentials();
  expect(parseSuccess(connection, await replace('um segredo errado')).check).toMatchObject({
    result: 'running',
    ofNewCredentials: true,
  });
  const failed = await waitForCheck(gateway, merchant, String(id));
  expect(failed).toMatchObject({ state: 'active', check: { result: 'failed', ofNewCredentials: true } });
  expect(await sealedCredentials()).toBe(before);
  await gateway.deps.banks.of(id).psp.findNoticeUrl();
  await call(merchant, 'POST', `/${id}/suspend`);
  expect((await call(merchant, 'POST', `/${id}/check`)).status).toBe(200);
  expect((await waitForCheck(gateway, merchant, String(id))).check?.ofNewCredentials).toBe(true);
  const discarded = await call(merchant, 'POST', `/${id}/credentials/discard`);
  expect(parseSuccess(connection, discarded).check).toBeNull();
  expect(codeOf(await call(merchant, 'POST', `/${id}/credentials/discard`))).toBe('409 CONNECTION_STATE');
  await call(merchant, 'POST', `/${id}/check`);
  expect((await waitForCheck(gateway, merchant, String(id))).check).toMatchObject({
    result: 'passed',
    ofNewCredentials: false,
  });
  const reactivated = await call(merchant, 'POST', `/${id}/activate`, { password: merchant.password });
  expect(reactivated.status).toBe(200);
  await replace(account.clientSecret);
  const passed = await waitForCheck(gateway, merchant, String(id));
  expect(passed.check).toMatchObject({ result: 'passed', ofNewCredentials: false });
  expect(await sealedCredentials()).not.toBe(before);
  await gateway.deps.banks.of(id).psp.findNoticeUrl();
});

test('a failed check says which step failed, and the account cannot be activated', async () => {
  const merchant = await givenMerchant(gateway);
  const account = await openSandboxAccount(gateway);
  const entry = { ...entryOf(account), client_secret: 'um segredo errado' };
  const { id } = parseSuccess(connection, await call(merchant, 'POST', '', entry));
  const { check } = await waitForCheck(gateway, merchant, id);
  expect(check?.result).toBe('failed');
  expect(check?.steps.find(({ state }) => state === 'failed')?.id).toBe('token');
  const activation = await call(merchant, 'POST', `/${id}/activate`, { password: merchant.password });
  expect(codeOf(activation)).toBe('409 CHECK_NEEDED');
});

test('a draft that is given up before its check leaves the list, and delays no other check', async () => {
  const [first, second] = [await givenMerchant(gateway), await givenMerchant(gateway)];
  const account = await openSandboxAccount(gateway);
  const draft = parseSuccess(connection, await call(first, 'POST', '', entryOf(account)));
  const retired = await call(first, 'POST', `/${draft.id}/retire`, { password: first.password });
  expect(parseSuccess(connection, retired)).toMatchObject({ state: 'retired', client_id: null });
  expect(parseSuccess(listConnections.response, await call(first, 'GET', '')).connections).toEqual([]);
  const other = parseSuccess(
    connection,
    await call(second, 'POST', '', entryOf(await openSandboxAccount(gateway))),
  );
  expect((await waitForCheck(gateway, second, other.id)).check?.result).toBe('passed');
});

describe('at a bank that gives a token and then never answers', () => {
  let silent: Server;
  let calls: string[] = [];
  let admin: GivenAdmin;
  beforeAll(async () => {
    admin = await givenAdmin(gateway);
    silent = createServer(({ method, url }, response) => {
      if (url === '/token') response.end(JSON.stringify({ access_token: 'token', expires_in: 3600 }));
      else calls.push(`${method} ${url?.replace(/[^/]+$/, '')}`);
    }).listen(0, '127.0.0.1');
    await once(silent, 'listening');
  });
  afterAll(() => {
    silent.closeAllConnections();
    silent.close();
  });

  /** Enters an account there, whose check waits to be made. */
  async function enterSilent(merchant: GivenMerchant): Promise<string> {
    const entry = { ...entryOf(await openSandboxAccount(gateway)), bank: 'other' };
    const { id } = parseSuccess(connection, await call(merchant, 'POST', '', entry));
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const addresses = { api_url: `${url}/v2`, token_url: `${url}/token`, reason: 'Banco com API Pix' };
    const { token } = admin;
    await gateway.api('PUT', `/admin/connections/${id}/addresses`, addresses, { token });
    parseSuccess(connection, await call(merchant, 'POST', `/${id}/check`));
    return id;
  }

  test('a merchant has three checks made at a time, also of drafts that were given up', async () => {
    const [first, second] = [await givenMerchant(gateway), await givenMerchant(gateway)];
    for (let count = 0; count < 5; count += 1) await enterSilent(first);
    expect(await makeChecks(gateway.deps)).toBe(3);
    await giveUpDrafts(first);
    for (let count = 0; count < 5; count += 1) await enterSilent(first);
    const other = parseSuccess(
      connection,
      await call(second, 'POST', '', entryOf(await openSandboxAccount(gateway))),
    );
    expect(await makeChecks(gateway.deps)).toBe(1);
    expect((await waitForCheck(gateway, second, other.id)).check?.result).toBe('passed');
    await gateway.advance(61);
    expect(await makeChecks(gateway.deps)).toBe(3);
    await stopChecks(gateway.deps);
    await giveUpDrafts(first);
  });

  test('a check ends soon after its draft was given up', async () => {
    const merchant = await givenMerchant(gateway);
    await enterSilent(merchant);
    calls = [];
    await makeChecks(gateway.deps);
    await expect.poll(() => calls).toEqual(['PUT /v2/cob/']);
    await giveUpDrafts(merchant);
    await awaitChecks(gateway.deps);
    expect(calls).toEqual(['PUT /v2/cob/']);
  });

  async function giveUpDrafts(merchant: GivenMerchant): Promise<void> {
    const { connections } = parseSuccess(listConnections.response, await call(merchant, 'GET', ''));
    for (const { id, state } of connections)
      if (state === 'draft') await call(merchant, 'POST', `/${id}/retire`, { password: merchant.password });
  }
});

test('credentials are sent fifty times a day at most, and a list shows the newest accounts of many', async () => {
  const merchant = await givenMerchant(gateway);
  const enter = async () => call(merchant, 'POST', '', { ...entryOf(account), bank: 'other' });
  const account = await openSandboxAccount(gateway);
  const codes = new Set<string>();
  for (let count = 0; count < 51; count += 1) {
    const entered = await enter();
    if (entered.status !== 201) codes.add(codeOf(entered));
    else {
      const { id } = parseSuccess(connection, entered);
      // As if it had been in use: a removed draft leaves the list.
      await gateway.deps.db
        .updateTable('bank_connections')
        .set({ retiring_since: new Date() })
        .where('id', '=', Number(id))
        .execute();
      await call(merchant, 'POST', `/${id}/retire`, { password: merchant.password });
    }
  }
  expect([...codes]).toEqual(['429 RATE_LIMITED']);
  const { connections } = parseSuccess(listConnections.response, await call(merchant, 'GET', ''));
  expect(connections).toHaveLength(50);
});

test('a check counts for a day', async () => {
  const merchant = await givenMerchant(gateway);
  const entry = entryOf(await openSandboxAccount(gateway));
  const { id } = parseSuccess(connection, await call(merchant, 'POST', '', entry));
  await waitForCheck(gateway, merchant, id);
  await gateway.deps.db
    .updateTable('bank_connections')
    .set({ check_ended_at: sql<Date>`check_ended_at - interval '25 hours'` })
    .where('id', '=', Number(id))
    .execute();
  const activation = await call(merchant, 'POST', `/${id}/activate`, { password: merchant.password });
  expect(codeOf(activation)).toBe('409 CHECK_NEEDED');
});

test('the key of an account that was never used is corrected with its credentials, and that of no other', async () => {
  const merchant = await givenMerchant(gateway);
  const [account, other] = [await openSandboxAccount(gateway), await openSandboxAccount(gateway)];
  const wrong = { ...entryOf(account), pix_key: 'errada@example.com' };
  const { id } = parseSuccess(connection, { ...(await call(merchant, 'POST', '', wrong)), status: 200 });
  expect((await waitForCheck(gateway, merchant, id)).check?.result).toBe('failed');
  const replace = (pix_key: string, ofAccount: string) =>
    call(merchant, 'PUT', `/${ofAccount}/credentials`, {
      password: merchant.password,
      client_id: account.clientId,
      client_secret: account.clientSecret,
      pix_key,
    });
  const { id: usedId, account: used } = await givenConnection(gateway, merchant, other);
  expect(codeOf(await replace('não é chave', id))).toBe('400 PIX_KEY_INVALID');
  expect(codeOf(await replace(used.key, id))).toBe('409 PIX_KEY_TAKEN');
  expect(codeOf(await replace(gateway.deps.config.pixKey, id))).toBe('409 PIX_KEY_TAKEN');
  expect(codeOf(await replace(account.key, String(usedId)))).toBe('409 CONNECTION_STATE');
  expect((await replace(account.key, id)).status).toBe(200);
  expect(await waitForCheck(gateway, merchant, id)).toMatchObject({
    pix_key: account.key,
    check: { result: 'passed' },
  });
});

test('a key belongs to one account in use, and a draft takes it from nobody', async () => {
  const [owner, other] = [await givenMerchant(gateway), await givenMerchant(gateway)];
  const account = await openSandboxAccount(gateway);
  const { id } = parseSuccess(connection, await call(other, 'POST', '', entryOf(account)));
  await waitForCheck(gateway, other, id);
  await givenConnection(gateway, owner, account);
  await waitForCheck(gateway, other, id);
  const activation = await call(other, 'POST', `/${id}/activate`, { password: other.password });
  expect(codeOf(activation)).toBe('409 PIX_KEY_TAKEN');
  const house = { ...entryOf(account), pix_key: gateway.deps.config.pixKey };
  expect(codeOf(await call(other, 'POST', '', house))).toBe('409 PIX_KEY_TAKEN');
});

test.each([
  ['a bank that is not known', { bank: 'https://banco.example/v2' }, '400 BANK_UNKNOWN'],
  ['no bank', { bank: '' }, '400 INVALID_BODY'],
  ['a key of no kind', { pix_key: 'minha chave' }, '400 PIX_KEY_INVALID'],
  ['no client id', { client_id: '  ' }, '400 INVALID_BODY'],
  [
    'a certificate that is none',
    { certificate: Buffer.from('nada').toString('base64') },
    '400 CERTIFICATE_INVALID',
  ],
  ['a bank that demands a certificate', { bank: 'efi-homologacao' }, '400 CERTIFICATE_REQUIRED'],
])('%s is refused', async (_, change, refusal) => {
  const merchant = await givenMerchant(gateway);
  const entry = {
    bank: 'sandbox',
    pix_key: `${merchant.username}@example.com`,
    client_id: 'a',
    client_secret: 'b',
  };
  expect(codeOf(await call(merchant, 'POST', '', { ...entry, ...change }))).toBe(refusal);
});

test('an account of another merchant is not found, whatever is done', async () => {
  const [owner, stranger] = [await givenMerchant(gateway), await givenMerchant(gateway)];
  const { id } = await givenConnection(gateway, owner);
  const proof = { password: stranger.password };
  const credentials = { client_id: 'a', client_secret: 'b' };
  for (const [method, path, body] of [
    ['GET', `/${id}`, undefined],
    ['POST', `/${id}/check`, undefined],
    ['POST', `/${id}/activate`, proof],
    ['PUT', `/${id}/credentials`, { ...proof, ...credentials }],
    ['POST', `/${id}/suspend`, undefined],
    ['POST', `/${id}/retire`, proof],
    ['PUT', '/order', { ...proof, ids: [String(id)] }],
    ['GET', '/1', undefined],
    ['GET', '/99999999999999', undefined],
  ] as const)
    expect(codeOf(await call(stranger, method, path, body)), path).toBe('404 CONNECTION_NOT_FOUND');
});

test('the order of accounts is changed with proof, and accounts that are not named come last', async () => {
  const merchant = await givenMerchant(gateway);
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(String((await givenConnection(gateway, merchant)).id));
  const [first = '', second = '', third = ''] = ids;
  const order = await call(merchant, 'PUT', '/order', { password: merchant.password, ids: [third, first] });
  const listed = (order.body as { connections: { id: string }[] }).connections.map(({ id }) => id);
  expect(listed).toEqual([third, first, second]);
});

test('an account that the operator suspended is resumed only by the operator', async () => {
  const [merchant, admin] = [await givenMerchant(gateway), await givenAdmin(gateway)];
  const { id } = await givenConnection(gateway, merchant);
  const decide = (what: string) =>
    gateway.api(
      'POST',
      `/admin/connections/${id}/${what}`,
      { reason: 'Conta em análise' },
      { token: admin.token },
    );
  const suspended = parseSuccess(adminConnection, await decide('suspend'));
  expect(suspended).toMatchObject({
    state: 'suspended',
    suspended: { by: 'operator', reason: 'Conta em análise' },
  });
  expect(suspended.merchant.username).toBe(merchant.username);
  const mail = await gateway.deps.db
    .selectFrom('mails')
    .select(['kind', 'body'])
    .where('user_id', '=', merchant.id)
    .where('subject', '=', 'Conta bancária suspensa pelo operador')
    .executeTakeFirstOrThrow();
  expect(mail.kind).toBe('account');
  expect(mail.body).toContain('até ele a reativar.\n\nMotivo: Conta em análise');
  expect(codeOf(await decide('suspend'))).toBe('409 CONNECTION_STATE');
  const activation = await call(merchant, 'POST', `/${id}/activate`, { password: merchant.password });
  expect(codeOf(activation)).toBe('409 CONNECTION_STATE');
  expect(parseSuccess(adminConnection, await decide('resume')).state).toBe('active');
  const suspendedByOwner = await call(merchant, 'POST', `/${id}/suspend`);
  expect(parseSuccess(connection, suspendedByOwner).suspended?.by).toBe('merchant');
  // Resumed, it would be in use, which its owner did not want.
  for (const what of ['suspend', 'resume']) expect(codeOf(await decide(what))).toBe('409 CONNECTION_STATE');
});

test('an administrator decides about no account of their own', async () => {
  const merchant = await givenMerchant(gateway);
  const { id } = await givenConnection(gateway, merchant);
  await gateway.deps.db.updateTable('users').set({ role: 'ADMIN' }).where('id', '=', merchant.id).execute();
  const decision = { actorId: merchant.id, id: String(id), reason: 'Conta em análise' };
  await expect(suspendByOperator(gateway.deps, decision)).rejects.toMatchObject({ code: 'OWN_ACCOUNT' });
});

test('a merchant who activates an account at the moment in which the operator suspends it does not undo that', async () => {
  const merchant = await givenMerchant(gateway);
  const { id } = await givenConnection(gateway, merchant);
  await call(merchant, 'POST', `/${id}/suspend`);
  let activation: Promise<ApiAnswer> | undefined;
  await inTransaction(gateway.deps, async (tx) => {
    await lockConnection(tx, id);
    activation = call(merchant, 'POST', `/${id}/activate`, { password: merchant.password });
    await waitForBlockedTransactions(gateway.deps.db);
    await updateConnection(tx, id, { suspended_by: 'operator', suspended_reason: 'Conta em análise' });
  });
  expect(activation && codeOf(await activation)).toBe('409 CONNECTION_STATE');
});

test('an account that is ending can be checked again, and a check that fails by a defect of ours ends', async () => {
  const merchant = await givenMerchant(gateway);
  const { id } = await givenConnection(gateway, merchant);
  await call(merchant, 'POST', `/${id}/retire`, { password: merchant.password });
  expect((await call(merchant, 'POST', `/${id}/check`)).status).toBe(200);
  expect((await waitForCheck(gateway, merchant, String(id))).check?.result).toBe('passed');
  await call(merchant, 'POST', `/${id}/check`);
  const corrupted = { sealed_credentials: Buffer.from('not sealed by this gateway') };
  await gateway.deps.db.updateTable('bank_connections').set(corrupted).where('id', '=', id).execute();
  const { check } = await waitForCheck(gateway, merchant, String(id));
  expect(check).toMatchObject({ result: 'failed', steps: [{ state: 'failed' }] });
  expect(check?.steps[0]?.meaning).toContain('fale com o operador');
});

test('administrators see the accounts of all merchants, and find them by name or key', async () => {
  const [merchant, admin] = [await givenMerchant(gateway), await givenAdmin(gateway)];
  const { id, account } = await givenConnection(gateway, merchant);
  const list = async (query: string) =>
    parseSuccess(
      adminConnectionsPage,
      await gateway.api('GET', `/admin/connections?${query}`, undefined, { token: admin.token }),
    ).connections.map((one) => one.id);
  expect(await list(`search=${account.key}`)).toEqual([String(id)]);
  expect(await list(`search=${merchant.username.toUpperCase()}`)).toEqual([String(id)]);
  expect(await list(`search=${merchant.username}&state=draft`)).toEqual([]);
  expect(await list(`search=${merchant.username}&broken=1`)).toEqual([]);
  expect(await list('state=active&pageSize=1')).toHaveLength(1);
});

test('an administrator enters the addresses of another bank, and nobody else does', async () => {
  const [merchant, admin] = [await givenMerchant(gateway), await givenAdmin(gateway)];
  const account = await openSandboxAccount(gateway);
  const entry = { ...entryOf(account), bank: 'other' };
  const created = parseSuccess(connection, await call(merchant, 'POST', '', entry));
  expect(created).toMatchObject({ awaits_addresses: true, check: null });
  expect(codeOf(await call(merchant, 'POST', `/${created.id}/check`))).toBe('409 ADDRESSES_MISSING');
  const addresses = {
    api_url: `${gateway.bank.apiUrl}/v2`,
    token_url: `${gateway.bank.apiUrl}/oauth/token`,
    reason: 'Banco com API Pix',
  };
  const set = (by: Pick<GivenMerchant, 'token'>) =>
    gateway.api('PUT', `/admin/connections/${created.id}/addresses`, addresses, { token: by.token });
  expect(codeOf(await set(merchant))).toBe('403 FORBIDDEN');
  expect(parseSuccess(adminConnection, await set(admin))).toMatchObject({ awaits_addresses: false });
  await call(merchant, 'POST', `/${created.id}/check`);
  expect((await waitForCheck(gateway, merchant, created.id)).check?.result).toBe('passed');
});

test('a gateway whose operator admits no own accounts connects none', async () => {
  const pooled = await startTestGateway({ startsWork: false, env: { MERCHANT_ACCOUNTS: 'pooled' } });
  try {
    const merchant = await givenMerchant(pooled);
    const entry = { bank: 'sandbox', pix_key: 'loja@example.com', client_id: 'a', client_secret: 'b' };
    const { token } = merchant;
    expect(codeOf(await pooled.api('POST', '/authed/connections', entry, { token }))).toBe(
      '403 OWN_ACCOUNTS_OFF',
    );
    const list = await pooled.api('GET', '/authed/connections', undefined, { token });
    expect(parseSuccess(listConnections.response, list)).toMatchObject({
      banks: [],
      merchant_accounts: 'pooled',
    });
  } finally {
    await pooled.stop();
  }
});

test('credentials are in no answer, and the database keeps them sealed', async () => {
  const merchant = await givenMerchant(gateway);
  const { id, account } = await givenConnection(gateway, merchant);
  const answers = [await call(merchant, 'GET', ''), await call(merchant, 'GET', `/${id}`)];
  const { rows } = await sql`select to_jsonb(c) as row from bank_connections c where id = ${id}`.execute(
    gateway.deps.db,
  );
  const bytes = JSON.stringify([answers, rows]);
  expect(bytes).not.toContain(account.clientSecret);
  expect(bytes).not.toContain(Buffer.from(account.clientSecret).toString('hex'));
});
