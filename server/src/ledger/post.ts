import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { makesDebt, raisesAvailable, settleObligations } from './arrivals.ts';
import type { Transfer } from './movements.ts';

/**
 * Writes any number of transfers in one statement, in which the database also updates the balances. Money for a
 * merchant with a dispute shortfall or debt is applied to these obligations too (`arrivals.ts`). Refused with
 * INSUFFICIENT_BALANCE when an account would fall below its floor; the transaction then rolls back. Post once per
 * transaction: lock order is guaranteed within a statement, not across two.
 */
export async function post(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  const gaining = new Set(transfers.filter(raisesAvailable).map(({ merchantId }) => merchantId));
  if (!transfers.some(makesDebt) && (await write(tx, transfers, [...gaining]))) return;
  await write(tx, [...transfers, ...(await settleObligations(tx, transfers))], []);
}

/**
 * Returns whether the transfers were written: not if one of the merchants `unlessClaimed` has an obligation. Checking
 * it in this statement saves a round trip. An obligation created concurrently goes unseen; the constraint
 * `ledger_claims_first` then rejects the statement, and the transaction is retried.
 */
async function write(
  tx: Tx,
  transfers: readonly Transfer[],
  unlessClaimed: readonly number[],
): Promise<boolean> {
  try {
    const { numAffectedRows } = await sql`
      with claim as materialized (
        select from ledger_balances
        where merchant_id = any(${numbers(unlessClaimed)}::bigint[]) and (shortfall_cents > 0 or receivable_cents < 0)
        limit 1
      )
      insert into ledger_transfers (merchant_id, at, event, reference, from_account, to_account, amount_cents)
      select merchant_id, ${tx.now}, event, reference, from_account, to_account, amount_cents
      from unnest(
        ${numbers(transfers.map((transfer) => transfer.merchantId))}::bigint[],
        ${texts(transfers.map((transfer) => transfer.event))}::text[],
        ${texts(transfers.map((transfer) => transfer.reference))}::text[],
        ${texts(transfers.map((transfer) => transfer.from))}::text[],
        ${texts(transfers.map((transfer) => transfer.to))}::text[],
        ${numbers(transfers.map((transfer) => transfer.amountCents))}::bigint[]
      ) posted (merchant_id, event, reference, from_account, to_account, amount_cents)
      where not exists (select from claim)
    `.execute(tx.db);
    return numAffectedRows !== 0n;
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_floor') throw new Refusal('INSUFFICIENT_BALANCE');
    throw error;
  }
}
