import { sql } from 'kysely';
import { numberArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import type { AccountKind } from './chart-of-accounts.ts';
import { type LockedBalances, lockBalances } from './lock-balances.ts';
import { debtRepaid, type LedgerEntry, shortfallCovered } from './movements.ts';

/**
 * How much of a merchant's incoming money settles the merchant's obligations: `coverCents` covers dispute shortfalls,
 * `repayCents` repays debt. `causeReference` is the reference of the event that brought the money.
 */
type Arrival = {
  readonly merchantId: number;
  readonly coverCents: number;
  readonly repayCents: number;
  readonly causeReference: string;
};

export const raisesAvailable = ({ changes }: LedgerEntry): boolean => (changes.available ?? 0) > 0;
export const createsDebt = ({ changes }: LedgerEntry): boolean => (changes.receivable ?? 0) < 0;

/**
 * The one place where incoming money is applied to a merchant's obligations. The money first covers shortfalls
 * (disputed amounts that could not be blocked), oldest dispute first; then it repays debt (disputed amounts that the
 * bank took without a block). Returns the extra entries, which the caller posts together with the incoming ones.
 *
 * Locks the balances of all merchants involved, so that nothing changes between the calculation and the posting.
 * Reduces the shortfalls in the rows of the disputes before the entries are posted, because a database constraint
 * allows no available balance while a shortfall is outstanding.
 */
export async function settleObligations(tx: Tx, entries: readonly LedgerEntry[]): Promise<LedgerEntry[]> {
  const merchantIds = [...new Set(entries.map(({ merchantId }) => merchantId))];
  const entriesByMerchant = Map.groupBy(entries, ({ merchantId }) => merchantId);
  const arrivals = (await lockBalances(tx, merchantIds)).flatMap((balances) =>
    arrivalOf(balances, entriesByMerchant.get(balances.merchantId) ?? []),
  );
  const covered = await coverShortfalls(
    tx,
    arrivals.filter(({ coverCents }) => coverCents > 0),
  );
  return [
    ...covered,
    ...arrivals.flatMap(({ merchantId, repayCents, causeReference }) =>
      debtRepaid({ merchantId, reference: causeReference, amountCents: repayCents }),
    ),
  ];
}

function arrivalOf(
  { merchantId, availableCents, owedCents, shortfallCents }: LockedBalances,
  entries: readonly LedgerEntry[],
): Arrival[] {
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
 * the entries for the ledger. In the query, `before_cents` is the sum of the shortfalls of older disputes.
 */
async function coverShortfalls(tx: Tx, arrivals: readonly Arrival[]): Promise<LedgerEntry[]> {
  if (arrivals.length === 0) return [];
  const { rows } = await sql<{ merchant_id: number; id: string; taken_cents: number }>`
    update disputes
    set blocked_cents = blocked_cents + taken_cents, shortfall_cents = shortfall_cents - taken_cents,
        updated_at = ${tx.now}
    from (
      select merchant_id, id, least(shortfall_cents, cents - before_cents)::bigint as taken_cents
      from (
        select merchant_id, id, shortfall_cents, arrived.cents,
               sum(shortfall_cents) over (partition by merchant_id order by opened_at, id) - shortfall_cents
                 as before_cents
        from disputes
        join unnest(
          ${numberArray(arrivals.map(({ merchantId }) => merchantId))}::bigint[],
          ${numberArray(arrivals.map(({ coverCents }) => coverCents))}::bigint[]
        ) arrived (merchant_id, cents) using (merchant_id)
        where shortfall_cents > 0
      ) short
      where before_cents < cents
    ) taking
    where disputes.merchant_id = taking.merchant_id and disputes.id = taking.id
    returning disputes.merchant_id, disputes.id, taken_cents
  `.execute(tx.db);
  const causeReference = new Map(arrivals.map((arrival) => [arrival.merchantId, arrival.causeReference]));
  return rows.flatMap(({ merchant_id, id, taken_cents }) =>
    shortfallCovered({
      merchantId: merchant_id,
      reference: `${id} ${causeReference.get(merchant_id)}`,
      fromAvailableCents: taken_cents,
      fromReservedCents: 0,
    }),
  );
}
