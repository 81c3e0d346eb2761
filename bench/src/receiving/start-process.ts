import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { childEnv } from '../../../server/test/child-env.ts';

/** A program of this repository in a process of its own, which ends when we are gone. */
export type RunningProcess = {
  readonly pid: number;
  readonly child: ChildProcess;
  /** What it has written last, for an error message. */
  output(): string;
  /** Asks it to end, insists after 30 s, resolves when it is gone. */
  end(): Promise<void>;
};

export type ProcessOptions = {
  /** A TypeScript file. */
  readonly program: URL;
  readonly env: Readonly<Record<string, string>>;
  /** Takes what it writes, as a service manager's file would. */
  readonly log: string;
  readonly nodeFlags?: readonly string[];
};

const root = fileURLToPath(new URL('../../../', import.meta.url));
const followParent = new URL('../../../tools/follow-parent.ts', import.meta.url).href;
const patienceMs = 30_000;

export function startProcess({ program, env, log, nodeFlags = [] }: ProcessOptions): RunningProcess {
  const written = openSync(log, 'a', 0o600);
  const options: SpawnOptions = {
    cwd: root,
    env: { ...childEnv, HOME: process.env['HOME'], NODE_ENV: 'production', ...env },
    // A session of its own: Ctrl-C reaches us alone, and the order of ending stays ours.
    detached: true,
    stdio: ['ignore', written, written, 'ipc'],
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
      const insist = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await exited;
      clearTimeout(insist);
    },
  };
}
