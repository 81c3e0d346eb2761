// npm run audit:verify: recomputes the hash chain of the audit log and reports every entry that was changed, removed,
// added, moved or cut off. Exits with 0 if there is none.
import { readAuditCheckpoint, verifyChain } from './audit/index.ts';
import { loadSecrets } from './gateway/index.ts';
import { runVerification } from './run-command.ts';

await runVerification('audit', async (db, config) => {
  const secrets = await loadSecrets(config, db);
  const checkpoint = await readAuditCheckpoint(config);
  const { entryCount, findings } = await verifyChain({ db, secrets }, checkpoint);
  for (const { kind, detail } of findings) console.log(`${kind.toUpperCase()} · ${detail}`);
  console.log(
    findings.length === 0
      ? `The audit log is whole: ${entryCount} entries.`
      : `The audit log is not as it was written: ${findings.length} findings, the first at the top.`,
  );
  return findings.length === 0;
});
