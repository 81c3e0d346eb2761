import { EVENT_DAYS } from '@jangada/contract';
import { sql } from 'kysely';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { dropHeldOlderThan, exhaustOlderThan } from './delivery-store.ts';
import { selectEndpointsWithStrandedHeld } from './endpoint-store.ts';
import { forgetHealth } from './health-store.ts';
import { releaseHeld } from './manage-endpoints.ts';
import { DELIVERY_LIFETIME_MS } from './retry-schedule.ts';

const day = 24 * 3_600_000;
const keptMs = 90 * day;
// Events are in the feed for 30 days; an event resent on the last day may wait a few more.
const eventsKeptMs = (EVENT_DAYS + 4) * day;
const atOnce = 1000;

/**
 * Deletes events that left the feed, webhooks finished three months ago with their attempts, the health of receivers
 * with nothing waiting, and leases left by dead processes.
 */
export async function pruneWebhooks(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  for (const forget of [forgetEvents, forgetDeliveries, forgetBreakers, forgetReceivers, forgetLeases]) {
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
  const { rows: old } = await sql<{ merchant_id: number; id: string }>`
    with old as (
      select merchant_id, id from webhook_deliveries
      where state <> 'waiting' and created_at < ${before} and finished_at < ${before}
      limit ${atOnce}
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
}

/** An endpoint forgotten while it hangs times out three more times before it is paused again. */
async function forgetBreakers(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_breakers breaker using (
      select merchant_id, endpoint from webhook_breakers
      where coalesce(open_until <= ${tx.now}, true)
        and not exists (
          select from webhook_deliveries waiting
          where waiting.state = 'waiting' and waiting.merchant_id = webhook_breakers.merchant_id
            and waiting.endpoint = webhook_breakers.endpoint)
      order by merchant_id, endpoint limit ${atOnce}
      for update skip locked
    ) old
    where breaker.merchant_id = old.merchant_id and breaker.endpoint = old.endpoint
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/** An expired lease has no effect; its process died, or lost it to another. */
async function forgetLeases(tx: Tx): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_leases lease using (
      select merchant_id, delivery_id from webhook_leases
      where until <= ${new Date(tx.now.getTime() - day)} limit ${atOnce}
      for update skip locked
    ) old
    where lease.merchant_id = old.merchant_id and lease.delivery_id = old.delivery_id
  `.execute(tx.db);
  return Number(numAffectedRows ?? 0n);
}

/**
 * Gives up webhooks that waited too long for a paused or disabled endpoint. Returns the number; above 0 there may be
 * more.
 */
export async function expireOldDeliveries(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return inTransaction(deps, async (tx) => {
    const before = new Date(tx.now.getTime() - DELIVERY_LIFETIME_MS);
    return (await dropHeldOlderThan(tx, before, atOnce)) + (await exhaustOlderThan(tx, before, atOnce));
  });
}

const endpointsAtOnce = 100;

/**
 * Releases deliveries still held for enabled endpoints: the rest of a large backlog, and those held by a process that
 * had seen the endpoint off. Returns the number of endpoints with more; deliveries being sent are left for the next
 * run.
 */
export async function releaseStrandedHeld(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const endpoints = await inTransaction(deps, (tx) => selectEndpointsWithStrandedHeld(tx, endpointsAtOnce));
  let more = 0;
  for (const { merchantId, id } of endpoints)
    if (await inTransaction(deps, (tx) => releaseHeld(tx, merchantId, id))) more += 1;
  return more;
}
