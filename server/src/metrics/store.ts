import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import { PLATFORM } from '../ledger/index.ts';

/** Counting stops at this number, so that a scrape never takes long. */
const countLimit = 100_000;

/**
 * Counts of withdrawals by status, Pix without a merchant (`suspense`), and results of the comparison with the bank.
 */
export type GatewayFigures = {
  readonly pending: number;
  readonly processing: number;
  readonly inDoubt: number;
  /** The earliest time since which the outcome of a sent order has been unknown. */
  readonly unknownSince: Date | null;
  /** When the oldest unprocessed notice (a callback of the bank about a payment) was received. */
  readonly oldestNotice: Date | null;
  readonly webhooksFailed: number;
  readonly suspense: number;
  readonly suspenseCents: number | null;
  readonly balanceReadAt: Date | null;
  readonly balanceCents: number | null;
  /** How much of the balance at the bank belongs to merchants or to nobody yet. */
  readonly neededCents: number | null;
  readonly daysComparedAt: Date | null;
  readonly dayDifferences: number;
};

/**
 * Reads the figures of the whole gateway that no queue covers. Each is read through an index of the rows that are still
 * open, so it is cheap. Amounts are integer cents.
 */
export async function readGatewayFigures(db: Db): Promise<GatewayFigures> {
  const { rows } = await sql<GatewayFigures>`
    select pending, processing, in_doubt as "inDoubt", unknown_since as "unknownSince",
           (select min(received_at) from (
              select received_at from psp_inbox where state = 'waiting' order by due_at limit ${countLimit}
            ) waiting) as "oldestNotice",
           (select count(*) from (
              select from webhook_deliveries where state in ('exhausted', 'gone') limit ${countLimit}
            ) failed) as "webhooksFailed",
           (select count(*) from (
              select from received_pix where outcome = 'suspense' limit ${countLimit}
            ) unclaimed) as suspense,
           (select suspense_cents from ledger_balances where merchant_id = ${PLATFORM}) as "suspenseCents",
           (select read_at from bank_balance) as "balanceReadAt",
           (select balance_cents from bank_balance) as "balanceCents",
           (select needed_cents from bank_balance) as "neededCents",
           (select max(compared_at) from reconciled_days) as "daysComparedAt",
           (select coalesce(sum(differences), 0) from reconciled_days) as "dayDifferences"
    from (
      select count(*) filter (where status = 'pending') as pending,
             count(*) filter (where status = 'processing') as processing,
             count(*) filter (where status = 'processing' and unknown_since is not null and (lookups > 0 or sends > 1)) as in_doubt,
             min(unknown_since) filter (where status = 'processing') as unknown_since
      from (
        select status, unknown_since, lookups, sends from withdrawals
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
