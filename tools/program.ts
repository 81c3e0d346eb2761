import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A program of this repository in a separate process. */
export type Program = {
  /** Its exit code; 128 plus the signal's number if a signal ended it. */
  readonly exited: Promise<number>;
  /** Sends SIGTERM, after `patience` milliseconds SIGKILL, and resolves when it has ended. */
  end(patience: number): Promise<void>;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const followParent = new URL('./follow-parent.ts', import.meta.url).href;

/**
 * Starts a TypeScript file of the repository, by its path from the root. It gets its own session, so that Ctrl-C
 * reaches only the parent, which controls the order of ending; it ends when the parent is gone.
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
  const end = async (patience: number) => {
    child.kill('SIGTERM');
    const insist = setTimeout(() => child.kill('SIGKILL'), patience);
    await exited;
    clearTimeout(insist);
  };
  return { exited, end };
}
