import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** The operator's overview of payouts. Amounts in integer cents; null if the bank has never reported. */
export type PayoutState = {
  /** Null while payouts are not stopped. */
  readonly stoppedBecause: string | null;
  readonly waiting: number;
  readonly inDoubt: number;
  /** The bank's last reported balance, and when. */
  readonly balanceCents: number | null;
  /** The amount that belongs to merchants. */
  readonly neededCents: number | null;
  readonly readAt: Date | null;
  /** Whether the bank reported a balance at the last poll. */
  readonly tellsBalance: boolean;
};

/** Whether payouts are stopped, what is waiting, and the last balance that the bank reported. */
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
