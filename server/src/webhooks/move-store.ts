import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import type { ReceiverOrigin } from './delivery.ts';

/** What the deliveries of an endpoint must match: its state (off or removed), or its address. */
export type Follows = 'state' | 'address';

export type Move = { readonly merchantId: number; readonly endpointId: string; readonly follows: Follows };

/** Records that more deliveries remain to be moved. */
export async function insertMove(tx: Tx, { merchantId, endpointId, follows }: Move): Promise<void> {
  // A worker that has this move in progress waits for the endpoint, which is locked here, and then moves by its current
  // state.
  await sql`
    insert into webhook_moves (merchant_id, endpoint_id, follows) values (${merchantId}, ${endpointId}, ${follows})
    on conflict do nothing
  `.execute(tx.db);
}

/**
 * Locks an unfinished move that no one else has in progress, until the commit: batches of one endpoint run one at a
 * time.
 */
export async function lockMove(tx: Tx): Promise<Move | undefined> {
  const { rows } = await sql<Move>`
    select merchant_id as "merchantId", endpoint_id as "endpointId", follows from webhook_moves
    limit 1 for update skip locked
  `.execute(tx.db);
  return rows[0];
}

export async function deleteMove(tx: Tx, { merchantId, endpointId, follows }: Move): Promise<void> {
  await sql`
    delete from webhook_moves
    where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and follows = ${follows}
  `.execute(tx.db);
}

/** Locks an endpoint's current state until the commit; undefined if it was removed. */
export async function lockEndpoint(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<{ readonly state: 'on' | 'off'; readonly url: string } | undefined> {
  const { rows } = await sql<{ state: 'on' | 'off'; url: string }>`
    select state, url from webhook_endpoints where merchant_id = ${merchantId} and id = ${id} for share
  `.execute(tx.db);
  return rows[0];
}

/** Moved deliveries, and the lanes affected. */
export type Moved = { readonly count: number; readonly lanes: readonly ReceiverOrigin[] };

/**
 * Moves up to `limit` waiting deliveries of an endpoint to `held`, or held ones to `waiting`, due now; deliveries being
 * sent are left alone.
 */
export async function moveDeliveries(
  tx: Tx,
  merchantId: number,
  endpointId: string,
  { to, limit }: { readonly to: 'held' | 'waiting'; readonly limit: number },
): Promise<Moved> {
  const isHeld = to === 'held';
  const { rows } = await sql<{ endpoint: string; count: number }>`
    with moved as (
      select merchant_id, id from webhook_deliveries delivery
      where merchant_id = ${merchantId} and endpoint_id = ${endpointId}
        and state = ${isHeld ? sql`'waiting'` : sql`'held'`}
        and not exists (
          select from webhook_leases lease
          where lease.merchant_id = delivery.merchant_id and lease.delivery_id = delivery.id)
      limit ${limit}
      for update skip locked
    ), changed as (
      update webhook_deliveries delivery
      set state = ${to}, due_at = ${isHeld ? sql`delivery.due_at` : tx.now}
      from moved where delivery.merchant_id = moved.merchant_id and delivery.id = moved.id
      returning delivery.endpoint
    )
    select endpoint, count(*)::int as count from changed group by endpoint
  `.execute(tx.db);
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    lanes: rows.map(({ endpoint }) => ({ merchantId, endpoint })),
  };
}

/** Updates up to `limit` waiting or held deliveries to the endpoint's current address. */
export async function readdressDeliveries(
  tx: Tx,
  { merchantId, id, url }: { readonly merchantId: number; readonly id: string; readonly url: string },
  limit: number,
): Promise<Moved> {
  const { rows } = await sql<{ endpoint: string; state: string; count: number }>`
    with waiting as (
      select merchant_id, id from webhook_deliveries delivery
      where merchant_id = ${merchantId} and endpoint_id = ${id} and state in ('waiting', 'held') and url <> ${url}
        and not exists (
          select from webhook_leases lease
          where lease.merchant_id = delivery.merchant_id and lease.delivery_id = delivery.id)
      limit ${limit}
      for update skip locked
    ), changed as (
      update webhook_deliveries delivery set url = ${url}, endpoint = ${new URL(url).origin}
      from waiting where delivery.merchant_id = waiting.merchant_id and delivery.id = waiting.id
      returning delivery.endpoint, delivery.state
    )
    select endpoint, state, count(*)::int as count from changed group by endpoint, state
  `.execute(tx.db);
  const waiting = rows.filter(({ state }) => state === 'waiting');
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    lanes: waiting.map(({ endpoint }) => ({ merchantId, endpoint })),
  };
}

/** Marks up to `limit` waiting or held deliveries of a removed endpoint as `exhausted`. Returns the number. */
export async function exhaustDeliveries(
  tx: Tx,
  merchantId: number,
  endpointId: string,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update webhook_deliveries delivery set state = 'exhausted', finished_at = ${tx.now}
    from (
      select merchant_id, id from webhook_deliveries
      where merchant_id = ${merchantId} and endpoint_id = ${endpointId} and state in ('waiting', 'held')
      limit ${limit}
      for update skip locked
    ) waiting
    where delivery.merchant_id = waiting.merchant_id and delivery.id = waiting.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}
