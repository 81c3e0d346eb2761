import type pg from 'pg';
import { createDb, createPool, type Db, type PoolOptions } from '../src/db/pool.ts';

/**
 * A pool whose callers wait for a connection for longer than the gateway's own: under a test's load a machine, or a
 * cluster that is all on one machine, may be busy for longer.
 */
export function createPatientPool(options: PoolOptions): pg.Pool {
  const pool = createPool(options);
  pool.options.connectionTimeoutMillis = 60_000;
  return pool;
}

/** Opens the database for a test that puts the gateway's processes under load and looks on from outside. */
export function observeDatabase(url: string): Db {
  return createDb(createPatientPool({ url, max: 4, onError: () => {} }));
}
