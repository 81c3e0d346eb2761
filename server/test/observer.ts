import { createDb, createPool, type Db } from '../src/db/pool.ts';

/**
 * Opens the database for a test that puts the gateway's processes under load and looks on from outside. The load may keep
 * the machine busy for longer than the gateway's own callers wait for a connection.
 */
export function observeDatabase(url: string): Db {
  const pool = createPool({ url, max: 4, onError: () => {} });
  pool.options.connectionTimeoutMillis = 60_000;
  return createDb(pool);
}
