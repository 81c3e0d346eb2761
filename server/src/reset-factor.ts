// npm run admin:reset-factor -- --username NAME
// Takes the second factors from an account whose owner lost them, ends its sessions and holds its withdrawals for a day: the operator knows by other
// means who asks. It stands in the audit log, and the owner is told. Works beside a running gateway, and without one.
import { parseArgs } from 'node:util';
import { resetFactor } from './accounts/index.ts';
import { machineClock } from './clock.ts';
import { readConfig, WrongSetting } from './config.ts';
import { migrate } from './db/migrate.ts';
import { joinDatabase } from './db/open-database.ts';
import { createDb, createPool } from './db/pool.ts';
import { inTransaction } from './db/transaction.ts';
import { openSecrets } from './gateway/index.ts';
import { Refusal } from './refusal.ts';

/** What was asked for names no account: the message is one line that says why. */
class WrongAnswer extends Error {}

async function main(): Promise<void> {
  const username = readUsername();
  const config = readConfig(process.env);
  const database = await joinDatabase(config);
  const { ownerUrl, appUrl, appRole } = database;
  await migrate(appRole === undefined ? { ownerUrl } : { ownerUrl, appRole });
  const db = createDb(createPool({ url: appUrl, max: 1 }));
  try {
    const secrets = await openSecrets(config, db);
    await inTransaction({ db, clock: machineClock, secrets }, (tx) => resetFactor(tx, username));
  } finally {
    await db.destroy();
    await database.close();
  }
  process.stdout.write(
    `Segundo fator de ${username} removido. As sessões foram encerradas, e os saques estão suspensos por 24 horas.\n`,
  );
}

function readUsername(): string {
  try {
    const { values } = parseArgs({ options: { username: { type: 'string' } } });
    if (values.username) return values.username;
  } catch {
    // Said below: what stands on the line is not what is asked for.
  }
  throw new WrongAnswer('Use --username NOME.');
}

try {
  await main();
} catch (error) {
  const expected = [WrongSetting, WrongAnswer, Refusal].some((kind) => error instanceof kind);
  process.stderr.write(`${expected && error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
