import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createScopedKey } from '@jangada/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { childEnv } from '../../server/test/child-env.ts';
import { waitUntilEventsAreVisible } from '../../server/test/feed.ts';
import { startTestGateway, type TestGateway } from '../../server/test/gateway.ts';
import { type GivenMerchant, givenCharge, givenMerchant, parseSuccess } from '../../server/test/given.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../server/test/webhook-receiver.ts';
import { helpOf, run } from '../src/cli/run.ts';
import { Jangada, verifyWebhook } from '../src/index.ts';
import { buildSdk } from './build-sdk.ts';
import { type LossyProxy, lossyProxy } from './lossy-proxy.ts';

/** The command line, built and started as a program, against a real gateway. `home` replaces the user's home folder. */
const home = mkdtempSync(join(tmpdir(), 'jangada-cli-'));
const program = join(home, 'sdk', 'dist', 'cli', 'main.js');
const configFile = join(home, 'jangada', 'config.json');

let gateway: TestGateway;
let network: LossyProxy;
let merchant: GivenMerchant;
let jangada: Jangada;
const startedProcesses: ChildProcess[] = [];

beforeAll(async () => {
  buildSdk(join(home, 'sdk'));
  gateway = await startTestGateway();
  network = await lossyProxy(gateway.url);
  merchant = await givenMerchant(gateway);
  jangada = new Jangada({ baseUrl: gateway.url, apiKey: merchant.apiKey });
});

afterAll(async () => {
  for (const child of startedProcesses) child.kill('SIGKILL');
  await network.close();
  await gateway.stop();
  rmSync(home, { recursive: true });
});

/** A command that was started. */
type RunningCommand = {
  readonly child: ChildProcess;
  /** The output so far. */
  readonly out: () => string;
  readonly err: () => string;
  readonly code: Promise<number>;
};

function start(args: readonly string[], env: Record<string, string> = {}): RunningCommand {
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...childEnv, HOME: home, XDG_CONFIG_HOME: home, ...env },
  });
  startedProcesses.push(child);
  const written = { out: '', err: '' };
  child.stdout.on('data', (text) => (written.out += text));
  child.stderr.on('data', (text) => (written.err += text));
  const code = once(child, 'close').then(([ended]) => Number(ended));
  return { child, out: () => written.out, err: () => written.err, code };
}

/** Runs a command of the built program with this typed input, and returns its output and exit code. */
async function runCli(
  args: readonly string[],
  { env, input = '' }: { env?: Record<string, string>; input?: string } = {},
) {
  const running = start(args, env);
  running.child.stdin?.end(input);
  return { code: await running.code, out: running.out(), err: running.err() };
}

const credentials = () => ({ JANGADA_URL: gateway.url, JANGADA_API_KEY: merchant.apiKey });
/** Runs a command with the test account's key in its environment, without a login. */
const command = (...args: readonly string[]) => runCli(args, { env: credentials() });

async function keyWith(scopes: readonly string[]): Promise<string> {
  const { token, password } = merchant;
  const request = { name: `Chave ${scopes}`, scopes, password };
  const created = await gateway.api('POST', '/authed/keys', request, { token });
  return parseSuccess(createScopedKey.response, created).apiKey;
}

describe('login', () => {
  test('stores a tested key in a file only its owner can read, and never prints it', async () => {
    const { code, out, err } = await runCli(['login'], { input: `${network.url}\n${merchant.apiKey}\n` });
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain(`Conectado a ${network.url} (sandbox).`);
    expect(out).not.toMatch(/^ {2}não/m);
    expect(out + err).not.toContain(merchant.apiKey);
    expect(statSync(configFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'jangada')).mode & 0o777).toBe(0o700);
    const { profiles } = JSON.parse(readFileSync(configFile, 'utf8'));
    expect(profiles).toEqual({ default: { url: network.url, key: merchant.apiKey } });
  });

  test('reports missing scopes, and stores the key under the given profile', async () => {
    chmodSync(configFile, 0o644);
    const key = await keyWith(['read']);
    const { code, out } = await runCli(['login', '--url', network.url, '--key', key, '--profile', 'leitura']);
    expect(code).toBe(0);
    expect(out.match(/^ {2}(sim|não)/gm)).toEqual(['  sim', '  não', '  não']);
    expect(statSync(configFile).mode & 0o777, 'a file that others could read').toBe(0o600);
    const refused = await runCli(['trigger', 'payment.paid', '--profile', 'leitura']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/escopo Cobranças .*jangada login/),
    });
    expect((await runCli(['logout', '--profile', 'leitura'])).code).toBe(0);
    expect(Object.keys(JSON.parse(readFileSync(configFile, 'utf8')).profiles)).toEqual(['default']);
  });

  test('stores nothing if the key is refused or the address is not a gateway', async () => {
    const before = readFileSync(configFile, 'utf8');
    const bank = gateway.bank.url;
    for (const [url, key, message] of [
      [gateway.url, 'jgd_errada', /Chave de API inválida.*INVALID_API_KEY/s],
      [bank, merchant.apiKey, /não é uma Jangada/],
      ['http://127.0.0.1:1', merchant.apiKey, /Não houve resposta de/],
    ] as const) {
      const result = await runCli(['login', '--url', url, '--key', key]);
      expect(result).toMatchObject({ code: 1, err: expect.stringMatching(message), out: '' });
    }
    const inTheClear = await runCli(['login', '--url', 'http://8.8.8.8', '--key', 'k']);
    expect(inTheClear).toMatchObject({ code: 2, err: expect.stringContaining('Use https') });
    expect(readFileSync(configFile, 'utf8')).toBe(before);
  });

  test('a stored key is never sent to another address', async () => {
    const env = { JANGADA_URL: gateway.url };
    expect(await runCli(['events'], { env })).toMatchObject({
      code: 1,
      err: expect.stringContaining('A chave guardada é de'),
    });
    const elsewhere = { XDG_CONFIG_HOME: join(home, 'nada') };
    expect(await runCli(['events'], { env: elsewhere })).toMatchObject({
      code: 1,
      err: expect.stringContaining('jangada login'),
    });
  });
});

describe('in the sandbox', () => {
  test('trigger really creates, pays, expires, refunds and disputes payments', async () => {
    const paid = await command('trigger', 'payment.paid', '--amount', '300,00', '--external-id', 'pedido-9');
    expect(paid).toMatchObject({ code: 0, err: '' });
    expect(paid.out).toMatch(/^Cobrança de R\$ 300,00: \S+\npayment\.paid {7,}evt_\S+_paid\n$/);
    const { data } = await jangada.payments.list({ external_id: 'pedido-9' });
    expect(data).toMatchObject([{ status: 'paid', amount: 300 }]);
    const triggered = await Promise.all(
      ['payment.expired', 'payment.refunded', 'refund.failed', 'dispute.closed'].map((eventType) =>
        command('trigger', eventType),
      ),
    );
    const printedEvents = triggered.map(({ out }) => out.match(/^\S+\.\S+(?= +evt_)/gm));
    expect(printedEvents, triggered.map(({ err }) => err).join('')).toEqual([
      ['payment.expired'],
      ['payment.paid', 'payment.refunded'],
      ['payment.paid', 'refund.failed'],
      ['payment.paid', 'dispute.opened', 'dispute.closed'],
    ]);
  });

  test('a code, or a charge by its id, is paid once', async () => {
    const [first, second] = [await givenCharge(gateway, merchant), await givenCharge(gateway, merchant)];
    const paid = { code: 0, out: expect.stringMatching(/^Pago: R\$ 100,00 \(E\w+\)\n$/) };
    // Spaces split an unquoted code into several arguments.
    expect(await command('pay', ...first.content.split(' '))).toMatchObject(paid);
    expect(await command('pay', second.id)).toMatchObject(paid);
    expect(await command('pay', first.content)).toMatchObject({
      code: 1,
      err: expect.stringContaining('já foi paga'),
    });
    const counter = await jangada.counterCodes.create({ name: 'Caixa 1' });
    expect(await command('pay', counter.text)).toMatchObject({
      code: 1,
      err: expect.stringContaining('--amount'),
    });
    expect(await command('pay', counter.text, '--amount', '7')).toMatchObject({
      code: 0,
      out: expect.stringContaining('R$ 7,00'),
    });
    const settled = async () => {
      const { data } = await jangada.payments.list({ status: 'paid', limit: 3 });
      return data.map(({ amount }) => amount).sort();
    };
    await expect.poll(settled).toEqual([100, 100, 7]);
  });

  test('nothing is paid on a gateway with real money', async () => {
    const live = createServer((_request, response) => response.end('{"sandbox":false,"bankUrl":null}'));
    live.listen(0, '127.0.0.1');
    await once(live, 'listening');
    const { port } = live.address() as AddressInfo;
    const env = { ...credentials(), JANGADA_URL: `http://127.0.0.1:${port}` };
    for (const args of [
      ['pay', '000201'],
      ['trigger', 'payment.paid'],
    ])
      expect(await runCli(args, { env })).toMatchObject({
        code: 1,
        err: expect.stringContaining('não está em modo sandbox'),
      });
    live.close();
  });
});

describe('events', () => {
  test('can be listed from the end, after an id, by type, one at a time and as JSON', async () => {
    await waitUntilEventsAreVisible(gateway);
    const all = [];
    for await (const event of jangada.events.listAll()) all.push(event);
    const idsIn = (text: string) => text.match(/evt_\S+/g);
    const last = await command('events', '--limit', '3');
    expect(idsIn(last.out)).toEqual(all.slice(-3).map(({ id }) => id));
    const [first] = all;
    const after = await command('events', '--after', first?.id ?? '', '--limit', '2');
    expect(idsIn(after.out)).toEqual(all.slice(1, 3).map(({ id }) => id));
    expect(after.err).toContain(`jangada events --after ${all[2]?.id}`);
    const paid = await command('events', '--type', 'payment.paid', '--json', '--limit', '1');
    expect(JSON.parse(paid.out)).toEqual(all.filter((event) => event.type === 'payment.paid').at(-1));
    expect(JSON.parse((await command('events', 'get', first?.id ?? '')).out)).toEqual(first);
    const unknown = await command('events', '--after', 'evt_nenhum');
    expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('EVENT_CURSOR_UNKNOWN') });
  });
});

describe('listen', () => {
  let receiver: WebhookReceiver;
  /** The statuses of the receiver's next responses; 204 when none is left. */
  let nextStatuses: number[];
  let listening: RunningCommand;

  beforeEach(async () => {
    nextStatuses = [];
    receiver = await startWebhookReceiver((response) => {
      response.writeHead(nextStatuses.shift() ?? 204).end();
    });
  });

  afterEach(async () => {
    listening.child.kill('SIGKILL');
    await receiver.close();
  });

  async function listen(...args: readonly string[]): Promise<void> {
    await waitUntilEventsAreVisible(gateway);
    listening = start(['listen', '--forward-to', `${receiver.url}/webhooks`, ...args]);
    await expect.poll(() => listening.out() + listening.err()).toContain('Ctrl-C encerra');
  }

  const secretOf = ({ out }: RunningCommand) => /whsec_\S+/.exec(out())?.[0] ?? '';
  /** Verifies every received webhook and returns their events. */
  const verified = (secret = secretOf(listening)) =>
    Promise.all(
      receiver.received.map(({ body: payload, headers }) => verifyWebhook({ payload, headers, secret })),
    );

  test('forwards each event as the webhook the gateway would send, and ends with a summary', async () => {
    await listen();
    await command('trigger', 'payment.paid', '--external-id', 'ouvido');
    await expect.poll(() => receiver.received.length).toBe(1);
    const [event] = await verified();
    expect(event).toMatchObject({ type: 'payment.paid', data: { external_id: 'ouvido', amount: 25.9 } });
    expect(event).toEqual({ ...(await jangada.events.get(event?.id ?? '')), created_at: undefined });
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Jangada-Webhook/1',
    });
    await expect.poll(() => listening.out()).toContain(event?.id);
    listening.child.kill('SIGINT');
    expect(await listening.code).toBe(0);
    expect(listening.out()).toMatch(
      new RegExp(`^\\d\\d:\\d\\d:\\d\\d  payment.paid +204 +\\d+ ms  ${event?.id}$`, 'm'),
    );
    expect(listening.out()).toContain(
      `1 evento entregue.\nPara continuar daqui: jangada listen --since ${event?.id}`,
    );
    expect(listening.out() + listening.err()).not.toContain(merchant.apiKey);
    expect((await runCli(['listen', '--print-secret'])).out, 'the same at each run').toBe(
      `${secretOf(listening)}\n`,
    );
  });

  test('retries while the receiver is down, skips an event that the receiver refuses, and can resend that event', async () => {
    await listen('--events', 'payment.paid,dispute.opened', '--print-json');
    const secret = (await runCli(['listen', '--print-secret'])).out.trim();
    nextStatuses.push(503, 500, 204, 400);
    const externalIds = ['caiu', 'recusado', 'depois'];
    for (const externalId of externalIds)
      await command('trigger', 'payment.paid', '--external-id', externalId);
    await command('trigger', 'payment.expired');
    await expect.poll(() => receiver.received.length).toBe(5);
    const orders = (await verified(secret)).map(({ data }) => 'external_id' in data && data.external_id);
    expect(orders).toEqual(['caiu', 'caiu', 'caiu', 'recusado', 'depois']);
    const [, , , refused] = await verified(secret);
    await expect.poll(() => listening.err()).toContain(`jangada events resend ${refused?.id} --forward-to`);
    await expect.poll(() => listening.out().trim().split('\n').length).toBe(3);
    const lines = listening
      .out()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ data }) => data.external_id)).toEqual(externalIds);

    const resendArguments = [
      'events',
      'resend',
      refused?.id ?? '',
      '--forward-to',
      `${receiver.url}/webhooks`,
    ];
    expect(await runCli(resendArguments)).toMatchObject({ code: 0, out: expect.stringContaining('204') });
    expect((await verified(secret)).at(-1)).toEqual(refused);
    nextStatuses.push(410);
    expect(await runCli(resendArguments)).toMatchObject({ code: 1, err: expect.stringContaining('410') });
  });

  test('resumes after an event, across network failures, without missing an event', async () => {
    const { data } = await jangada.events.list({ type: 'payment.paid', limit: 2 });
    const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
    await listen('--since', data[0]?.id ?? '', '--events', 'payment.paid', '--secret', secret);
    expect(listening.out()).not.toContain(secret);
    network.setNextFates('drop', 'lose-answer', 'cut-answer');
    await expect.poll(() => listening.err()).toMatch(/Sem conexão.*Conexão de volta/s);
    const { out } = await command('trigger', 'payment.paid');
    const last = /evt_\S+/.exec(out)?.[0];
    const ids = async () => (await verified(secret)).map(({ id }) => id);
    await expect.poll(async () => (await ids()).at(-1)).toBe(last);
    const all = [];
    for await (const { id } of jangada.events.listAll({ after: data[0]?.id, type: 'payment.paid' }))
      all.push(id);
    expect(await ids()).toEqual(all);
  });
});

describe('doctor', () => {
  test('reports whether a signature verifies, and why not', async () => {
    const shop = await startWebhookReceiver();
    const { content } = await givenCharge(gateway, merchant, { callback_url: `${shop.url}/webhooks` });
    await gateway.bank.pay({ brCode: content });
    await expect.poll(() => shop.received.length).toBe(1);
    const [{ headers, body } = { headers: {}, body: '' }] = shop.received;
    const files = { headers: join(home, 'headers.txt'), body: join(home, 'body.json') };
    writeFileSync(
      files.headers,
      Object.entries(headers)
        .map(([name, value]) => `${name}: ${value}`)
        .join('\n'),
    );
    writeFileSync(files.body, body);
    const doctorArguments = ['doctor', '--headers', files.headers, '--body', files.body] as const;
    expect(await command(...doctorArguments)).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^O webhook passa na verificação/),
    });
    writeFileSync(files.body, `${body} `);
    const changed = await command(...doctorArguments);
    expect(changed).toMatchObject({ code: 1, err: '' });
    expect(changed.out).toMatch(/^O webhook não passa na verificação\.\n {2}\S.*\n {2}\S/);
    await shop.close();
  });
});

describe('a mistyped command', () => {
  test.each<[typed: string, message: RegExp]>([
    ['ouvir', /Não há o comando ouvir/],
    ['listen', /--forward-to http:\/\/localhost/],
    ['listen --forward-to http://8.8.8.8/x', /--allow-public/],
    ['listen --forward-to ftp://localhost/x', /não é um endereço/],
    ['listen --forward-to 4000 --events payment.pago', /Tipos aceitos: payment\.paid/],
    ['listen --forward-to 4000 --secret segredo', /whsec_/],
    ['trigger payment.cancelled', /payment\.paid, payment\.expired/],
    ['trigger payment.paid --amount 1.250', /--amount/],
    ['events --limite 3', /Opção desconhecida: --limite/],
    ['events --limit', /Valor inválido ou ausente na opção --limit/],
    ['events --limit 0', /--limit/],
    ['events get', /jangada events get EVENT_ID/],
    ['pay', /o que pagar/],
    ['doctor', /--headers CABEÇALHOS --body CORPO/],
    ['doctor --headers nenhum.txt --body nenhum.json', /nenhum\.txt não pode ser lido/],
  ])('%s', async (typed, message) => {
    await expect(run(typed.split(' '))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringMatching(message),
    });
  });

  test('a corrupt configuration file is reported by its path', async () => {
    const XDG_CONFIG_HOME = mkdtempSync(join(home, 'spoilt-'));
    await runCli(['listen', '--print-secret'], { env: { XDG_CONFIG_HOME } });
    const file = join(XDG_CONFIG_HOME, 'jangada', 'config.json');
    writeFileSync(file, '{');
    const { code, err } = await runCli(['events'], { env: { XDG_CONFIG_HOME } });
    expect([code, err]).toEqual([1, expect.stringContaining(file)]);
  });

  test('exits with 2; help and version need no gateway, and piped output has no colours', async () => {
    expect(await runCli(['ouvir'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Não há/),
    });
    expect(await runCli(['--version'])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    const { code, out } = await runCli(['help']);
    expect(code).toBe(0);
    for (const name of ['login', 'logout', 'listen', 'trigger', 'pay', 'events']) {
      expect(out).toContain(`jangada ${name}`);
      expect(helpOf(name)).toMatch(new RegExp(`^jangada ${name}`));
    }
  });
});
