import { sql } from 'kysely';
import type { Deps } from '../deps.ts';

// As long as a bank may be asked about what it told.
const keptMs = 90 * 24 * 3_600_000;
const batch = 5000;

/** Forgets notices that were worked long ago. What came of them stands in received_pix and the books. */
export async function pruneInbox({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs);
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from psp_inbox
      where id in (
        select id from psp_inbox where state <> 'waiting' and finished_at < ${before} limit ${batch})
    `.execute(db);
    if (numAffectedRows < batch) return;
  }
}
