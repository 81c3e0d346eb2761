// node tools/run.mjs tools/seal-migrations.ts: records the checksums of the migrations in
// tools/sealed-migrations.json. A migration must never change after it was applied to a database, because the gateway
// would refuse to start on that database. tools/tidy.test.ts fails when a recorded migration changes.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readSources } from './sources.ts';

const sealed = readSources('server/migrations', '.sql')
  .filter(({ path }) => /\/\d{4}_/.test(path))
  .map(({ path, text }) => [path, createHash('sha256').update(text).digest('hex')] as const)
  .sort(([a], [b]) => (a < b ? -1 : 1));
const file = new URL('./sealed-migrations.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(Object.fromEntries(sealed), null, 2)}\n`);
