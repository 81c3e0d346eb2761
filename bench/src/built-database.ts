// The benches of reads and of user search need a database that takes long to build, so the database is kept between
// runs.
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Returns the folder of a built database: the folder chosen with `--folder`, or one in the system's folder for
 * temporary files.
 */
export function databaseFolder(chosenFolder: string | undefined, contents: 'payments' | 'users'): string {
  return chosenFolder === undefined ? join(tmpdir(), `jangada-bench-${contents}`) : resolve(chosenFolder);
}

/** Whether a build was completed in this folder. */
export function isBuilt(folder: string): boolean {
  return existsSync(builtMarkerFile(folder));
}

/** The file that a build writes last, so that its existence proves a complete build. */
export const builtMarkerFile = (folder: string) => join(folder, 'built.json');
