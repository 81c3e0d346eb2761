import { sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import type { AccountKind } from './chart-of-accounts.ts';
import { type LockedBalances, lockBalances } from './lock-balances.ts';
import { debtRepaid, type LedgerEntry, shortfallCovered } from './movements.ts';

/**
 * How much of a merchant's money settles the merchant's obligations: `coverCents` covers dispute shortfalls,
 * `repayCents` repays debt. `causeReference` is the reference of the event that brought the money or created the debt.
 */
type Settlement = {
  readonly merchantId: number;
  readonly coverCents: number;
  readonly repayCents: number;
  readonly causeReference: string;
};

/** Only what is at the operator's own account can be kept for obligations. */
const isAtHouse = ({ connectionId }: LedgerEntry): boolean => connectionId === HOUSE_CONNECTION;
export const raisesAvailable = (entry: LedgerEntry): boolean =>
  isAtHouse(entry) && (entry.changes.available ?? 0) > 0;
export const createsDebt = ({ changes }: LedgerEntry): boolean => (changes.receivable ?? 0) < 0;

/**
 * The one place where a merchant's money is applied to the merchant's obligations: when money arrives, and when a debt
 * is created. The money first covers shortfalls (disputed amounts that could not be blocked), oldest dispute first;
 * then it repays debt (disputed amounts that the bank took although they were not blocked). Returns the extra entries,
 * which the caller posts together with `entries`.
 *
 * Locks the balances of all merchants involved, so that nothing changes between the calculation and the posting.
 * Reduces the shortfalls in the rows of the disputes before the entries are posted, because a database constraint
 * allows no available balance while a shortfall is outstanding.
 */
export async function settleObligations(tx: Tx, entries: readonly LedgerEntry[]): Promise<LedgerEntry[]> {
  const entriesByMerchant = Map.groupBy(entries.filter(isAtHouse), ({ merchantId }) => merchantId);
  const settlements = (await lockBalances(tx, [...entriesByMerchant.keys()], HOUSE_CONNECTION)).flatMap(
    (balances) => computeSettlement(balances, entriesByMerchant.get(balances.merchantId) ?? []),
  );
  const coverEntries = await coverShortfalls(
    tx,
    settlements.filter(({ coverCents }) => coverCents > 0),
  );
  return [
    ...coverEntries,
    ...settlements.flatMap(({ merchantId, repayCents, causeReference }) =>
      debtRepaid({ merchantId, reference: causeReference, amountCents: repayCents }),
    ),
  ];
}

/** Returns a list of one settlement; an empty list if the merchant has no money to settle anything with. */
function computeSettlement(
  { merchantId, availableCents, owedCents, shortfallCents }: LockedBalances,
  entries: readonly LedgerEntry[],
): Settlement[] {
  const netChange = (account: AccountKind) =>
    entries.reduce((sum, { changes }) => sum + (changes[account] ?? 0), 0);
  const cause = entries.find((entry) => raisesAvailable(entry) || createsDebt(entry));
  const availableAfterwards = availableCents + netChange('available');
  // If the balance would fall below zero, the `ledger_floor` constraint rejects the posting.
  if (cause === undefined || availableAfterwards <= 0) return [];
  const coverCents = Math.min(availableAfterwards, shortfallCents);
  const repayCents = Math.min(availableAfterwards - coverCents, owedCents - netChange('receivable'));
  return [{ merchantId, coverCents, repayCents, causeReference: cause.reference }];
}

/**
 * Moves each merchant's amount from shortfall to blocked in the rows of its disputes, oldest dispute first, and returns
 * the entries for the ledger. In the query, `older_cents` is the sum of the shortfalls of older disputes.
 */
async function coverShortfalls(tx: Tx, settlements: readonly Settlement[]): Promise<LedgerEntry[]> {
  if (settlements.length === 0) return [];
  const { rows } = await sql<{ merchant_id: number; id: string; covered_cents: number }>`
    update disputes
    set blocked_cents = blocked_cents + covered_cents, shortfall_cents = shortfall_cents - covered_cents,
        updated_at = ${tx.now}
    from (
      select merchant_id, id, least(shortfall_cents, cover_cents - older_cents)::bigint as covered_cents
      from (
        select merchant_id, id, shortfall_cents, cover_cents,
               sum(shortfall_cents) over (partition by merchant_id order by opened_at, id) - shortfall_cents
                 as older_cents
        from disputes
        join unnest(
          ${numberArray(settlements.map(({ merchantId }) => merchantId))}::bigint[],
          ${numberArray(settlements.map(({ coverCents }) => coverCents))}::bigint[]
        ) settlement (merchant_id, cover_cents) using (merchant_id)
        where shortfall_cents > 0
      ) summed
      where older_cents < cover_cents
    ) portion
    where disputes.merchant_id = portion.merchant_id and disputes.id = portion.id
    returning disputes.merchant_id, disputes.id, covered_cents
  `.execute(tx.db);
  const causeReferences = new Map(
    settlements.map(({ merchantId, causeReference }) => [merchantId, causeReference]),
  );
  return rows.flatMap(({ merchant_id, id, covered_cents }) =>
    shortfallCovered({
      merchantId: merchant_id,
      reference: `${id} ${causeReferences.get(merchant_id)}`,
      fromAvailableCents: covered_cents,
      fromReservedCents: 0,
    }),
  );
}
