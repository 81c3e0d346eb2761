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
import { atOnce } from '../../test/at-once.ts';
import { type CallOptions, startTestGateway, type TestGateway } from '../../test/gateway.ts';
import { type GivenMerchant, givenAdmin, givenCharge, givenMerchant, read } from '../../test/given.ts';
import { createKey } from './manage-keys.ts';
import { warnOfExpiringKeys } from './warn-expiring.ts';

let gateway: TestGateway;
let merchant: GivenMerchant;
beforeAll(async () => {
  gateway = await startTestGateway({ work: false, env: { TRUST_PROXY: 'loopback' } });
});
beforeEach(async () => {
  merchant = await givenMerchant(gateway);
});
afterAll(() => gateway.stop());

const hour = 3600;
const day = 24 * hour;

const asOwner = (method: string, path: string, body?: unknown) =>
  gateway.api(method, path, body, { token: merchant.token });

/** Moves time, and signs in again. */
async function later(seconds: number): Promise<void> {
  await gateway.advance(seconds);
  const { username, password } = merchant;
  const { token } = read(login.response, await gateway.api('POST', '/login', { username, password }));
  merchant = { ...merchant, token };
}

async function givenKey(fields: Readonly<Record<string, unknown>> = {}) {
  const wanted = { name: 'Loja online', scopes: ['read', 'charges'], ...fields };
  const answer = await asOwner('POST', '/authed/keys', { password: merchant.password, ...wanted });
  return read(createScopedKey.response, answer);
}

async function listed() {
  return read(listScopedKeys.response, await asOwner('GET', '/authed/keys')).keys;
}

const rotate = async (id: string, body?: Readonly<Record<string, unknown>>) =>
  asOwner('POST', `/authed/keys/${id}/rotate`, { password: merchant.password, ...body });

/** The outcome of a call that needs the scope `read`: the status, and the code of a refusal. */
async function look(apiKey: string, from = '203.0.113.7', through = gateway) {
  const options: CallOptions = { apiKey, headers: { 'x-forwarded-for': from } };
  return outcomeOf(await through.api('GET', `/pix/status/${crypto.randomUUID()}`, undefined, options));
}

function outcomeOf({ status, body }: { status: number; body: unknown }): string {
  const { error } = (body ?? {}) as { error?: { code: string } };
  return error === undefined ? String(status) : `${status} ${error.code}`;
}

const letIn = '404 PAYMENT_NOT_FOUND';

describe('a scope', () => {
  const all: readonly Endpoint[] = endpoints;
  const byKey = all.filter(({ access }) => access === 'apiKey' || access === 'merchant');

  test('allows exactly the endpoints that require it, and the unscoped key allows all', async () => {
    const keys = new Map<string, string>();
    for (const scope of scopes) keys.set(scope, (await givenKey({ scopes: [scope] })).apiKey);
    keys.set('the readable key', merchant.apiKey);
    const wrong: string[] = [];
    for (const { name, method, path, body, scope: wanted } of byKey)
      await Promise.all(
        [...keys].map(async ([held, apiKey]) => {
          const sent = path.replace(/\{\w+\}/g, crypto.randomUUID());
          // The body does not parse, so that allowed calls change nothing.
          const outcome = outcomeOf(await gateway.api(method, sent, body && 'x', { apiKey }));
          const isLetIn = outcome !== '403 KEY_SCOPE_MISSING' && !outcome.startsWith('401');
          if (isLetIn !== (held === wanted || held === 'the readable key'))
            wrong.push(`${name}: ${held} → ${outcome}`);
        }),
      );
    expect(wrong).toEqual([]);
  });

  test('of calls that move money, or create what is paid, is exactly this one', () => {
    const moving: Readonly<Record<string, Scope>> = {
      createPayment: 'charges',
      refundPayment: 'refunds',
      apiWithdraw: 'withdrawals',
      createPaymentLink: 'charges',
      createCounterCode: 'charges',
    };
    const named = byKey.filter(({ idempotent }) => idempotent).map(({ name, scope }) => [name, scope]);
    expect(Object.fromEntries(named)).toEqual(moving);
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
    expect(JSON.stringify(await asOwner('GET', '/authed/feed/transactions'))).toContain('"data":[]');
  });

  test('of withdrawals does not enable API withdrawals', async () => {
    const { apiKey } = await givenKey({ scopes: ['withdrawals'] });
    const wanted = { amount: 10_000, pixKey: 'maria@example.com', keyType: 'email' };
    expect(outcomeOf(await gateway.api('POST', '/withdraw', wanted, { apiKey }))).toBe(
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
    const seen = await asOwner('GET', `/pix/status/${charge.id}`);
    expect(seen.status).toBe(200);
    const [stored] = await gateway.deps.db
      .selectFrom('scoped_keys')
      .selectAll()
      .where('merchant_id', '=', merchant.id)
      .execute();
    const secret = apiKey.slice(4, -4);
    expect(JSON.stringify(stored) + stored?.key_hash.toString('latin1')).not.toContain(secret);
    expect(JSON.stringify(await listed())).not.toContain(secret);
    expect(await listed()).toMatchObject([{ id: key.id, last_used_at: expect.any(String) }]);
  });

  test('requires the password and, if set up, the second factor to be created, changed or rotated, but not to be revoked', async () => {
    const { key } = await givenKey();
    const change = { name: 'Outra', scopes: ['read'], allowed_addresses: [], expires_at: null };
    const asking = () => [
      asOwner('POST', '/authed/keys', { name: 'Outra', scopes: ['read'] }),
      asOwner('PUT', `/authed/keys/${key.id}`, change),
      asOwner('POST', `/authed/keys/${key.id}/rotate`),
    ];
    const now = gateway.deps.clock.now();
    await gateway.deps.db
      .insertInto('totp_factors')
      .values({ user_id: merchant.id, sealed_secret: Buffer.alloc(0), created_at: now, confirmed_at: now })
      .execute();
    for (const answer of await Promise.all(asking())) expect(outcomeOf(answer)).toBe('403 STEP_UP_REQUIRED');
    await gateway.advance(301);
    for (const answer of await Promise.all(asking())) expect(outcomeOf(answer)).toBe('403 PASSWORD_REQUIRED');
    expect((await asOwner('DELETE', `/authed/keys/${key.id}`)).status).toBe(200);
  });

  test('is announced to its owner by mail and notification when created, rotated or given more rights', async () => {
    const { key } = await givenKey({ name: 'ERP da matriz' });
    const change = { scopes: ['read', 'refunds'], allowed_addresses: [], expires_at: null };
    await asOwner('PUT', `/authed/keys/${key.id}`, { name: 'ERP', ...change });
    await asOwner('PUT', `/authed/keys/${key.id}`, { name: 'ERP novo', ...change });
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
    // Unlimited mails would let a stolen session flood the owner.
    expect(JSON.stringify(mails)).not.toContain('ERP');
    const notifications = await asOwner('GET', '/authed/notifications');
    expect(JSON.stringify(notifications.body)).toMatch(
      /Chave de API alterada.{1,20}“ERP”, de final \w{4}, pode: Leitura, Estornos\./,
    );
  });

  test('is limited to 20 active ones, even under concurrent creation, and each can still be rotated', async () => {
    await givenKey();
    const made = await atOnce(MAX_SCOPED_KEYS + 4, () =>
      asOwner('POST', '/authed/keys', { name: 'Uma de muitas', scopes: ['read'] }),
    );
    const outcomes = made.map((one) => (one.status === 'fulfilled' ? outcomeOf(one.value) : 'broken'));
    expect(outcomes.filter((outcome) => outcome === '201')).toHaveLength(MAX_SCOPED_KEYS - 1);
    expect(outcomes.filter((outcome) => outcome === '409 KEY_LIMIT')).toHaveLength(5);
    const [first, second] = await listed();
    expect((await rotate(first?.id ?? '')).status).toBe(201);
    expect(await listed()).toHaveLength(MAX_SCOPED_KEYS + 1);
    await asOwner('DELETE', `/authed/keys/${second?.id}`);
    await givenKey();
  });
});

describe('the expiry of a key', () => {
  test('applies at its time, which the refusal states', async () => {
    const { apiKey, key } = await givenKey({ expires_in_days: 1 });
    await later(day - 5);
    expect(await look(apiKey)).toBe(letIn);
    await later(5);
    const options = { apiKey };
    const answer = await gateway.api('GET', `/pix/status/${crypto.randomUUID()}`, undefined, options);
    expect(answer).toMatchObject({
      status: 401,
      body: {
        message: expect.stringMatching(/^Esta chave de API venceu em \d\d\/\d\d\/\d{4} às \d\d:\d\d\. /),
        error: { code: 'API_KEY_EXPIRED', details: { expired_at: key.expires_at } },
      },
    });
    expect(await listed()).toMatchObject([{ id: key.id, status: 'expired' }]);
    await later(30 * day);
    expect(await listed()).toEqual([]);
  });

  test('can be extended, and a past date is refused', async () => {
    const { apiKey, key } = await givenKey({ expires_in_days: 1 });
    await later(day);
    expect(await look(apiKey)).toBe('401 API_KEY_EXPIRED');
    const now = gateway.deps.clock.now().getTime();
    const change = (expires_at: Date) =>
      asOwner('PUT', `/authed/keys/${key.id}`, {
        name: key.name,
        scopes: key.scopes,
        allowed_addresses: [],
        expires_at,
        password: merchant.password,
      });
    expect(outcomeOf(await change(new Date(now - 1000)))).toBe('400 KEY_EXPIRY_INVALID');
    const answer = await change(new Date(now + hour * 1000));
    expect(read(updateScopedKey.response, answer).key.status).toBe('active');
    expect(await look(apiKey)).toBe(letIn);
  });

  test('is immediate when it is revoked, and a second revocation finds no key', async () => {
    const { apiKey, key } = await givenKey();
    expect(await look(apiKey)).toBe(letIn);
    expect((await asOwner('DELETE', `/authed/keys/${key.id}`)).status).toBe(200);
    expect(await look(apiKey)).toBe('401 INVALID_API_KEY');
    expect(outcomeOf(await asOwner('DELETE', `/authed/keys/${key.id}`))).toBe('404 KEY_NOT_FOUND');
    expect(outcomeOf(await rotate(key.id))).toBe('404 KEY_NOT_FOUND');
    expect(await listed()).toEqual([]);
    expect(await look(merchant.apiKey)).toBe(letIn);
  });

  test('is immediate when the account is frozen or loses its approval', async () => {
    const { apiKey } = await givenKey();
    const admin = await givenAdmin(gateway);
    const decide = (change: Readonly<Record<string, unknown>>) =>
      gateway.api('PUT', `/admin/users/${merchant.id}`, change, { token: admin.token });
    await decide({ version: 2, approved: false });
    expect(outcomeOf(await gateway.api('POST', '/pix/new', { amount: 10 }, { apiKey }))).toMatch(
      /^403 (ACCOUNT_NOT_APPROVED|API_KEY_INACTIVE)$/,
    );
    await decide({ version: 3, approved: true });
    await givenCharge(gateway, { apiKey });
    const reason = { reason: 'conta tomada' };
    await gateway.api('POST', `/admin/users/${merchant.id}/freeze`, reason, { token: admin.token });
    expect(await look(apiKey)).toBe('403 ACCOUNT_FROZEN');
    // A call in progress during the freeze.
    const wanted = { name: 'Outra', scopes: ['read' as const], allowed_addresses: [] };
    await expect(createKey(gateway.deps, merchant.id, wanted)).rejects.toMatchObject({
      code: 'ACCOUNT_FROZEN',
    });
  });

  test('is announced once, a week before, except for keys with a shorter life', async () => {
    const { key } = await givenKey({ name: 'Anual', expires_in_days: 365 });
    await givenKey({ name: 'De teste', expires_in_days: 3 });
    await givenKey({ name: 'Sem fim' });
    const warned = async () => {
      await warnOfExpiringKeys(gateway.deps);
      const answer = await asOwner('GET', '/authed/notifications');
      const { notifications } = answer.body as { notifications: { title: string; body: string }[] };
      return notifications.filter(({ title }) => title === 'Chave de API perto de vencer');
    };
    expect(await warned()).toEqual([]);
    await later(358 * day - hour);
    expect(await warned()).toEqual([]);
    await later(2 * hour);
    expect(await warned()).toMatchObject([{ body: expect.stringContaining('A chave “Anual” vence em ') }]);
    expect(await warned()).toHaveLength(1);
    const mails = gateway.deps.db.selectFrom('mails').where('subject', '=', 'Chave de API perto de vencer');
    expect(await mails.select('id').where('user_id', '=', merchant.id).execute()).toHaveLength(1);
    expect(key.expires_at).not.toBeNull();
  });
});

describe('a rotation', () => {
  test('creates a key with the same rights, and the old one works until the overlap ends', async () => {
    const bound = { allowed_addresses: ['203.0.113.0/24'], expires_in_days: 90 };
    const old = await givenKey({ name: 'Caixa 3', scopes: ['read', 'refunds'], ...bound });
    await later(10 * day);
    const fresh = read(rotateScopedKey.response, await rotate(old.key.id, { overlap_hours: 2 }));
    expect(fresh.apiKey).not.toBe(old.apiKey);
    const { name, scopes: opened, allowed_addresses } = old.key;
    expect(fresh.key).toMatchObject({ name, scopes: opened, allowed_addresses, status: 'active' });
    expect(new Date(fresh.key.expires_at ?? 0).getTime()).toBe(
      new Date(fresh.key.created_at).getTime() + 90 * day * 1000,
    );
    expect(await listed()).toMatchObject([{ id: fresh.key.id }, { id: old.key.id, status: 'replaced' }]);
    expect([await look(fresh.apiKey), await look(old.apiKey)]).toEqual([letIn, letIn]);
    expect([await look(fresh.apiKey, '198.51.100.1'), await look(old.apiKey, '198.51.100.1')]).toEqual([
      '403 KEY_ADDRESS_NOT_ALLOWED',
      '403 KEY_ADDRESS_NOT_ALLOWED',
    ]);
    await later(2 * hour);
    expect([await look(fresh.apiKey), await look(old.apiKey)]).toEqual([letIn, '401 API_KEY_EXPIRED']);
    expect(await listed()).toMatchObject([{ id: fresh.key.id }]);
  });

  test('of an extended key gives the new one the length of the extension, not the total age', async () => {
    const { key } = await givenKey({ expires_in_days: 30 });
    await later(25 * day);
    const putOff = new Date(gateway.deps.clock.now().getTime() + 30 * day * 1000).toISOString();
    await asOwner('PUT', `/authed/keys/${key.id}`, {
      ...key,
      password: merchant.password,
      expires_at: putOff,
    });
    const fresh = read(rotateScopedKey.response, await rotate(key.id));
    const [made, ends] = [fresh.key.created_at, fresh.key.expires_at ?? 0].map((at) =>
      new Date(at).getTime(),
    );
    // The clock moves between the two calls.
    expect(Math.abs((ends ?? 0) - (made ?? 0) - 30 * day * 1000)).toBeLessThan(hour * 1000);
  });

  test('overlaps by a day by default, by zero on request, and never extends a key', async () => {
    const [one, other, short] = [await givenKey(), await givenKey(), await givenKey({ expires_in_days: 1 })];
    await rotate(one.key.id);
    await rotate(other.key.id, { overlap_hours: 0 });
    await rotate(short.key.id, { overlap_hours: 168 });
    expect(await look(other.apiKey)).toBe('401 API_KEY_EXPIRED');
    await later(day - 60);
    expect([await look(one.apiKey), await look(short.apiKey)]).toEqual([letIn, letIn]);
    await later(60);
    const over = ['401 API_KEY_EXPIRED', '401 API_KEY_EXPIRED'];
    expect([await look(one.apiKey), await look(short.apiKey)]).toEqual(over);
    expect(outcomeOf(await rotate(one.key.id, { overlap_hours: 169 }))).toBe('400 INVALID_BODY');
  });

  test('of one key by two concurrent calls succeeds once; the replaced key can be neither changed nor rotated', async () => {
    const { key } = await givenKey();
    const twice = await atOnce(2, () => rotate(key.id));
    const outcomes = twice.map((one) => (one.status === 'fulfilled' ? outcomeOf(one.value) : 'broken'));
    expect(outcomes.toSorted()).toEqual(['201', '409 KEY_REPLACED']);
    const change = { name: 'Outra', scopes: ['read'], allowed_addresses: [], expires_at: null };
    expect(outcomeOf(await asOwner('PUT', `/authed/keys/${key.id}`, change))).toBe('409 KEY_REPLACED');
    expect((await asOwner('DELETE', `/authed/keys/${key.id}`)).status).toBe(200);
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
  ])('of %s admits callers from there, and no others', async (_, allowed_addresses, inside, outside) => {
    const { apiKey } = await givenKey({ allowed_addresses });
    for (const address of inside) expect([address, await look(apiKey, address)]).toEqual([address, letIn]);
    for (const address of outside)
      expect([address, await look(apiKey, address)]).toEqual([address, '403 KEY_ADDRESS_NOT_ALLOWED']);
  });

  test('is stored in canonical form, and holds at most 50 addresses', async () => {
    const { key } = await givenKey({
      allowed_addresses: ['203.0.113.9/28', ' 203.0.113.0/28', '2001:DB8::/32'],
    });
    expect(key.allowed_addresses).toEqual(['203.0.113.0/28', '2001:db8::/32']);
    const many = Array.from({ length: 51 }, (_, n) => `203.0.113.${n}`);
    const answer = await asOwner('POST', '/authed/keys', {
      name: 'x',
      scopes: ['read'],
      allowed_addresses: many,
    });
    expect(outcomeOf(answer)).toBe('400 INVALID_BODY');
  });

  test('holds only addresses and networks, and others are named in the refusal', async () => {
    const neither = ['', '203.0.113', '203.0.113.256', '127.1', '0x7f000001', '1.2.3.4/33', '::/129'];
    const nor = ['fe80::1%eth0', 'loja.example', '1.2.3.4/', '1.2.3.4/8/8', '203.0.113.7, 203.0.113.8'];
    for (const address of [...neither, ...nor]) {
      const wanted = { name: 'x', scopes: ['read'], allowed_addresses: ['203.0.113.7', address] };
      const { status, body } = await asOwner('POST', '/authed/keys', wanted);
      const { code, details } = (body as { error: { code: string; details: unknown } }).error;
      expect({ status, code, details }).toEqual({
        status: 400,
        code: 'KEY_ADDRESS_INVALID',
        details: { address },
      });
    }
  });

  test('applies from the next call on when changed, and the refusal names the caller’s address', async () => {
    const { apiKey, key } = await givenKey({ allowed_addresses: ['203.0.113.7'] });
    const { name, scopes, expires_at } = key;
    const change = { name, scopes, expires_at, allowed_addresses: ['2001:db8::/32'] };
    await asOwner('PUT', `/authed/keys/${key.id}`, change);
    const from = { 'x-forwarded-for': '203.0.113.7' };
    const answer = await gateway.api('GET', '/pix/status/x', undefined, { apiKey, headers: from });
    expect(answer).toMatchObject({
      status: 403,
      body: {
        message: 'Esta chave de API não pode ser usada a partir do endereço 203.0.113.7.',
        error: { details: { address: '203.0.113.7' } },
      },
    });
    expect(await look(apiKey, '2001:db8::1')).toBe(letIn);
    expect(await listed()).toMatchObject([{ last_used_address: '2001:db8::1' }]);
  });

  test('trusts only configured proxies', async () => {
    const exposed = await startTestGateway({ beside: gateway, work: false });
    const { apiKey } = await givenKey({ allowed_addresses: ['203.0.113.7'] });
    expect(await look(apiKey, '203.0.113.7')).toBe(letIn);
    expect(await look(apiKey, '203.0.113.7', exposed)).toBe('403 KEY_ADDRESS_NOT_ALLOWED');
    const local = await givenKey({ allowed_addresses: ['127.0.0.0/8'] });
    expect(await look(local.apiKey, '203.0.113.7', exposed)).toBe(letIn);
    await exposed.stop();
  });
});
