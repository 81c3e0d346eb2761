import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * Installs a package with Debian's package manager unless its program is there. Only long tests need packages of Debian.
 */
export function installForTests(packageName: string, program = packageName): void {
  const isInstalled = () => existsSync(program) || spawnSync('which', [program]).status === 0;
  if (isInstalled()) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', packageName]])
    spawnSync('apt-get', command, { env, stdio: 'ignore' });
  if (!isInstalled()) throw new Error(`${packageName} is missing: install it.`);
}
