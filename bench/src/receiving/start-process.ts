import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../../../server/test/child-env.ts';

/** A program of this repository as a child process, which ends with its parent. */
export type RunningProcess = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** Returns the end of the program's output, for error messages. */
  output(): string;
  /** Terminates the program, kills it if it still runs after 30 s, and resolves when it has exited. */
  end(): Promise<void>;
};

export type ProcessOptions = {
  /** A TypeScript file. */
  readonly program: URL;
  readonly env: Readonly<Record<string, string>>;
  /** The file to which the program's output is appended. */
  readonly log: string;
  readonly nodeFlags?: readonly string[];
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
const followParent = new URL('../../../tools/follow-parent.ts', import.meta.url).href;
const killAfterMs = 30_000;

export function startProcess({ program, env, log, nodeFlags = [] }: ProcessOptions): RunningProcess {
  const logFile = openSync(log, 'a', 0o600);
  const options: SpawnOptions = {
    cwd: root,
    env: { ...childEnv, HOME: process.env['HOME'], NODE_ENV: 'production', ...env },
    // The program has its own session, so that Ctrl-C reaches only the parent, which ends its children in order.
    detached: true,
    stdio: ['ignore', logFile, logFile, 'ipc'],
  };
  const child = spawn(
    process.execPath,
    [...nodeFlags, '--import', followParent, fileURLToPath(program)],
    options,
  );
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid ?? 0,
    child,
    output: () => readFileSync(log, 'utf8').slice(-4000),
    async end() {
      child.kill('SIGTERM');
      const killTimer = setTimeout(() => child.kill('SIGKILL'), killAfterMs);
      await exited;
      clearTimeout(killTimer);
    },
  };
}
