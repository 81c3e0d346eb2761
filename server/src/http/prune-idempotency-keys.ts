import type { Clock } from '../clock.ts';
import type { Db } from '../db/pool.ts';

// The API promises a day; the extra hour protects a retry at the very end of it.
const keptMs = 25 * 3_600_000;
const batch = 5000;

/** Deletes the stored answers of keyed calls after their day, in batches. */
export async function pruneIdempotencyKeys({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - keptMs);
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('idempotency_keys')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('merchant_id', 'route', 'key'),
          'in',
          selectFrom('idempotency_keys')
            .select(['merchant_id', 'route', 'key'])
            .where('created_at', '<', before)
            .limit(batch)
            .$asTuple('merchant_id', 'route', 'key'),
        ),
      )
      .executeTakeFirst();
    if (numDeletedRows < batch) return;
  }
}
