import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

/**
 * Returns the balance that the operator's own account must have to cover the merchants' money, in integer cents.
 * Merchants' debts from lost disputes (negative receivables) are subtracted: the bank took that money, and the operator
 * bears the risk that the debt is never paid.
 */
export async function readNeededBalance(db: Db): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(available_cents + reserved_cents + blocked_cents + suspense_cents + receivable_cents), 0)::bigint
             as cents
    from ledger_balances where connection_id = ${HOUSE_CONNECTION}
  `.execute(db);
  return rows[0]?.cents ?? 0;
}

/** One poll of the bank account's balance. */
export type BalancePoll = {
  readonly at: Date;
  /** Undefined if the bank did not report the balance. */
  readonly balanceCents: number | undefined;
  /** The balance that the account must have to cover the merchants' money. */
  readonly neededCents: number;
};

/**
 * Stores a poll. Returns since when the balance has been too low; undefined if it is sufficient. A poll in which the
 * bank reported no balance changes neither that time nor the last reported balance.
 */
export async function saveBalancePoll(
  tx: Tx,
  { at, balanceCents, neededCents }: BalancePoll,
): Promise<{ belowSince: Date | undefined }> {
  const isBelow = balanceCents !== undefined && balanceCents < neededCents;
  const { rows } = await sql<{ below_since: Date | null }>`
    insert into bank_balance as last (read_at, balance_cents, needed_cents, below_since, known_cents, known_at)
    values (${at}, ${balanceCents ?? null}, ${neededCents}, ${isBelow ? at : null},
            ${balanceCents ?? null}, ${balanceCents === undefined ? null : at})
    on conflict (only_row) do update
    set read_at = excluded.read_at, balance_cents = excluded.balance_cents, needed_cents = excluded.needed_cents,
        below_since = case when excluded.balance_cents is null then last.below_since
                           when excluded.below_since is not null then coalesce(last.below_since, excluded.below_since)
                      end,
        known_cents = coalesce(excluded.known_cents, last.known_cents),
        known_at = coalesce(excluded.known_at, last.known_at)
    returning below_since
  `.execute(tx.db);
  return { belowSince: rows[0]?.below_since ?? undefined };
}

export async function readLastBalancePoll(db: Db | Tx['db']): Promise<BalancePoll | undefined> {
  const row = await db.selectFrom('bank_balance').selectAll().executeTakeFirst();
  return (
    row && { at: row.read_at, balanceCents: row.balance_cents ?? undefined, neededCents: row.needed_cents }
  );
}

/**
 * Returns the balance that the ledger expects in the operator's own account, and the part of it that is in transit
 * (withdrawals and refunds that the bank has not settled), in integer cents.
 */
export async function readBookedBalance(db: Db): Promise<{ bookedCents: number; inTransitCents: number }> {
  const { rows } = await sql<{ bookedCents: number; inTransitCents: number }>`
    select coalesce(-sum(psp_cents), 0)::bigint as "bookedCents", coalesce(sum(in_transit_cents), 0)::bigint as "inTransitCents"
    from ledger_balances where connection_id = ${HOUSE_CONNECTION}
  `.execute(db);
  return rows[0] ?? { bookedCents: 0, inTransitCents: 0 };
}

/**
 * A comparison of the bank's balance with the ledger's. `differenceCents`: the bank's balance less the ledger's;
 * undefined if money moved too fast to compare.
 */
export type BalanceComparison = { readonly at: Date; readonly differenceCents: number | undefined };

export async function readLastBalanceComparison(db: Db | Tx['db']): Promise<BalanceComparison | undefined> {
  const row = await db.selectFrom('balance_comparison').selectAll().executeTakeFirst();
  return row && { at: row.compared_at, differenceCents: row.difference_cents ?? undefined };
}

export async function writeBalanceComparison(tx: Tx, differenceCents: number | undefined): Promise<void> {
  await sql`
    insert into balance_comparison (compared_at, difference_cents) values (${tx.now}, ${differenceCents ?? null})
    on conflict (only_row) do update
    set compared_at = excluded.compared_at, difference_cents = excluded.difference_cents
  `.execute(tx.db);
}

/**
 * Deletes the last comparison, which a newly recorded bank movement has made stale, so that the next one runs without
 * waiting for its hour. An open item about a difference stays open until the balances have been compared again.
 */
export async function discardBalanceComparison(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('balance_comparison').execute();
}
