import { sql } from 'kysely';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Delivery } from './delivery.ts';
import { deleteLeases } from './delivery-store.ts';
import { noteLaneChanges } from './lane-store.ts';

/**
 * Holds deliveries whose endpoint was turned off since they were written, and gives up those whose endpoint was
 * removed.
 */
export async function holdDeliveries(
  deps: Pick<Deps, 'db' | 'clock'>,
  deliveries: readonly Delivery[],
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await sql`
      update webhook_deliveries delivery
      set state = case when endpoint.id is null then 'exhausted' else 'held' end,
          finished_at = case when endpoint.id is null then ${tx.now}::timestamptz end
      from unnest(
        ${deliveries.map((one) => one.merchantId)}::bigint[], ${deliveries.map((one) => one.id)}::text[],
        ${deliveries.map((one) => one.endpointId)}::uuid[]
      ) off (merchant_id, id, endpoint_id)
      left join webhook_endpoints endpoint
        on endpoint.merchant_id = off.merchant_id and endpoint.id = off.endpoint_id
      where delivery.merchant_id = off.merchant_id and delivery.id = off.id and delivery.state = 'waiting'
    `.execute(tx.db);
    await deleteLeases(tx, deliveries);
    await noteLaneChanges(tx, deliveries, null);
  });
}
