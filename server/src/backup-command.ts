// npm run backup -- FOLDER | npm run restore -- FOLDER
// Saves a consistent snapshot of the database, and the files, to a new folder while the gateway runs; or restores such
// a backup into an empty database. The master key is not included: keep it separately.

import { resolve } from 'node:path';
import { restoreBackup, takeBackup } from './backup/index.ts';
import { machineClock } from './clock.ts';
import { readConfig } from './config.ts';
import { joinDatabase, joinExistingDatabase } from './db/open-database.ts';
import { runCommand, UsageError } from './run-command.ts';

// `npm run backup` passes the command `take`.
const usage = 'Use: npm run backup -- FOLDER, or npm run restore -- FOLDER';

async function main([command, folder]: readonly string[]): Promise<void> {
  if (!['take', 'restore'].includes(command ?? '') || folder === undefined) throw new UsageError(usage);
  const config = readConfig(process.env);
  if (command === 'take') {
    const database = await joinExistingDatabase(config);
    const backup = takeBackup({
      config,
      ownerUrl: database.ownerUrl,
      into: resolve(folder),
      now: machineClock.now(),
    });
    printSummary('Kept', await backup.finally(() => database.close()));
    return;
  }
  const { ownerUrl, appRole, close } = await joinDatabase(config);
  const restore = restoreBackup({
    config,
    database: appRole === undefined ? { ownerUrl } : { ownerUrl, appRole },
    from: resolve(folder),
  });
  printSummary('Restored', await restore.finally(() => close()));
  console.log(
    'Payouts are stopped. Run ledger:verify and audit:verify, let reconciliation run, then resume them.',
  );
}

type BackupContents = Awaited<ReturnType<typeof takeBackup>>;

function printSummary(action: string, { tables, files, takenAt }: BackupContents): void {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const filesText = files === null ? 'the files are in the bucket' : `${files.length} files`;
  console.log(`${action}: ${rows} rows in ${tables.length} tables and ${filesText}, as of ${takenAt}.`);
}

await runCommand(() => main(process.argv.slice(2)));
