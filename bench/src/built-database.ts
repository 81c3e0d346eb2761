import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where a built database is kept between runs: the folder given, or one beside other temporary files. */
export function databaseFolder(given: string | undefined, holds: 'payments' | 'users'): string {
  return given === undefined ? join(tmpdir(), `jangada-bench-${holds}`) : resolve(given);
}

/** True if a build was completed there. */
export function isBuilt(folder: string): boolean {
  return existsSync(builtMark(folder));
}

/** The file that a build writes last. */
export const builtMark = (folder: string) => join(folder, 'built.json');
