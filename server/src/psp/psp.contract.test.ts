import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeBrCode } from '@jangada/pix';
import { type RunningSandbox, startSandbox } from '@jangada/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { selfSigned } from '../../test/self-signed.ts';
import type { PspConfig } from '../config.ts';
import { newTxid } from '../payments/payment.ts';
import { createBacenCharges } from './bacen/charges.ts';
import { createBacenClient } from './bacen/client.ts';
import { type BankReceivedPix, type PixCharges, PspRefused, PspUnknown } from './psp.ts';

const folder = mkdtempSync(join(tmpdir(), 'jangada-psp-'));
const bankCertificate = selfSigned('localhost');
const ourCertificate = selfSigned('gateway');

function asPkcs12(): Buffer {
  writeFileSync(join(folder, 'cert.pem'), ourCertificate.cert);
  writeFileSync(join(folder, 'key.pem'), ourCertificate.key);
  const options = [
    '-export',
    '-in',
    'cert.pem',
    '-inkey',
    'key.pem',
    '-out',
    'both.p12',
    '-passout',
    'pass:segredo',
  ];
  execFileSync('openssl', ['pkcs12', ...options], { cwd: folder, stdio: 'ignore' });
  return readFileSync(join(folder, 'both.p12'));
}

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ca = Buffer.from(bankCertificate.cert);
const doors = [
  { door: 'without mTLS', mutual: false, tls: () => undefined },
  {
    door: 'with mTLS by PEM',
    mutual: true,
    tls: () => ({ cert: Buffer.from(ourCertificate.cert), key: Buffer.from(ourCertificate.key), ca }),
  },
  { door: 'with mTLS by PKCS#12', mutual: true, tls: () => ({ pfx: asPkcs12(), passphrase: 'segredo', ca }) },
];

describe.each(doors)('a bank $door', ({ mutual, tls }) => {
  let bank: RunningSandbox;
  let psp: PixCharges;
  let config: PspConfig;

  beforeAll(async () => {
    bank = await startSandbox({
      dataDir: mkdtempSync(join(folder, 'bank-')),
      ...(mutual && { apiTls: { ...bankCertificate, ca: ourCertificate.cert } }),
    });
    const address = bank.apiUrl.replace('127.0.0.1', 'localhost');
    const certificate = tls();
    config = {
      name: 'bacen',
      baseUrl: `${address}/v2`,
      tokenUrl: `${address}/oauth/token`,
      clientId: bank.clientId,
      clientSecret: bank.clientSecret,
      webhookCidrs: [],
      refunds: true,
      ...(certificate !== undefined && { tls: certificate }),
    };
    psp = createBacenCharges(createBacenClient(config), bank.account.key, {
      name: 'Jangada',
      city: 'RECIFE',
    });
  });

  afterEach(() => behave({}));

  afterAll(async () => {
    await psp.close();
    await bank.stop();
  });

  const toSandbox = async (method: string, path: string, body: unknown) => {
    const answer = await fetch(bank.url + path, {
      method,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const behave = (behaviour: Record<string, unknown>) =>
    toSandbox('PUT', '/sandbox/behaviour', { charges: 'normal', ...behaviour });
  const order = (amountCents = 2590) => ({
    txid: newTxid(1),
    amountCents,
    expiresInSeconds: 1800,
    payerNote: 'Pagamento a Mercearia',
  });
  const pay = async (brCode: string) =>
    String((await toSandbox('POST', '/sandbox/payments', { brCode }))['endToEndId']);

  test('makes a charge whose code carries the amount, and finds it again', async () => {
    const wanted = order();
    const made = await psp.createCharge(wanted);
    expect(made).toMatchObject({
      txid: wanted.txid,
      status: 'active',
      amountCents: 2590,
      pixKey: bank.account.key,
      expiresInSeconds: 1800,
      received: [],
    });
    expect(decodeBrCode(made.brCode)).toMatchObject({ kind: 'dynamic' });
    expect(await psp.findCharge(wanted.txid)).toEqual(made);
  });

  test('takes the same order twice as one charge', async () => {
    const wanted = order();
    await psp.createCharge(wanted);
    expect(await psp.createCharge(wanted)).toMatchObject({ txid: wanted.txid, status: 'active' });
  });

  test('knows no charge and no Pix that never were', async () => {
    expect(await psp.findCharge(newTxid(1))).toBeUndefined();
    expect(await psp.findReceivedPix('E99999999202001010000aaaaaaaaaaa')).toBeUndefined();
  });

  test('confirms a payment by its endToEndId, on its charge and in its list', async () => {
    const wanted = order(1234);
    const { brCode } = await psp.createCharge(wanted);
    const before = new Date(Date.now() - 60_000);
    const endToEndId = await pay(brCode);
    const confirmed = await psp.findReceivedPix(endToEndId);
    expect(confirmed).toMatchObject({ endToEndId, amountCents: 1234, txid: wanted.txid });
    expect((await psp.findCharge(wanted.txid))?.received).toMatchObject([{ endToEndId, txid: wanted.txid }]);
    const listed: BankReceivedPix[] = [];
    for await (const page of psp.listReceivedPix(before, new Date(Date.now() + 60_000))) listed.push(...page);
    expect(listed.find((pix) => pix.endToEndId === endToEndId)).toMatchObject({ amountCents: 1234 });
  });

  test('removes a charge', async () => {
    const wanted = order();
    await psp.createCharge(wanted);
    expect(await psp.removeCharge(wanted.txid)).toMatchObject({ status: 'removed' });
  });

  test('refuses for certain what it cannot make', async () => {
    await expect(psp.createCharge({ ...order(), txid: 'short' })).rejects.toBeInstanceOf(PspRefused);
  });

  test('that is down leaves the outcome unknown', async () => {
    await behave({ charges: 'down' });
    await expect(psp.createCharge(order())).rejects.toBeInstanceOf(PspUnknown);
    expect(psp.reachable()).toBe(false);
  });

  test('that made the charge and never answered leaves the outcome unknown, and knows the charge', async () => {
    const impatient = createBacenCharges(
      createBacenClient(config, { answerTimeoutMs: 300 }),
      bank.account.key,
      {
        name: 'Jangada',
        city: 'RECIFE',
      },
    );
    await behave({ charges: 'accepted-then-timeout' });
    const wanted = order();
    await expect(impatient.createCharge(wanted)).rejects.toBeInstanceOf(PspUnknown);
    await behave({});
    expect(await psp.findCharge(wanted.txid)).toMatchObject({ status: 'active' });
    await impatient.close();
  });

  test('keeps the address of our notices', async () => {
    expect(await psp.findWebhook()).toBeUndefined();
    await psp.registerWebhook('http://localhost:1/psp/bacen/secret');
    expect(await psp.findWebhook()).toBe('http://localhost:1/psp/bacen/secret');
  });
});

test('a bank that refuses our credentials leaves the outcome unknown: nothing was asked of it', async () => {
  const bank = await startSandbox({ dataDir: mkdtempSync(join(folder, 'bank-')) });
  const psp = createBacenCharges(
    createBacenClient({
      name: 'bacen',
      baseUrl: `${bank.apiUrl}/v2`,
      tokenUrl: `${bank.apiUrl}/oauth/token`,
      clientId: bank.clientId,
      clientSecret: 'wrong',
      webhookCidrs: [],
      refunds: true,
    }),
    bank.account.key,
    { name: 'Jangada', city: 'RECIFE' },
  );
  await expect(psp.findCharge(newTxid(1))).rejects.toBeInstanceOf(PspUnknown);
  await psp.close();
  await bank.stop();
});

test('the token is asked for as the standard has it: a form, with the scope that the settings name', async () => {
  const asked: { type: string | undefined; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    asked.push({ type: request.headers['content-type'], body });
    response.writeHead(403).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const client = createBacenClient({
    name: 'bacen',
    baseUrl: `${url}/v2`,
    tokenUrl: `${url}/oauth/token`,
    clientId: 'us',
    clientSecret: 'secret',
    scope: 'cob.write pix.read',
    webhookCidrs: [],
    refunds: true,
  });
  const psp = createBacenCharges(client, 'key', { name: 'Jangada', city: 'RECIFE' });
  await expect(
    psp.createCharge({ txid: newTxid(1), amountCents: 100, expiresInSeconds: 60, payerNote: '' }),
  ).rejects.toThrow(/credentials/);
  expect(asked).toEqual([
    {
      type: 'application/x-www-form-urlencoded',
      body: 'grant_type=client_credentials&scope=cob.write+pix.read',
    },
  ]);
  await psp.close();
  server.close();
});

test('a token that ended in the midst is renewed, once for all who wait', async () => {
  const bank = await startSandbox({ dataDir: mkdtempSync(join(folder, 'bank-')), tokenSeconds: 1 });
  const psp = createBacenCharges(
    createBacenClient({
      name: 'bacen',
      baseUrl: `${bank.apiUrl}/v2`,
      tokenUrl: `${bank.apiUrl}/oauth/token`,
      clientId: bank.clientId,
      clientSecret: bank.clientSecret,
      webhookCidrs: [],
      refunds: true,
    }),
    bank.account.key,
    { name: 'Jangada', city: 'RECIFE' },
  );
  for (let round = 0; round < 3; round += 1) {
    const found = await Promise.all(Array.from({ length: 20 }, () => psp.findCharge(newTxid(1))));
    expect(found).toEqual(Array(20).fill(undefined));
    await fetch(`${bank.url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceSeconds: 5 }),
    });
  }
  await psp.close();
  await bank.stop();
});
