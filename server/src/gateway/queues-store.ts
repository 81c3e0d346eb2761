import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** The state of one queue. */
export type Queue = {
  readonly name: string;
  readonly waiting: number;
  /** Null when nothing is due. */
  readonly oldestDueAt: Date | null;
};

/** Counting stops at this number. */
const mostCounted = 100_000;

/** The queues and the column with each item's due time. Job times are those of the machine's clock. */
const queues = {
  notices: sql`select due_at from psp_inbox where state = 'waiting' order by due_at`,
  webhooks: sql`select due_at from webhook_deliveries where state = 'waiting'`,
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
  const counted = Object.entries(queues).map(
    ([name, waiting]) => sql`
      select ${name}::text as name, count(*) as waiting,
             min(due_at) filter (where due_at <= ${now}) as "oldestDueAt"
      from (${waiting} limit ${mostCounted}) waiting`,
  );
  const { rows } = await sql<Queue>`${sql.join(counted, sql` union all `)}`.execute(db);
  return rows;
}

export type ReconciliationState = {
  readonly receivedAt: Date | null;
  readonly sentUntil: Date | null;
  readonly openItems: number;
  readonly pendingKyc: number;
  readonly stoppedBecause: string | null;
};

/** When the bank's lists were last read, and how much is waiting for the operator. */
export async function readReconciliationState(db: Db): Promise<ReconciliationState> {
  const { rows } = await sql<ReconciliationState>`
    select (select finished_at from reconciliation) as "receivedAt",
           (select read_until from payout_reconciliation) as "sentUntil",
           (select count(*) from open_items where closed_at is null) as "openItems",
           (select count(*) from kyc_submissions where status = 'pending') as "pendingKyc",
           payouts_stopped_because as "stoppedBecause"
    from gateway
  `.execute(db);
  const [watched] = rows;
  if (watched === undefined) throw new Error('The gateway has no row of its own.');
  return watched;
}
