// npm run audit:verify: recomputes the chain of the audit log, and names every entry that was changed, removed, added,
// moved or cut off. Ends with 0 when there is none.
import { readKeptEnd, verifyChain } from './audit/index.ts';
import { readConfig, WrongSetting } from './config.ts';
import { joinDatabase } from './db/open-database.ts';
import { createDb, createPool } from './db/pool.ts';
import { openSecrets } from './gateway/index.ts';

async function main(): Promise<number> {
  const config = readConfig(process.env);
  const database = await joinDatabase(config);
  const db = createDb(createPool({ url: database.ownerUrl, max: 1, statementTimeoutMs: 0 }));
  try {
    const secrets = await openSecrets(config, db);
    const kept = await readKeptEnd(config);
    const { entries, findings } = await verifyChain({ db, secrets }, kept);
    for (const { is, detail } of findings) console.log(`${is.toUpperCase()} · ${detail}`);
    console.log(
      findings.length === 0
        ? `The audit log is whole: ${entries} entries.`
        : `The audit log is not as it was written: ${findings.length} findings, the first at the top.`,
    );
    return findings.length === 0 ? 0 : 1;
  } finally {
    await db.destroy();
    await database.close();
  }
}

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof WrongSetting)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
