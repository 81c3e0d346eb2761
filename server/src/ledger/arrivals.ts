import { sql } from 'kysely';
import { numbers } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { type LockedBalances, lockBalances } from './lock-balances.ts';
import { debtRepaid, shortfallCovered, type Transfer } from './movements.ts';

/**
 * How much of a merchant's incoming money goes to its obligations: `coverCents` to dispute shortfalls, `repayCents` to
 * debt. `causeReference` is the reference of the event that brought the money.
 */
type Arrival = {
  readonly merchantId: number;
  readonly coverCents: number;
  readonly repayCents: number;
  readonly causeReference: string;
};

export const raisesAvailable = ({ to }: Transfer): boolean => to === 'available';
export const makesDebt = ({ from }: Transfer): boolean => from === 'receivable';

/**
 * The one place where incoming money is applied to a merchant's obligations. The money first covers shortfalls
 * (disputed amounts that could not be blocked), those of the oldest disputes first; then it repays debt (disputed
 * amounts that the bank took without a block). Locks the balances of all merchants involved, so that nothing changes
 * between calculation and posting. Writes the lower shortfalls to the disputes, before the posting, because a database
 * constraint allows no available balance while a shortfall is outstanding. Returns the extra transfers, to be posted
 * together with the incoming ones.
 */
export async function settleObligations(tx: Tx, transfers: readonly Transfer[]): Promise<Transfer[]> {
  const merchantIds = [...new Set(transfers.map(({ merchantId }) => merchantId))];
  const changes = Map.groupBy(transfers, ({ merchantId }) => merchantId);
  const arrivals = (await lockBalances(tx, merchantIds)).flatMap((balances) =>
    arrivalOf(balances, changes.get(balances.merchantId) ?? []),
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
  transfers: readonly Transfer[],
): Arrival[] {
  const netChange = (account: Transfer['to']) =>
    transfers.reduce((sum, transfer) => {
      if (transfer.to === account) return sum + transfer.amountCents;
      return transfer.from === account ? sum - transfer.amountCents : sum;
    }, 0);
  const cause = transfers.find((transfer) => raisesAvailable(transfer) || makesDebt(transfer));
  const availableAfterwards = availableCents + netChange('available');
  // If the balance would fall below zero, the `ledger_floor` constraint rejects the posting.
  if (cause === undefined || availableAfterwards <= 0) return [];
  const coverCents = Math.min(availableAfterwards, shortfallCents);
  const repayCents = Math.min(availableAfterwards - coverCents, owedCents - netChange('receivable'));
  return [{ merchantId, coverCents, repayCents, causeReference: cause.reference }];
}

/**
 * Moves the amounts from shortfall to blocked in the rows of the disputes, and returns the transfers for the ledger.
 */
async function coverShortfalls(tx: Tx, arrivals: readonly Arrival[]): Promise<Transfer[]> {
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
          ${numbers(arrivals.map(({ merchantId }) => merchantId))}::bigint[],
          ${numbers(arrivals.map(({ coverCents }) => coverCents))}::bigint[]
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
