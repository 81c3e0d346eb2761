import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { invariant } from '../invariant.ts';
import { type ClientConfig, DatabaseClient, type SessionOptions } from './client.ts';
import { asUnavailable } from './outage.ts';
import type { DB } from './schema.ts';

export type Db = Kysely<DB>;

/** bigint columns hold cents and counts, far below 2^53: they become numbers, and a larger value throws. */
function safeInteger(text: string): number {
  const value = Number(text);
  invariant(Number.isSafeInteger(value), 'a bigint column passed 2^53');
  return value;
}

// Type numbers (OIDs) of PostgreSQL.
const int8 = 20;
const date = 1082;
const int8Array = 1016;

/** The driver's parser of a type, except for bigints and calendar days. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8) return safeInteger;
  if (oid === int8Array) {
    const parseArray: (text: string) => string[] = pg.types.getTypeParser(int8Array as number, 'text');
    return (text: string) => parseArray(text).map(safeInteger);
  }
  // A calendar day stays the text YYYY-MM-DD: a Date would shift it between time zones.
  if (oid === date) return (text: string) => text;
  return pg.types.getTypeParser(oid, format);
}

/** How long a caller waits for a connection: when the database is slow, most are better refused soon than late. */
export const longestWaitMs = 4000;
const defaultStatementTimeoutMs = 30_000;

export type PoolOptions = SessionOptions & {
  readonly url: string;
  readonly max?: number;
  /** What the connections are for, as the server shows it. */
  readonly name?: string;
  readonly onError?: (error: Error) => void;
};

/** A pool that reports the lack of a connection as DatabaseUnavailable. */
class DatabasePool extends pg.Pool {
  override connect = ((callback?: (...args: unknown[]) => void) => {
    if (callback === undefined)
      return super.connect().catch((error) => {
        throw asUnavailable(error);
      });
    return super.connect((error, ...rest) => callback(error && asUnavailable(error), ...rest));
  }) as pg.Pool['connect'];
}

export function createPool({
  url,
  max = 16,
  name = 'jangada',
  byKey = false,
  recognizesServer = false,
  statementTimeoutMs = defaultStatementTimeoutMs,
  onError = () => {},
}: PoolOptions): pg.Pool {
  const config: pg.PoolConfig & ClientConfig = {
    connectionString: url,
    max,
    // The pool makes its clients of its whole configuration.
    Client: DatabaseClient,
    session: { byKey, recognizesServer, statementTimeoutMs },
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    connectionTimeoutMillis: longestWaitMs,
    application_name: name,
  };
  const pool = new DatabasePool(config);
  // Idle connections, and connections that break between two statements of a transaction, each need a listener.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/**
 * As many connections as receiving payments uses at once: one to store notices (a bank's callbacks about payments), two
 * to book payments, and one each to finish, defer and look for notices. Because receiving has its own pool, none of
 * these waits for a connection, however many API calls there are.
 */
export const RECEIVING_CONNECTIONS = 6;

export function createDb(pool: pg.Pool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
