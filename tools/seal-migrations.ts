// node tools/run.mjs tools/seal-migrations.ts: records the checksums of the migrations. A migration that was
// applied must never change, because a gateway whose database has it would refuse to start. With the
// checksums in tools/sealed-migrations.json, tools/tidy.test.ts fails when one changes.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { sources } from './sources.ts';

const sealed = sources('server/migrations', '.sql')
  .filter(({ path }) => /\/\d{4}_/.test(path))
  .map(({ path, text }) => [path, createHash('sha256').update(text).digest('hex')] as const)
  .sort(([a], [b]) => (a < b ? -1 : 1));
const file = new URL('./sealed-migrations.json', import.meta.url);
writeFileSync(file, `${JSON.stringify(Object.fromEntries(sealed), null, 2)}\n`);
