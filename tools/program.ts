import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A program of this repository that runs in a process of its own. */
export type Program = {
  /** Resolves with the exit code, which is 128 plus the signal's number if a signal ended the program. */
  readonly exited: Promise<number>;
  /** Sends SIGTERM, and SIGKILL if the program has not ended after `timeoutMs`. Resolves when the program has ended. */
  end(timeoutMs: number): Promise<void>;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const followParent = new URL('./follow-parent.ts', import.meta.url).href;

/**
 * Starts a TypeScript file of the repository, by its path from the root. The program gets its own session, so that
 * Ctrl-C reaches only the parent, which ends its children in order. The program ends by itself when the parent is
 * gone. `output` selects whether all output of the program is shown, or only its errors.
 */
export function startProgram(file: string, env: NodeJS.ProcessEnv, output: 'shown' | 'errors'): Program {
  const child = spawn(process.execPath, ['--import', followParent, root + file], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', output === 'shown' ? 'inherit' : 'ignore', 'inherit', 'ipc'],
  });
  const exited = new Promise<number>((resolve) => {
    child.once('error', () => resolve(1));
    child.once('exit', (code, signal) =>
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])),
    );
  });
  const end = async (timeoutMs: number) => {
    child.kill('SIGTERM');
    const killTimer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
    await exited;
    clearTimeout(killTimer);
  };
  return { exited, end };
}
