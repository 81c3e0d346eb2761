import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../../server/test/free-port.ts';
import { interruption } from '../interruption.ts';
import { type RunningProcess, startProcess } from '../receiving/start-process.ts';

/** A running gateway, and its database. */
export type RunningGateway = { readonly origin: string; readonly ownerUrl: string };

/** Starts the gateway on a data directory as a separate process with its own PostgreSQL; its bank is unreachable. */
export async function withGateway<Found>(
  folder: string,
  use: (gateway: RunningGateway) => Promise<Found>,
): Promise<Found> {
  const interrupted = interruption();
  const port = await freePort();
  const gateway = startProcess({
    program: new URL('../../../server/src/main.ts', import.meta.url),
    env: { DATA_DIR: folder, PORT: String(port), SANDBOX_PORT: String(await freePort()), RATE_LIMIT: '0' },
    log: join(folder, 'gateway.log'),
  });
  const origin = `http://localhost:${port}`;
  try {
    await Promise.race([untilReady(origin, gateway), interrupted]);
    const ownerUrl = readFileSync(join(folder, 'database-url'), 'utf8');
    return await Promise.race([use({ origin, ownerUrl }), interrupted]);
  } finally {
    await gateway.end();
  }
}

async function untilReady(origin: string, gateway: RunningProcess): Promise<void> {
  while (gateway.child.exitCode === null && gateway.child.signalCode === null) {
    const health = await fetch(`${origin}/api/health/live`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.status === 200) return;
    await pause(100);
  }
  throw new Error(`The gateway did not start:\n${gateway.output()}`);
}
