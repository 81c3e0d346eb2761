import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { connection, endpoints } from '@jangada/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeClientCertificate } from '../../test/client-certificate.ts';
import { type EchoingBank, startEchoingBank } from '../../test/echoing-bank.ts';
import { dumpTables, type Found, findSecrets } from '../../test/find-secrets.ts';
import { startTestGateway, type TestGateway } from '../../test/gateway.ts';
import {
  type GivenAdmin,
  type GivenMerchant,
  givenAdmin,
  givenCharge,
  givenMerchant,
  parseSuccess,
} from '../../test/given.ts';
import {
  entryOf,
  openSandboxAccount,
  type SandboxAccount,
  waitForCheck,
} from '../../test/given-connection.ts';
import { sendQueuedMails } from '../../test/mailbox.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../test/webhook-receiver.ts';
import { backgroundLoops } from '../background-work.ts';
import { takeBackup } from '../backup/index.ts';
import { readConfig } from '../config.ts';
import {
  bankToCheck,
  checkBank,
  connectionJobs,
  createLiveBanks,
  formatConformanceReport,
  selectConnection,
} from '../connections/index.ts';
import { watchConnections } from '../connections/watch-connections.ts';
import { createLogger } from '../log.ts';
import { createMetrics, serveMetrics } from '../metrics/index.ts';
import { noticePath } from '../psp/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'jangada-leak-'));
const logLines: string[] = [];
const metrics = createMetrics(readConfig({}));
/** Everything that was answered, logged, or sent to the merchant's server. */
const seen: Found[] = [];

let gateway: TestGateway;
let bank: EchoingBank;
let shop: WebhookReceiver;
let merchant: GivenMerchant;
let admin: GivenAdmin;
let account: SandboxAccount;

beforeAll(async () => {
  const log = createLogger('json', { write: (line) => logLines.push(line) });
  log.level = 'trace';
  gateway = await startTestGateway({ startsWork: false, log });
  [bank, shop] = await Promise.all([startEchoingBank(gateway.bank), startWebhookReceiver()]);
  admin = await givenAdmin(gateway);
  merchant = await givenMerchant(gateway, { admin });
  account = await openSandboxAccount(gateway);
});
afterAll(async () => {
  await gateway.stop();
  await Promise.all([bank.close(), shop.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** Calls the gateway, and keeps the answer. */
async function call(
  method: string,
  path: string,
  body?: unknown,
  { token }: Pick<GivenMerchant, 'token'> = merchant,
) {
  const answer = await gateway.api(method, path, body, { token });
  seen.push({ where: `${method} ${path}`, bytes: Buffer.from(JSON.stringify(answer)) });
  return answer;
}

async function readId(answer: Promise<Awaited<ReturnType<typeof call>>>): Promise<string> {
  return parseSuccess(connection, await answer).id;
}

/** Every answer that needs no more than its path, as merchants and administrators get it. */
async function readAllAnswers(): Promise<void> {
  const paths = endpoints.flatMap(({ method, path }) =>
    method === 'GET' && !path.includes('{') ? [path] : [],
  );
  expect(paths).toEqual(expect.arrayContaining(['/authed/personal-data', '/admin/connections']));
  for (const path of [...paths, '/openapi.json'])
    for (const [who, { token }] of Object.entries({ merchant, admin })) {
      const answer = await fetch(`${gateway.url}/api${path}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      seen.push({ where: `GET ${path} by the ${who}`, bytes: Buffer.from(await answer.arrayBuffer()) });
    }
}

async function readMetrics(): Promise<void> {
  const server = await serveMetrics(gateway.deps, {
    metrics,
    work: { healthy: () => true },
    writes: async () => 'ok',
    pools: {},
    listenAddress: { host: '127.0.0.1', port: 0 },
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`);
  const text = await answer.text();
  expect(text).toContain(
    'jangada_bank_exchange_duration_seconds_count{operation="POST oauth/token",outcome="4xx"}',
  );
  seen.push({ where: 'metrics', bytes: Buffer.from(text) });
  await server.stop();
}

/** The report of a check by the command line. */
async function makeReport(id: number): Promise<void> {
  const row = await selectConnection(gateway.deps.db, id);
  if (row === undefined) throw new Error('The account is not stored.');
  const { passed, steps } = await checkBank(bankToCheck(gateway.deps, row), async () => {});
  const at = gateway.deps.clock.now();
  const text = formatConformanceReport({ version: '1', bank: 'Banco', hosts: [], at, passed, steps });
  seen.push({ where: 'report', bytes: Buffer.from(text) });
}

async function backUp(): Promise<Found[]> {
  const into = join(folder, 'backup');
  const { database, deps } = gateway;
  await takeBackup({ config: deps.config, ownerUrl: database.ownerUrl, into, now: deps.clock.now() });
  return readdirSync(into, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name));
      return { where: `backup ${name}`, bytes: name.endsWith('.gz') ? gunzipSync(bytes) : bytes };
    });
}

async function runAllLoops(): Promise<void> {
  for (const { work } of backgroundLoops) await work(gateway.deps);
}

/** Lets the bank refuse everything until the account counts as broken, and its owner is told. */
async function breakBank(id: number): Promise<void> {
  const banks = createLiveBanks(gateway.deps.banks.house, {
    ...gateway.deps,
    onExchange: metrics.recordBankExchange,
  });
  await banks.refresh();
  for (let minutes = 0; minutes < 7; minutes += 1) {
    for (const { psp } of [banks.of(id), gateway.deps.banks.of(id)])
      await expect(psp.findNoticeUrl()).rejects.toThrow();
    await watchConnections(gateway.deps);
    await gateway.advance(60);
  }
  const { psp } = banks.of(id);
  await psp.close();
  expect((await selectConnection(gateway.deps.db, id))?.broken_since).not.toBeNull();
}

const bytesFrom = (bytes: Buffer, at: number) => bytes.subarray(at, at + 24);
const bodyOf = (pem: Buffer) => pem.toString().split('\n').slice(1, -2).join('');

test('no secret of an account leaves the gateway, whatever happens at the account and whatever its bank repeats', {
  timeout: 180_000,
}, async () => {
  const { password } = merchant;
  const [p12, pem] = [
    makeClientCertificate({ password: 'senha-do-primeiro-certificado' }),
    makeClientCertificate({ password: 'senha-do-segundo-certificado' }),
  ];
  const endpoint = await gateway.api('POST', '/webhooks/endpoints', { url: `${shop.url}/all` }, merchant);
  expect(endpoint.status).toBe(201);
  const first = { certificate: p12.pkcs12.toString('base64'), certificate_password: p12.password };
  const second = {
    ...{ certificate: pem.cert.toString('base64'), certificate_key: pem.encryptedKey.toString('base64') },
    ...{ certificate_password: pem.password },
  };
  const wrongSecret = 'um-segredo-que-o-banco-nao-conhece';

  // Entered, checked and activated, with a payment and what follows from it.
  const id = await readId(
    call('POST', '/authed/connections', { ...entryOf(account), ...first, bank: 'other' }),
  );
  const addresses = {
    ...{ api_url: `${bank.apiUrl}/v2`, token_url: `${bank.apiUrl}/oauth/token` },
    reason: 'Banco com API Pix',
  };
  await call('PUT', `/admin/connections/${id}/addresses`, addresses, admin);
  await call('POST', `/authed/connections/${id}/check`);
  expect((await waitForCheck(gateway, merchant, id)).check?.result).toBe('passed');
  expect((await call('POST', `/authed/connections/${id}/activate`, { password })).status).toBe(200);
  const { content, id: chargeId } = await givenCharge(gateway, merchant);
  await gateway.bank.pay({ brCode: content });
  await gateway.advance(30);
  await runAllLoops();
  expect((await call('POST', `/pix/${chargeId}/refund`, { amount: 1 })).status).toBe(201);
  await makeReport(Number(id));

  // New credentials, which pass their check, and others, which do not.
  const { clientId: client_id, clientSecret: client_secret } = account;
  const replace = async (secret: string, certificate: object) => {
    const credentials = { client_id, client_secret: secret, ...certificate, password };
    expect((await call('PUT', `/authed/connections/${id}/credentials`, credentials)).status).toBe(200);
    return (await waitForCheck(gateway, merchant, id)).check?.result;
  };
  expect(await replace(client_secret, second)).toBe('passed');
  expect(await replace(wrongSecret, first)).toBe('failed');
  for (const calls of ['api', 'all'] as const) {
    bank.refuse(calls);
    expect(await replace(client_secret, second)).toBe('failed');
    expect(await replace(wrongSecret, first)).toBe('failed');
    await makeReport(Number(id));
    seen.push({
      where: `a charge that the bank refuses (${calls})`,
      bytes: Buffer.from(JSON.stringify(await gateway.api('POST', '/pix/new', { amount: 5 }, merchant))),
    });
    await runAllLoops();
  }
  await breakBank(Number(id));
  await readMetrics();
  await gateway.startWork();
  await expect
    .poll(() => shop.received.map(({ body }) => JSON.parse(body).type))
    .toEqual(expect.arrayContaining(['connection.broken']));
  await call('POST', `/authed/connections/${id}/suspend`);
  await readAllAnswers();
  const { callbacks, connection: own } = gateway.deps.banks.of(Number(id));
  const noticeSecret =
    noticePath({ ...gateway.deps, callbacks, connection: own })
      .split('/')
      .at(-1) ?? '';
  await sendQueuedMails(gateway);
  await readAllAnswers();
  const secrets = {
    'the client secret': client_secret,
    'the refused secret': wrongSecret,
    'the password of the first certificate': p12.password,
    'the password of the second certificate': pem.password,
    'the first certificate': bytesFrom(p12.pkcs12, 400),
    'the key of the second certificate': bytesFrom(Buffer.from(bodyOf(pem.key), 'base64'), 36),
    'the encrypted key of the second certificate': bytesFrom(
      Buffer.from(bodyOf(pem.encryptedKey), 'base64'),
      120,
    ),
    'the secret of the notices': noticeSecret,
    ...Object.fromEntries(bank.tokens.map((token, index) => [`token ${index}`, token])),
  };
  expect(bank.tokens.length).toBeGreaterThan(1);
  const stored = async () => [...(await dumpTables(gateway.database.ownerUrl)), ...(await backUp())];
  const inUse = await stored();

  await call('POST', `/authed/connections/${id}/retire`, { password });
  bank.refuse('none');
  await gateway.advance(3600);
  await runAllLoops();
  await gateway.advance(95 * 86_400);
  await runAllLoops();
  for (const { work } of connectionJobs) await work(gateway.deps);
  expect((await selectConnection(gateway.deps.db, Number(id)))?.state).toBe('retired');
  for (const { headers, body } of shop.received)
    seen.push({ where: 'webhook', bytes: Buffer.from(JSON.stringify([headers, body])) });
  seen.push(...logLines.map((line) => ({ where: `log: ${line}`, bytes: Buffer.from(line) })));
  expect(logLines.length).toBeGreaterThan(0);
  rmSync(join(folder, 'backup'), { recursive: true });
  expect(findSecrets(secrets, [...seen, ...inUse, ...(await stored())])).toEqual([]);
});
