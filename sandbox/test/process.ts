import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/** A bank that runs as a process of its own. */
export interface BankProcess {
  /** Where the API listens; empty when the start failed. */
  readonly url: string;
  /** The error output so far. */
  errors(): string;
  /** Sends the signal and resolves with the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the bank as a separate process with these settings; resolves when it listens or has exited. */
export async function givenProcess(env: Record<string, string>): Promise<BankProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { SANDBOX_PORT: '0', NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let errors = '';
  child.stderr.on('data', (text) => {
    errors += text;
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const firstLine = new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve));
  const line = await Promise.race([firstLine, exited.then(() => '')]);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return exited;
  };
  return { url: /https?:\/\/127[^)]*/.exec(line)?.[0] ?? '', errors: () => errors, end };
}
