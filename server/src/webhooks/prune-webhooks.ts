import { EVENT_DAYS } from '@jangada/contract';
import { sql } from 'kysely';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { exhaustUndeliverable } from './delivery-store.ts';
import { pruneHealth } from './health-store.ts';
import { DELIVERY_LIFETIME_MS } from './retry-schedule.ts';

const dayMs = 24 * 3_600_000;
// How long deliveries stay in the log after they ended.
const deliveriesKeptMs = 90 * dayMs;
// The feed shows events for 30 days. One that is resent on the last day needs its body for a few days of retries.
const eventsKeptMs = (EVENT_DAYS + 4) * dayMs;
// How many rows one transaction changes at most.
const batchSize = 1000;

/**
 * Deletes old events that the feed does not show any more, deliveries that ended three months ago, the health of
 * receivers that no longer matters, and leases that ended long ago.
 */
export async function pruneWebhooks(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (const deleteBatch of [deleteOldEvents, deleteEndedDeliveries, deleteOldHealth, deleteEndedLeases]) {
    let deletedCount = batchSize;
    while (deletedCount === batchSize) deletedCount = await inTransaction(deps, deleteBatch);
  }
}

async function deleteOldEvents(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events event using (
      select merchant_id, id from events
      where created_at < ${new Date(tx.now.getTime() - eventsKeptMs)}
      limit ${batchSize}
      for update skip locked
    ) old
    where event.merchant_id = old.merchant_id and event.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/** Keeps the health of a callback origin for more than a day, so that no merchant is notified twice within a day. */
function deleteOldHealth(tx: Tx): Promise<number> {
  return pruneHealth(tx, new Date(tx.now.getTime() - 7 * dayMs), batchSize);
}

async function deleteEndedDeliveries(tx: Tx): Promise<number> {
  const before = new Date(tx.now.getTime() - deliveriesKeptMs);
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries delivery using (
      select merchant_id, id from webhook_deliveries
      where state <> 'waiting' and created_at < ${before} and finished_at < ${before}
      limit ${batchSize}
      for update skip locked
    ) old
    where delivery.merchant_id = old.merchant_id and delivery.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/** Leases that ended have no effect, so deleting them is safe. */
async function deleteEndedLeases(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_leases lease using (
      select merchant_id from webhook_leases
      where until <= ${new Date(tx.now.getTime() - dayMs)} limit ${batchSize}
      for update skip locked
    ) old
    where lease.merchant_id = old.merchant_id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Gives up deliveries that waited too long, such as those for an endpoint that is off, and deliveries that wait for a
 * removed endpoint. Returns how many; unless it is 0, there may be more.
 */
export async function expireOldDeliveries(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, (tx) =>
    exhaustUndeliverable(tx, new Date(tx.now.getTime() - DELIVERY_LIFETIME_MS), batchSize),
  );
}
