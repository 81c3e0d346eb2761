// Runs a gateway with a built database as a separate process, and calls it over HTTP, for the benches of its API.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { login } from '@jangada/contract';
import type { Client } from 'undici';
import { findFreePort } from '../../../server/test/free-port.ts';
import { rejectOnInterruption } from '../interruption.ts';
import { type RunningProcess, startProcess } from '../receiving/start-process.ts';

/** A running gateway, and the URL of its database for the database's owner. */
export type RunningGateway = { readonly origin: string; readonly ownerUrl: string };

/**
 * Starts the gateway on a data directory as a separate process with its own PostgreSQL, runs `use`, and stops the
 * gateway. Its bank is unreachable.
 */
export async function withGateway<Result>(
  folder: string,
  use: (gateway: RunningGateway) => Promise<Result>,
): Promise<Result> {
  const interrupted = rejectOnInterruption();
  const port = await findFreePort();
  const gateway = startProcess({
    program: new URL('../../../server/src/main.ts', import.meta.url),
    env: {
      DATA_DIR: folder,
      PORT: String(port),
      SANDBOX_PORT: String(await findFreePort()),
      RATE_LIMIT: '0',
    },
    log: join(folder, 'gateway.log'),
  });
  const origin = `http://localhost:${port}`;
  try {
    await Promise.race([waitUntilReady(origin, gateway), interrupted]);
    const ownerUrl = readFileSync(join(folder, 'database-url'), 'utf8');
    return await Promise.race([use({ origin, ownerUrl }), interrupted]);
  } finally {
    await gateway.end();
  }
}

async function waitUntilReady(origin: string, gateway: RunningProcess): Promise<void> {
  while (gateway.child.exitCode === null && gateway.child.signalCode === null) {
    const health = await fetch(`${origin}/api/health/live`).catch(() => undefined);
    await health?.body?.cancel();
    if (health?.status === 200) return;
    await sleep(100);
  }
  throw new Error(`The gateway did not start:\n${gateway.output()}`);
}

/** Returns the token of a new session. */
export async function signIn(client: Client, username: string, password: string): Promise<string> {
  const response = await client.request({
    method: 'POST',
    path: '/api/login',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return login.response.parse(await response.body.json()).token;
}

/**
 * Makes a GET and returns the body of the response.
 * @throws if the status is not 200
 */
export async function fetchText(client: Client, token: string, path: string): Promise<string> {
  const { statusCode, body } = await client.request({
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${token}` },
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`GET ${path}: ${statusCode} ${text}`);
  return text;
}
