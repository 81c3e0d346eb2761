import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const staff = {
  admin: 'busca-admin',
  support: 'busca-suporte',
  password: 'procura-se-alguem',
} as const;
export const defaultUsers = 1_000_000;

/** Where the database is kept between runs: the folder given, or one beside other temporary files. */
export function usersFolder(given: string | undefined): string {
  return given === undefined ? join(tmpdir(), 'jangada-bench-users') : resolve(given);
}

export const builtMark = (folder: string) => join(folder, 'built.json');

export function isBuilt(folder: string): boolean {
  return existsSync(builtMark(folder));
}
