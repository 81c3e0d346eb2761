import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { makesDebt, raisesAvailable, settleObligations } from './arrivals.ts';
import type { Transfer } from './movements.ts';

/**
 * Writes transfers, one or thousands, in one statement; the database moves the balances in that same statement. What
 * comes to a merchant whom a dispute left short, or who owes, meets these claims in it (`arrivals.ts`).
 * Refused with INSUFFICIENT_BALANCE when an account would fall below its floor, and then nothing of the
 * transaction stays. A transaction posts once: locks are taken in one order within a statement, not across two.
 */
export async function post(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  if (transfers.length === 0) return;
  const gaining = new Set(transfers.filter(raisesAvailable).map(({ merchantId }) => merchantId));
  if (!transfers.some(makesDebt) && (await write(tx, transfers, [...gaining]))) return;
  await write(tx, [...transfers, ...(await settleObligations(tx, transfers))], []);
}

/**
 * Answers whether they were written: they are not while there is a claim on one of the merchants `unlessClaimed`. Asked
 * for here, that costs no call of its own. A claim that is made at the same moment goes unseen; then the constraint
 * `ledger_claims_first` refuses the statement, and the transaction is run again.
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
