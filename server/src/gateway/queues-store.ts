import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { HOUSE_CONNECTION, OTHER_BANK } from '../psp/index.ts';

/** The state of one queue: how many items it holds, and how late it is. */
export type Queue = {
  readonly name: string;
  /** The number of items, due or not, counted up to a maximum. */
  readonly waiting: number;
  /** The due time of the item that has been due longest; null if nothing is due yet. */
  readonly oldestDueAt: Date | null;
};

/** Items of a queue are counted only up to this number, which keeps the count fast. */
const maxCounted = 100_000;

/**
 * Queries for the due times of the items in each queue. Jobs are due by the machine's clock, all other items by the
 * gateway's.
 */
const queues = {
  notices: sql`select due_at from psp_inbox where state = 'waiting' order by due_at`,
  // Stored deliveries, and events that a receiver has not been sent yet: those after its cursor. Omits everything that
  // waits for endpoints that are off.
  webhooks: sql`
    select due_at from webhook_deliveries delivery
    where state = 'waiting' and not exists (
      select from webhook_endpoints endpoint
      where endpoint.merchant_id = delivery.merchant_id and endpoint.id::text = delivery.receiver and endpoint.state = 'off')
    union all
    select event.created_at
    from webhook_cursors cursor
    left join webhook_endpoints endpoint
      on endpoint.merchant_id = cursor.merchant_id and endpoint.id::text = cursor.receiver
    join events event
      on event.merchant_id = cursor.merchant_id
      and (event.epoch, event.tx, event.seq) > (cursor.epoch, cursor.tx, cursor.seq)
    where case when endpoint.id is null then callback_url is not null
               else endpoint.state = 'on' and (endpoint.events = '{}' or event.type = any(endpoint.events)) end`,
  messages: sql`select null::timestamptz as due_at from outbox`,
  withdrawals: sql`select due_at from withdrawals where status = 'pending' and due_at is not null order by due_at`,
  'withdrawal look-ups': sql`
    select due_at from withdrawals where status <> 'pending' and due_at is not null order by due_at`,
  refunds: sql`select due_at from refunds where due_at is not null order by due_at`,
  disputes: sql`select due_at from disputes where due_at is not null order by due_at`,
  mails: sql`select due_at from mails where due_at is not null order by due_at`,
  pushes: sql`select due_at from push_deliveries order by due_at`,
  jobs: sql`select run_at as due_at from graphile_worker.jobs order by run_at`,
} as const;

export async function readQueues(db: Db, now: Date): Promise<Queue[]> {
  const countQueries = Object.entries(queues).map(
    ([name, dueTimes]) => sql`
      select ${name}::text as name, count(*) as waiting,
             min(due_at) filter (where due_at <= ${now}) as "oldestDueAt"
      from (${dueTimes} limit ${maxCounted}) waiting`,
  );
  const { rows } = await sql<Queue>`${sql.join(countQueries, sql` union all `)}`.execute(db);
  return rows;
}

export type ReconciliationState = {
  /** When the list of payments received in the operator's own account was last compared. */
  readonly receivedAt: Date | null;
  /** The end of the period for which the list of payouts sent from the operator's own account was compared. */
  readonly sentUntil: Date | null;
  /** Discrepancies that the operator has not closed yet. */
  readonly openItems: number;
  readonly pendingKyc: number;
  /** Merchants' own accounts that are broken, or that wait for the addresses of a bank that nobody knows. */
  readonly ownAccountsWaiting: number;
  /** Why payouts are stopped, if they are. */
  readonly stoppedBecause: string | null;
};

/** Reads when the bank's lists were last compared with our books, and what is waiting for the operator. */
export async function readReconciliationState(db: Db): Promise<ReconciliationState> {
  const { rows } = await sql<ReconciliationState>`
    select (select finished_at from received_pix_list_position
            where connection_id = ${HOUSE_CONNECTION}) as "receivedAt",
           (select read_until from payout_list_position
            where connection_id = ${HOUSE_CONNECTION}) as "sentUntil",
           (select count(*) from open_items where closed_at is null) as "openItems",
           (select count(*) from kyc_submissions where status = 'pending') as "pendingKyc",
           (select count(*) from bank_connections
            where state <> 'retired' and (broken_since is not null or (bank = ${OTHER_BANK} and api_url is null))
           ) as "ownAccountsWaiting",
           payouts_stopped_because as "stoppedBecause"
    from gateway
  `.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('The gateway has no row of its own.');
  return state;
}
