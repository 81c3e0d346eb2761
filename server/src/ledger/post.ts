import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { makesDebt, raisesAvailable, settleObligations } from './arrivals.ts';
import type { Transfer } from './movements.ts';

/**
 * Writes any number of transfers in one statement, in which the database also updates the balances. Money that arrives
 * for a merchant with obligations (a dispute shortfall or a debt) is applied to these (`arrivals.ts`). Refused with
 * INSUFFICIENT_BALANCE when an account would fall below its floor; the transaction then rolls back. May be called once
 * per transaction, because lock order is guaranteed within a statement, not across two.
 */
export async function post(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  const gainingMerchants = new Set(transfers.filter(raisesAvailable).map(({ merchantId }) => merchantId));
  // Most merchants have no obligations, so the transfers are first tried alone.
  if (!transfers.some(makesDebt) && (await tryInsertTransfers(tx, transfers, [...gainingMerchants]))) return;
  await tryInsertTransfers(tx, [...transfers, ...(await settleObligations(tx, transfers))], []);
}

/**
 * Inserts the transfers unless one of `merchantsToCheck` has an obligation. Returns whether it inserted them. Checking
 * in the same statement saves a round trip. An obligation created concurrently is not seen; the constraint
 * `ledger_claims_first` then rejects the statement, and the transaction is retried.
 */
async function tryInsertTransfers(
  tx: Tx,
  transfers: readonly Transfer[],
  merchantsToCheck: readonly number[],
): Promise<boolean> {
  try {
    const { numAffectedRows } = await sql`
      with obligation as materialized (
        select from ledger_balances
        where merchant_id = any(${numbers(merchantsToCheck)}::bigint[]) and (shortfall_cents > 0 or receivable_cents < 0)
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
      where not exists (select from obligation)
    `.execute(tx.db);
    return numAffectedRows !== 0n;
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_floor') throw new Refusal('INSUFFICIENT_BALANCE');
    throw error;
  }
}
