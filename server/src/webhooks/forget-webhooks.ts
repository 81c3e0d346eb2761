import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';

const keptMs = 90 * 24 * 3_600_000;
const atOnce = 1000;

/** Forgets webhooks that came to their end three months ago, with their attempts. */
export async function forgetWebhooks(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (let forgotten = atOnce; forgotten === atOnce; ) {
    forgotten = await inTransaction(deps, async (tx) => {
      const { rows: old } = await sql<{ merchant_id: number; id: string }>`
        with old as (
          select merchant_id, id from webhook_deliveries
          where state <> 'waiting' and finished_at < ${new Date(tx.now.getTime() - keptMs)}
          order by finished_at limit ${atOnce}
          for update skip locked
        ), attempts as (
          delete from webhook_attempts using old
          where webhook_attempts.merchant_id = old.merchant_id and webhook_attempts.delivery_id = old.id
        )
        select merchant_id, id from old
      `.execute(tx.db);
      await sql`
        delete from webhook_deliveries
        using unnest(${old.map((row) => row.merchant_id)}::bigint[], ${old.map((row) => row.id)}::text[])
              old (merchant_id, id)
        where webhook_deliveries.merchant_id = old.merchant_id and webhook_deliveries.id = old.id
      `.execute(tx.db);
      return old.length;
    });
  }
}
