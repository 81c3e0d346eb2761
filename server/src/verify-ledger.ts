// npm run ledger:verify: recomputes the books and names every difference. Ends with 0 when there is none.
import { readConfig, WrongSetting } from './config.ts';
import { joinDatabase } from './db/open-database.ts';
import { createDb, createPool } from './db/pool.ts';
import { auditLedger } from './ledger/index.ts';

async function main(): Promise<number> {
  const database = await joinDatabase(readConfig(process.env));
  const db = createDb(createPool({ url: database.ownerUrl, max: 1, statementTimeoutMs: 0 }));
  try {
    const differences = await auditLedger(db);
    for (const { check, merchantId, detail } of differences) {
      console.log(`DIFFERENCE · merchant ${merchantId} · ${check} · ${detail}`);
    }
    console.log(
      differences.length === 0
        ? 'The books are right.'
        : `${differences.length} differences: the books are not right.`,
    );
    return differences.length === 0 ? 0 : 1;
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
