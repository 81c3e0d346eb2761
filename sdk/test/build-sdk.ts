import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('..', import.meta.url));
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));

/** Builds the package as installed, in a separate folder, because other tests may be building the workspace's `dist`. */
export function buildSdk(folder: string): void {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(workspace, 'package.json'), join(folder, 'package.json'));
  const project = join(workspace, 'tsconfig.cli.json');
  const to = ['--noEmit', 'false', '--outDir', join(folder, 'dist')];
  execFileSync(process.execPath, [tsc, '-p', project, ...to]);
}
