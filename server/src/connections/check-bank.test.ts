import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { type CheckStep, checkStep } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { startTestBank, type TestBank } from '../../test/bank.ts';
import { type ClientCertificateFiles, makeClientCertificate } from '../../test/client-certificate.ts';
import { createSelfSignedCertificate } from '../../test/self-signed.ts';
import { readConfig } from '../config.ts';
import { type BankCredentials, findKnownBank, type KnownBank, pspConfigOf } from '../psp/index.ts';
import { type BankToCheck, checkBank } from './check-bank.ts';

const sandbox = readConfig({});
const secretPath = 'c2VjcmV0LXBhdGgtb2Ytbm90aWNlcw';
const noticeUrl = `http://127.0.0.1:9/psp/sandbox/2/${secretPath}`;
const closing: (() => unknown)[] = [];
let bank: TestBank;
let certificate: ClientCertificateFiles;
beforeAll(async () => {
  bank = await startTestBank();
  certificate = makeClientCertificate();
});
afterEach(async () => {
  await bank.setBehaviour({});
  for (const close of closing.splice(0)) await close();
});
afterAll(() => bank.stop());

const known = (id: string): KnownBank => {
  const found = findKnownBank(sandbox, id);
  if (found === undefined) throw new Error(id);
  return found;
};
const credentials = (): BankCredentials => ({ clientId: bank.clientId, clientSecret: bank.clientSecret });

/** Checks an account at the sandbox, and looks for secrets in everything that the check says. */
async function check(changes: Partial<BankToCheck> & { url?: string; sent?: Partial<BankCredentials> } = {}) {
  const { url = bank.apiUrl, sent = {}, ...rest } = changes;
  const { bank: checked = known('sandbox') } = changes;
  const addresses = { apiUrl: `${url}/v2`, tokenUrl: `${url}/oauth/token` };
  const psp = pspConfigOf(checked, addresses, { ...credentials(), ...sent });
  const told: (readonly CheckStep[])[] = [];
  const account = {
    config: sandbox,
    bank: checked,
    psp,
    pixKey: bank.account.key,
    noticeUrl,
    now: () => new Date(),
    limits: { responseMs: 2000, stepMs: 3000 },
    ...rest,
  };
  const result = await checkBank(account, async (steps) => void told.push(steps));
  const { clientSecret, tls } = account.psp;
  const basic = Buffer.from(`${account.psp.clientId}:${clientSecret}`).toString('base64');
  const bytes = Buffer.from(JSON.stringify([told, result]));
  const keyLines = [tls?.key, tls?.cert].flatMap((pem) => pem?.toString().split('\n').slice(1, 3) ?? []);
  const pfx = tls?.pfx?.toString('base64').slice(0, 40) ?? clientSecret;
  for (const secret of [clientSecret, basic, secretPath, tls?.passphrase ?? basic, pfx, ...keyLines])
    expect(bytes.includes(secret)).toBe(false);
  expect(bytes.includes('PRIVATE KEY')).toBe(false);
  for (const step of result.steps) expect(checkStep.parse(step)).toEqual(step);
  const states = Object.fromEntries(result.steps.map(({ id, state }) => [id, state]));
  const step = (id: string) => result.steps.find((one) => one.id === id);
  return { ...result, told, states, step };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const serve = async (listener: RequestListener) => `http://${await listen(createServer(listener))}`;

/** The sandbox, behind a proxy that changes some of its responses. */
async function meddleWith(
  change: (call: string, body: string) => { status?: number; body: unknown } | undefined,
): Promise<string> {
  return serve(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { 'content-type': type = '', authorization = '' } = request.headers;
    const answer = await fetch(bank.apiUrl + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, ...(type && { 'content-type': type }) },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const changed = change(`${request.method} ${request.url}`, text);
    response.writeHead(changed?.status ?? answer.status, { 'content-type': 'application/json' });
    response.end(changed === undefined ? text : JSON.stringify(changed.body));
  });
}
const newCharge = (text: string) => JSON.parse(text) as Record<string, unknown>;
const isCreation = (call: string) => call.startsWith('PUT /v2/cob/');

describe('an account in order', () => {
  test('passes each step, and leaves no charge and no money behind', async () => {
    const url = await serve((_, response) => response.end());
    const before = await bank.balanceCents();
    const result = await check({ noticeUrl: `${url}/psp/sandbox/2/${secretPath}` });
    expect(result.passed).toBe(true);
    expect(result.states).toEqual({
      name: 'passed',
      tls: 'skipped',
      certificate: 'skipped',
      token: 'passed',
      scopes: 'passed',
      key: 'passed',
      charge: 'passed',
      'br-code': 'passed',
      rules: 'passed',
      'charge-read': 'passed',
      'charge-list': 'passed',
      'charge-removed': 'passed',
      webhook: 'passed',
      notice: 'passed',
      received: 'passed',
      refunds: 'passed',
      payouts: 'passed',
      disputes: 'passed',
      balance: 'passed',
      recurring: 'passed',
    });
    expect(await bank.balanceCents()).toBe(before);
    expect(await bank.listPayouts()).toEqual([]);
    for (const { answered, meaning } of result.steps) expect(answered + meaning).not.toBe('');
  });

  test('is told of step by step: each runs before it ends, and one after another', async () => {
    const { told, steps } = await check();
    const changes = told.map((current, at) =>
      current.flatMap(({ id, state }, index) =>
        state === (told[at - 1]?.[index]?.state ?? 'waiting') ? [] : [`${id} ${state}`],
      ),
    );
    expect(changes.flat()).toEqual(steps.flatMap(({ id, state }) => [`${id} running`, `${id} ${state}`]));
  });

  test('has its received Pix listed over two pages', async () => {
    for (const amount of [1, 2]) await bank.pay({ key: bank.account.key, amount });
    expect((await check()).step('received')?.answered).toBe('O banco deu a lista, página por página.');
  });

  test('at a bank with only BACEN’s API passes, and what the bank lacks is skipped', async () => {
    const { passed, states } = await check({
      bank: { ...known('sandbox'), adapter: 'bacen', refunds: false },
    });
    expect(passed).toBe(true);
    expect(states).toMatchObject({
      scopes: 'passed',
      refunds: 'skipped',
      payouts: 'skipped',
      disputes: 'skipped',
      balance: 'skipped',
    });
  });
});

describe('an account that cannot be used', () => {
  test('has wrong credentials: nothing is asked after that', async () => {
    const { passed, states, step } = await check({ sent: { clientSecret: 'um-segredo-errado' } });
    expect(passed).toBe(false);
    expect(step('token')).toMatchObject({
      state: 'failed',
      answered: 'O banco respondeu 401: «invalid_client».',
    });
    expect(step('token')?.meaning).toContain('Client Secret na página do Banco Sandbox');
    expect(
      Object.values(states)
        .slice(4)
        .every((state) => state === 'not-run'),
    ).toBe(true);
    expect(step('webhook')?.meaning).toContain('depende de outro, que falhou: O banco aceita as credenciais');
  });

  test('has another Pix key', async () => {
    const { passed, states, step } = await check({ pixKey: 'outra@loja.example' });
    expect(passed).toBe(false);
    expect(step('key')).toMatchObject({ state: 'failed' });
    expect(step('key')?.answered).toContain('não pertence a este usuário recebedor');
    expect(states).toMatchObject({ charge: 'not-run', webhook: 'failed', received: 'passed' });
  });

  test('serves another system, whose webhook stays', async () => {
    const own = await startTestBank();
    closing.push(() => own.stop());
    const sent = { clientId: own.clientId, clientSecret: own.clientSecret };
    const { access_token: token } = z.object({ access_token: z.string() }).parse(
      await (
        await fetch(`${own.apiUrl}/oauth/token`, {
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${own.clientId}:${own.clientSecret}`).toString('base64')}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: 'grant_type=client_credentials',
        })
      ).json(),
    );
    const webhook = `${own.apiUrl}/v2/webhook/${own.account.key}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const webhookUrl = 'https://outro.example/avisos/segredo-deles';
    await fetch(webhook, { method: 'PUT', headers, body: JSON.stringify({ webhookUrl }) });

    const { passed, step } = await check({ url: own.apiUrl, sent });

    expect(passed).toBe(false);
    expect(step('webhook')).toMatchObject({
      state: 'failed',
      answered: 'O banco já envia os avisos desta chave para «https://outro.example».',
    });
    expect(step('notice')?.state).toBe('not-run');
    expect(await (await fetch(webhook, { headers })).json()).toMatchObject({ webhookUrl });
  });

  test('takes the notices of another account of this gateway only if that is not in use', async () => {
    const other = noticeUrl.replace(/2.[^/]*$/, '3/dGhlLXBhdGgtb2YtdGhlLW90aGVy');
    await check();
    const { passed, step } = await check({ noticeUrl: other });
    expect(passed).toBe(false);
    expect(step('webhook')?.answered).toContain('para outra conta deste gateway');
    const asked: string[] = [];
    const abandoned = async (url: string) => asked.push(url) > 0;
    expect((await check({ noticeUrl: other, isAbandoned: abandoned })).passed).toBe(true);
    expect(asked).toEqual([noticeUrl]);
    expect((await check({ isAbandoned: abandoned })).passed).toBe(true);
  });

  test('lacks scopes: those without which nothing works fail the check, the others are warnings', async () => {
    const standard = 'cob.write cob.read pix.write pix.read webhook.write webhook.read';
    const few = await check({ bank: { ...known('sandbox'), scope: 'cob.write cob.read pix.read' } });
    expect(few.passed).toBe(false);
    expect(few.step('scopes')?.answered).toContain('Faltam: webhook.read, webhook.write, pix.write');
    expect(few.states).toMatchObject({
      charge: 'passed',
      webhook: 'failed',
      refunds: 'passed',
      payouts: 'warned',
    });
    expect(few.step('webhook')).toMatchObject({
      meaning: 'Falta uma permissão (escopo) para isto. Ative-a na página do Banco Sandbox.',
    });

    const enough = await check({ bank: { ...known('sandbox'), scope: standard } });
    expect(enough.passed).toBe(true);
    expect(enough.states).toMatchObject({
      scopes: 'warned',
      payouts: 'warned',
      disputes: 'warned',
      balance: 'warned',
    });
    expect(enough.step('scopes')?.meaning).toContain('saques, disputas, saldo não funcionam');
  });
});

describe('a bank that misbehaves', () => {
  test.for(['down', 'hang', 'accepted-then-timeout'])(
    'with charges %s fails, and the rest is still checked',
    async (charges) => {
      await bank.setBehaviour({ charges });
      const { passed, states, step } = await check();
      expect(passed).toBe(false);
      expect(states).toMatchObject({
        key: 'not-run',
        charge: 'failed',
        'br-code': 'not-run',
        webhook: 'passed',
        received: 'passed',
      });
      expect(step('charge')?.answered).toMatch(
        charges === 'down' ? /respondeu 503/ : /não aceitou a conexão|não respondeu a tempo/,
      );
    },
  );

  test('with look-ups down fails, and says of refunds and payouts that they do not work now', async () => {
    await bank.setBehaviour({ confirmations: 'down' });
    const { passed, states } = await check();
    expect(passed).toBe(false);
    expect(states).toMatchObject({
      charge: 'passed',
      received: 'failed',
      refunds: 'warned',
      payouts: 'warned',
    });
  });

  test('with slow charges is waited for', async () => {
    await bank.setBehaviour({ charges: 'slow', slowSeconds: 0.3 });
    expect((await check()).passed).toBe(true);
  });

  test.for([
    ['another key', { chave: 'outra@loja.example' }, 'key', 'failed', 'em outra chave'],
    [
      'a code of another charge',
      { pixCopiaECola: '00020126', location: null, loc: null },
      'br-code',
      'failed',
      'não deu um código',
    ],
    ['another amount', { valor: { original: '2.00' } }, 'rules', 'failed', 'outro valor'],
    [
      'another expiry',
      { calendario: { criacao: new Date().toISOString(), expiracao: 86_400 } },
      'rules',
      'warned',
      'a validade é outra',
    ],
    [
      'a clock that differs',
      { calendario: { criacao: '2026-01-01T00:00:00Z', expiracao: 600 } },
      'rules',
      'warned',
      'a hora difere',
    ],
    [
      'a time in no format',
      { calendario: { criacao: '1/1/2026', expiracao: 600 } },
      'charge',
      'failed',
      'calendario.criacao',
    ],
  ] as const)('by %s is found out', async ([, change, id, state, words]) => {
    const url = await meddleWith((call, text) =>
      isCreation(call) ? { body: { ...newCharge(text), ...change } } : undefined,
    );
    const { passed, step } = await check({ url });
    expect(step(id)).toMatchObject({ state, answered: expect.stringContaining(words) });
    expect(passed).toBe(state === 'warned');
  });

  test('by a list whose pages are all the same fails', async () => {
    const pix = {
      endToEndId: 'E00000000202611011200abcdefghijk',
      valor: '1.00',
      horario: new Date().toISOString(),
    };
    const paginacao = {
      paginaAtual: 0,
      itensPorPagina: 1,
      quantidadeDePaginas: 2,
      quantidadeTotalDeItens: 2,
    };
    const url = await meddleWith((call) =>
      call.startsWith('GET /v2/pix?') ? { body: { parametros: { paginacao }, pix: [pix] } } : undefined,
    );
    const { passed, step } = await check({ url });
    expect([passed, step('received')?.answered]).toEqual([false, 'A segunda página repete a primeira.']);
  });

  test('by a webhook that is not kept fails', async () => {
    const url = await meddleWith((call) =>
      call.startsWith('GET /v2/webhook/')
        ? { status: 404, body: { type: 'x/error/WebhookNaoEncontrado' } }
        : undefined,
    );
    expect((await check({ url })).step('webhook')).toMatchObject({
      state: 'failed',
      answered: expect.stringContaining('deu outro'),
    });
  });

  test('by finding what does not exist is a warning', async () => {
    const devolucao = {
      valor: '1.00',
      status: 'DEVOLVIDO',
      horario: { solicitacao: new Date().toISOString() },
    };
    const url = await meddleWith((call) =>
      call.includes('/devolucao/')
        ? { status: 200, body: { ...devolucao, id: call.split('/').at(-1) } }
        : undefined,
    );
    expect((await check({ url })).step('refunds')?.answered).toBe('O banco achou o que não existe.');
  });

  test('by repeating our secrets does not get them into the steps', async () => {
    let token = 'no token yet';
    const url = await serve(async (request, response) => {
      if (request.url === '/oauth/token') {
        token = 'token-curto';
        return response.end(JSON.stringify({ access_token: token, expires_in: 3600, scope: 'nada' }));
      }
      const { authorization } = request.headers;
      const detail = `não: ${authorization}, ${'x'.repeat(100)} ${token}, ${bank.clientSecret} e ${secretPath}`;
      response.statusCode = request.method === 'GET' ? 403 : 400;
      return response.end(
        JSON.stringify({
          type: 'https://pix.bcb.gov.br/api/v2/error/X',
          detail,
          violacoes: [{ razao: detail }],
        }),
      );
    });
    const { steps, passed } = await check({ url });
    expect(passed).toBe(false);
    const said = JSON.stringify(steps);
    expect(said).toContain('não: Bearer');
    expect(said).not.toContain(token);
    // A text as long as a token may be one, even if it is none of ours.
    expect(said).not.toContain('x'.repeat(25));
  });
});

describe('a bank that is silent or cannot be reached', () => {
  const limits = { responseMs: 300, stepMs: 1000 };

  test('at its first step does not hold up the check', async () => {
    const address = await listen(createTcpServer((socket) => socket.on('error', () => {})));
    const { passed, step } = await check({ url: `http://${address}`, limits });
    expect(passed).toBe(false);
    expect(step('token')).toMatchObject({ state: 'failed', answered: 'O banco não respondeu a tempo.' });
  });

  test('before the handshake of TLS fails there', async () => {
    const address = await listen(createTcpServer((socket) => socket.on('error', () => {})));
    const { step } = await check({ url: `https://${address}`, limits });
    expect(step('tls')).toMatchObject({ state: 'failed', answered: 'O banco não respondeu a tempo.' });
  });

  test('in all calls but the token ends when the time of the whole check is over', async () => {
    const url = await serve((request, response) => {
      if (request.url === '/oauth/token')
        response.end(JSON.stringify({ access_token: 'token', expires_in: 3600 }));
    });
    const { passed, steps, step } = await check({
      url,
      limits: { responseMs: 400, stepMs: 500, totalMs: 1500 },
    });
    expect(passed).toBe(false);
    expect(step('charge')?.state).toBe('failed');
    expect(steps.at(-1)).toMatchObject({
      state: 'not-run',
      meaning: expect.stringContaining('O tempo da verificação acabou'),
    });
  });

  test('is left when the caller gives up', async () => {
    const { passed, states } = await check({ signal: AbortSignal.abort() });
    expect(passed).toBe(false);
    expect(new Set(Object.values(states))).toEqual(new Set(['not-run']));
  });

  test('has no such name, or nothing listens there', async () => {
    const server = createTcpServer();
    const address = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect((await check({ url: `http://${address}` })).step('token')?.answered).toBe(
      'O servidor não aceitou a conexão.',
    );
    expect((await check({ url: 'https://banco.invalid' })).step('name')).toMatchObject({
      state: 'failed',
      answered: 'O nome do servidor não existe.',
    });
  });

  test('is in a private network, and was entered by an administrator: nothing is sent to it', async () => {
    let visits = 0;
    const address = await listen(
      createTcpServer((socket) => {
        visits += 1;
        socket.destroy();
      }),
    );
    const live = { ...sandbox, mode: 'live' as const };
    for (const host of [
      address,
      address.replace('127.0.0.1', 'localhost'),
      address.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    ]) {
      const { passed, step } = await check({ config: live, bank: known('other'), url: `https://${host}` });
      expect([passed, step('tls')?.answered]).toEqual([
        false,
        'O nome do banco leva a um endereço que não é da internet pública.',
      ]);
    }
    expect(visits).toBe(0);
  });
});

describe('a bank with mutual TLS', () => {
  const server = createSelfSignedCertificate('localhost');
  const stranger = makeStranger();
  let secure: TestBank;
  beforeAll(async () => {
    secure = await startTestBank({ apiTls: { ...server, ca: certificate.cert } });
  });
  afterAll(() => secure.stop());

  function makeStranger() {
    const { cert, key } = createSelfSignedCertificate('estranho.example');
    return { cert: Buffer.from(cert), key: Buffer.from(key) };
  }
  const pinned = { ca: Buffer.from(server.cert) };
  const checkSecure = (
    tls: NonNullable<BankCredentials['tls']>,
    host = 'localhost',
    changes: Partial<BankToCheck> = {},
  ) => check({ url: secure.apiUrl.replace('127.0.0.1', host), sent: { tls }, ...changes });

  test('accepts the certificate, as PEM and as PKCS#12', async () => {
    const { cert, key, pkcs12, password } = certificate;
    for (const tls of [
      { ...pinned, cert, key },
      { ...pinned, pfx: pkcs12, passphrase: password },
    ]) {
      const { passed, step } = await checkSecure(tls);
      expect(passed).toBe(true);
      expect(step('tls')?.answered).toContain('TLSv1.3');
      expect(step('certificate')).toMatchObject({
        state: 'passed',
        answered: expect.stringMatching(/vale até \d\d\//),
      });
    }
  });

  test('warns of a certificate that expires soon, and fails with one that has expired', async () => {
    const { cert, key } = certificate;
    const tls = { ...pinned, cert, key };
    const inDays = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) });
    expect((await checkSecure(tls, 'localhost', inDays(340))).step('certificate')?.state).toBe('warned');
    const expired = await checkSecure(tls, 'localhost', inDays(370));
    expect([expired.passed, expired.step('certificate')?.state]).toEqual([false, 'failed']);
  });

  test('refuses a certificate of somebody else, and a connection without one', async () => {
    const refused = await checkSecure({ ...pinned, ...stranger });
    expect(refused.passed).toBe(false);
    expect(refused.step('tls')?.state).toBe('passed');
    expect(refused.step('certificate')).toMatchObject({
      state: 'failed',
      answered: expect.stringMatching(/certificado/),
    });
    const bare = await checkSecure(pinned, 'localhost', {
      bank: { ...known('sandbox'), certificate: 'required' },
    });
    expect(bare.step('certificate')?.answered).toBe('Não há certificado de cliente.');
  });

  test('is not trusted with a certificate of its own making, or of another name', async () => {
    const { cert, key } = certificate;
    const unknown = await checkSecure({ cert, key });
    expect(unknown.step('tls')).toMatchObject({
      state: 'failed',
      answered: expect.stringContaining('não foi emitido por uma autoridade'),
    });
    const elsewhere = await checkSecure({ ...pinned, cert, key }, '127.0.0.1');
    expect(elsewhere.step('tls')).toMatchObject({
      state: 'failed',
      answered: 'O certificado do servidor é de outro endereço.',
    });
  });
});
