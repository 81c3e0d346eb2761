// npm run bank:check -- [CONNECTION] [--report FILE]
// Checks an account at a bank and prints each step as it goes: the operator's own account (1), or one of a merchant's own.
// Exits with 0 if the account can be used, with 1 if not.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { CheckStep } from '@jangada/contract';
import type { Clock } from './clock.ts';
import { type Config, readConfig } from './config.ts';
import {
  type BankToCheck,
  bankToCheck,
  checkBank,
  formatConformanceReport,
  selectConnection,
} from './connections/index.ts';
import { joinExistingDatabase } from './db/open-database.ts';
import { createDb, createPool, type Db } from './db/pool.ts';
import { loadSecrets } from './gateway/index.ts';
import { callbacksOf, findKnownBank, HOUSE_CONNECTION, houseBank, noticeUrl } from './psp/index.ts';
import { runCommand, UsageError } from './run-command.ts';
import type { Secrets } from './secrets.ts';
import { clockOfCommand } from './sync-sandbox-clock.ts';

const usage = 'Use: npm run bank:check -- [número da conta] [--report arquivo]';

async function main(args: readonly string[]): Promise<void> {
  const { connectionId, report } = readArguments(args);
  const config = readConfig(process.env);
  const database = await joinExistingDatabase(config);
  const db = createDb(createPool({ url: database.appUrl, max: 2 }));
  try {
    const clock = await clockOfCommand(config);
    const account = await findAccount(
      { config, db, clock, secrets: await loadSecrets(config, db) },
      connectionId,
    );
    const { passed, steps } = await checkBank(account, printEndedSteps());
    process.stdout.write(passed ? '\nA conta pode ser usada.\n' : '\nA conta não pode ser usada.\n');
    if (report !== undefined) {
      const { baseUrl, tokenUrl } = account.psp;
      const hosts = [...new Set([baseUrl, tokenUrl].map((url) => new URL(url).host))];
      const { version } = config;
      const text = { version, bank: account.bank.name, hosts, at: clock.now(), passed, steps };
      writeFileSync(report, formatConformanceReport(text));
      process.stdout.write(`Relatório: ${report}\n`);
    }
    if (!passed) process.exitCode = 1;
  } finally {
    await db.destroy();
    await database.close();
  }
}

function readArguments(args: readonly string[]): { connectionId: number; report: string | undefined } {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { report: { type: 'string' } },
      allowPositionals: true,
    });
    const [number = String(HOUSE_CONNECTION), ...more] = positionals;
    if (more.length > 0 || !/^[1-9]\d{0,8}$/.test(number) || values.report === '')
      throw new UsageError(usage);
    return { connectionId: Number(number), report: values.report };
  } catch {
    throw new UsageError(usage);
  }
}

type CommandDeps = {
  readonly config: Config;
  readonly db: Db;
  readonly clock: Clock;
  readonly secrets: Secrets;
};

async function findAccount(deps: CommandDeps, connectionId: number): Promise<BankToCheck> {
  if (connectionId === HOUSE_CONNECTION) return houseAccount(deps);
  const row = await selectConnection(deps.db, connectionId);
  if (row === undefined) throw new UsageError(`Não há uma conta ${connectionId}.`);
  if (row.sealed_key === null || row.sealed_credentials === null)
    throw new UsageError(`As credenciais da conta ${connectionId} foram apagadas.`);
  if (findKnownBank(deps.config, row.bank)?.addresses === undefined && row.api_url === null)
    throw new UsageError(`Faltam os endereços do banco da conta ${connectionId}.`);
  return bankToCheck(deps, row);
}

/** The operator's own account, as the settings have it. */
function houseAccount({ config, clock, secrets }: CommandDeps): BankToCheck {
  const { psp, pixKey } = config;
  const connection = { id: HOUSE_CONNECTION, pixKey };
  return {
    config,
    bank: houseBank(config),
    psp,
    pixKey,
    noticeUrl: noticeUrl({ config, secrets, connection, callbacks: callbacksOf(psp) }),
    now: clock.now,
  };
}

const marks: Readonly<Partial<Record<CheckStep['state'], string>>> = {
  passed: 'ok      ',
  warned: 'atenção ',
  failed: 'FALHOU  ',
  skipped: '–       ',
};

/** Prints each step once, when it has ended. */
function printEndedSteps(): (steps: readonly CheckStep[]) => Promise<void> {
  const printed = new Set<string>();
  return async (steps) => {
    for (const { id, state, title, answered, meaning } of steps) {
      const mark = marks[state];
      if (mark === undefined || printed.has(id)) continue;
      printed.add(id);
      const explanation = state === 'passed' ? [answered] : [answered, meaning];
      const words = explanation.filter((part) => part !== '').join(' ');
      process.stdout.write(`${mark}${title}. ${words}\n`);
    }
  };
}

await runCommand(() => main(process.argv.slice(2)));
