import { EVENT_DAYS } from '@jangada/contract';
import { sql } from 'kysely';
import { lockSeveral } from '../db/sharding.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { giveUpUndeliverable } from './delivery-store.ts';
import { pruneHealth } from './health-store.ts';
import { DELIVERY_LIFETIME_MS } from './retry-schedule.ts';

const dayMs = 24 * 3_600_000;
/**
 * The feed shows an event for 30 days, and for as long it can be resent. If it is resent on the last of them, its body
 * is needed for three more days of retries. One day is to spare.
 */
const eventsKeptMs = EVENT_DAYS * dayMs + DELIVERY_LIFETIME_MS + dayMs;
/** How long deliveries stay in the log after they ended. */
const endedDeliveriesKeptMs = 90 * dayMs;
/**
 * How long the health of a callback origin is kept after its last failure. It must be longer than a day: the health
 * contains when the merchant was last notified, which happens at most once a day.
 */
const healthKeptMs = 7 * dayMs;
/** Leases that ended have no effect, so how long they are kept does not matter. */
const endedLeasesKeptMs = dayMs;
/** How many rows one transaction changes at most. */
const batchSize = 1000;

/**
 * Deletes old rows of each of these kinds:
 * - events that can no longer be read, resent or retried
 * - deliveries that ended three months ago
 * - the health of callback origins that have not failed for a week, and of removed endpoints
 * - leases that ended
 */
export async function pruneWebhooks(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (const deleteBatch of [deleteOldEvents, deleteEndedDeliveries, deleteOldHealth, deleteEndedLeases]) {
    let deletedCount: number;
    do {
      deletedCount = await inTransaction(deps, deleteBatch);
    } while (deletedCount === batchSize);
  }
}

async function deleteOldEvents(tx: Tx): Promise<number> {
  const cutoff = new Date(tx.now.getTime() - eventsKeptMs);
  const { numAffectedRows } = await sql`
    delete from events event using (
      select merchant_id, id from events
      where created_at < ${cutoff}
      limit ${batchSize}
      ${lockSeveral('for update skip locked')}
    ) old
    where event.merchant_id = old.merchant_id and event.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

async function deleteEndedDeliveries(tx: Tx): Promise<number> {
  const cutoff = new Date(tx.now.getTime() - endedDeliveriesKeptMs);
  // `created_at` is compared too, because only that column has an index by age.
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries delivery using (
      select merchant_id, id from webhook_deliveries
      where state <> 'waiting' and created_at < ${cutoff} and finished_at < ${cutoff}
      limit ${batchSize}
      ${lockSeveral('for update skip locked')}
    ) old
    where delivery.merchant_id = old.merchant_id and delivery.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

function deleteOldHealth(tx: Tx): Promise<number> {
  return pruneHealth(tx, new Date(tx.now.getTime() - healthKeptMs), batchSize);
}

async function deleteEndedLeases(tx: Tx): Promise<number> {
  const cutoff = new Date(tx.now.getTime() - endedLeasesKeptMs);
  const { numAffectedRows } = await sql`
    delete from webhook_leases lease using (
      select merchant_id from webhook_leases
      where until <= ${cutoff}
      limit ${batchSize}
      ${lockSeveral('for update skip locked')}
    ) old
    where lease.merchant_id = old.merchant_id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Gives up deliveries (state `exhausted`) that still wait after three days, such as those for an endpoint that is off,
 * and deliveries that wait for a removed endpoint. Handles one batch, so that the transaction is short, and returns its
 * size. Call again until it returns 0: after a full batch there may be more, and a smaller batch may have skipped rows
 * that another transaction had locked.
 */
export async function giveUpDeliveries(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, (tx) =>
    giveUpUndeliverable(tx, new Date(tx.now.getTime() - DELIVERY_LIFETIME_MS), batchSize),
  );
}
