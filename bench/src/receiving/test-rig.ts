import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { request } from 'undici';
import { z } from 'zod';
import { createAdjustableClock } from '../../../server/src/clock.ts';
import { readConfig } from '../../../server/src/config.ts';
import { migrate } from '../../../server/src/db/migrate.ts';
import { createDb, createPool, type Db } from '../../../server/src/db/pool.ts';
import { connectBank } from '../../../server/src/psp/index.ts';
import { createSecrets, type Secrets } from '../../../server/src/secrets.ts';
import { findFreePort } from '../../../server/test/free-port.ts';
import type { RegisterCleanup } from '../interruption.ts';
import { type RunningBank, startBank, waitUntilResponding } from './bank.ts';
import type { Cluster } from './cluster.ts';
import { type Load, startLoad } from './start-load.ts';
import { type RunningProcess, startProcess } from './start-process.ts';

/**
 * Everything that one round of measurements needs: a new database, a new bank, receivers of webhooks, the
 * load process that sends calls, and the gateway once it is started.
 */
export type TestRig = {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly database: string;
  readonly pool: ReturnType<typeof createPool>;
  readonly db: Db;
  readonly clock: ReturnType<typeof createAdjustableClock>;
  readonly secrets: Secrets;
  readonly bank: RunningBank;
  readonly load: Load;
  /** The URLs of two receivers of webhooks: `silent` never responds, `prompt` responds immediately. */
  readonly callbackUrls: { readonly silent: string; readonly prompt: string };
  /** Returns the number of webhooks that the prompt receiver accepted so far. */
  countDelivered(): Promise<number>;
  /** Starts the gateway as it runs in production: one process, all roles. */
  startGateway(): Promise<BenchGateway>;
  /** Ends and removes everything that was started. May be called at any time, and more than once. */
  close(): Promise<void>;
};

export type BenchGateway = {
  readonly process: RunningProcess;
  readonly origin: string;
  /** The path at which the bank notifies the gateway of payments. */
  readonly noticePath: string;
  /** The URL of the gateway's metrics, if the rig was opened to have them. */
  readonly metricsUrl: string | undefined;
  /** Stops the gateway gracefully, and drops its hanging webhooks. */
  stop(): Promise<void>;
};

export type TestRigOptions = {
  readonly cluster: Cluster;
  /** A folder that is created for the rig, and removed with it. */
  readonly folder: string;
  readonly database: string;
  /** The folder for the gateway's CPU profile. */
  readonly profile?: string | undefined;
  /** Whether the gateway collects and serves its metrics. */
  readonly hasMetrics?: boolean;
};

export async function openTestRig(options: TestRigOptions): Promise<TestRig> {
  const cleanups: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (let cleanUp = cleanups.pop(); cleanUp !== undefined; cleanUp = cleanups.pop()) await cleanUp();
  };
  try {
    return { ...(await open(options, (cleanUp) => void cleanups.push(cleanUp))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(options: TestRigOptions, onClose: RegisterCleanup): Promise<Omit<TestRig, 'close'>> {
  const { cluster, folder, database } = options;
  mkdirSync(folder, { recursive: true });
  onClose(async () => rmSync(folder, { recursive: true, force: true }));
  await cluster.createDatabase(database);
  onClose(() => cluster.dropDatabase(database));
  await migrate({ ownerUrl: cluster.url(database), appRole: cluster.appRole });
  const pool = createPool({ url: cluster.url(database), max: 8, statementTimeoutMs: 0 });
  const db = createDb(pool);
  onClose(() => db.destroy());

  const bank = await startBank(folder, await findFreePort());
  onClose(() => bank.process.end());
  const receiver = startProcess({
    program: new URL('./receiver.ts', import.meta.url),
    env: {},
    log: join(folder, 'receiver.log'),
  });
  onClose(() => receiver.end());
  const ports = receiverPorts.parse((await once(receiver.child, 'message'))[0]);
  const load = await startLoad(join(folder, 'load.log'));
  onClose(() => load.process.end());
  const secretKey = randomBytes(32);
  return {
    folder,
    cluster,
    database,
    pool,
    db,
    clock: createAdjustableClock(),
    secrets: createSecrets(secretKey),
    bank,
    load,
    callbackUrls: {
      silent: `http://127.0.0.1:${ports.silent}/pix`,
      prompt: `http://127.0.0.1:${ports.prompt}/pix`,
    },
    async countDelivered() {
      const reply = once(receiver.child, 'message');
      receiver.child.send('count');
      return deliveryCount.parse((await reply)[0]).accepted;
    },
    async startGateway() {
      const gateway = await startGateway(options, bank, secretKey, () => receiver.child.send('drop'));
      onClose(gateway.stop);
      return gateway;
    },
  };
}

const deliveryCount = z.object({ accepted: z.int() });
const receiverPorts = z.object({ silent: z.int(), prompt: z.int() });

async function startGateway(
  { cluster, folder, database, profile, hasMetrics = false }: TestRigOptions,
  bank: RunningBank,
  secretKey: Buffer,
  dropHanging: () => void,
): Promise<BenchGateway> {
  const port = await findFreePort();
  const metricsPort = hasMetrics ? await findFreePort() : undefined;
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PORT: String(port),
    PUBLIC_URL: origin,
    SANDBOX_PORT: String(bank.port),
    DATA_DIR: join(folder, 'gateway'),
    DATABASE_URL: cluster.appUrl(database),
    MIGRATION_DATABASE_URL: cluster.url(database),
    SECRET_KEY: secretKey.toString('base64'),
    // All load comes from one address and with few keys, so the limit for one caller would apply to all of it.
    RATE_LIMIT: '0',
    ...(metricsPort !== undefined && { METRICS_PORT: String(metricsPort) }),
  };
  const running = startProcess({
    program: new URL('../../../server/src/main.ts', import.meta.url),
    env,
    log: join(folder, 'gateway.log'),
    ...(profile !== undefined && { nodeFlags: ['--cpu-prof', `--cpu-prof-dir=${profile}`] }),
  });
  await waitUntilResponding(running, async () => {
    const { statusCode, body } = await request(`${origin}/api/health`);
    await body.dump();
    if (statusCode !== 200) throw new Error('not ready');
  });
  const psp = connectBank(readConfig(env));
  const registered = await psp.findNoticeUrl();
  await psp.close();
  if (registered === undefined) throw new Error('The gateway has not registered its webhook.');
  return {
    process: running,
    origin,
    noticePath: `${new URL(registered).pathname}/pix`,
    metricsUrl: metricsPort === undefined ? undefined : `http://127.0.0.1:${metricsPort}/metrics`,
    stop: runOnce(async () => {
      // Webhooks to the silent receiver would delay the end of the gateway until they time out.
      const dropTimer = setInterval(dropHanging, 200);
      await running.end();
      clearInterval(dropTimer);
    }),
  };
}

/** Returns a function that runs `action` at its first call only. */
function runOnce(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= action();
    return running;
  };
}
