import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** What an operator looks at. Amounts in integer cents, null as long as the bank has never said. */
export type PayoutState = {
  /** Null when orders leave. */
  readonly stoppedBecause: string | null;
  readonly waiting: number;
  readonly inDoubt: number;
  /** What the bank said last, and when. */
  readonly balanceCents: number | null;
  /** What belongs to merchants. */
  readonly neededCents: number | null;
  readonly readAt: Date | null;
  /** Whether it told when it was asked last. */
  readonly tellsBalance: boolean;
};

/** Whether orders leave, what waits, and what the account held when the bank last told. */
export async function readPayoutState(db: Db): Promise<PayoutState> {
  const { rows } = await sql<PayoutState>`
    select (select payouts_stopped_because from gateway) as "stoppedBecause",
           (select count(*) from withdrawals where status = 'pending') as waiting,
           (select count(*) from withdrawals
            where status = 'processing' and unknown_since is not null and (lookups > 0 or sends > 1)) as "inDoubt",
           known_cents as "balanceCents", needed_cents as "neededCents", known_at as "readAt",
           balance_cents is not null as "tellsBalance"
    from (values (true)) one (row) left join bank_balance on only_row
  `.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('PostgreSQL answered without a row.');
  return state;
}
