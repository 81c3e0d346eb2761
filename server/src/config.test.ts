import { createECDH } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InvalidSetting, readConfig } from './config.ts';
import { settings } from './settings.ts';
import { findSettingWarnings } from './warning.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jangada-config-'));
  writeFileSync(join(folder, 'client.p12'), 'pkcs12');
});
afterAll(() => rmSync(folder, { recursive: true }));

const bank = {
  PSP: 'bacen',
  PSP_BASE_URL: 'https://pix.example.com/v2/',
  PSP_TOKEN_URL: 'https://pix.example.com/oauth/token',
  PSP_CLIENT_ID: 'id',
  PSP_CLIENT_SECRET: 'secret',
  PIX_KEY: 'pix@example.com',
  PUBLIC_URL: 'https://pay.example.com',
};

test('without a setting the gateway is a sandbox on this machine', () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 3000,
    publicUrl: 'http://localhost:3000',
    trustProxy: [],
    databaseUrl: undefined,
    mode: 'sandbox',
    sandboxPort: 3001,
    bankUrl: 'http://localhost:3001',
    role: 'all',
    ownKeysOnly: false,
    psp: {
      baseUrl: 'http://127.0.0.1:3001/v2',
      tokenUrl: 'http://127.0.0.1:3001/oauth/token',
      refunds: true,
    },
    limits: {
      chargeMaxCents: 1_500_000,
      withdrawalMaxCents: 1_500_000,
      withdrawalsPerDayCents: 5_000_000,
      withdrawalsPerNightCents: 100_000,
      gatewayWithdrawalsPerDayCents: 20_000_000,
    },
  });
  expect(config.dataDir).toMatch(/^\/.*\/data$/);
  expect(config.version).toMatch(/^\d+\.\d+\.\d+$/);
});

test('without settings of their own, the gateway’s and the bank’s URLs follow the port', () => {
  expect(readConfig({ PORT: '8080' })).toMatchObject({
    publicUrl: 'http://localhost:8080',
    bankUrl: 'http://localhost:8081',
  });
});

test('a real bank is configured by the settings', () => {
  const config = readConfig({
    ...bank,
    HOST: '0.0.0.0',
    PUBLIC_URL: 'https://Pay.example.com:443/',
    PSP_PFX: join(folder, 'client.p12'),
    PSP_PASSPHRASE: 'word',
    PSP_INSTITUTION: 'Banco do Capibaribe S.A.',
    PSP_SCOPE: 'cob.write pix.read',
    PSP_REFUNDS: '0',
    PSP_WEBHOOK_CIDRS: '203.0.113.0/24, 2001:db8::/32,198.51.100.7, ::1',
    PSP_WEBHOOK_PROOF: 'X-Client-Verify: SUCCESS',
    PSP_WEBHOOK_MTLS_PORT: '8443',
    PSP_WEBHOOK_MTLS_CERT: '-----BEGIN CERTIFICATE-----',
    PSP_WEBHOOK_MTLS_KEY: '-----BEGIN PRIVATE KEY-----',
    PSP_WEBHOOK_MTLS_CA: '-----BEGIN CERTIFICATE-----bank',
    TRUST_PROXY: 'loopback,10.0.0.0/8',
  });
  expect(config).toMatchObject({
    mode: 'live',
    publicUrl: 'https://pay.example.com',
    noticesUrl: 'https://pay.example.com:8443',
    bankUrl: undefined,
    pixKey: 'pix@example.com',
    trustProxy: ['loopback', '10.0.0.0/8'],
    psp: {
      name: 'bacen',
      baseUrl: 'https://pix.example.com/v2',
      institution: 'Banco do Capibaribe S.A.',
      scope: 'cob.write pix.read',
      refunds: false,
      tls: { pfx: Buffer.from('pkcs12'), passphrase: 'word' },
      webhookCidrs: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7/32', '::1/128'],
      webhookProofHeader: { name: 'x-client-verify', value: 'SUCCESS' },
      webhookMtls: { port: 8443, ca: Buffer.from('-----BEGIN CERTIFICATE-----bank') },
    },
  });
});

test('a bank on this machine may be used without TLS', () => {
  const localUrls = { PSP_BASE_URL: 'http://127.0.0.1:9/v2', PSP_TOKEN_URL: 'http://localhost:9/token' };
  expect(readConfig({ ...bank, ...localUrls, PUBLIC_URL: 'http://localhost' })).toMatchObject({
    mode: 'live',
  });
});

test.each([
  ['Pix@Example.com', 'pix@example.com'],
  ['529.982.247-25', '52998224725'],
  ['52998224725', '52998224725'],
  ['11.222.333/0001-81', '11222333000181'],
  ['+55 (11) 99999-9999', '+5511999999999'],
  ['8F5C1A2E-3B7D-4E61-9A0F-6D2C4B8E1F35', '8f5c1a2e-3b7d-4e61-9a0f-6d2c4b8e1f35'],
])('the Pix key %s is stored in the bank’s form', (PIX_KEY, key) => {
  expect(readConfig({ PIX_KEY }).pixKey).toBe(key);
});

test('limits are read in reais and stored in cents', () => {
  expect(readConfig({ CHARGE_MAX: '15000.50', GATEWAY_DAY: '0.1' }).limits).toMatchObject({
    chargeMaxCents: 1_500_050,
    gatewayWithdrawalsPerDayCents: 10,
  });
});

test('a master key is accepted in hexadecimal or base64', () => {
  const key = Buffer.alloc(32, 7);
  expect(readConfig({ SECRET_KEY: key.toString('hex') }).secretKey).toEqual(key);
  expect(readConfig({ SECRET_KEY: key.toString('base64') }).secretKey).toEqual(key);
});

test('an empty variable counts as missing', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ' })).toMatchObject({ port: 3000, databaseUrl: undefined });
});

describe('a wrong setting stops the start with one line that names it', () => {
  const wrongSettings: [string, Record<string, string>][] = [
    ['HOST', { HOST: 'two words' }],
    ['PORT', { PORT: '0' }],
    ['PORT', { PORT: '65536' }],
    ['PORT', { PORT: 'http' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'pay.example.com' }],
    ['PUBLIC_URL', { PUBLIC_URL: 'http://localhost:3000/pay' }],
    ['TRUST_PROXY', { TRUST_PROXY: 'everybody' }],
    ['DATABASE_URL', { DATABASE_URL: 'mysql://localhost/jangada' }],
    ['MIGRATION_DATABASE_URL', { MIGRATION_DATABASE_URL: 'localhost' }],
    ['DATABASE_READ_URL', { DATABASE_READ_URL: 'postgres://two/jangada' }],
    [
      'DATABASE_READ_URL',
      { DATABASE_URL: 'postgres://one/jangada', DATABASE_READ_URL: 'postgres://two,three/jangada' },
    ],
    ['DATABASE_READ_MAX_LAG', { DATABASE_READ_MAX_LAG: '1' }],
    ['PSP', { PSP: 'itau' }],
    ['PSP_REFUNDS', { PSP_REFUNDS: 'none' }],
    ['PSP_BASE_URL', { PSP_BASE_URL: 'bank' }],
    ['PSP_TOKEN_URL', { PSP_TOKEN_URL: 'bank' }],
    ['PSP_CERT', { PSP_CERT: '/nowhere/cert.pem' }],
    ['PSP_KEY', { PSP_KEY: '/nowhere/key.pem' }],
    ['PSP_PFX', { PSP_PFX: '/nowhere/client.p12' }],
    ['PSP_CA', { PSP_CA: '/nowhere/ca.pem' }],
    ['PSP_WEBHOOK_CIDRS', { PSP_WEBHOOK_CIDRS: '203.0.113.0/99' }],
    ['PSP_WEBHOOK_PROOF', { PSP_WEBHOOK_PROOF: 'SUCCESS' }],
    ['PSP_WEBHOOK_MTLS_PORT', { PSP_WEBHOOK_MTLS_PORT: '-1' }],
    ['PSP_WEBHOOK_URL', { PSP_WEBHOOK_URL: 'https://pix.example.com/path' }],
    ['PSP_WEBHOOK_MTLS_CERT', { PSP_WEBHOOK_MTLS_CERT: '/nowhere/cert.pem' }],
    ['PSP_WEBHOOK_MTLS_KEY', { PSP_WEBHOOK_MTLS_KEY: '/nowhere/key.pem' }],
    ['PSP_WEBHOOK_MTLS_CA', { PSP_WEBHOOK_MTLS_CA: '/nowhere/ca.pem' }],
    ['PSP_WEBHOOK_MTLS_CERT', { PSP_WEBHOOK_MTLS_PORT: '8443' }],
    ...['x'.repeat(36), '11111111111', '11999999999', 'nobody@nowhere', '+551199999', 'key'].map(
      (PIX_KEY): [string, Record<string, string>] => ['PIX_KEY', { PIX_KEY }],
    ),
    ...['PUBLIC_URL', 'PSP_BASE_URL', 'PSP_TOKEN_URL'].map((name): [string, Record<string, string>] => [
      name,
      { ...bank, [name]: 'http://open.example.com' },
    ]),
    ['MERCHANT_CITY', { MERCHANT_CITY: 'SAO JOSE DOS CAMPOS' }],
    ['SANDBOX_PORT', { SANDBOX_PORT: 'next' }],
    ['SANDBOX_PORT', { PORT: '4000', SANDBOX_PORT: '4000' }],
    ['SANDBOX_MTLS_PORT', { SANDBOX_MTLS_PORT: 'next' }],
    ['SANDBOX_MTLS_CA', { SANDBOX_MTLS_CA: '/nowhere/ca.pem' }],
    ['SANDBOX_PUBLIC', { SANDBOX_PUBLIC: 'yes' }],
    ['SECRET_KEY', { SECRET_KEY: 'too short' }],
    ['LOG', { LOG: 'xml' }],
    ['ROLE', { ROLE: 'none' }],
    ['WITHDRAWAL_OWN_KEYS_ONLY', { WITHDRAWAL_OWN_KEYS_ONLY: 'sim' }],
    ['ADMIN_EMAIL', { ADMIN_EMAIL: 'nobody' }],
    ['WEBHOOK_ALLOW_CIDRS', { WEBHOOK_ALLOW_CIDRS: 'lan' }],
    ['CORS_ORIGINS', { CORS_ORIGINS: 'https://shop.example.com/path' }],
    ['RATE_LIMIT', { RATE_LIMIT: 'many' }],
    ['SIGN_INS_PER_ADDRESS', { SIGN_INS_PER_ADDRESS: '0' }],
    ['REGISTRATIONS_PER_ADDRESS', { REGISTRATIONS_PER_ADDRESS: '-1' }],
    ...[
      'CHARGE_MAX',
      'WITHDRAWAL_MAX',
      'WITHDRAWAL_DAY',
      'WITHDRAWAL_NIGHT',
      'GATEWAY_DAY',
      'ADJUSTMENT_DAY',
    ].flatMap((name) =>
      ['15.000,00', '0', '1.005', '-1', 'R$ 10'].map((value): [string, Record<string, string>] => [
        name,
        { [name]: value },
      ]),
    ),
    ...Object.keys(bank)
      .filter((name) => name !== 'PSP')
      .map((name): [string, Record<string, string>] => [name, { ...bank, [name]: '' }]),
    ['PSP_KEY', { ...bank, PSP_CERT: '-----BEGIN CERTIFICATE-----' }],
    ['PSP_CERT', { ...bank, PSP_KEY: '-----BEGIN PRIVATE KEY-----' }],
  ];
  test.each(wrongSettings)('%s: %j', (name, env) => {
    const message = refusalOf(env);
    expect(message).toMatch(new RegExp(`^${name} (deve|é obrigatória)`));
    expect(message).not.toContain('\n');
  });
});

describe('the sandbox is only reachable on this machine', () => {
  test.each([{ HOST: '0.0.0.0' }, { HOST: '::' }, { HOST: '192.168.0.2' }])('%j', (env) => {
    expect(refusalOf(env)).toMatch(/^HOST .*SANDBOX_PUBLIC=1$/);
  });

  test('including its public address', () => {
    expect(refusalOf({ PUBLIC_URL: 'https://demo.example.com' })).toMatch(/^PUBLIC_URL .*SANDBOX_PUBLIC=1$/);
  });

  test('unless the operator opens it', () => {
    const publicSettings = { HOST: '0.0.0.0', PUBLIC_URL: 'https://demo.example.com', SANDBOX_PUBLIC: '1' };
    expect(readConfig(publicSettings)).toMatchObject({
      sandboxPublic: true,
      bankUrl: 'http://demo.example.com:3001',
    });
  });

  test('and every loopback address counts as this machine', () => {
    for (const HOST of ['localhost', '127.0.0.1', '127.0.0.53', '::1'])
      expect(readConfig({ HOST, PUBLIC_URL: 'http://[::1]:3000' }).host).toBe(HOST);
  });
});

function refusalOf(env: Record<string, string>): string {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof InvalidSetting) return error.message;
    throw error;
  }
  return 'accepted';
}

test('only the sandbox with a mailbox has an administrator’s e-mail by default; without one the start warns', () => {
  const warningsOf = (env: Record<string, string>) =>
    findSettingWarnings(readConfig(env)).map(({ name }) => name);
  expect(readConfig({}).adminEmail).toBe('sandbox@example.com');
  expect(readConfig({ ADMIN_EMAIL: 'ana@example.com' }).adminEmail).toBe('ana@example.com');
  expect(warningsOf({})).toEqual([]);
  expect(readConfig(bank).adminEmail).toBeUndefined();
  expect(warningsOf(bank)).toEqual(['mail-off', 'admin-email-missing']);
  expect(warningsOf({ ...bank, ADMIN_EMAIL: 'ana@example.com' })).toEqual(['mail-off']);
  expect(warningsOf({ SANDBOX_PUBLIC: '1' })).toEqual(['admin-email-missing']);
});

describe('push', () => {
  const secret = Buffer.alloc(32, 7);
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(secret);
  const keys = {
    VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'),
    VAPID_PRIVATE_KEY: secret.toString('base64url'),
  };

  test('needs a key pair and a contact address, by default the administrator’s', () => {
    const env = { ...bank, ...keys, ADMIN_EMAIL: 'ana@example.com' };
    expect(readConfig(bank).vapid).toBeUndefined();
    expect(readConfig(env).vapid).toMatchObject({ subject: 'mailto:ana@example.com' });
    expect(readConfig({ ...env, VAPID_SUBJECT: 'https://pay.example.com' }).vapid).toEqual({
      publicKey: keys.VAPID_PUBLIC_KEY,
      privateKey: keys.VAPID_PRIVATE_KEY,
      subject: 'https://pay.example.com',
    });
  });

  test.each([
    [{ VAPID_PUBLIC_KEY: keys.VAPID_PUBLIC_KEY }, 'VAPID_PRIVATE_KEY'],
    [{ VAPID_PRIVATE_KEY: keys.VAPID_PRIVATE_KEY }, 'VAPID_PUBLIC_KEY'],
    [keys, 'VAPID_SUBJECT'],
    [{ ...keys, VAPID_SUBJECT: 'http://pay.example.com' }, 'VAPID_SUBJECT'],
    [{ ...keys, VAPID_PRIVATE_KEY: 'short' }, 'VAPID_PRIVATE_KEY'],
    [{ ...keys, VAPID_PRIVATE_KEY: 'A'.repeat(43) }, 'VAPID_PRIVATE_KEY'],
    [{ ...keys, VAPID_PRIVATE_KEY: `${'A'.repeat(42)}E` }, 'VAPID_PUBLIC_KEY'],
  ])('with incomplete or inconsistent settings stops the start: %#', (env, settingName) => {
    expect(() => readConfig({ ...bank, ...env })).toThrow(new RegExp(`^${settingName} `));
  });
});

test('docs/settings.md documents every setting, and no others', () => {
  const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `'));
  const documented = rows.flatMap((row) => row.split('|')[1]?.match(/[A-Z][A-Z0-9_]+/g) ?? []);
  expect(documented.toSorted()).toEqual(Object.keys(settings.shape).toSorted());
});
