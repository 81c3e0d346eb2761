import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Returns a function that runs PostgreSQL's own programs, which are in `binaries`, in a folder that everybody may write to. */
export function runAsPostgres(
  binaries: string,
  directory: string,
): (program: string, ...args: string[]) => void {
  // PostgreSQL refuses to run as root.
  const account = process.getuid?.() === 0 ? ['setpriv', '--reuid=nobody', '--clear-groups', '--'] : [];
  return (program, ...args) => {
    const [command = '', ...rest] = [...account, join(binaries, program), ...args];
    const { status, stderr } = spawnSync(command, rest, {
      cwd: directory,
      // Where libpq, by which servers connect to each other, looks for certificates.
      env: { ...process.env, HOME: directory },
      stdio: ['ignore', 'ignore', 'pipe'],
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${join(binaries, program)} failed: ${stderr}`);
  };
}
