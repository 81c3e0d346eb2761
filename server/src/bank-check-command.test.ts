import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../test/child-env.ts';
import { startTestGateway, type TestGateway } from '../test/gateway.ts';
import { givenMerchant } from '../test/given.ts';
import { givenConnection } from '../test/given-connection.ts';
import { ensureNoticeUrl } from './psp/index.ts';

const command = fileURLToPath(new URL('bank-check-command.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'jangada-bank-check-'));
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(async () => {
  await gateway.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function runCommand(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { database, bank } = gateway;
  const env = {
    ...childEnv,
    DATABASE_URL: database.appUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    DATA_DIR: folder,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SANDBOX_PORT: String(bank.port),
    PUBLIC_URL: gateway.url,
    ...more,
  };
  const child = spawn(process.execPath, [command, ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}

test('the operator’s own account is checked beside a running gateway, and the report keeps what was found', async () => {
  const report = join(folder, 'relatorio.md');
  const { code, output } = await runCommand(['--report', report]);
  expect(output).toContain('ok      O banco aceita as credenciais. O banco deu um token.');
  expect(output).toContain('A conta pode ser usada.');
  expect(code).toBe(0);
  const text = readFileSync(report, 'utf8');
  expect(text).toContain('# API Pix: conformidade de Banco Sandbox');
  expect(text).toContain(`por Jangada ${gateway.deps.config.version}, em 127.0.0.1:${gateway.bank.port}.`);
  expect(text).toMatch(
    /## 4\. O banco aceita as credenciais: passou\n\n- Perguntado: .+\n- Respondido: .+\n- Significa: /,
  );
  for (const secret of [gateway.bank.clientSecret, gateway.deps.config.pixKey, '/psp/'])
    expect(text + output).not.toContain(secret);
  // The bank still sends its notices to the running gateway.
  const { noticesUrl } = gateway;
  await ensureNoticeUrl({ ...gateway.deps, config: { ...gateway.deps.config, noticesUrl } });
});

test('an account that cannot be used says which step failed, and where it is mended', async () => {
  const { code, output } = await runCommand(['1'], { PSP_CLIENT_SECRET: 'outro-segredo' });
  expect(code).toBe(1);
  expect(output).toContain('FALHOU  O banco aceita as credenciais. O banco respondeu 401');
  expect(output).toContain('A conta não pode ser usada.');
  expect(output).not.toContain('outro-segredo');
});

test('an account of a merchant’s own is checked with its stored credentials', async () => {
  const merchant = await givenMerchant(gateway);
  const { id, account } = await givenConnection(gateway, merchant);
  const { code, output } = await runCommand([String(id)], { PUBLIC_URL: gateway.deps.config.publicUrl });
  expect(output).toContain('A conta pode ser usada.');
  expect(code).toBe(0);
  expect(output).not.toContain(account.clientSecret);
});

test('an account that does not exist is named, and any other command line prints the usage', async () => {
  expect(await runCommand(['999'])).toEqual({ code: 1, output: 'Não há uma conta 999.\n' });
  for (const args of [['conta'], ['1', '2'], ['--relatorio', 'x'], ['--report']])
    expect(await runCommand(args)).toEqual({
      code: 1,
      output: 'Use: npm run bank:check -- [número da conta] [--report arquivo]\n',
    });
});
