import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { childEnv } from '../test/child-env.ts';
import type { GivenMerchant } from '../test/given.ts';
import { WithdrawalStand } from '../test/withdrawal-stand.ts';

const command = fileURLToPath(new URL('payouts-command.ts', import.meta.url));
const dataDir = mkdtempSync(join(tmpdir(), 'jangada-payouts-'));
let stand: WithdrawalStand;
let merchant: GivenMerchant;

beforeAll(async () => {
  stand = await WithdrawalStand.start();
  merchant = await stand.createFundedMerchant(100);
});
afterAll(async () => {
  await stand.gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function runCommand(...args: string[]) {
  const { database, bank } = stand.gateway;
  const env = {
    ...childEnv,
    DATABASE_URL: database.appUrl,
    MIGRATION_DATABASE_URL: database.ownerUrl,
    DATA_DIR: dataDir,
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SANDBOX_PORT: String(bank.port),
  };
  const child = spawn(process.execPath, [command, ...args], { env });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const [code] = await once(child, 'close');
  return { code, lines: output.trim().split('\n') };
}

test('payouts are stopped from the command line beside a running gateway, with a reason', async () => {
  const { id } = await stand.ask(merchant, { amount: 20 });
  expect((await runCommand('status')).lines.slice(0, 2)).toEqual([
    'Os saques estão saindo.',
    'Na fila: 1. Em dúvida: 0.',
  ]);
  const stopped = await runCommand('stop', 'conta', 'em', 'mudança');
  expect(stopped).toMatchObject({ code: 0 });
  expect(stopped.lines[0]).toBe('Os saques estão parados: conta em mudança');
  await stand.sendDueWithdrawals();
  expect(await stand.payoutsOf(id)).toEqual([]);
  const log = stand.deps.db
    .selectFrom('audit_log')
    .select(['actor_id', 'action', 'reason'])
    .orderBy('id', 'desc');
  expect(await log.executeTakeFirst()).toEqual({
    actor_id: 0,
    action: 'payouts stopped',
    reason: 'conta em mudança',
  });
});

test('payouts resume only if the bank balance covers the merchants’ money', async () => {
  const balance = await stand.gateway.bank.balanceCents();
  await stand.gateway.bank.moveMoney('withdrawal', balance);
  const refused = await runCommand('resume', 'pronto');
  expect(refused.code).toBe(1);
  expect(refused.lines).toEqual([
    'O saldo no banco não cobre o dinheiro dos lojistas. Confira a conta antes de voltar a enviar.',
  ]);
  await stand.gateway.bank.moveMoney('deposit', balance);
  const resumed = await runCommand('resume', 'pronto');
  expect(resumed).toMatchObject({ code: 0 });
  expect(resumed.lines[0]).toBe('Os saques estão saindo.');
  expect(resumed.lines[2]).toMatch(/^Saldo no banco: R\$\s100,00 em .*; dos lojistas: R\$\s80,00\.$/);
});

test('any other command line prints the usage', async () => {
  for (const args of [[], ['halt'], ['stop'], ['resume', ' ']]) {
    const { code, lines } = await runCommand(...args);
    expect([code, lines]).toEqual([1, ['Use: npm run payouts -- status | stop "motivo" | resume "motivo"']]);
  }
});
