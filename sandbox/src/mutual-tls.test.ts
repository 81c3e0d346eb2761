import { execFileSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Client, givenBank, givenDirectory } from '../test/bank.ts';
import { startSandbox } from './index.ts';

const HOLDER = { name: 'Loja da Ana', document: '11222333000181', city: 'OLINDA' };

const accessSchema = z.object({
  id: z.string(),
  key: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  baseUrl: z.string(),
  tokenUrl: z.string(),
  certificate: z.string(),
  authority: z.string(),
});

type Access = z.infer<typeof accessSchema>;

/** Opens an account that demands a client certificate. */
async function openWithCertificate(bank: Client, certificateDays = 365, more = {}): Promise<Access> {
  const { body } = await bank.call('POST', '/sandbox/accounts', { ...HOLDER, certificateDays, ...more });
  return accessSchema.parse(body);
}

/** Calls the account with these TLS options; each call has a connection of its own. */
function clientOf(access: Access, { certificate, agent = agentOf(access, certificate) }: TlsOptions = {}) {
  const send = async (url: string, headers: Record<string, string>, body?: string) => {
    const { statusCode: status, body: answer } = await request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { connection: 'close', 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
      dispatcher: agent,
    });
    return { status, body: z.record(z.string(), z.unknown()).parse(await answer.json()) };
  };
  const basic = Buffer.from(`${access.clientId}:${access.clientSecret}`).toString('base64');
  return {
    requestToken: (url = access.tokenUrl) =>
      send(url, { authorization: `Basic ${basic}` }, '{"grant_type":"client_credentials"}'),
    balance: (token: unknown, url = access.baseUrl) =>
      send(`${url}/gn/saldo`, { authorization: `Bearer ${token}` }),
  };
}

interface TlsOptions {
  readonly certificate?: string;
  readonly agent?: Agent;
}

function agentOf({ authority, certificate: own }: Access, certificate = own): Agent {
  const agent = new Agent({ connect: { ca: authority, cert: certificate, key: certificate } });
  onTestFinished(() => agent.destroy());
  return agent;
}

test('an account that demands a certificate answers its holder, over connections that resume a session too', async () => {
  const bank = await givenBank({ mtls: {} });
  // The holder's name may even be the authority's.
  const access = await openWithCertificate(bank, 365, { name: 'Autoridade do Banco Sandbox' });
  expect(access.baseUrl).toBe(`${bank.sandbox.mtlsUrl}/v2`);
  const client = clientOf(access);
  for (let round = 0; round < 3; round += 1) {
    const { status, body } = await client.requestToken();
    expect(status).toBe(200);
    expect(await client.balance(body['access_token'])).toMatchObject({
      status: 200,
      body: { saldo: '0.00' },
    });
  }
});

test('an account that demands a certificate answers nobody without it, whatever they know', async () => {
  const bank = await givenBank({ mtls: {} });
  const [access, other] = [await openWithCertificate(bank), await openWithCertificate(bank)];
  const token = (await clientOf(access).requestToken()).body['access_token'];
  const stranger = clientOf(access, { certificate: other.certificate });
  expect((await stranger.requestToken()).status).toBe(401);
  expect((await stranger.balance(token)).status).toBe(401);

  const plain = clientOf(access, { agent: new Agent() });
  const { publicUrl } = bank.sandbox;
  expect((await plain.requestToken(`${publicUrl}/oauth/token`)).status).toBe(401);
  expect((await plain.balance(token, `${publicUrl}/v2`)).status).toBe(401);
  const without = clientOf(access, { agent: new Agent({ connect: { ca: access.authority } }) });
  await expect(without.requestToken()).rejects.toThrow();

  const foreign = await openWithCertificate(await givenBank({ mtls: {} }));
  await expect(clientOf(access, { certificate: foreign.certificate }).requestToken()).rejects.toThrow();
  const expired = await openWithCertificate(bank, 0);
  await expect(clientOf(expired).requestToken()).rejects.toThrow();
  expect((await clientOf(access).balance(token)).status).toBe(200);
});

test('accounts without a certificate go on as before', async () => {
  const bank = await givenBank({ mtls: {} });
  await openWithCertificate(bank);
  expect((await bank.api('GET', '/v2/gn/saldo')).status).toBe(200);
  const { body } = await bank.call('POST', '/sandbox/accounts', HOLDER);
  expect(body).toMatchObject({ baseUrl: `${bank.sandbox.publicUrl}/v2` });
  expect(body).not.toHaveProperty('certificate');
});

test('a certificate names its holder and its authority, and is downloaded with its key', async () => {
  const bank = await givenBank({ mtls: {} });
  const { id, certificate, authority } = await openWithCertificate(bank, 30);
  const client = new X509Certificate(certificate);
  const issuer = new X509Certificate(authority);
  expect(client.subject).toBe('O=Banco Sandbox\nCN=Loja da Ana');
  expect(client.checkIssued(issuer) && client.verify(issuer.publicKey)).toBe(true);
  expect(client.checkPrivateKey(createPrivateKey(certificate))).toBe(true);
  expect([client.ca, issuer.ca]).toEqual([false, true]);
  expect(Date.parse(client.validTo) - Date.parse(client.validFrom)).toBe(31 * 86_400_000);

  const directory = await givenDirectory();
  await writeFile(join(directory, 'client.pem'), certificate);
  await writeFile(join(directory, 'authority.pem'), authority);
  const verify = 'verify -x509_strict -purpose sslclient -CAfile authority.pem client.pem'.split(' ');
  expect(String(execFileSync('openssl', verify, { cwd: directory }))).toBe('client.pem: OK\n');

  const download = await bank.call('GET', `/sandbox/accounts/${id}/certificate`);
  expect(download.body).toBe(certificate);
  expect(download.headers.get('content-disposition')).toBe('attachment; filename="conta-2.pem"');
  expect((await bank.call('GET', '/sandbox/authority')).body).toBe(authority);
  for (const path of ['/sandbox/accounts/1/certificate', '/sandbox/accounts/3/certificate'])
    expect((await bank.call('GET', path)).status).toBe(404);
});

test('a long name, and one beyond ASCII, stand in the certificate up to 64 characters', async () => {
  const bank = await givenBank({ mtls: {} });
  const name = `Padaria São João ${'Ñ'.repeat(100)}`;
  const { body } = await bank.call('POST', '/sandbox/accounts', { ...HOLDER, name, certificateDays: 1 });
  const { subject } = new X509Certificate(accessSchema.parse(body).certificate);
  expect(subject).toBe(`O=Banco Sandbox\nCN=${name.slice(0, 64)}`);
});

test('the bank’s own certificate is good for the names under which it is reached', async () => {
  const bank = await givenBank({ mtls: {}, publicUrl: 'http://bank.example:3001' });
  const { authority, baseUrl } = await openWithCertificate(bank);
  const { hostname, port } = new URL(baseUrl);
  expect(hostname).toBe('bank.example');
  for (const servername of ['bank.example', 'localhost', '127.0.0.1']) {
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(port),
      ca: authority,
      checkServerIdentity: (_host, { subjectaltname = '' }) =>
        subjectaltname.includes(servername) ? undefined : new Error(`${servername} is missing`),
    });
    await new Promise((resolve, reject) => socket.once('secureConnect', resolve).once('error', reject));
    socket.destroy();
  }
});

test('certificates stay valid over a restart, and without the listener the account answers nobody', async () => {
  const dataDir = await givenDirectory();
  const before = await givenBank({ dataDir, mtls: {} });
  const access = await openWithCertificate(before);
  await before.sandbox.stop();

  const again = await givenBank({ dataDir, mtls: {} });
  const tokenUrl = `${again.sandbox.mtlsUrl}/oauth/token`;
  expect((await clientOf(access).requestToken(tokenUrl)).status).toBe(200);
  await again.sandbox.stop();

  const plain = await givenBank({ dataDir });
  const url = `${plain.sandbox.publicUrl}/oauth/token`;
  expect((await clientOf(access, { agent: new Agent() }).requestToken(url)).status).toBe(401);
  expect((await plain.call('GET', '/contas')).body).toContain('ela não responde');
});

test('a bank without the listener issues no certificates, and offers none', async () => {
  const bank = await givenBank();
  const refused = await bank.call('POST', '/sandbox/accounts', { ...HOLDER, certificateDays: 365 });
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'NO_CERTIFICATES' } } });
  expect((await bank.call('GET', '/sandbox/authority')).status).toBe(404);
  expect((await bank.call('GET', '/contas')).body).not.toContain('Certificado de cliente');
  for (const certificateDays of [-1, 1.5, 3651, '1'])
    expect((await bank.call('POST', '/sandbox/accounts', { ...HOLDER, certificateDays })).status).toBe(400);
});

test('a port that is taken stops the start', async () => {
  const bank = await givenBank({ mtls: {} });
  const port = Number(new URL(bank.sandbox.mtlsUrl ?? '').port);
  await expect(startSandbox({ dataDir: await givenDirectory(), mtls: { port } })).rejects.toThrow(
    'EADDRINUSE',
  );
});
