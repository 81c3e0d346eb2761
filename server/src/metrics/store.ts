import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { PLATFORM } from '../ledger/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

/** Counting stops at this number, so that a scrape never takes long. */
const countLimit = 100_000;

/** Figures of the whole gateway: withdrawals, notices, webhooks, suspense, and the comparison with the bank. */
export type GatewayFigures = {
  /** Withdrawals that were not sent yet. */
  readonly pendingCount: number;
  /** Withdrawals that were sent and have not ended. */
  readonly processingCount: number;
  /** The processing withdrawals whose outcome is still unknown after a look-up or a resend. */
  readonly inDoubtCount: number;
  /** Since when the outcome of a withdrawal has been unknown, for the withdrawal that has waited longest. */
  readonly unknownSince: Date | null;
  /** When the oldest unprocessed notice (a callback of the bank about a payment) was received. */
  readonly oldestNoticeAt: Date | null;
  readonly failedWebhookCount: number;
  /** Received Pix that match no charge: how many, and their sum. */
  readonly suspenseCount: number;
  readonly suspenseCents: number | null;
  /** When the balance of our account at the bank was last read. */
  readonly balanceReadAt: Date | null;
  readonly balanceCents: number | null;
  /** The balance that the bank account must hold: the money of merchants, and money that belongs to nobody yet. */
  readonly neededCents: number | null;
  /** When a day of payments was last compared with the bank's lists. */
  readonly daysComparedAt: Date | null;
  /** The differences that these comparisons found, on all days. */
  readonly dayDifferences: number;
};

/**
 * Reads the figures that `readQueues` does not cover. Each figure is cheap, because it is read through an index of the
 * rows that are still open. Amounts are integer cents.
 */
export async function readGatewayFigures(db: Db): Promise<GatewayFigures> {
  const { rows } = await sql<GatewayFigures>`
    select pending as "pendingCount", processing as "processingCount", in_doubt as "inDoubtCount",
           unknown_since as "unknownSince",
           (select min(received_at) from (
              select received_at from psp_inbox where state = 'waiting' order by due_at limit ${countLimit}
            ) waiting) as "oldestNoticeAt",
           (select count(*) from (
              select 1 from webhook_deliveries where state in ('exhausted', 'gone') limit ${countLimit}
            ) failed) as "failedWebhookCount",
           (select count(*) from (
              select 1 from received_pix where outcome = 'suspense' limit ${countLimit}
            ) unclaimed) as "suspenseCount",
           (select suspense_cents from ledger_balances where merchant_id = ${PLATFORM} and connection_id = ${HOUSE_CONNECTION}) as "suspenseCents",
           (select read_at from bank_balance) as "balanceReadAt",
           (select balance_cents from bank_balance) as "balanceCents",
           (select needed_cents from bank_balance) as "neededCents",
           (select max(compared_at) from reconciled_days) as "daysComparedAt",
           (select coalesce(sum(differences), 0) from reconciled_days) as "dayDifferences"
    from (
      select count(*) filter (where status = 'pending') as pending,
             count(*) filter (where status = 'processing') as processing,
             count(*) filter (
               where status = 'processing' and unknown_since is not null and (lookup_count > 0 or send_count > 1)
             ) as in_doubt,
             min(unknown_since) filter (where status = 'processing') as unknown_since
      from (
        select status, unknown_since, lookup_count, send_count from withdrawals
        where status in ('pending', 'processing') limit ${countLimit}
      ) open
    ) under_way
  `.execute(db);
  const [figures] = rows;
  if (figures === undefined) throw new Error('An aggregate answered no row.');
  return figures;
}

/** Counts open items (discrepancies that the operator must examine) by kind. */
export async function countOpenItems(db: Db): Promise<{ kind: string; count: number }[]> {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*) as count from open_items where closed_at is null group by kind
  `.execute(db);
  return rows;
}
