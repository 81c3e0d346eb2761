import { sql } from 'kysely';
import { connectClient } from '../db/client.ts';
import type { Db } from '../db/pool.ts';

/** Identifies a PostgreSQL server. */
export type ServerIdentity = {
  readonly systemIdentifier: string;
  /** The data directory; empty if the role may not read it (that requires pg_read_all_settings). */
  readonly dataDirectory: string;
};

/** Reads the identity of a PostgreSQL server, as the owner, who may read more than the application's role. */
export async function readServerIdentity(ownerUrl: string): Promise<ServerIdentity> {
  const client = await connectClient(ownerUrl);
  try {
    const { rows } = await client.query<{ id: string; directory: string | null }>(`
      select (select system_identifier::text from pg_control_system()) as id,
             (select setting from pg_settings where name = 'data_directory') as directory`);
    const [row] = rows;
    if (row === undefined) throw new Error('PostgreSQL does not say which server it is.');
    return { systemIdentifier: row.id, dataDirectory: row.directory ?? '' };
  } finally {
    await client.end();
  }
}

/**
 * Finds settings that are off for the application's connections, so that a crash could lose or damage committed data.
 */
export async function findUnsafeSettings(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off'
    order by name`.execute(db);
  return rows.map((row) => row.name);
}
