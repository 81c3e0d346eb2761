import { sql } from 'kysely';
import { lockSeveral } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';
import type { Charge } from './payment.ts';
import { type ChargeRow, chargeColumns, chargeFrom } from './store.ts';

/**
 * Leases due charges until `until`, earliest first: no other process takes them before then. Passes over those at the
 * banks of these connections.
 */
export async function leaseDueCharges(
  tx: Tx,
  until: Date,
  limit: number,
  passedOver: readonly number[],
): Promise<Charge[]> {
  const { rows } = await sql<ChargeRow>`
    update charges set next_check_at = ${until}
    from (
      select charges.merchant_id, charges.id
      from open_charges listed
      join charges on charges.merchant_id = listed.merchant_id and charges.id = listed.charge_id
      -- The second condition is checked again for a charge that another process leased before it could be locked here.
      where listed.next_check_at <= ${tx.now} and charges.next_check_at <= ${tx.now}
        and listed.connection_id <> all(${passedOver}::integer[])
      order by listed.next_check_at limit ${limit}
      ${lockSeveral('for update skip locked', 'charges')}
    ) due
    where charges.merchant_id = due.merchant_id and charges.id = due.id and charges.next_check_at <= ${tx.now}
    returning ${sql.join(chargeColumns.map((column) => sql.ref(`charges.${column}`)))}
  `.execute(tx.db);
  return rows.map(chargeFrom);
}
