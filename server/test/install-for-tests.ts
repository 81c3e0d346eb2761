import { spawnSync } from 'node:child_process';

/** Installs a program with Debian's package manager unless it is installed. Only long tests need programs of Debian. */
export function installForTests(program: string): void {
  const isInstalled = () => spawnSync('which', [program]).status === 0;
  if (isInstalled()) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const command of [['update'], ['install', '-y', '--no-install-recommends', program]])
    spawnSync('apt-get', command, { env, stdio: 'ignore' });
  if (!isInstalled()) throw new Error(`${program} is missing: install it.`);
}
