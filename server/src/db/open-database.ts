import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, InvalidSetting } from '../config.ts';
import type { Warning } from '../warning.ts';
import { connectClient } from './client.ts';
import { isCluster } from './cluster.ts';
import { hasCluster, startEmbeddedPostgres } from './embedded.ts';
import { poolsTransactions } from './pooling.ts';
import { serversOf } from './servers.ts';
import { setSharded } from './sharding.ts';

/** An opened database. `close` releases it and, if a server was started for it, stops that server. */
export type Database = {
  /** The address for connections as the owner of the tables. */
  readonly ownerUrl: string;
  /** The address for connections as the role that the gateway runs as. */
  readonly appUrl: string;
  /** The role that `migrate` grants access to; undefined if the gateway runs as the owner itself. */
  readonly appRole: { readonly name: string; readonly password?: string } | undefined;
  /** Whether this process may migrate the database. One that knows only the application's role may not. */
  readonly isOwner: boolean;
  /** Problems that the operator should fix. */
  readonly warnings: readonly Warning[];
  /** Resolves when a server started here exits unexpectedly. */
  readonly lost?: Promise<void>;
  close(): Promise<void>;
};

type DatabaseSettings = Pick<Config, 'databaseUrl' | 'migrationDatabaseUrl' | 'dataDir'>;

/** Opens the configured database, or else starts the gateway's own PostgreSQL in the data directory. */
export async function openDatabase(config: DatabaseSettings): Promise<Database> {
  const database = configuredDatabase(config) ?? (await startEmbeddedDatabase(config.dataDir));
  try {
    await checkConnections(database, config);
    return (await isOfAnotherOwner(database)) ? { ...database, isOwner: false, warnings: [] } : database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Whether the only address leads to a migrated database that another role owns. A process that answers calls can so be run
 * without the owner's password, and whoever takes it over cannot change the schema.
 */
async function isOfAnotherOwner({ ownerUrl, appUrl }: Database): Promise<boolean> {
  if (ownerUrl !== appUrl) return false;
  const client = await connectClient(appUrl);
  try {
    const { rows } = await client.query(
      `select from pg_class where oid = to_regclass('gateway') and relowner <> current_user::regrole`,
    );
    return rows.length === 1;
  } finally {
    await client.end().catch(() => {});
  }
}

/**
 * Opens the database for a command that may run while the gateway runs. If none is configured, uses the gateway's own
 * PostgreSQL, and starts it unless the gateway has it running.
 */
export async function joinDatabase(config: DatabaseSettings): Promise<Database> {
  const database = configuredDatabase(config);
  if (database === undefined) return (await findRunningDatabase(config.dataDir)) ?? openDatabase(config);
  await detectCluster(database.ownerUrl);
  return database;
}

/** Opens the database for a read-only command, like `joinDatabase`, but throws InvalidSetting if there is none yet. */
export async function joinExistingDatabase(config: DatabaseSettings): Promise<Database> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl === undefined && !hasCluster(serverDir(dataDir))) throw noDatabaseError(dataDir);
  const database = await joinDatabase(config);
  try {
    if (!(await isMigrated(database.ownerUrl)))
      throw noDatabaseError(databaseUrl === undefined ? dataDir : undefined);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * Lets this process know whether the merchants' rows are spread over several servers. `migrate` does so too; this is for
 * commands that do not migrate.
 */
async function detectCluster(url: string): Promise<void> {
  const client = await connectClient(url);
  try {
    setSharded(await isCluster(client));
  } finally {
    await client.end().catch(() => {});
  }
}

function noDatabaseError(dataDir: string | undefined): InvalidSetting {
  if (dataDir === undefined) return new InvalidSetting('no gateway in this database: is DATABASE_URL right?');
  return new InvalidSetting(`no database in ${dataDir}: is DATA_DIR right?`);
}

async function isMigrated(url: string): Promise<boolean> {
  const client = await connectClient(url);
  try {
    const { rows } = await client.query("select to_regclass('gateway') is not null as migrated");
    return rows[0]?.migrated === true;
  } finally {
    await client.end().catch(() => {});
  }
}

function configuredDatabase({ databaseUrl, migrationDatabaseUrl }: DatabaseSettings): Database | undefined {
  if (databaseUrl === undefined) return undefined;
  const ownerUrl = migrationDatabaseUrl ?? databaseUrl;
  const hasSeparateOwner = userOf(ownerUrl) !== userOf(databaseUrl);
  return {
    ownerUrl,
    appUrl: databaseUrl,
    appRole: hasSeparateOwner ? { name: userOf(databaseUrl) } : undefined,
    isOwner: true,
    warnings: hasSeparateOwner ? [] : [ownerRoleWarning],
    close: async () => {},
  };
}

const ownerRoleWarning: Warning = {
  name: 'works-as-owner',
  text: 'The gateway works as the owner of its tables: give DATABASE_URL a role of its own, and MIGRATION_DATABASE_URL the owner.',
};

function userOf(url: string): string {
  return decodeURIComponent(new URL(serversOf(url)[0] ?? url).username);
}

const embeddedAppRole = 'jangada_app';
const embeddedDatabaseName = 'jangada';

async function startEmbeddedDatabase(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const server = await startEmbeddedPostgres({ dataDir: serverDir(dataDir) });
  const ownerUrl = server.url(embeddedDatabaseName);
  await createMissingDatabase(server.url('postgres'));
  writeFileSync(addressFile(dataDir), ownerUrl, { mode: 0o600 });
  // Every start sets a new password, which only this process knows.
  const password = randomBytes(24).toString('base64url');
  const appUrl = new URL(ownerUrl);
  appUrl.username = embeddedAppRole;
  appUrl.password = password;
  const lost = Promise.withResolvers<void>();
  let isClosing = false;
  void server.exited.then(() => isClosing || lost.resolve());
  return {
    ownerUrl,
    appUrl: appUrl.href,
    appRole: { name: embeddedAppRole, password },
    isOwner: true,
    warnings: [],
    lost: lost.promise,
    close: () => {
      isClosing = true;
      return server.stop();
    },
  };
}

const serverDir = (dataDir: string) => join(dataDir, 'postgres');

/** The file with the running server's address, which commands need because the port changes with every start. */
const addressFile = (dataDir: string) => join(dataDir, 'database-url');

async function createMissingDatabase(url: string): Promise<void> {
  const client = await connectClient(url);
  try {
    const existing = await client.query('select from pg_database where datname = $1', [embeddedDatabaseName]);
    if (existing.rowCount === 0) await client.query(`create database ${embeddedDatabaseName}`);
  } finally {
    await client.end();
  }
}

async function findRunningDatabase(dataDir: string): Promise<Database | undefined> {
  try {
    const ownerUrl = readFileSync(addressFile(dataDir), 'utf8');
    await (await connectClient(ownerUrl)).end();
    // Both addresses are the owner's: only the process that started the server knows the password of the other role.
    return {
      ownerUrl,
      appUrl: ownerUrl,
      appRole: undefined,
      isOwner: true,
      warnings: [],
      close: async () => {},
    };
  } catch {
    return undefined;
  }
}

async function checkConnections(
  { ownerUrl, appRole }: Database,
  { databaseUrl }: DatabaseSettings,
): Promise<void> {
  if (databaseUrl === undefined) return;
  await checkConnection(ownerUrl, appRole === undefined ? 'DATABASE_URL' : 'MIGRATION_DATABASE_URL');
  if (databaseUrl !== ownerUrl) await checkConnection(databaseUrl, 'DATABASE_URL');
}

async function checkConnection(url: string, setting: string): Promise<void> {
  const changesSessions = await poolsTransactions(url).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new InvalidSetting(`${setting} aponta para um PostgreSQL que não atende: ${reason}`);
  });
  if (changesSessions) throw poolerRefusal(setting);
}

/** Creates the refusal of a setting whose address leads through a pooler that changes the session of a connection. */
export function poolerRefusal(setting: string): InvalidSetting {
  return new InvalidSetting(
    `${setting} passa por um pooler que troca de sessão a cada transação: use pool_mode = session, ou o endereço do próprio PostgreSQL`,
  );
}
