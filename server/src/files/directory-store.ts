import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { Store } from './files.ts';

/** Stores files in a directory that only the gateway may read, created with the first file. */
export function directoryStore(directory: string): Store {
  const top = resolve(directory);
  return {
    async write(name, bytes) {
      const path = join(top, name);
      await makeFolder(dirname(path));
      // Written to a draft and renamed, so that a file is complete or absent even after a power failure.
      const draft = `${path}.${randomUUID()}`;
      await writeThrough(draft, bytes);
      await rename(draft, path);
      await settle(dirname(path));
    },
    read: (name) => readFile(join(top, name)).catch(undefinedIf('ENOENT')),
    async remove(name) {
      const path = join(top, name);
      const folder = dirname(path);
      const found = (await readdir(folder).catch(undefinedIf('ENOENT'))) ?? [];
      // Includes drafts of crashed writers: names contain no dot, so what follows one marks a draft.
      const own = found.filter((one) => one.split('.', 1)[0] === basename(path));
      for (const one of own) await rm(join(folder, one), { force: true });
      if (own.length > 0) await settle(folder);
      if (own.length === found.length && folder !== top)
        await rmdir(folder).catch(undefinedIf('ENOENT', 'ENOTEMPTY'));
    },
    close: () => {},
  };
}

async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = folder; made.length >= resolve(first).length; made = dirname(made))
    await settle(dirname(made));
}

async function writeThrough(path: string, bytes: Buffer): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Syncs a directory, so that new and removed names survive a crash. */
async function settle(directory: string): Promise<void> {
  const opened = await open(directory, 'r');
  await opened.sync().finally(() => opened.close());
}

function undefinedIf(...codes: readonly string[]): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && codes.includes(String(error.code))) return undefined;
    throw error;
  };
}
