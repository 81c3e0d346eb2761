import { sql } from 'kysely';
import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';

/**
 * Waits until the feed of events shows everything committed so far. The feed holds events back while older transactions
 * are open, including transactions of other tests on the same server.
 */
export async function waitUntilEventsAreVisible({ deps }: Pick<TestGateway, 'deps'>): Promise<void> {
  const heldBack = async () => {
    const { rows } = await sql`
      select id from events
      where epoch = (select coalesce(max(feed_epoch), 1) from gateway)
        and tx >= pg_snapshot_xmin(pg_current_snapshot())
    `.execute(deps.db);
    return rows;
  };
  await expect.poll(heldBack).toEqual([]);
}
