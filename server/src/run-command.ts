import { machineClock } from './clock.ts';
import { type Config, readConfig, WrongSetting } from './config.ts';
import { migrate } from './db/migrate.ts';
import { joinDatabase, joinExisting } from './db/open-database.ts';
import { createDb, createPool, type Db } from './db/pool.ts';
import { inTransaction, type KeyedTx } from './db/transaction.ts';
import { keepVerification, openSecrets, type Verification } from './gateway/index.ts';
import { Refusal } from './refusal.ts';

/** What was asked for on the command line makes no sense: the message is one line that says why. */
export class UsageError extends Error {}

/** Runs a command of the operator. What was asked for wrongly, or is refused, ends it with that one line, and code 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    const expected = [WrongSetting, UsageError, Refusal].some((kind) => error instanceof kind);
    process.stderr.write(`${expected && error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}

/** Does `work` in one transaction on the gateway's database, migrated, beside a running gateway or without one. */
export async function changeDatabase(work: (tx: KeyedTx) => Promise<unknown>): Promise<void> {
  const config = readConfig(process.env);
  const database = await joinDatabase(config);
  const { ownerUrl, appUrl, appRole } = database;
  await migrate(appRole === undefined ? { ownerUrl } : { ownerUrl, appRole });
  const db = createDb(createPool({ url: appUrl, max: 1 }));
  try {
    const secrets = await openSecrets(config, db);
    await inTransaction({ db, clock: machineClock, secrets }, work);
  } finally {
    await db.destroy();
    await database.close();
  }
}

/**
 * Runs a command that verifies what the database keeps, and says what it found: ends with 0 when all is right, with 1 when
 * something is not, and with 2 and one line when it could not be verified. Makes no database.
 */
export async function runVerification(
  what: Verification['what'],
  isRight: (db: Db, config: Config) => Promise<boolean>,
): Promise<void> {
  try {
    process.exitCode = (await verifyDatabase(what, isRight)) ? 0 : 1;
  } catch (error) {
    console.error(error instanceof WrongSetting ? error.message : String(error));
    process.exitCode = 2;
  }
}

async function verifyDatabase(
  what: Verification['what'],
  isRight: (db: Db, config: Config) => Promise<boolean>,
): Promise<boolean> {
  const config = readConfig(process.env);
  const database = await joinExisting(config);
  const db = createDb(createPool({ url: database.ownerUrl, max: 1, statementTimeoutMs: 0 }));
  try {
    const ok = await isRight(db, config);
    // Who verifies from a machine without the data directory still verifies.
    await keepVerification(config.dataDir, { what, at: machineClock.now(), ok }).catch(() => {});
    return ok;
  } finally {
    await db.destroy();
    await database.close();
  }
}
