import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminSystemHealth, type SystemHealth } from '@jangada/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GivenMerchant, parseSuccess } from '../../test/given.ts';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { WithdrawalStand } from '../../test/withdrawal-stand.ts';
import { expiresSoon, readClientCertificateExpiry } from '../client-certificate.ts';
import { readConfig } from '../config.ts';
import { stopPayouts } from '../withdrawals/index.ts';

describe('the system health for operators', () => {
  let stand: WithdrawalStand;
  let merchant: GivenMerchant;
  beforeAll(async () => {
    stand = await WithdrawalStand.start();
    merchant = await stand.createFundedMerchant(100);
  });
  afterAll(() => stand.gateway.stop());

  async function readHealth(): Promise<SystemHealth> {
    const { token } = stand.admin;
    return parseSuccess(
      adminSystemHealth.response,
      await stand.gateway.api('GET', '/admin/health', undefined, { token }),
    );
  }
  const queueOf = (name: string, { queues }: SystemHealth) => queues.find((queue) => queue.name === name);

  test('shows the database, the bank, and work that has not started', async () => {
    expect(await readHealth()).toMatchObject({
      database: 'ok',
      work: 'unavailable',
      psp: { state: 'ok', name: 'sandbox', certificate_expires_at: null },
      payouts_stopped_because: null,
      pending_kyc: 0,
      own_accounts_waiting: 0,
      open_items: 0,
    });
  });

  test('shows the length of each queue, and since when the oldest item in it is due', async () => {
    const { created_at } = await stand.ask(merchant, { amount: 20 });
    const report = await readHealth();
    expect(queueOf('withdrawals', report)).toEqual({
      name: 'withdrawals',
      waiting: 1,
      oldest_due_at: created_at,
    });
    expect(queueOf('webhooks', report)).toEqual({ name: 'webhooks', waiting: 0, oldest_due_at: null });
    expect(report.queues.map(({ name }) => name)).toEqual([
      'notices',
      'webhooks',
      'messages',
      'withdrawals',
      'withdrawal look-ups',
      'refunds',
      'disputes',
      'mails',
      'pushes',
      'jobs',
    ]);
  });

  test('counts own accounts that are broken, or wait for the addresses of their bank', async () => {
    const { db } = stand.deps;
    const insert = async (key: string, row: { state: string; bank?: string; broken_reason?: string }) => {
      const [created_at, pix_key] = [new Date(), `${key}@example.com`];
      const times = {
        created_at,
        updated_at: created_at,
        ...(row.broken_reason && { broken_since: created_at }),
      };
      await db
        .insertInto('bank_connections')
        .values({ merchant_id: merchant.id, bank: 'sandbox', pix_key, ...times, ...row })
        .execute();
    };
    await insert('works', { state: 'active' });
    await insert('broken', { state: 'active', broken_reason: 'O banco não responde.' });
    await insert('waits', { state: 'draft', bank: 'other' });
    await insert('gone', { state: 'retired', bank: 'other' });
    expect(await readHealth()).toMatchObject({ own_accounts_waiting: 2 });
  });

  test('shows why payouts are stopped', async () => {
    await stopPayouts(stand.deps, stand.admin.id, 'conferindo a conta');
    expect(await readHealth()).toMatchObject({
      payouts_stopped_because: 'conferindo a conta',
      warnings: expect.arrayContaining(['payouts-stopped']),
    });
  });
});

describe('our client certificate for the bank', () => {
  const folder = mkdtempSync(join(tmpdir(), 'jangada-certificate-'));
  const { cert, key } = createSelfSignedCertificate('cliente.example');
  const file = (name: string) => join(folder, name);
  beforeAll(() => {
    writeFileSync(file('cert.pem'), cert);
    writeFileSync(file('key.pem'), key);
    const parts = ['-inkey', 'key.pem', '-in', 'cert.pem', '-out', 'both.p12', '-passout', 'pass:segredo'];
    execFileSync('openssl', ['pkcs12', '-export', ...parts], { cwd: folder, stdio: 'ignore' });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const expiryOfTestCertificate = new Date('2049-12-31T23:59:59Z');
  const endOf = (tls: object) => readClientCertificateExpiry({ psp: { ...readConfig({}).psp, tls } });

  test('has a readable expiry as PEM and as PKCS#12; without a certificate there is no expiry', () => {
    expect(endOf({ cert: Buffer.from(cert), key: Buffer.from(key) })).toEqual(expiryOfTestCertificate);
    expect(endOf({ pfx: readFileSync(file('both.p12')), passphrase: 'segredo' })).toEqual(
      expiryOfTestCertificate,
    );
    expect(endOf({ ca: Buffer.from(cert) })).toBeUndefined();
    expect(readClientCertificateExpiry(readConfig({}))).toBeUndefined();
  });

  test('is reported from thirty days before its expiry on', () => {
    const now = new Date('2026-11-22T12:00:00Z');
    const inDays = (days: number) => new Date(now.getTime() + days * 24 * 3_600_000);
    expect([31, 29, -1].map((days) => expiresSoon(inDays(days), now))).toEqual([false, true, true]);
    expect(expiresSoon(undefined, now)).toBe(false);
  });
});
