import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A program of this repository that runs in a process of its own. */
export type Program = {
  /** Its exit code; 128 and the signal's number when a signal ended it. */
  readonly exited: Promise<number>;
  /** Asks it to end (SIGTERM), insists after `patience` milliseconds (SIGKILL), resolves when it has ended. */
  end(patience: number): Promise<void>;
};

const root = fileURLToPath(new URL('..', import.meta.url));
const followParent = new URL('./follow-parent.ts', import.meta.url).href;

/**
 * Starts a TypeScript file of the repository, named from its root. It stands in a session of its own, so that
 * Ctrl-C reaches only who started it and the order of ending stays ours; it ends when we are gone.
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
