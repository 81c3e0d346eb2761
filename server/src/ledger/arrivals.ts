import { sql } from 'kysely';
import { numbers } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { type LockedBalances, lockBalances } from './lock-balances.ts';
import { debtRepaid, shortfallCovered, type Transfer } from './movements.ts';

/** A merchant's position after the transfers: how much goes to its obligations, and which event brought the money. */
type Arrival = {
  readonly merchantId: number;
  readonly coverCents: number;
  readonly repayCents: number;
  readonly broughtBy: string;
};

export const raisesAvailable = ({ to }: Transfer): boolean => to === 'available';
export const makesDebt = ({ from }: Transfer): boolean => from === 'receivable';

/**
 * The one place where incoming money is applied to a merchant's obligations: dispute shortfalls are blocked first,
 * the oldest first, then debt is repaid. Returns the extra transfers to post together with the incoming ones. Locks
 * the balances of all merchants involved first, so that nothing changes between calculation and posting. Lowers the
 * shortfalls before posting: a database constraint allows no available balance while a shortfall is outstanding.
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
    ...arrivals.flatMap(({ merchantId, repayCents, broughtBy }) =>
      debtRepaid({ merchantId, reference: broughtBy, amountCents: repayCents }),
    ),
  ];
}

function arrivalOf(
  { merchantId, availableCents, owedCents, shortfallCents }: LockedBalances,
  transfers: readonly Transfer[],
): Arrival[] {
  const gained = (account: Transfer['to']) =>
    transfers.reduce((sum, one) => {
      if (one.to === account) return sum + one.amountCents;
      return one.from === account ? sum - one.amountCents : sum;
    }, 0);
  const cause = transfers.find((one) => raisesAvailable(one) || makesDebt(one));
  const atHand = availableCents + gained('available');
  // Below zero, the `ledger_floor` constraint rejects the posting.
  if (cause === undefined || atHand <= 0) return [];
  const coverCents = Math.min(atHand, shortfallCents);
  const repayCents = Math.min(atHand - coverCents, owedCents - gained('receivable'));
  return [{ merchantId, coverCents, repayCents, broughtBy: cause.reference }];
}

/** Moves the amounts from shortfall to blocked on the dispute rows. */
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
  const broughtBy = new Map(arrivals.map((arrival) => [arrival.merchantId, arrival.broughtBy]));
  return rows.flatMap(({ merchant_id, id, taken_cents }) =>
    shortfallCovered({
      merchantId: merchant_id,
      reference: `${id} ${broughtBy.get(merchant_id)}`,
      fromAvailableCents: taken_cents,
      fromReservedCents: 0,
    }),
  );
}
