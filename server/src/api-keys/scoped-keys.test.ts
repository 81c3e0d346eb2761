import {
  createScopedKey,
  type Endpoint,
  endpoints,
  listScopedKeys,
  login,
  MAX_SCOPED_KEYS,
  rotateScopedKey,
  type Scope,
  scopes,
  updateScopedKey,
} from '@jangada/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type CallOptions, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import { runConcurrently } from '../../test/run-concurrently.ts';
import { createKey } from './manage-keys.ts';
import { warnOfExpiringKeys } from './warn-expiring.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ startsWork: false, env: { TRUST_PROXY: 'loopback' } });
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway);
});
afterAll(() => gateway.stop());

const hour = 3600;
const day = 24 * hour;

const callAsOwner = (method: string, path: string, body?: unknown) =>
  gateway.api(method, path, body, { token: merchant.token });

/** Moves time, and signs in again. */
async function advanceAndSignIn(seconds: number): Promise<void> {
  await gateway.advance(seconds);
  const { username, password } = merchant;
  const { token } = parseSuccess(login.response, await gateway.api('POST', '/login', { username, password }));
  merchant = { ...merchant, token };
}

async function givenKey(fields: Readonly<Record<string, unknown>> = {}) {
  const body = { name: 'Loja online', scopes: ['read', 'charges'], ...fields };
  const answer = await callAsOwner('POST', '/authed/keys', { password: merchant.password, ...body });
  return parseSuccess(createScopedKey.response, answer);
}

async function listKeys() {
  return parseSuccess(listScopedKeys.response, await callAsOwner('GET', '/authed/keys')).keys;
}

const rotate = async (id: string, body?: Readonly<Record<string, unknown>>) =>
  callAsOwner('POST', `/authed/keys/${id}/rotate`, { password: merchant.password, ...body });

/** Makes a call that needs the scope `read`; returns its status, and the code of a refusal. */
async function tryKey(apiKey: string, from = '203.0.113.7', via = gateway) {
  const options: CallOptions = { apiKey, headers: { 'x-forwarded-for': from } };
  return outcomeOf(await via.api('GET', `/pix/status/${crypto.randomUUID()}`, undefined, options));
}

function outcomeOf({ status, body }: { status: number; body: unknown }): string {
  const { error } = (body ?? {}) as { error?: { code: string } };
  return error === undefined ? String(status) : `${status} ${error.code}`;
}

/** The outcome of `tryKey` for a call that the key allows: no payment has the random id of the call. */
const allowedOutcome = '404 PAYMENT_NOT_FOUND';

describe('a scope', () => {
  const allEndpoints: readonly Endpoint[] = endpoints;
  const keyEndpoints = allEndpoints.filter(({ access }) => access === 'apiKey' || access === 'merchant');

  test('allows exactly the endpoints that require it, and the unscoped key allows all', async () => {
    const keys = new Map<string, string>();
    for (const scope of scopes) keys.set(scope, (await givenKey({ scopes: [scope] })).apiKey);
    keys.set('the readable key', merchant.apiKey);
    const wrongOutcomes: string[] = [];
    for (const { name, method, path, body, scope: requiredScope } of keyEndpoints)
      await Promise.all(
        [...keys].map(async ([keyScope, apiKey]) => {
          const url = path.replace(/\{\w+\}/g, crypto.randomUUID());
          // The body does not parse, so that allowed calls change nothing.
          const outcome = outcomeOf(await gateway.api(method, url, body && 'x', { apiKey }));
          const isAllowed = outcome !== '403 KEY_SCOPE_MISSING' && !outcome.startsWith('401');
          if (isAllowed !== (keyScope === requiredScope || keyScope === 'the readable key'))
            wrongOutcomes.push(`${name}: ${keyScope} → ${outcome}`);
        }),
      );
    expect(wrongOutcomes).toEqual([]);
  });

  test('of each call that moves money, or creates something to be paid, is the expected one', () => {
    const expectedScopes: Readonly<Record<string, Scope>> = {
      createPayment: 'charges',
      refundPayment: 'refunds',
      apiWithdraw: 'withdrawals',
      createPaymentLink: 'charges',
      createCounterCode: 'charges',
      createCustomer: 'charges',
      createSubscription: 'charges',
      createChargeBatch: 'charges',
    };
    // The calls that take an idempotency key are those that move money or create something to be paid.
    const idempotentScopes = keyEndpoints
      .filter(({ idempotent }) => idempotent)
      .map(({ name, scope }) => [name, scope]);
    expect(Object.fromEntries(idempotentScopes)).toEqual(expectedScopes);
  });

  test('that is missing is named in the message and the details, and the call does nothing', async () => {
    const { apiKey } = await givenKey({ scopes: ['read'] });
    const answer = await gateway.api('POST', '/pix/new', { amount: 10 }, { apiKey });
    expect(answer).toMatchObject({
      status: 403,
      body: {
        message: 'Esta chave de API não tem o escopo Cobranças (charges), que esta chamada pede.',
        error: { code: 'KEY_SCOPE_MISSING', details: { scope: 'charges', scopes: ['read'] } },
      },
    });
    expect(JSON.stringify(await callAsOwner('GET', '/authed/feed/transactions'))).toContain('"data":[]');
  });

  test('of withdrawals does not enable withdrawals by the API: the owner does', async () => {
    const { apiKey } = await givenKey({ scopes: ['withdrawals'] });
    const request = { amount: 10_000, pixKey: 'maria@example.com', keyType: 'email' };
    expect(outcomeOf(await gateway.api('POST', '/withdraw', request, { apiKey }))).toBe(
      '403 API_WITHDRAWALS_OFF',
    );
  });
});

describe('a scoped key', () => {
  test('creates charges of its merchant, and is shown once: no later response or stored value contains it', async () => {
    const { apiKey, key } = await givenKey({
      name: '  Loja online ',
      scopes: ['charges', 'read', 'charges'],
    });
    expect(key).toMatchObject({
      name: 'Loja online',
      masked: `jgd_••••••••${apiKey.slice(-4)}`,
      scopes: ['read', 'charges'],
      status: 'active',
      expires_at: null,
      last_used_at: null,
    });
    const charge = await givenCharge(gateway, { apiKey });
    const statusAnswer = await callAsOwner('GET', `/pix/status/${charge.id}`);
    expect(statusAnswer.status).toBe(200);
    const [row] = await gateway.deps.db
      .selectFrom('scoped_keys')
      .selectAll()
      .where('merchant_id', '=', merchant.id)
      .execute();
    const secret = apiKey.slice(4, -4);
    expect(JSON.stringify(row) + row?.key_hash.toString('latin1')).not.toContain(secret);
    expect(JSON.stringify(await listKeys())).not.toContain(secret);
    expect(await listKeys()).toMatchObject([{ id: key.id, last_used_at: expect.any(String) }]);
  });

  test('requires the password and, if set up, the second factor to be created, changed or rotated, but not to be revoked', async () => {
    const { key } = await givenKey();
    const change = { name: 'Outra', scopes: ['read'], allowed_addresses: [], expires_at: null };
    const protectedCalls = () => [
      callAsOwner('POST', '/authed/keys', { name: 'Outra', scopes: ['read'] }),
      callAsOwner('PUT', `/authed/keys/${key.id}`, change),
      callAsOwner('POST', `/authed/keys/${key.id}/rotate`),
    ];
    const now = gateway.deps.clock.now();
    await gateway.deps.db
      .insertInto('totp_factors')
      .values({ user_id: merchant.id, sealed_secret: Buffer.alloc(0), created_at: now, confirmed_at: now })
      .execute();
    for (const answer of await Promise.all(protectedCalls()))
      expect(outcomeOf(answer)).toBe('403 STEP_UP_REQUIRED');
    await gateway.advance(301);
    for (const answer of await Promise.all(protectedCalls()))
      expect(outcomeOf(answer)).toBe('403 PASSWORD_REQUIRED');
    expect((await callAsOwner('DELETE', `/authed/keys/${key.id}`)).status).toBe(200);
  });

  test('is announced to its owner by mail and notification when created, rotated or given more rights', async () => {
    const { key } = await givenKey({ name: 'ERP da matriz' });
    const change = { scopes: ['read', 'refunds'], allowed_addresses: [], expires_at: null };
    await callAsOwner('PUT', `/authed/keys/${key.id}`, { name: 'ERP', ...change });
    await callAsOwner('PUT', `/authed/keys/${key.id}`, { name: 'ERP novo', ...change });
    await rotate(key.id);
    const { db } = gateway.deps;
    const mails = await db
      .selectFrom('mails')
      .select(['subject', 'body'])
      .where('user_id', '=', merchant.id)
      .where('subject', 'like', 'Chave de API %a')
      .where('subject', '!=', 'Chave de API nova')
      .orderBy('created_at')
      .execute();
    const titles = ['Chave de API criada', 'Chave de API alterada', 'Chave de API trocada'];
    expect(mails.map(({ subject }) => subject)).toEqual(titles);
    // Renaming a key sends no mail, so that a stolen session cannot flood the owner. No mail contains a key's name.
    expect(JSON.stringify(mails)).not.toContain('ERP');
    const notifications = await callAsOwner('GET', '/authed/notifications');
    expect(JSON.stringify(notifications.body)).toMatch(
      /Chave de API alterada.{1,20}“ERP”, de final \w{4}, pode: Leitura, Estornos\./,
    );
  });

  test('is one of at most 20 active keys, even under concurrent creation, and can still be rotated at that limit', async () => {
    await givenKey();
    const results = await runConcurrently(MAX_SCOPED_KEYS + 4, () =>
      callAsOwner('POST', '/authed/keys', { name: 'Uma de muitas', scopes: ['read'] }),
    );
    const outcomes = results.map((result) =>
      result.status === 'fulfilled' ? outcomeOf(result.value) : 'broken',
    );
    expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(MAX_SCOPED_KEYS - 1);
    expect(outcomes.filter((outcome) => outcome === '409 KEY_LIMIT')).toHaveLength(5);
    const [first, second] = await listKeys();
    expect((await rotate(first?.id ?? '')).status).toBe(201);
    expect(await listKeys()).toHaveLength(MAX_SCOPED_KEYS + 1);
    await callAsOwner('DELETE', `/authed/keys/${second?.id}`);
    await givenKey();
  });
});

describe('the expiry of a key', () => {
  test('applies at its time, which the refusal states, and hides the key from the list 30 days later', async () => {
    const { apiKey, key } = await givenKey({ expires_in_days: 1 });
    await advanceAndSignIn(day - 5);
    expect(await tryKey(apiKey)).toBe(allowedOutcome);
    await advanceAndSignIn(5);
    const options = { apiKey };
    const answer = await gateway.api('GET', `/pix/status/${crypto.randomUUID()}`, undefined, options);
    expect(answer).toMatchObject({
      status: 401,
      body: {
        message: expect.stringMatching(/^Esta chave de API venceu em \d\d\/\d\d\/\d{4} às \d\d:\d\d\. /),
        error: { code: 'API_KEY_EXPIRED', details: { expired_at: key.expires_at } },
      },
    });
    expect(await listKeys()).toMatchObject([{ id: key.id, status: 'expired' }]);
    await advanceAndSignIn(30 * day);
    expect(await listKeys()).toEqual([]);
  });

  test('can be extended, and a past date is refused', async () => {
    const { apiKey, key } = await givenKey({ expires_in_days: 1 });
    await advanceAndSignIn(day);
    expect(await tryKey(apiKey)).toBe('401 API_KEY_EXPIRED');
    const now = gateway.deps.clock.now().getTime();
    const change = (expires_at: Date) =>
      callAsOwner('PUT', `/authed/keys/${key.id}`, {
        name: key.name,
        scopes: key.scopes,
        allowed_addresses: [],
        expires_at,
        password: merchant.password,
      });
    expect(outcomeOf(await change(new Date(now - 1000)))).toBe('400 KEY_EXPIRY_INVALID');
    const answer = await change(new Date(now + hour * 1000));
    expect(parseSuccess(updateScopedKey.response, answer).key.status).toBe('active');
    expect(await tryKey(apiKey)).toBe(allowedOutcome);
  });

  test('is immediate when it is revoked, and a second revocation finds no key', async () => {
    const { apiKey, key } = await givenKey();
    expect(await tryKey(apiKey)).toBe(allowedOutcome);
    expect((await callAsOwner('DELETE', `/authed/keys/${key.id}`)).status).toBe(200);
    expect(await tryKey(apiKey)).toBe('401 INVALID_API_KEY');
    expect(outcomeOf(await callAsOwner('DELETE', `/authed/keys/${key.id}`))).toBe('404 KEY_NOT_FOUND');
    expect(outcomeOf(await rotate(key.id))).toBe('404 KEY_NOT_FOUND');
    expect(await listKeys()).toEqual([]);
    expect(await tryKey(merchant.apiKey)).toBe(allowedOutcome);
  });

  test('is immediate when the account is frozen or loses its approval', async () => {
    const { apiKey } = await givenKey();
    const admin = await givenAdmin(gateway);
    const changeAccount = (change: Readonly<Record<string, unknown>>) =>
      gateway.api('PUT', `/admin/users/${merchant.id}`, change, { token: admin.token });
    await changeAccount({ version: 2, approved: false });
    expect(outcomeOf(await gateway.api('POST', '/pix/new', { amount: 10 }, { apiKey }))).toMatch(
      /^403 (ACCOUNT_NOT_APPROVED|API_KEY_INACTIVE)$/,
    );
    await changeAccount({ version: 3, approved: true });
    await givenCharge(gateway, { apiKey });
    const reason = { reason: 'conta tomada' };
    await gateway.api('POST', `/admin/users/${merchant.id}/freeze`, reason, { token: admin.token });
    expect(await tryKey(apiKey)).toBe('403 ACCOUNT_FROZEN');
    // A call that was in progress during the freeze.
    const request = { name: 'Outra', scopes: ['read' as const], allowed_addresses: [] };
    await expect(createKey(gateway.deps, merchant.id, request)).rejects.toMatchObject({
      code: 'ACCOUNT_FROZEN',
    });
  });

  test('is announced once, a week before it, except for keys with a shorter lifetime', async () => {
    const { key } = await givenKey({ name: 'Anual', expires_in_days: 365 });
    await givenKey({ name: 'De teste', expires_in_days: 3 });
    await givenKey({ name: 'Sem fim' });
    const warnAndReadNotifications = async () => {
      await warnOfExpiringKeys(gateway.deps);
      const answer = await callAsOwner('GET', '/authed/notifications');
      const { notifications } = answer.body as { notifications: { title: string; body: string }[] };
      return notifications.filter(({ title }) => title === 'Chave de API perto de vencer');
    };
    expect(await warnAndReadNotifications()).toEqual([]);
    await advanceAndSignIn(358 * day - hour);
    expect(await warnAndReadNotifications()).toEqual([]);
    await advanceAndSignIn(2 * hour);
    expect(await warnAndReadNotifications()).toMatchObject([
      { body: expect.stringContaining('A chave “Anual” vence em ') },
    ]);
    expect(await warnAndReadNotifications()).toHaveLength(1);
    const mails = gateway.deps.db.selectFrom('mails').where('subject', '=', 'Chave de API perto de vencer');
    expect(await mails.select('id').where('user_id', '=', merchant.id).execute()).toHaveLength(1);
    expect(key.expires_at).not.toBeNull();
  });
});

describe('a rotation', () => {
  test('creates a key with the same rights, and the old one works until the overlap ends', async () => {
    const restrictions = { allowed_addresses: ['203.0.113.0/24'], expires_in_days: 90 };
    const old = await givenKey({ name: 'Caixa 3', scopes: ['read', 'refunds'], ...restrictions });
    await advanceAndSignIn(10 * day);
    const newKey = parseSuccess(rotateScopedKey.response, await rotate(old.key.id, { overlap_hours: 2 }));
    expect(newKey.apiKey).not.toBe(old.apiKey);
    const { name, scopes: oldScopes, allowed_addresses } = old.key;
    expect(newKey.key).toMatchObject({ name, scopes: oldScopes, allowed_addresses, status: 'active' });
    expect(new Date(newKey.key.expires_at ?? 0).getTime()).toBe(
      new Date(newKey.key.created_at).getTime() + 90 * day * 1000,
    );
    expect(await listKeys()).toMatchObject([{ id: newKey.key.id }, { id: old.key.id, status: 'replaced' }]);
    expect([await tryKey(newKey.apiKey), await tryKey(old.apiKey)]).toEqual([allowedOutcome, allowedOutcome]);
    expect([await tryKey(newKey.apiKey, '198.51.100.1'), await tryKey(old.apiKey, '198.51.100.1')]).toEqual([
      '403 KEY_ADDRESS_NOT_ALLOWED',
      '403 KEY_ADDRESS_NOT_ALLOWED',
    ]);
    await advanceAndSignIn(2 * hour);
    expect([await tryKey(newKey.apiKey), await tryKey(old.apiKey)]).toEqual([
      allowedOutcome,
      '401 API_KEY_EXPIRED',
    ]);
    expect(await listKeys()).toMatchObject([{ id: newKey.key.id }]);
  });

  test('of an extended key gives the new key the length of the extension, not the total age', async () => {
    const { key } = await givenKey({ expires_in_days: 30 });
    await advanceAndSignIn(25 * day);
    const newExpiry = new Date(gateway.deps.clock.now().getTime() + 30 * day * 1000).toISOString();
    await callAsOwner('PUT', `/authed/keys/${key.id}`, {
      ...key,
      password: merchant.password,
      expires_at: newExpiry,
    });
    const newKey = parseSuccess(rotateScopedKey.response, await rotate(key.id));
    const [createdAt, expiresAt] = [newKey.key.created_at, newKey.key.expires_at ?? 0].map((time) =>
      new Date(time).getTime(),
    );
    // The clock runs on between the extension and the rotation.
    expect(Math.abs((expiresAt ?? 0) - (createdAt ?? 0) - 30 * day * 1000)).toBeLessThan(hour * 1000);
  });

  test('overlaps by a day by default, by zero on request, and never extends a key', async () => {
    const [defaultKey, zeroKey, shortKey] = [
      await givenKey(),
      await givenKey(),
      await givenKey({ expires_in_days: 1 }),
    ];
    await rotate(defaultKey.key.id);
    await rotate(zeroKey.key.id, { overlap_hours: 0 });
    await rotate(shortKey.key.id, { overlap_hours: 168 });
    expect(await tryKey(zeroKey.apiKey)).toBe('401 API_KEY_EXPIRED');
    await advanceAndSignIn(day - 60);
    expect([await tryKey(defaultKey.apiKey), await tryKey(shortKey.apiKey)]).toEqual([
      allowedOutcome,
      allowedOutcome,
    ]);
    await advanceAndSignIn(60);
    const expired = ['401 API_KEY_EXPIRED', '401 API_KEY_EXPIRED'];
    expect([await tryKey(defaultKey.apiKey), await tryKey(shortKey.apiKey)]).toEqual(expired);
    expect(outcomeOf(await rotate(defaultKey.key.id, { overlap_hours: 169 }))).toBe('400 INVALID_BODY');
  });

  test('of one key by two concurrent calls succeeds once; the replaced key can be neither changed nor rotated', async () => {
    const { key } = await givenKey();
    const results = await runConcurrently(2, () => rotate(key.id));
    const outcomes = results.map((result) =>
      result.status === 'fulfilled' ? outcomeOf(result.value) : 'broken',
    );
    expect(outcomes.toSorted()).toEqual(['201', '409 KEY_REPLACED']);
    const change = { name: 'Outra', scopes: ['read'], allowed_addresses: [], expires_at: null };
    expect(outcomeOf(await callAsOwner('PUT', `/authed/keys/${key.id}`, change))).toBe('409 KEY_REPLACED');
    expect((await callAsOwner('DELETE', `/authed/keys/${key.id}`)).status).toBe(200);
  });
});

describe('an allow-list', () => {
  test.each<[string, string[], string[], string[]]>([
    [
      'IPv4 addresses',
      ['203.0.113.7', '198.51.100.1'],
      ['203.0.113.7', '198.51.100.1'],
      ['203.0.113.8', '::1'],
    ],
    ['IPv4 networks', ['203.0.113.9/28'], ['203.0.113.0', '203.0.113.15'], ['203.0.113.16', '203.0.112.9']],
    ['IPv6 addresses', ['2001:DB8:0:0::7'], ['2001:db8::7'], ['2001:db8::8', '0.0.0.7']],
    ['IPv6 networks', ['2001:db8:1::/48'], ['2001:db8:1:ffff::1'], ['2001:db8:2::1', '203.0.113.7']],
    ['IPv4 inside IPv6', ['::ffff:203.0.113.7'], ['203.0.113.7', '::ffff:203.0.113.7'], ['203.0.113.8']],
  ])(
    'of %s admits callers from those addresses, and no others',
    async (_, allowed_addresses, inside, outside) => {
      const { apiKey } = await givenKey({ allowed_addresses });
      for (const address of inside)
        expect([address, await tryKey(apiKey, address)]).toEqual([address, allowedOutcome]);
      for (const address of outside)
        expect([address, await tryKey(apiKey, address)]).toEqual([address, '403 KEY_ADDRESS_NOT_ALLOWED']);
    },
  );

  test('is stored in canonical form, and holds at most 50 addresses', async () => {
    const { key } = await givenKey({
      allowed_addresses: ['203.0.113.9/28', ' 203.0.113.0/28', '2001:DB8::/32'],
    });
    expect(key.allowed_addresses).toEqual(['203.0.113.0/28', '2001:db8::/32']);
    const many = Array.from({ length: 51 }, (_, n) => `203.0.113.${n}`);
    const answer = await callAsOwner('POST', '/authed/keys', {
      name: 'x',
      scopes: ['read'],
      allowed_addresses: many,
    });
    expect(outcomeOf(answer)).toBe('400 INVALID_BODY');
  });

  test('holds only addresses and networks; a text of another kind is named in the refusal', async () => {
    const malformed = ['', '203.0.113', '203.0.113.256', '127.1', '0x7f000001', '1.2.3.4/33', '::/129'];
    const otherTexts = [
      'fe80::1%eth0',
      'loja.example',
      '1.2.3.4/',
      '1.2.3.4/8/8',
      '203.0.113.7, 203.0.113.8',
    ];
    for (const address of [...malformed, ...otherTexts]) {
      const request = { name: 'x', scopes: ['read'], allowed_addresses: ['203.0.113.7', address] };
      const { status, body } = await callAsOwner('POST', '/authed/keys', request);
      const { code, details } = (body as { error: { code: string; details: unknown } }).error;
      expect({ status, code, details }).toEqual({
        status: 400,
        code: 'KEY_ADDRESS_INVALID',
        details: { address },
      });
    }
  });

  test('applies, when it is changed, from the next call on, and the refusal names the caller’s address', async () => {
    const { apiKey, key } = await givenKey({ allowed_addresses: ['203.0.113.7'] });
    const { name, scopes, expires_at } = key;
    const change = { name, scopes, expires_at, allowed_addresses: ['2001:db8::/32'] };
    await callAsOwner('PUT', `/authed/keys/${key.id}`, change);
    const from = { 'x-forwarded-for': '203.0.113.7' };
    const answer = await gateway.api('GET', '/pix/status/x', undefined, { apiKey, headers: from });
    expect(answer).toMatchObject({
      status: 403,
      body: {
        message: 'Esta chave de API não pode ser usada a partir do endereço 203.0.113.7.',
        error: { details: { address: '203.0.113.7' } },
      },
    });
    expect(await tryKey(apiKey, '2001:db8::1')).toBe(allowedOutcome);
    expect(await listKeys()).toMatchObject([{ last_used_address: '2001:db8::1' }]);
  });

  test('is compared with the address that a proxy reports only if the proxy is configured', async () => {
    const gatewayWithoutProxy = await startTestGateway({ sharedGateway: gateway, startsWork: false });
    const { apiKey } = await givenKey({ allowed_addresses: ['203.0.113.7'] });
    expect(await tryKey(apiKey, '203.0.113.7')).toBe(allowedOutcome);
    expect(await tryKey(apiKey, '203.0.113.7', gatewayWithoutProxy)).toBe('403 KEY_ADDRESS_NOT_ALLOWED');
    const localKey = await givenKey({ allowed_addresses: ['127.0.0.0/8'] });
    expect(await tryKey(localKey.apiKey, '203.0.113.7', gatewayWithoutProxy)).toBe(allowedOutcome);
    await gatewayWithoutProxy.stop();
  });
});
