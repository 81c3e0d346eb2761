import { EVENT_DAYS } from '@jangada/contract';
import { sql } from 'kysely';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { exhaustStranded } from './delivery-store.ts';
import { forgetHealth } from './health-store.ts';
import { DELIVERY_LIFETIME_MS } from './retry-schedule.ts';

const day = 24 * 3_600_000;
const keptMs = 90 * day;
// Events are in the feed for 30 days; an event resent on the last day may wait a few more.
const eventsKeptMs = (EVENT_DAYS + 4) * day;
const atOnce = 1000;

/**
 * Deletes events that left the feed, webhooks finished three months ago, the health of receivers that nobody asks for
 * any more, and leases that ended long ago.
 */
export async function pruneWebhooks(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (const forget of [forgetEvents, forgetDeliveries, forgetReceivers, forgetLeases]) {
    let forgotten = atOnce;
    while (forgotten === atOnce) forgotten = await inTransaction(deps, forget);
  }
}

async function forgetEvents(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from events event using (
      select merchant_id, id from events
      where created_at < ${new Date(tx.now.getTime() - eventsKeptMs)}
      limit ${atOnce}
      for update skip locked
    ) old
    where event.merchant_id = old.merchant_id and event.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/** Callback origins are kept long enough to avoid a second notification within a day. */
function forgetReceivers(tx: Tx): Promise<number> {
  return forgetHealth(tx, new Date(tx.now.getTime() - 7 * day), atOnce);
}

async function forgetDeliveries(tx: Tx): Promise<number> {
  const before = new Date(tx.now.getTime() - keptMs);
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries delivery using (
      select merchant_id, id from webhook_deliveries
      where state <> 'waiting' and created_at < ${before} and finished_at < ${before}
      limit ${atOnce}
      for update skip locked
    ) old
    where delivery.merchant_id = old.merchant_id and delivery.id = old.id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/** A lease that ended has no effect. */
async function forgetLeases(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_leases lease using (
      select merchant_id from webhook_leases
      where until <= ${new Date(tx.now.getTime() - day)} limit ${atOnce}
      for update skip locked
    ) old
    where lease.merchant_id = old.merchant_id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Gives up webhooks that waited too long for an endpoint that is off, or wait for one that was removed. Returns the
 * number; above 0 there may be more.
 */
export async function expireOldDeliveries(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, (tx) =>
    exhaustStranded(tx, new Date(tx.now.getTime() - DELIVERY_LIFETIME_MS), atOnce),
  );
}
