import { sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Db } from '../db/pool.ts';

/** A process's exclusive right to send a merchant's webhooks, until a deadline. */
export type Lease = { readonly merchantId: number; readonly holder: string; readonly until: Date };

/**
 * Leases merchants to a process, or renews its leases. A merchant that is leased to another process stays with it.
 * Returns the leases of all these merchants, except those that other processes took at the same moment.
 */
export async function takeLeases(
  db: Db,
  merchantIds: readonly number[],
  { holder, now, until }: { readonly holder: string; readonly now: Date; readonly until: Date },
): Promise<Lease[]> {
  const { rows } = await sql<Lease>`
    with asked as (select distinct unnest(${numberArray(merchantIds)}::bigint[]) as merchant_id order by 1),
    taken as (
      insert into webhook_leases as lease (merchant_id, holder, until)
      select merchant_id, ${holder}, ${until} from asked
      on conflict (merchant_id) do update set holder = excluded.holder, until = excluded.until
      where lease.holder = excluded.holder or lease.until <= ${now}
      returning merchant_id, lease.holder, lease.until
    )
    select merchant_id as "merchantId", holder, until from taken
    union all
    select merchant_id, holder, until from webhook_leases join asked using (merchant_id)
    where holder <> ${holder} and until > ${now}
  `.execute(db);
  return rows;
}

/** Ends a process's leases, so that others can send for its merchants at once. */
export const deleteLeases = (db: Db, holder: string): Promise<unknown> =>
  sql`delete from webhook_leases where holder = ${holder}`.execute(db);
