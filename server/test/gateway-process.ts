import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { childEnv } from './child-env.ts';

/** The gateway as a separate process, so that it can be killed. */
export type GatewayProcess = {
  readonly url: string;
  /** Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Asks for an orderly shutdown. */
  stop(): Promise<number | null>;
};

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

/**
 * Starts the gateway with only these settings as its environment, and waits until it is ready. `program` is the main
 * file of another version.
 */
export async function startGatewayProcess(
  settings: Record<string, string>,
  program = main,
): Promise<GatewayProcess> {
  const url = `http://127.0.0.1:${settings['PORT']}`;
  const child = spawn(process.execPath, [program], {
    env: { ...childEnv, NODE_ENV: 'test', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  child.stderr.on('data', (chunk) => (output = (output + chunk).slice(-20_000)));
  const exited = once(child, 'exit');
  await untilReady(url, child, () => output);
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  return {
    url,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM');
      return child.exitCode;
    },
  };
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const health = await fetch(`${url}/api/health`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`The gateway did not start:\n${output()}`);
}
