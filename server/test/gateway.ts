import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, pino } from 'pino';
import { request } from 'undici';
import { type App, type AppDeps, createApp } from '../src/app.ts';
import { createAdjustableClock } from '../src/clock.ts';
import { readConfig } from '../src/config.ts';
import { createLiveBanks } from '../src/connections/index.ts';
import { createDb, createPool, RECEIVING_CONNECTIONS } from '../src/db/pool.ts';
import { readDataDirectory, stampDatabase } from '../src/gateway/index.ts';
import { auditLedger } from '../src/ledger/index.ts';
import {
  type AtBank,
  atHouse,
  type Banks,
  type ConnectedBank,
  connectHouse,
  ensureNoticeUrl,
} from '../src/psp/index.ts';
import { createSecrets } from '../src/secrets.ts';
import type { Warning } from '../src/warning.ts';
import { startTestBank, type TestBank } from './bank.ts';
import { isOnCluster } from './citus.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { createPatientPool } from './observer.ts';

export type CallOptions = {
  /** The token of a session. */
  readonly token?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

export type ApiAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, to be parsed by a schema of the contract or compared. */
  readonly body: unknown;
};

/** The whole gateway over HTTP, with its own bank and database. */
export type TestGateway = {
  readonly url: string;
  /** Where the bank's notices arrive: `url`, or the mutual TLS listener. */
  readonly noticesUrl: string;
  /** At the operator's own bank, the only one. */
  readonly deps: AtBank;
  readonly database: TestDatabase;
  readonly bank: TestBank;
  /** Calls a path, which is relative to /api. */
  api(method: string, path: string, body?: unknown, options?: CallOptions): Promise<ApiAnswer>;
  /** Moves the time of the gateway and of the bank. */
  advance(seconds: number): Promise<void>;
  /** Starts the background work, if the gateway was started without it. */
  startWork(): Promise<void>;
  /**
   * Stops the gateway with its bank and database, unless they are shared. Throws if the audit of the ledger finds a
   * difference, or if a response was not as its contract says.
   */
  stop(): Promise<void>;
};

export type TestGatewayOptions = {
  /** Settings, as environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  readonly warnings?: readonly Warning[];
  /** If false, no background work runs until `startWork` is called. */
  readonly startsWork?: boolean;
  /** The folder of the built pages. By default no pages are served. */
  readonly pages?: string;
  /** The banks that the gateway knows. By default the operator's own, and those that merchants connected. */
  readonly banks?: (house: ConnectedBank) => Banks;
  /** By default nothing is logged, unless TEST_LOG names a level. */
  readonly log?: Logger;
  /** Runs before the app accepts calls. */
  readonly beforeListening?: (app: App) => void;
  /** A running gateway. The new one shares its bank and database, like a second process of the same installation. */
  readonly sharedGateway?: TestGateway;
  /**
   * Turns the database's URL into the one that the gateway uses, such as the URL of a proxy. By default both are equal.
   */
  readonly databaseUrl?: (appUrl: string) => string;
};

/** Limits that no test reaches by accident. */
const highLimits = { SIGN_INS_PER_ADDRESS: '1000000', REGISTRATIONS_PER_ADDRESS: '1000000', RATE_LIMIT: '0' };

export async function startTestGateway(options: TestGatewayOptions = {}): Promise<TestGateway> {
  const { sharedGateway } = options;
  const [database, bank] = sharedGateway
    ? [sharedGateway.database, sharedGateway.bank]
    : await Promise.all([createTestDatabase(), startTestBank()]);
  const clock = createAdjustableClock();
  if (sharedGateway) clock.follow(sharedGateway.deps.clock.now());
  const databaseUrl = options.databaseUrl?.(database.appUrl) ?? database.appUrl;
  const receivingDb = createDb(
    createPool({ readsByKey: true, detectsServerChange: true, url: databaseUrl, max: RECEIVING_CONNECTIONS }),
  );
  const dataDir = sharedGateway?.deps.config.dataDir ?? mkdtempSync(join(tmpdir(), 'jangada-test-'));
  const mismatches: string[] = [];
  const app = await createApp(createAppDeps({ databaseUrl, bank, clock, dataDir }, options), {
    databaseUrl,
    receivingDb,
    warnings: options.warnings ?? [],
    reportMismatch: (mismatch) => mismatches.push(mismatch),
    ...(options.pages && { pages: options.pages }),
  });
  const deps: AtBank = atHouse(app.deps);
  if (!sharedGateway)
    await stampDatabase({ ...deps, dataDirectory: await readDataDirectory(database.ownerUrl) });
  options.beforeListening?.(app);
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  await app.noticeServer?.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${portOf(app.server)}`;
  const noticesUrl = app.noticeServer === undefined ? url : `https://127.0.0.1:${portOf(app.noticeServer)}`;
  if (!sharedGateway) await ensureNoticeUrl(withNoticesUrl(noticesUrl, deps));
  if (options.startsWork ?? true) await app.startWork();
  return {
    url,
    noticesUrl,
    deps,
    database,
    bank,
    api: (method, path, body, callOptions) => call(url, method, path, body, callOptions),
    startWork: () => app.startWork(),
    async advance(seconds) {
      await bank.advance(seconds);
      clock.shift(seconds * 1000);
    },
    async stop() {
      await app.stop();
      if (!sharedGateway) await bank.stop();
      const differences = await auditLedger(deps.db);
      await deps.banks.close();
      await Promise.all([deps.db.destroy(), receivingDb.destroy()]);
      if (!sharedGateway) await database.drop();
      if (!sharedGateway) rmSync(dataDir, { recursive: true, force: true });
      if (differences.length > 0) throw new Error(`The books are not right: ${JSON.stringify(differences)}`);
      if (mismatches.length > 0) throw new Error(`Not as the contract says: ${mismatches.join('; ')}`);
    },
  };
}

/** The dependencies with the URL for notices, whose port is known only once the server listens. */
function withNoticesUrl(noticesUrl: string, deps: AtBank): AtBank {
  return { ...deps, config: { ...deps.config, noticesUrl } };
}

type Surroundings = {
  readonly databaseUrl: string;
  readonly bank: TestBank;
  readonly clock: ReturnType<typeof createAdjustableClock>;
  readonly dataDir: string;
};

function createAppDeps(
  { databaseUrl, bank, clock, dataDir }: Surroundings,
  { env, banks, log = pino({ level: process.env['TEST_LOG'] ?? 'silent' }) }: TestGatewayOptions,
): AppDeps {
  const config = readConfig({
    ...highLimits,
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    SANDBOX_PORT: String(bank.port),
    PSP_BASE_URL: `${bank.apiUrl}/v2`,
    PSP_TOKEN_URL: `${bank.apiUrl}/oauth/token`,
    ...env,
  });
  const openPool = isOnCluster() ? createPatientPool : createPool;
  const db = createDb(openPool({ readsByKey: true, url: databaseUrl }));
  const secrets = createSecrets(Buffer.alloc(32, 7));
  return {
    db,
    clock,
    log,
    config,
    secrets,
    banks:
      banks?.(connectHouse(config)) ?? createLiveBanks(connectHouse(config), { db, secrets, config, log }),
  };
}

function portOf(server: App['server']): number {
  const [address] = server.addresses() as AddressInfo[];
  if (address === undefined) throw new Error('The gateway does not listen.');
  return address.port;
}

async function call(
  url: string,
  method: string,
  path: string,
  body: unknown,
  { token, apiKey, headers = {} }: CallOptions = {},
): Promise<ApiAnswer> {
  const response = await request(`${url}/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.body.text();
  return {
    status: response.statusCode,
    headers: response.headers,
    body: text === '' ? undefined : JSON.parse(text),
  };
}
