import type pg from 'pg';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { type Clock, createAdjustableClock, machineClock } from './clock.ts';
import type { Config } from './config.ts';
import { createLiveBanks } from './connections/index.ts';
import { checkMigrated, migrate } from './db/migrate.ts';
import { type Database, openDatabase, poolerRefusal } from './db/open-database.ts';
import { createDb, createPool, type Db, type PoolOptions, RECEIVING_CONNECTIONS } from './db/pool.ts';
import { poolsTransactions } from './db/pooling.ts';
import { createReadReplica } from './db/read-replica.ts';
import { type DemoAccount, seedDemo } from './demo/index.ts';
import type { Deps } from './deps.ts';
import {
  findOrCreateMasterKey,
  findUnsafeSettings,
  readDataDirectory,
  readStamp,
  stampDatabase,
  writeTime,
} from './gateway/index.ts';
import { startLoop } from './jobs/index.ts';
import { createMetrics, serveMetrics } from './metrics/index.ts';
import { atHouse, connectHouse, ensureNoticeUrl, ForeignWebhook } from './psp/index.ts';
import { createSecrets, type Secrets } from './secrets.ts';
import { syncClockWithBank } from './sync-sandbox-clock.ts';
import { findSettingWarnings, type Warning } from './warning.ts';

export type Gateway = {
  readonly deps: Deps;
  /** Problems that an operator should fix. */
  readonly warnings: readonly Warning[];
  /** Sandbox accounts whose passwords should be printed. */
  readonly demoAccounts: readonly DemoAccount[];
  /** Resolves when the gateway's own PostgreSQL has exited unexpectedly: nothing works any more. */
  readonly databaseLost: Promise<void> | undefined;
  /** Stops everything in reverse order of its start. */
  stop(): Promise<void>;
};

export type StartOptions = {
  readonly config: Config;
  readonly log: Logger;
  /** The folder of the built dashboard, if it is built. */
  readonly pages?: string;
};

/**
 * Starts the gateway: database, migrations, stamp (which binds the database to this gateway), bank; then it listens and
 * starts its background work.
 * @throws InvalidSetting, MigrationMismatch or ForeignWebhook if it must not run on this database or with this bank
 */
export async function startGateway(options: StartOptions): Promise<Gateway> {
  const stopSteps: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (let step = stopSteps.pop(); step !== undefined; step = stopSteps.pop()) await step();
  };
  try {
    return { ...(await start(options, (step) => stopSteps.push(step))), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Registers a step of the shutdown. Steps run in the reverse order of their registration. */
type OnStop = (step: () => Promise<unknown>) => void;

async function start({ config, log, pages }: StartOptions, onStop: OnStop): Promise<Omit<Gateway, 'stop'>> {
  const database = await openDatabase(config);
  onStop(() => database.close());
  if (database.isOwner) await migrate(migrateOptionsOf(database));
  else await checkMigrated(database.appUrl);
  // The `receiving` connections are reserved for the bank's notices (callbacks about payments), so that money is
  // received even while API calls use all other connections.
  const pools = {
    calls: createLoggedPool(database, log),
    receiving: createLoggedPool(database, log, { max: RECEIVING_CONNECTIONS }),
  };
  const db = openDb(pools.calls, onStop);
  const receivingDb = openDb(pools.receiving, onStop);

  const clock = await startClock(config, log, onStop);
  const secrets = await createGatewaySecrets(config, db);
  await bindDatabase({ config, db, clock, secrets }, database, log);
  const warnings = [
    ...database.warnings,
    ...(await findUnsafeSettingWarnings(db)),
    ...findSettingWarnings(config),
  ];
  for (const { name, text } of warnings) log.warn({ warning: name }, text);

  // Metrics are collected only if they are served.
  const metrics = config.metrics && createMetrics(config);
  const bankOptions = metrics && { onExchange: metrics.recordBankExchange };
  const banks = createLiveBanks(connectHouse(config, bankOptions), {
    db,
    secrets,
    config,
    log,
    ...bankOptions,
  });
  onStop(() => banks.close());
  const replica = await openReplica(config, receivingDb, log);
  onStop(async () => replica?.stop());
  const parts = { db, clock, log, config, secrets, banks, ...(replica && { replica }) };
  const { appUrl: databaseUrl } = database;
  const app = await createApp(parts, { databaseUrl, receivingDb, warnings, ...(pages && { pages }) });
  onStop(() => app.stop());
  const { deps } = app;
  metrics?.measureResponses(app.server);
  if (app.noticeServer !== undefined) metrics?.measureResponses(app.noticeServer);
  const demoAccounts = await seedDemo(deps);
  await app.server.listen({ host: config.host, port: config.port });
  await app.noticeServer?.listen({ host: config.host, port: config.psp.webhookMtls?.port ?? 0 });
  if (config.role !== 'worker') await registerNoticesUrl(deps, onStop);
  await app.startWork();
  if (config.metrics !== undefined && metrics !== undefined) {
    const metricsServer = await serveMetrics(deps, {
      metrics,
      work: app.backgroundWork,
      writes: app.checkWrites,
      pools,
      listenAddress: config.metrics,
    });
    onStop(() => metricsServer.stop());
  }
  return { deps, warnings, demoAccounts, databaseLost: database.lost };
}

/** Opens the read replica, if one is configured. Workers read nothing there. */
async function openReplica({ readReplica, role }: Config, primary: Db, log: Logger) {
  if (readReplica === undefined || role === 'worker') return undefined;
  // An unreachable replica is no reason to refuse the start: it may become reachable later.
  if (await poolsTransactions(readReplica.url).catch(() => false)) throw poolerRefusal('DATABASE_READ_URL');
  return createReadReplica({ ...readReplica, primary, writeTime: () => writeTime(primary), log });
}

/** Creates a connection pool that logs broken connections until it is closed. */
function createLoggedPool({ appUrl }: Database, log: Logger, size: Pick<PoolOptions, 'max'> = {}): pg.Pool {
  const pool: pg.Pool = createPool({
    readsByKey: true,
    detectsServerChange: true,
    url: appUrl,
    onError: (err) => pool.ending || log.warn({ err }, 'a database connection was lost'),
    ...size,
  });
  return pool;
}

function openDb(pool: pg.Pool, onStop: OnStop): Db {
  const db = createDb(pool);
  onStop(() => db.destroy());
  return db;
}

function migrateOptionsOf({ ownerUrl, appRole }: Database) {
  return appRole === undefined ? { ownerUrl } : { ownerUrl, appRole };
}

async function createGatewaySecrets({ secretKey, dataDir }: Config, db: Db): Promise<Secrets> {
  const isDatabaseInUse = (await readStamp(db)) !== undefined;
  return createSecrets(findOrCreateMasterKey({ configuredKey: secretKey, dataDir, isDatabaseInUse }));
}

type StampParts = { config: Config; db: Db; clock: Clock; secrets: Secrets };

/** Binds the database to this gateway, or verifies that it is bound to this gateway already. */
async function bindDatabase(parts: StampParts, { ownerUrl }: Database, log: Logger): Promise<void> {
  const stopReason = await stampDatabase({ ...parts, dataDirectory: await readDataDirectory(ownerUrl) });
  // The stop is only logged here: /api/health reports it as a warning for as long as it lasts.
  if (stopReason !== undefined) log.warn(`Payouts are stopped: ${stopReason}.`);
}

async function findUnsafeSettingWarnings(db: Db): Promise<Warning[]> {
  const unsafe = await findUnsafeSettings(db);
  return unsafe.map((setting) => ({
    name: `${setting.replaceAll('_', '-')}-off`,
    text: `PostgreSQL runs with ${setting} off: a crash may lose payments.`,
  }));
}

/** Starts the clock. In the sandbox it follows the time of Banco Sandbox, and is first set before any work starts. */
async function startClock({ mode, psp }: Config, log: Logger, onStop: OnStop): Promise<Clock> {
  if (mode === 'live') return machineClock;
  const clock = createAdjustableClock();
  // The loop expects the number of items processed. With 0 it waits for its next turn.
  const syncClock = () => syncClockWithBank(clock, psp.baseUrl).then(() => 0);
  await syncClock().catch((err: unknown) =>
    log.warn({ err }, 'the clock of Banco Sandbox could not be read yet'),
  );
  onStop(startLoop(log, { name: 'bank clock', everyMs: 1000, work: syncClock }).stop);
  return clock;
}

/**
 * Registers this gateway's address for the bank's notices. If the bank is unreachable, retries every minute until it
 * succeeds.
 */
async function registerNoticesUrl(deps: Deps, onStop: OnStop): Promise<void> {
  try {
    return await ensureNoticeUrl(atHouse(deps));
  } catch (error) {
    if (error instanceof ForeignWebhook) throw error;
    deps.log.warn({ err: error }, 'the webhook could not be registered at the bank yet');
  }
  let isRegistered = false;
  const work = async () => {
    if (!isRegistered) await ensureNoticeUrl(atHouse(deps));
    isRegistered = true;
    return 0;
  };
  onStop(startLoop(deps.log, { name: 'webhook registration', everyMs: 60_000, work }).stop);
}
