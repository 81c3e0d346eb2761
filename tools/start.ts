// The second half of npm start, on the pinned Node: builds what is stale, starts Banco Sandbox and the gateway,
// and ends them in order.
import { mkdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Config, readConfig } from '../server/src/config.ts';
import { buildStaleWorkspaces } from './build.ts';
import { type Program, startProgram } from './program.ts';

/** How long each program may take to end: the gateway finishes its work and stops its PostgreSQL. */
const endTimeoutsMs = { gateway: 60_000, sandbox: 10_000 };

async function main(): Promise<number> {
  const stopping = watchForStop();
  const config = readConfig(process.env);
  buildStaleWorkspaces();
  const ports = { PORT: config.port, ...(needsSandbox(config) && { SANDBOX_PORT: config.sandboxPort }) };
  for (const [name, port] of Object.entries(ports)) await waitUntilFree(name, port, stopping);
  // The folder is created here, readable to this user only: the bank, which starts first, would make it
  // readable to all.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const sandbox = needsSandbox(config) ? await startSandbox(config, stopping) : undefined;
  if (stopping.signal.aborted) return 0;
  console.log('Starting the gateway; the first time it plays two months of a demo shop ...');
  const authority = sandbox && (await readAuthority(config));
  const env = { LOG: 'text', ...authority, ...process.env };
  const gateway = startProgram('server/src/main.ts', env, 'shown');
  stopping.signal.addEventListener('abort', () => void gateway.end(endTimeoutsMs.gateway));
  void sandbox?.exited.then((code) => reportSandboxEnd(code, stopping));
  const code = await gateway.exited;
  stopping.abort();
  await sandbox?.end(endTimeoutsMs.sandbox);
  return code;
}

/** Returns a controller that is aborted by Ctrl-C, SIGTERM, a closed terminal, or the end of the parent process. */
function watchForStop(): AbortController {
  const stopping = new AbortController();
  for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'disconnect'])
    process.on(event, () => stopping.abort());
  // Listening for the end of the parent must not keep this process running.
  process.channel?.unref();
  return stopping;
}

/**
 * Whether this start runs Banco Sandbox, the bank of the test mode. A worker uses the bank of the process beside it,
 * and a gateway with PSP_BASE_URL uses the bank at that URL.
 */
function needsSandbox({ mode, role }: Config): boolean {
  return mode === 'sandbox' && role !== 'worker' && !process.env['PSP_BASE_URL'];
}

/**
 * Waits until a port is free, or the start is stopped. Processes that a killed start left behind end within moments.
 * @throws if the port is not free after ten seconds
 */
async function waitUntilFree(name: string, port: number, stopping: AbortController): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!stopping.signal.aborted && (await isListening(port))) {
    if (Date.now() > deadline)
      throw new Error(`Port ${port} is taken by another program: set ${name} to a free one.`);
    await sleep(100);
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Starts the bank and waits until it listens, or until the start is stopped. */
async function startSandbox(config: Config, stopping: AbortController): Promise<Program> {
  const env = {
    ...process.env,
    SANDBOX_DATA_DIR: join(config.dataDir, 'sandbox'),
    SANDBOX_HOST: config.host,
    SANDBOX_PORT: String(config.sandboxPort),
    SANDBOX_PUBLIC_URL: config.bankUrl,
    SANDBOX_CLIENT_ID: config.psp.clientId,
    SANDBOX_CLIENT_SECRET: config.psp.clientSecret,
  };
  const sandbox = startProgram('sandbox/src/main.ts', env, 'errors');
  let exitCode: number | undefined;
  void sandbox.exited.then((code) => (exitCode = code));
  while (!stopping.signal.aborted && !(await isListening(config.sandboxPort))) {
    if (exitCode !== undefined) throw new Error(`Banco Sandbox did not start (exit code ${exitCode}).`);
    await sleep(50);
  }
  if (stopping.signal.aborted) await sandbox.end(endTimeoutsMs.sandbox);
  return sandbox;
}

/** The authority that signed the bank's certificate, for a gateway that also connects accounts that demand one. */
async function readAuthority({ sandboxPort }: Config): Promise<{ SANDBOX_MTLS_CA?: string }> {
  if (!process.env['SANDBOX_MTLS_PORT']) return {};
  const response = await fetch(`http://127.0.0.1:${sandboxPort}/sandbox/authority`);
  if (!response.ok) throw new Error(`Banco Sandbox did not hand out its authority (${response.status}).`);
  return { SANDBOX_MTLS_CA: await response.text() };
}

/** Prints that the bank ended, unless everything is being stopped. The gateway continues without the bank. */
function reportSandboxEnd(code: number, stopping: AbortController): void {
  if (!stopping.signal.aborted)
    console.error(`Banco Sandbox ended (exit code ${code}); the gateway goes on without its bank.`);
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
