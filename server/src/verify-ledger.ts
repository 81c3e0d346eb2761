// npm run ledger:verify: recomputes the books and reports every discrepancy. Exits with 0 if there is none.
import { auditLedger } from './ledger/index.ts';
import { runVerification } from './run-command.ts';

await runVerification('ledger', async (db) => {
  const differences = await auditLedger(db);
  for (const { check, merchantId, detail } of differences) {
    console.log(`DIFFERENCE · merchant ${merchantId} · ${check} · ${detail}`);
  }
  console.log(
    differences.length === 0
      ? 'The books are right.'
      : `${differences.length} differences: the books are not right.`,
  );
  return differences.length === 0;
});
