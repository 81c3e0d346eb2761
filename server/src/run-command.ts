import { machineClock } from './clock.ts';
import { type Config, InvalidSetting, readConfig } from './config.ts';
import { migrate } from './db/migrate.ts';
import { joinDatabase, joinExistingDatabase } from './db/open-database.ts';
import { createDb, createPool, type Db } from './db/pool.ts';
import { inTransaction, type TxWithSecrets } from './db/transaction.ts';
import { loadSecrets, saveVerification, type Verification } from './gateway/index.ts';
import { Refusal } from './refusal.ts';

/** Thrown for an invalid command line; the message is one line with the reason. */
export class UsageError extends Error {}

/** Runs an operator command. Invalid usage or a refusal prints one line and exits with code 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const isExpected = [InvalidSetting, UsageError, Refusal].some((kind) => error instanceof kind);
    process.stderr.write(`${isExpected && error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/**
 * Migrates the gateway's database and runs `work` in one transaction on it, with or without a running gateway: as the
 * role that the gateway runs as, or as the owner of the tables.
 */
export async function changeDatabase(
  work: (tx: TxWithSecrets) => Promise<unknown>,
  { as = 'app' }: { readonly as?: 'app' | 'owner' } = {},
): Promise<void> {
  const config = readConfig(process.env);
  const database = await joinDatabase(config);
  const { ownerUrl, appUrl, appRole } = database;
  await migrate(appRole === undefined ? { ownerUrl } : { ownerUrl, appRole });
  const db = createDb(createPool({ url: as === 'owner' ? ownerUrl : appUrl, max: 1 }));
  try {
    const secrets = await loadSecrets(config, db);
    await inTransaction({ db, clock: machineClock, secrets }, work);
  } finally {
    await db.destroy();
    await database.close();
  }
}

/**
 * Runs a verification command. `verify` prints its findings and returns whether all is right. Exit code: 0 if all is
 * right, 1 if something is wrong, 2 (with one line) if it could not verify. Never creates a database.
 */
export async function runVerification(
  what: Verification['subject'],
  verify: (db: Db, config: Config) => Promise<boolean>,
): Promise<void> {
  try {
    process.exitCode = (await verifyDatabase(what, verify)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof InvalidSetting ? error.message : String(error));
    process.exitCode = 2;
  }
}

async function verifyDatabase(
  what: Verification['subject'],
  verify: (db: Db, config: Config) => Promise<boolean>,
): Promise<boolean> {
  const config = readConfig(process.env);
  const database = await joinExistingDatabase(config);
  const db = createDb(createPool({ url: database.ownerUrl, max: 1, statementTimeoutMs: 0 }));
  try {
    const ok = await verify(db, config);
    // Verification also works on a machine without the data directory; then the result is not recorded.
    await saveVerification(config.dataDir, { subject: what, at: machineClock.now(), ok }).catch(() => {});
    return ok;
  } finally {
    await db.destroy();
    await database.close();
  }
}
