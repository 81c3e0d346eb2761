import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { invariant } from '../invariant.ts';
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

/** Bounds the memory for the names of statements whose text varies. */
const maxStatementNames = 5000;
const statementNames = new Map<string, string>();

/** A given SQL text has the same name on every connection, so that each connection parses and plans it once. */
function statementName(sql: string): string {
  const existingName = statementNames.get(sql);
  if (existingName !== undefined) return existingName;
  const name = createHash('sha256').update(sql).digest('base64url').slice(0, 24);
  if (statementNames.size < maxStatementNames) statementNames.set(sql, name);
  return name;
}

/** A client whose parametrised statements are prepared once per connection. */
class PreparingClient extends pg.Client {
  override query = ((first: unknown, second?: unknown, third?: unknown) => {
    const query = super.query.bind(this) as (...args: unknown[]) => unknown;
    if (typeof first === 'string' && Array.isArray(second) && second.length > 0) {
      return query({ name: statementName(first), text: first, values: second }, third);
    }
    if (third !== undefined) return query(first, second, third);
    return second === undefined ? query(first) : query(first, second);
  }) as pg.Client['query'];
}

export type PoolOptions = {
  url: string;
  max?: number;
  /**
   * True for work that reads few rows by key, like all of the gateway's: discourages plans that read whole tables.
   * PostgreSQL plans a statement while its tables are small and keeps the plan, so it would continue to scan them after
   * they have grown.
   */
  byKey?: boolean;
  /** No statement may take longer; 0 means no limit. */
  statementTimeoutMs?: number;
  onError?: (error: Error) => void;
};

export function createPool({
  url,
  max = 16,
  byKey = false,
  statementTimeoutMs = 30_000,
  onError = () => {},
}: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    Client: PreparingClient,
    types: { getTypeParser: typeParser as typeof pg.types.getTypeParser },
    connectionTimeoutMillis: 10_000,
    statement_timeout: statementTimeoutMs,
    // Without a timeout, a query to a server that is gone would never return, and would block its caller and everyone
    // waiting for that caller.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 5000 }),
    keepAlive: true,
    idle_in_transaction_session_timeout: 60_000,
    application_name: 'jangada',
    ...(byKey && { options: '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off' }),
  });
  // The pool replaces a broken connection, but an unhandled error event would end the process. Idle connections and
  // connections that break between two statements of a transaction each need a listener.
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
