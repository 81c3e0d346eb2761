import { sql } from 'kysely';
import { connectClient } from '../db/client.ts';
import type { Db } from '../db/pool.ts';

/**
 * Reads the data directory of the PostgreSQL server. The application's role may not read this setting, so the
 * database's owner does. Returns an empty text if the owner lacks pg_read_all_settings too.
 */
export async function readDataDirectory(ownerUrl: string): Promise<string> {
  const client = await connectClient(ownerUrl);
  try {
    const { rows } = await client.query<{ setting: string | null }>(
      `select setting from pg_settings where name = 'data_directory'`,
    );
    return rows[0]?.setting ?? '';
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
