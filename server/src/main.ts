import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { readConfig, WrongSetting } from './config.ts';
import { DatabaseInUse } from './db/embedded.ts';
import { MigrationMismatch } from './db/migrate.ts';
import { createLogger, type LogFormat } from './log.ts';
import { ForeignWebhook } from './psp/index.ts';
import { type Gateway, startGateway } from './start-gateway.ts';

class DatabaseLost extends Error {
  override name = 'DatabaseLost';
}

const pages = fileURLToPath(new URL('../../web/dist', import.meta.url));
let format: LogFormat = process.stdout.isTTY ? 'text' : 'json';

async function main(): Promise<void> {
  const asked = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) onSignal(signal, asked.resolve);
  const config = readConfig(process.env);
  format = config.log ?? format;
  const log = createLogger(format);
  const gateway = await startGateway({ config, log, ...(existsSync(pages) && { pages }) });
  announce(gateway);
  await Promise.race([asked.promise, endWithDatabase(gateway, log)]);
  await gateway.stop();
}

/** Ends the process: its supervisor restarts it together with PostgreSQL, which recovers everything committed. */
async function endWithDatabase(
  { databaseLost = new Promise(() => {}) }: Gateway,
  log: Logger,
): Promise<never> {
  await databaseLost;
  log.fatal('PostgreSQL has ended by itself');
  throw new DatabaseLost('O PostgreSQL do gateway terminou sozinho: veja postgres/server.log em DATA_DIR');
}

/** The first signal asks for a graceful shutdown; the second exits at once, and the next start recovers. */
function onSignal(signal: NodeJS.Signals, ask: () => void): void {
  let asked = false;
  process.on(signal, () => {
    if (asked) process.exit(130);
    asked = true;
    ask();
  });
}

function announce({ deps: { config }, demoAccounts }: Gateway): void {
  const lines = [
    `Jangada: ${config.publicUrl}`,
    ...(config.bankUrl === undefined ? [] : [`Banco Sandbox: ${config.bankUrl}`]),
    ...demoAccounts.map(({ username, password }) => `Conta de demonstração: ${username} / ${password}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const expected = [WrongSetting, MigrationMismatch, ForeignWebhook, DatabaseInUse, DatabaseLost].some(
    (kind) => error instanceof kind,
  );
  process.stderr.write(`${expected && error instanceof Error ? error.message : inFull(error)}\n`);
  process.exit(1);
}

/** In text format only the message and a hint: to report an error, restart with LOG=json. */
function inFull(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return format === 'text' ? `${error.message} (LOG=json mostra onde)` : (error.stack ?? error.message);
}
