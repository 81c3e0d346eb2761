import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { invariant } from '../invariant.ts';
import { type ClientConfig, DatabaseClient, type SessionOptions } from './client.ts';
import { asUnavailable } from './outage.ts';
import type { DB } from './schema.ts';

export type Db = Kysely<DB>;

/** Parses a bigint as a number. Our bigints are cents, counts and ids, far below 2^53; a larger value throws. */
function safeInteger(text: string): number {
  const value = Number(text);
  invariant(Number.isSafeInteger(value), 'a bigint column passed 2^53');
  return value;
}

// Type numbers (OIDs) of PostgreSQL.
const int8 = 20;
const date = 1082;
const int8Array = 1016;

/** Returns the driver's parser for a type, except that bigints become numbers and calendar days stay text. */
function typeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === int8) return safeInteger;
  if (oid === int8Array) {
    const parseArray: (text: string) => string[] = pg.types.getTypeParser(int8Array as number, 'text');
    return (text: string) => parseArray(text).map(safeInteger);
  }
  // A calendar day stays the text YYYY-MM-DD: as a Date it could become another day in another time zone.
  if (oid === date) return (text: string) => text;
  return pg.types.getTypeParser(oid, format);
}

/** How long a caller waits for a connection: when the database is slow, an early refusal is better than a late one. */
export const maxConnectionWaitMs = 4000;
const defaultStatementTimeoutMs = 30_000;

export type PoolOptions = SessionOptions & {
  readonly url: string;
  readonly max?: number;
  /** The purpose of the connections, which the server shows in the names of their sessions. */
  readonly name?: string;
  readonly onError?: (error: Error) => void;
};

/** A pool that throws DatabaseUnavailable if it cannot provide a connection. */
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
  readsByKey = false,
  detectsServerChange = false,
  statementTimeoutMs = defaultStatementTimeoutMs,
  onError = () => {},
}: PoolOptions): pg.Pool {
  const config: pg.PoolConfig & ClientConfig = {
    connectionString: url,
    max,
    // The pool passes this whole object to each client that it creates, so `session` reaches DatabaseClient.
    Client: DatabaseClient,
    session: { readsByKey, detectsServerChange, statementTimeoutMs },
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    connectionTimeoutMillis: maxConnectionWaitMs,
    application_name: name,
  };
  const pool = new DatabasePool(config);
  // Two listeners: one for idle connections that break, one for those that break between statements of a transaction.
  pool.on('error', onError);
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

/**
 * The number of connections that receiving payments uses at once: one to store notices (a bank's callbacks about
 * payments), two to book payments, and one each to finish, to defer and to look for notices. They form a pool of their
 * own, so that receiving never waits for a connection, however many API calls there are.
 */
export const RECEIVING_CONNECTIONS = 6;

export function createDb(pool: pg.Pool): Db {
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
}
