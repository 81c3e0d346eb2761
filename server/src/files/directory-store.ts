import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Store } from './files.ts';

/** Files of a directory, for the gateway's own eyes. It is made with the first of them. */
export function directoryStore(directory: string): Store {
  return {
    async write(name, bytes) {
      const path = join(directory, name);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      // Under its name it stands whole or not at all, also after the power went.
      const draft = `${path}.${randomUUID()}`;
      await writeThrough(draft, bytes);
      await rename(draft, path);
      await settle(dirname(path));
    },
    read: (name) => readFile(join(directory, name)).catch(undefinedIfMissing),
    remove: (name) => rm(join(directory, name), { force: true }),
    close: () => {},
  };
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

/** A new name in a directory is on the disk when the directory is. */
async function settle(directory: string): Promise<void> {
  const opened = await open(directory, 'r');
  await opened.sync().finally(() => opened.close());
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
  throw error;
}
