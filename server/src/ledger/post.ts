import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import { type Tx, violatedConstraint } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { claimArrivals } from './arrivals.ts';
import type { Transfer } from './movements.ts';

/**
 * Writes transfers, one or thousands, in one statement; the database moves the balances in that same statement.
 * Refused with INSUFFICIENT_BALANCE when an account would fall below its floor, and then nothing of the
 * transaction stays. A transaction posts once: locks are taken in one order within a statement, not across two.
 */
export async function post(tx: Tx, transfers: readonly Transfer[]): Promise<void> {
  const all = [...transfers, ...(await claimArrivals(tx, transfers))];
  if (all.length === 0) return;
  try {
    await sql`
      insert into ledger_transfers (merchant_id, at, event, reference, from_account, to_account, amount_cents)
      select merchant_id, ${tx.now}, event, reference, from_account, to_account, amount_cents
      from unnest(
        ${numbers(all.map((transfer) => transfer.merchantId))}::bigint[],
        ${texts(all.map((transfer) => transfer.event))}::text[],
        ${texts(all.map((transfer) => transfer.reference))}::text[],
        ${texts(all.map((transfer) => transfer.from))}::text[],
        ${texts(all.map((transfer) => transfer.to))}::text[],
        ${numbers(all.map((transfer) => transfer.amountCents))}::bigint[]
      ) posted (merchant_id, event, reference, from_account, to_account, amount_cents)
    `.execute(tx.db);
  } catch (error) {
    if (violatedConstraint(error) === 'ledger_floor') throw new Refusal('INSUFFICIENT_BALANCE');
    throw error;
  }
}
