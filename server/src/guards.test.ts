import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Endpoint, endpoints, type Guard, guards } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenMerchant, givenPin } from '../test/given.ts';
import { givenTotp, totpCodeOf } from '../test/given-factor.ts';

// `guards` in the contract states for each call that writes, or shows a secret, whether it requires a second factor and
// how the account's owner is notified. These tests compare it with the endpoints, the gateway's responses and the
// documentation.

const allEndpoints: readonly Endpoint[] = endpoints;
/** Calls that change something, and calls that read a secret. */
const writingEndpoints = allEndpoints.filter(({ method }) => method !== 'GET');
const showingEndpoints = allEndpoints.filter(({ method, stepUp }) => method === 'GET' && stepUp === true);
const guardOf = ({ name }: Endpoint) => new Map<string, Guard>(Object.entries(guards)).get(name);
const requiresFactor = (endpoint: Endpoint) => {
  const factor = guardOf(endpoint)?.factor;
  return factor === 'always' || (typeof factor === 'object' && 'when' in factor);
};

let gateway: TestGateway;
let owner: GivenMerchant;
let staff: { readonly id: number; readonly token: string };

const api = (method: string, path: string, body?: unknown, token = owner.token) =>
  gateway.api(method, path, body, { token });

beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false });
  const admin = await givenAdmin(gateway);
  [owner, staff] = [await givenMerchant(gateway, { admin }), await givenAdmin(gateway)];
});
afterAll(() => gateway.stop());

/** Adds a second factor to an account. The account's open session has not given it. */
async function addFactor(userId: number): Promise<void> {
  const credential = { credential_id: randomBytes(16), public_key: randomBytes(77), sign_count: 0 };
  const passkey = {
    id: randomUUID(),
    user_id: userId,
    name: 'notebook',
    created_at: gateway.deps.clock.now(),
  };
  await gateway.deps.db
    .insertInto('passkeys')
    .values({ ...passkey, ...credential })
    .execute();
}

const outcomeOf = (answer: { status: number; body: unknown }) =>
  `${answer.status} ${/"code":"([A-Z_]+)"/.exec(JSON.stringify(answer.body))?.[1] ?? ''}`;

describe('a call that writes', () => {
  test('states whether it requires a second factor, and how the owner is notified', () => {
    expect(Object.keys(guards).toSorted()).toEqual(
      [...writingEndpoints, ...showingEndpoints].map(({ name }) => name).toSorted(),
    );
    for (const endpoint of showingEndpoints) expect(guardOf(endpoint)?.factor).toBe('secret');
    for (const endpoint of writingEndpoints) {
      expect([endpoint.name, endpoint.stepUp === true]).toEqual([endpoint.name, requiresFactor(endpoint)]);
      expect([endpoint.name, endpoint.refusals.includes('STEP_UP_REQUIRED')]).toEqual([
        endpoint.name,
        requiresFactor(endpoint),
      ]);
    }
  });

  test('is refused without its required second factor', async () => {
    const { password } = owner;
    await givenPin(gateway, owner);
    const receiver = await api('POST', '/webhooks/endpoints', { url: 'http://localhost:1/webhooks' });
    const { id: receiverId } = receiver.body as { id: string };
    const totpAnswer = await api('POST', '/authed/security/totp', { password });
    const { secret } = totpAnswer.body as { secret: string };
    await addFactor(owner.id);
    await addFactor(staff.id);

    const proof = { password, withdrawal_pin: '2580' };
    const destination = { pixKey: 'maria@example.com', pix_key_type: 'email' };
    const key = { name: 'Loja', scopes: ['read'] };
    const reason = 'conferido';
    const evidence = 'extrato do banco conferido';
    const bodies: Readonly<Record<string, unknown>> = {
      generateApiKey: {},
      revealApiKey: { password },
      createScopedKey: key,
      updateScopedKey: { ...key, allowed_addresses: [], expires_at: null },
      rotateScopedKey: {},
      setWithdrawalPin: { current_password: password, new_pin: '1470', confirm_pin: '1470' },
      withdraw: { amount: 50, ...destination, withdrawal_pin: '2580' },
      setApiWithdrawals: { enabled: true, ...proof },
      saveDestination: { ...destination, ...proof },
      beginTotp: { password },
      confirmTotp: { code: totpCodeOf(gateway, secret) },
      beginPasskey: { password },
      changePassword: { current_password: password, new_password: 'outra senha boa' },
      changeEmail: { email: 'outra@example.com', password },
      createWebhookEndpoint: { url: 'http://localhost:2/webhooks' },
      updateWebhookEndpoint: { url: 'http://localhost:2/webhooks' },
      resendWebhookDeliveries: { ids: [`evt_${randomUUID().replaceAll('-', '')}_paid.cb`] },
      activateConnection: { password, pin: '2580' },
      replaceCredentials: { password, pin: '2580', client_id: 'conta-2', client_secret: 'segredo' },
      setDebitAccount: { password, pin: '2580', type: 'checking', number: '12345' },
      retireConnection: { password, pin: '2580' },
      orderConnections: { password, pin: '2580', ids: ['2'] },
      inviteMember: { email: 'caixa@example.com', role: 'cashier' },
      changeMember: { role: 'cashier' },
      setApprovalPolicy: { enabled: true },
      askToApprove: {},
      removeMember: { keys: 'keep' },
      offerAccount: { member_id: '7' },
      allowSupport: { hours: 1 },
      adminLookIn: { reason },
      adminConfirmIdentity: { reason },
      adminResumeConnection: { reason },
      adminSetAddresses: {
        api_url: 'https://banco.example/v2',
        token_url: 'https://banco.example/token',
        reason,
      },
      adminUpdateUser: { version: 2, approved: false },
      adminUnfreezeUser: { reason },
      adminRecoverAccount: { email: 'achada@example.com', reason },
      adminAcceptKyc: {},
      adminReleaseWithdrawal: { reason },
      adminResumePayouts: { reason },
      adminResolveWithdrawal: { outcome: 'refused', evidence },
      adminAssignSuspense: { userId: String(owner.id), reason },
      adminReturnSuspense: { reason },
      adminResolveRefund: { outcome: 'refused', evidence },
      adminCloseItem: { evidence },
      adminMarkFeeStatementPaid: { reference: 'TED 4711 de 03/12' },
      adminRecordBankMovement: { kind: 'tariff', amount: 1, description: 'tarifa' },
    };
    const outcomes = [];
    for (const endpoint of writingEndpoints.filter(requiresFactor)) {
      const ids: Record<string, string> = { userId: String(owner.id), id: randomUUID() };
      if (endpoint.name === 'adminUpdateUser') ids['id'] = String(owner.id);
      if (endpoint.path.startsWith('/webhooks/endpoints/')) ids['id'] = receiverId;
      if (endpoint.path.startsWith('/webhooks/deliveries/'))
        ids['id'] = `evt_${randomUUID().replaceAll('-', '')}_paid.cb`;
      const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? randomUUID());
      const token = endpoint.access === 'staff' ? staff.token : owner.token;
      const answer = await api(endpoint.method, path, bodies[endpoint.name], token);
      outcomes.push([endpoint.name, outcomeOf(answer)]);
    }
    expect(outcomes).toEqual(outcomes.map(([name]) => [name, '403 STEP_UP_REQUIRED']));
  });

  test('needs no second factor with an API key', async () => {
    const added = await gateway.api(
      'POST',
      '/webhooks/endpoints',
      { url: 'http://localhost:3/webhooks' },
      { apiKey: owner.apiKey },
    );
    expect(added.status).toBe(201);
  });
});

test('a call that shows a secret omits it without the second factor, and accepts a step-up', async () => {
  const merchant = await givenMerchant(gateway);
  const { token, password } = merchant;
  const created = await api('POST', '/webhooks/endpoints', { url: 'http://localhost:1/webhooks' }, token);
  const { id } = created.body as { id: string };
  const readSecrets = async (headers: Readonly<Record<string, string>> = {}) => {
    const secrets: [string, string | null][] = [];
    for (const { name, path } of showingEndpoints) {
      const answer = await gateway.api('GET', path.replace('{id}', id), undefined, { token, headers });
      const { key, secret } = answer.body as { key?: string | null; secret?: string | null };
      secrets.push([name, key ?? secret ?? null]);
    }
    return secrets;
  };
  const secrets = await readSecrets();
  expect(secrets).toEqual([
    ['apiKeyStatus', expect.stringMatching(/^jgd_/)],
    ['webhookSecret', expect.stringMatching(/^whsec_/)],
    ['webhookEndpointSecret', expect.stringMatching(/^whsec_/)],
  ]);
  const { secret } = await givenTotp(gateway, merchant);
  await gateway.advance(301);
  await api('POST', '/authed/confirm-password', { password }, token);
  expect(await readSecrets()).toEqual(secrets.map(([name]) => [name, null]));
  const stepUpAnswer = await api('POST', '/authed/step-up', { code: totpCodeOf(gateway, secret) }, token);
  const { token: stepUp } = stepUpAnswer.body as { token: string };
  // The session itself also counts, so it is reset to test the header alone.
  const session = gateway.deps.db.updateTable('sessions').set({ factor_at: null });
  await session.where('user_id', '=', merchant.id).execute();
  expect(await readSecrets()).toEqual(secrets.map(([name]) => [name, null]));
  expect(await readSecrets({ 'x-step-up': stepUp })).toEqual(secrets);
});

test('without a second factor webhook changes require a recent password', async () => {
  const merchant = await givenMerchant(gateway);
  const add = (port: number) =>
    api('POST', '/webhooks/endpoints', { url: `http://localhost:${port}/webhooks` }, merchant.token);
  const added = await add(1);
  expect(added.status).toBe(201);
  await gateway.advance(301);
  const refusal = await add(2);
  expect(refusal.body).toMatchObject({
    error: {
      code: 'STEP_UP_REQUIRED',
      message: 'Confirme com a sua senha para continuar.',
      details: { methods: ['password'] },
    },
  });
  const { id } = added.body as { id: string };
  const sameUrlChange = { url: 'http://localhost:1/webhooks', events: ['payment.paid'] };
  expect((await api('PUT', `/webhooks/endpoints/${id}`, sameUrlChange, merchant.token)).status).toBe(200);
  const urlChange = { ...sameUrlChange, url: 'http://localhost:3/webhooks' };
  expect(outcomeOf(await api('PUT', `/webhooks/endpoints/${id}`, urlChange, merchant.token))).toBe(
    '403 STEP_UP_REQUIRED',
  );
  await api('POST', '/authed/confirm-password', { password: merchant.password }, merchant.token);
  expect((await api('PUT', `/webhooks/endpoints/${id}`, urlChange, merchant.token)).status).toBe(200);
  await api('POST', `/webhooks/endpoints/${id}/secret/rotate`, undefined, merchant.token);
  for (let view = 0; view < 2; view += 1)
    await api('GET', `/webhooks/endpoints/${id}/secret`, undefined, merchant.token);
  const mails = gateway.deps.db.selectFrom('mails').select('subject').where('user_id', '=', merchant.id);
  expect((await mails.orderBy('created_at').execute()).map(({ subject }) => subject)).toEqual([
    'Endereço de webhook cadastrado',
    'Endereço de webhook trocado',
    'Segredo de webhook trocado',
    'Segredo de webhook mostrado',
  ]);
});

test('docs/identity.md lists the guards of each call that writes or shows a secret (vitest -u prints it)', async () => {
  const page = await readFile(new URL('../../docs/identity.md', import.meta.url), 'utf8');
  const section = /(<!-- guards[^>]*-->\n)[\s\S]*?(<!-- end of guards -->)/;
  expect(page).toMatch(section);
  const printed = page.replace(
    section,
    (_, begin: string, end: string) => `${begin}\n${printTable()}\n\n${end}`,
  );
  await expect(printed).toMatchFileSnapshot('../../docs/identity.md');
});

function printTable(): string {
  const guardedEndpoints = allEndpoints.filter(
    (endpoint) => writingEndpoints.includes(endpoint) || showingEndpoints.includes(endpoint),
  );
  const rows = guardedEndpoints.map((endpoint) => {
    const { factor = 'always', notifies = 'mail' } = guardOf(endpoint) ?? {};
    const requirement = factorText(factor);
    const notification = typeof notifies === 'string' ? notifies : `nobody: ${notifies.nobody}`;
    return `| \`${endpoint.method} ${endpoint.path}\` | ${requirement} | ${notification} |`;
  });
  return ['| call | wants a fresh factor | tells the owner |', '|---|---|---|', ...rows].join('\n');
}

function factorText(factor: Guard['factor']): string {
  if (factor === 'always') return 'yes';
  if (factor === 'secret') return 'for the secret, which is null without it';
  return 'when' in factor ? `when ${factor.when}` : `no: ${factor.never}`;
}
