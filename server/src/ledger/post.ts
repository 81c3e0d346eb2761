import { type RawBuilder, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { createsDebt, raisesAvailable, settleObligations } from './arrivals.ts';
import { accountKinds } from './chart-of-accounts.ts';
import type { LedgerEntry } from './movements.ts';

/**
 * Writes entries and updates the balances, in one call of the database function `post`: the application's own role may
 * write to neither table. If a merchant with obligations (a dispute shortfall or a debt) receives money, the money
 * settles the obligations first (`arrivals.ts`). Refused with INSUFFICIENT_BALANCE when an account would fall below its
 * floor; the transaction then rolls back. Call this at most once per transaction: one call locks balances in a fixed
 * order, but the locks of two calls could be in different orders and deadlock.
 */
export async function post(tx: Tx, entries: readonly LedgerEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await postThrough(tx, entries, async (posting) => {
    const { rows } = await sql<{ is_posted: boolean }>`select post(${posting}) as is_posted`.execute(tx.db);
    return rows[0]?.is_posted === true;
  });
}

/**
 * Posts entries by the rules of `post`, but through `call`, which calls another database function: one that posts the
 * entries and also writes other rows. `call` receives the SQL arguments that describe the entries. If it returns false,
 * nothing was posted because a merchant has obligations; it is then called again, with added entries that settle them.
 */
export async function postThrough(
  tx: Tx,
  entries: readonly LedgerEntry[],
  call: (posting: RawBuilder<unknown>) => Promise<boolean>,
): Promise<void> {
  const gainingMerchants = new Set(entries.filter(raisesAvailable).map(({ merchantId }) => merchantId));
  try {
    // Most merchants have no obligations, so the first attempt posts the entries as they are. That attempt cannot see
    // an obligation that is being created concurrently: then the constraint `ledger_claims_first` rejects the call, and
    // the transaction is retried. A new debt is an obligation, so entries that create one skip this attempt.
    const isDebtCreated = entries.some(createsDebt);
    if (!isDebtCreated && (await call(postingOf(tx, entries, [...gainingMerchants])))) return;
    await call(postingOf(tx, [...entries, ...(await settleObligations(tx, entries))], []));
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_floor') throw new Refusal('INSUFFICIENT_BALANCE');
    throw error;
  }
}

/**
 * The arguments that describe the entries to the database function `post`, and to the functions that call it. The
 * database posts nothing if one of `merchantsToCheck` has obligations.
 */
function postingOf(
  tx: Tx,
  entries: readonly LedgerEntry[],
  merchantsToCheck: readonly number[],
): RawBuilder<unknown> {
  const changes = accountKinds.map(
    (kind) =>
      sql`${sql.raw(kind)} => ${numberArray(entries.map((entry) => entry.changes[kind] ?? 0))}::bigint[]`,
  );
  return sql`
    posted_at => ${tx.now}::timestamptz,
    merchants => ${numberArray(entries.map((entry) => entry.merchantId))}::bigint[],
    connections => ${numberArray(entries.map((entry) => entry.connectionId))}::int[],
    event_names => ${textArray(entries.map((entry) => entry.event))}::text[],
    entry_references => ${textArray(entries.map((entry) => entry.reference))}::text[],
    ${sql.join(changes)},
    merchants_to_check => ${numberArray(merchantsToCheck)}::bigint[]`;
}
