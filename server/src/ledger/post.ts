import { type RawBuilder, sql } from 'kysely';
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
  await postBy(tx, entries, async (posting) => {
    const { rows } = await sql<{ is_posted: boolean }>`select post(${posting}) as is_posted`.execute(tx.db);
    return rows[0]?.is_posted === true;
  });
}

/**
 * Posts entries by a call of a database function that posts them together with other rows; `post` describes the rest.
 * `call` gets the named arguments of the posting. It returns false if nothing was posted because a merchant has
 * obligations, and is then called once more with the entries that apply the money to them.
 */
export async function postBy(
  tx: Tx,
  entries: readonly LedgerEntry[],
  call: (posting: RawBuilder<unknown>) => Promise<boolean>,
): Promise<void> {
  const gainingMerchants = new Set(entries.filter(raisesAvailable).map(({ merchantId }) => merchantId));
  try {
    // Most merchants have no obligations, so the entries are first tried alone. An obligation created concurrently is
    // not seen; the constraint `ledger_claims_first` then rejects the call, and the transaction is retried.
    if (!entries.some(makesDebt) && (await call(postingOf(tx, entries, [...gainingMerchants])))) return;
    await call(postingOf(tx, [...entries, ...(await settleObligations(tx, entries))], []));
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_floor') throw new Refusal('INSUFFICIENT_BALANCE');
    throw error;
  }
}

/** The named arguments by which `post`, and functions that call it, get their entries. */
function postingOf(
  tx: Tx,
  entries: readonly LedgerEntry[],
  merchantsToCheck: readonly number[],
): RawBuilder<unknown> {
  const changes = accountKinds.map(
    (kind) => sql`${sql.raw(kind)} => ${numbers(entries.map((entry) => entry.changes[kind] ?? 0))}::bigint[]`,
  );
  return sql`
    posted_at => ${tx.now}::timestamptz,
    merchants => ${numbers(entries.map((entry) => entry.merchantId))}::bigint[],
    event_names => ${texts(entries.map((entry) => entry.event))}::text[],
    causes => ${texts(entries.map((entry) => entry.reference))}::text[],
    ${sql.join(changes)},
    gaining => ${numbers(merchantsToCheck)}::bigint[]`;
}
