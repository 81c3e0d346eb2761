import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { makesDebt, raisesAvailable, settleObligations } from './arrivals.ts';
import { accountKinds } from './chart-of-accounts.ts';
import type { LedgerEntry } from './movements.ts';

/**
 * Writes any number of entries and updates the balances, in one call of the database's function `post`: the application
 * itself may write neither. Money that arrives for a merchant with obligations (a dispute shortfall or a debt) is
 * applied to these (`arrivals.ts`). Refused with INSUFFICIENT_BALANCE when an account would fall below its floor; the
 * transaction then rolls back. May be called once per transaction, because lock order is guaranteed within a call, not
 * across two.
 */
export async function post(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const gainingMerchants = new Set(entries.filter(raisesAvailable).map(({ merchantId }) => merchantId));
  // Most merchants have no obligations, so the entries are first tried alone.
  if (!entries.some(makesDebt) && (await postUnlessObliged(tx, entries, [...gainingMerchants]))) return;
  await postUnlessObliged(tx, [...entries, ...(await settleObligations(tx, entries))], []);
}

/**
 * Posts the entries unless one of `merchantsToCheck` has an obligation. Returns whether it posted them. Checking in the
 * same call saves a round trip. An obligation created concurrently is not seen; the constraint `ledger_claims_first`
 * then rejects the call, and the transaction is retried.
 */
async function postUnlessObliged(
  tx: Tx,
  entries: readonly LedgerEntry[],
  merchantsToCheck: readonly number[],
): Promise<boolean> {
  const changes = accountKinds.map(
    (kind) => sql`${sql.raw(kind)} => ${numbers(entries.map((entry) => entry.changes[kind] ?? 0))}::bigint[]`,
  );
  try {
    const { rows } = await sql<{ posted: boolean }>`
      select post(
        posted_at => ${tx.now}::timestamptz,
        merchants => ${numbers(entries.map((entry) => entry.merchantId))}::bigint[],
        event_names => ${texts(entries.map((entry) => entry.event))}::text[],
        causes => ${texts(entries.map((entry) => entry.reference))}::text[],
        ${sql.join(changes)},
        gaining => ${numbers(merchantsToCheck)}::bigint[]
      ) as posted
    `.execute(tx.db);
    return rows[0]?.posted === true;
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_floor') throw new Refusal('INSUFFICIENT_BALANCE');
    throw error;
  }
}
