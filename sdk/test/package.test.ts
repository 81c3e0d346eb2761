import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { webhookSecret } from '@jangada/contract';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findFreePort } from '../../server/test/free-port.ts';
import { startTestGateway, type TestGateway } from '../../server/test/gateway.ts';
import { type GivenMerchant, givenMerchant, parseSuccess } from '../../server/test/given.ts';

const run = promisify(execFile);
const workspace = fileURLToPath(new URL('..', import.meta.url));
const bin = fileURLToPath(new URL('../../node_modules/.bin', import.meta.url));
// npm and its child processes must use this repository's Node.
const env = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) };

/** An integrator's project that contains only the packed client. */
const project = mkdtempSync(join(tmpdir(), 'jangada-sdk-'));
let packedFiles: readonly string[];

beforeAll(async () => {
  // An npm configured with ignore-scripts would skip prepack, so the build is run explicitly.
  await run('npm', ['run', 'build'], { cwd: workspace, env });
  const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project];
  const { stdout } = await run('npm', pack, { cwd: workspace, env });
  const report = z.array(z.object({ filename: z.string(), files: z.array(z.object({ path: z.string() })) }));
  const [archive] = report.parse(JSON.parse(stdout));
  packedFiles = archive?.files.map(({ path }) => path) ?? [];
  writeFileSync(join(project, 'package.json'), '{"type": "module", "private": true}');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', './jangada-sdk-0.1.0.tgz'], {
    cwd: project,
    env,
  });
});

afterAll(() => rmSync(project, { recursive: true }));

test('the package contains the build, README and licence, and has no dependencies', async () => {
  const modules = packedFiles.filter((path) => path.startsWith('dist/'));
  expect(modules).toEqual(
    expect.arrayContaining(['dist/index.js', 'dist/index.d.ts', 'dist/webhooks.js', 'dist/cli/main.js']),
  );
  expect(packedFiles.filter((path) => !/^dist\/(cli\/)?[a-z-]+\.(js|d\.ts)$/.test(path)).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);
  expect(modules.filter((path) => path.includes('test'))).toEqual([]);
  const installed = readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'));
  expect([installed, readdirSync(join(project, 'node_modules', '@jangada'))]).toEqual([
    ['@jangada'],
    ['sdk'],
  ]);
});

test('the package includes the command line', async () => {
  const { stdout } = await run(process.execPath, [join(project, 'node_modules', '.bin', 'jangada'), 'help'], {
    env,
  });
  expect(stdout).toMatch(/^jangada: .*jangada listen/s);
});

test('the package’s types compile in a strict project with no other dependencies', async () => {
  writeFileSync(join(project, 'sample.ts'), sample);
  const readme = [...samples()].filter(([name]) => name.endsWith('.ts'));
  expect(readme).not.toEqual([]);
  for (const [name, text] of readme) writeFileSync(join(project, name), text);
  const files = ['sample.ts', ...readme.map(([name]) => name)];
  const strict = ['--strict', '--noEmit', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const checked = [['nodenext'], ['esnext', '--moduleResolution', 'bundler']].map((module) => {
    const options = ['--module', ...module, '--target', 'es2022', '--lib', 'es2022,dom', '--types', ''];
    return run(join(bin, 'tsc'), [...strict, ...options, ...files], { cwd: project, env });
  });
  for (const { stdout } of await Promise.all(checked)) expect(stdout).toBe('');
});

const sample = `
import { type ErrorCode, Jangada, JangadaError, type NewPayment, verifyWebhook } from '@jangada/sdk';
import { verifyWebhook as same } from '@jangada/sdk/webhooks';

const jangada = new Jangada({ baseUrl: 'https://pix.example.com', apiKey: 'k' });
const wanted: NewPayment = { amount: 25.9, metadata: { loja: 'centro' } };

export async function take(request: Request): Promise<string> {
  const event = await verifyWebhook({ payload: await request.text(), headers: request.headers, secret: ['a', 'b'] });
  if (event.type === 'refund.failed') return event.data.refund.error;
  if (event.type === 'webhook.test') return event.data.message;
  return event.id;
}

export async function charge(): Promise<ErrorCode | string> {
  try {
    const payment = await jangada.payments.create(wanted, { idempotencyKey: 'pedido-1' });
    const status: 'pending' | 'paid' | 'expired' | 'refunded' | 'error' = payment.status;
    for await (const { payer } of jangada.payments.listAll({ status })) if (payer?.name) return payer.name;
    return payment.content;
  } catch (error) {
    if (error instanceof JangadaError && error.code === 'AMOUNT_TOO_SMALL') return error.message;
    throw error;
  }
}

export const identical: typeof verifyWebhook = same;
`;

describe('for a browser', () => {
  async function bundle(entry: string): Promise<{ readonly code: string; readonly kilobytes: number }> {
    const input = join(project, entry);
    const built = await rolldown({ input, platform: 'browser', cwd: project });
    const { output } = await built.generate({ format: 'esm', minify: true });
    const [{ code, imports }] = output;
    expect(imports).toEqual([]);
    return { code, kilobytes: gzipSync(code, { level: 9 }).length / 1000 };
  }

  test('the package bundles without Node modules, into a few kilobytes', async () => {
    mkdirSync(join(project, 'pages'));
    writeFileSync(join(project, 'pages', 'all.js'), "export * from '@jangada/sdk';");
    writeFileSync(join(project, 'pages', 'webhooks.js'), "export { verifyWebhook } from '@jangada/sdk';");
    const [all, webhooks] = await Promise.all([bundle('pages/all.js'), bundle('pages/webhooks.js')]);
    expect(all.code).not.toMatch(/node:|\brequire\(|\bprocess\b|\bBuffer\b/);
    expect(all.kilobytes).toBeLessThan(6);
    // Code that only verifies webhooks must not bundle the client.
    expect(webhooks.kilobytes).toBeLessThan(all.kilobytes / 2);
  });
});

/** The README's samples, by the file name in their first line. */
function samples(): Map<string, string> {
  const readme = readFileSync(join(workspace, 'README.md'), 'utf8');
  const blocks = readme.matchAll(/```(?:js|ts)\n(\/\/ (\S+)\n[\s\S]*?)```/g);
  return new Map([...blocks].map(([, text = '', name = '']) => [name, text]));
}

describe('the README', () => {
  let gateway: TestGateway;
  let merchant: GivenMerchant;
  let settings: Record<string, string>;
  const startedPrograms: ChildProcess[] = [];

  beforeAll(async () => {
    gateway = await startTestGateway();
    merchant = await givenMerchant(gateway);
    const { token } = merchant;
    const { secret } = parseSuccess(
      webhookSecret.response,
      await gateway.api('GET', '/authed/webhook-secret', undefined, { token }),
    );
    settings = {
      JANGADA_URL: gateway.url,
      JANGADA_API_KEY: merchant.apiKey,
      WEBHOOK_SECRET: secret ?? '',
      SANDBOX_URL: gateway.bank.url,
    };
    for (const [name, text] of samples()) writeFileSync(join(project, name), text);
  });

  afterAll(async () => {
    for (const child of startedPrograms) child.kill();
    await gateway.stop();
  });

  const node = async (...args: readonly string[]) => {
    const { stdout } = await run(process.execPath, args, { cwd: project, env: { ...env, ...settings } });
    return stdout.trim().split('\n');
  };

  /** Starts a long-running program of the README and returns its output line by line. */
  function start(program: string, more: Record<string, string> = {}): AsyncIterator<string> {
    const child = spawn(process.execPath, [program], {
      cwd: project,
      env: { ...env, ...settings, ...more },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    startedPrograms.push(child);
    return createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  test('leads from an empty project to a paid order reported by a verified webhook', async () => {
    const port = await findFreePort();
    settings['WEBHOOK_URL'] = `http://localhost:${port}/pix`;
    const shop = start('servidor.mjs', { PORT: `${port}` });
    await expect
      .poll(() => fetch(settings['WEBHOOK_URL'] ?? '', { method: 'POST' }).catch(() => {}))
      .toMatchObject({
        status: 400,
      });
    const [id = '', code = ''] = await node('cobrar.mjs');
    expect(await node('cobrar.mjs'), 'the same order is charged once').toEqual([id, code]);
    expect((await node('pagar.mjs', code)).join(' ')).toMatch(/^201 /);
    expect((await shop.next()).value).toBe('Pago: entregar pedido-1042');

    expect(await node('listar.mjs')).toEqual([`${id} pedido-1042 25.9`, '2590 centavos']);
    expect(await node('estornar.mjs', id)).toEqual(['processing']);
    const feed = start('seguir.mjs');
    expect((await feed.next()).value).toMatch(/^evt_\S+ payment\.paid$/);
    expect((await feed.next()).value).toMatch(/^evt_\S+ payment\.refunded$/);
    await expect.poll(() => readFileSync(join(project, 'ultimo-evento.txt'), 'utf8')).toMatch(/_refund/);
  });

  test('contains only samples that these tests run', () => {
    expect([...samples().keys()].toSorted()).toEqual([
      'cobrar.mjs',
      'estornar.mjs',
      'listar.mjs',
      'pagar.mjs',
      'seguir.mjs',
      'servidor.mjs',
      'tratar.ts',
      'worker.mjs',
    ]);
  });

  test('receives a webhook in a worker', async () => {
    const script = `
      import worker from './worker.mjs';
      import { signWebhook } from '@jangada/sdk';
      const payload = '{"type":"payment.paid"}';
      const secret = process.env.WEBHOOK_SECRET;
      const deliver = (headers) => worker.fetch(
        new Request('https://loja.example/w', { method: 'POST', headers, body: payload }), { WEBHOOK_SECRET: secret });
      const genuine = await deliver(await signWebhook({ payload, secret, id: 'evt_1' }));
      const forged = await deliver({});
      console.log(await genuine.text(), forged.status);`;
    expect(await node('--input-type=module', '--eval', script)).toEqual(['payment.paid 400']);
  });
});
