import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { InvalidSetting, readConfig } from './config.ts';
import { DatabaseInUse } from './db/embedded.ts';
import { MigrationMismatch } from './db/migrate.ts';
import { isDatabaseOutage } from './db/outage.ts';
import { createLogger, type LogFormat } from './log.ts';
import { ForeignWebhook } from './psp/index.ts';
import { type Gateway, startGateway } from './start-gateway.ts';

/** Thrown when the gateway's own PostgreSQL has ended unexpectedly. */
class DatabaseLost extends Error {
  override name = 'DatabaseLost';
}

/** The folder of the built dashboard; missing if it was not built. */
const dashboardFolder = fileURLToPath(new URL('../../web/dist', import.meta.url));
// The format for errors that occur before the settings are read. The setting LOG then replaces it.
let format: LogFormat = process.stdout.isTTY ? 'text' : 'json';

async function main(): Promise<void> {
  const stopRequest = Promise.withResolvers<void>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) onSignal(signal, stopRequest.resolve);
  const config = readConfig(process.env);
  format = config.log ?? format;
  const log = createLogger(format);
  const gateway = await startGateway({
    config,
    log,
    ...(existsSync(dashboardFolder) && { pages: dashboardFolder }),
  });
  printAddresses(gateway);
  await Promise.race([stopRequest.promise, throwWhenDatabaseEnds(gateway, log)]);
  await gateway.stop();
}

/**
 * Throws when the gateway's own PostgreSQL has ended, so that this process ends too. Its supervisor then restarts the
 * process, which starts PostgreSQL again, and PostgreSQL recovers everything that was committed.
 */
async function throwWhenDatabaseEnds(
  { databaseLost = new Promise(() => {}) }: Gateway,
  log: Logger,
): Promise<never> {
  await databaseLost;
  log.fatal('PostgreSQL has ended by itself');
  throw new DatabaseLost('O PostgreSQL do gateway terminou sozinho: veja postgres/server.log em DATA_DIR');
}

/** The first signal asks for a graceful shutdown. The second ends the process immediately; the next start recovers. */
function onSignal(signal: NodeJS.Signals, requestStop: () => void): void {
  let isStopRequested = false;
  process.on(signal, () => {
    if (isStopRequested) process.exit(130);
    isStopRequested = true;
    requestStop();
  });
}

function printAddresses({ deps: { config }, demoAccounts }: Gateway): void {
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
  const isExpected =
    isDatabaseOutage(error) ||
    [InvalidSetting, MigrationMismatch, ForeignWebhook, DatabaseInUse, DatabaseLost].some(
      (kind) => error instanceof kind,
    );
  process.stderr.write(`${isExpected && error instanceof Error ? error.message : describeDefect(error)}\n`);
  process.exit(1);
}

/** The text format shows only the message and a hint; a restart with LOG=json shows where the defect arose. */
function describeDefect(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return format === 'text' ? `${error.message} (LOG=json mostra onde)` : (error.stack ?? error.message);
}
