import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { makesDebt, raisesAvailable, settleObligations } from './arrivals.ts';
import { accountKinds } from './chart-of-accounts.ts';
import type { LedgerEntry } from './movements.ts';

/**
 * Writes any number of entries in one statement, in which the database also updates the balances. Money that arrives
 * for a merchant with obligations (a dispute shortfall or a debt) is applied to these (`arrivals.ts`). Refused with
 * INSUFFICIENT_BALANCE when an account would fall below its floor; the transaction then rolls back. May be called once
 * per transaction, because lock order is guaranteed within a statement, not across two.
 */
export async function post(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const gainingMerchants = new Set(entries.filter(raisesAvailable).map(({ merchantId }) => merchantId));
  // Most merchants have no obligations, so the entries are first tried alone.
  if (!entries.some(makesDebt) && (await tryInsertEntries(tx, entries, [...gainingMerchants]))) return;
  await tryInsertEntries(tx, [...entries, ...(await settleObligations(tx, entries))], []);
}

/**
 * Inserts the entries unless one of `merchantsToCheck` has an obligation. Returns whether it inserted them. Checking
 * in the same statement saves a round trip. An obligation created concurrently is not seen; the constraint
 * `ledger_claims_first` then rejects the statement, and the transaction is retried.
 */
async function tryInsertEntries(
  tx: Tx,
  entries: readonly LedgerEntry[],
  merchantsToCheck: readonly number[],
): Promise<boolean> {
  const columns = sql.join(accountKinds.map((kind) => sql.ref(`${kind}_cents`)));
  const changes = accountKinds.map(
    (kind) => sql`${numbers(entries.map((entry) => entry.changes[kind] ?? 0))}::bigint[]`,
  );
  try {
    const { numAffectedRows } = await sql`
      with obligation as materialized (
        select from ledger_balances
        where merchant_id = any(${numbers(merchantsToCheck)}::bigint[]) and (shortfall_cents > 0 or receivable_cents < 0)
        limit 1
      )
      insert into ledger_entries (merchant_id, at, event, reference, ${columns})
      select merchant_id, ${tx.now}, event, reference, ${columns}
      from unnest(
        ${numbers(entries.map((entry) => entry.merchantId))}::bigint[],
        ${texts(entries.map((entry) => entry.event))}::text[],
        ${texts(entries.map((entry) => entry.reference))}::text[],
        ${sql.join(changes)}
      ) posted (merchant_id, event, reference, ${columns})
      where not exists (select from obligation)
    `.execute(tx.db);
    return numAffectedRows !== 0n;
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_floor') throw new Refusal('INSUFFICIENT_BALANCE');
    throw error;
  }
}
