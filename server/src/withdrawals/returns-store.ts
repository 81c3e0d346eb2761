import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import type { Withdrawal } from './withdrawal.ts';

type PayoutReturn = { readonly rtrId: string; readonly amountCents: number; readonly at: Date };

/** Records the bank's returns of a payout, and returns those that were not recorded before. */
export async function insertReturns(
  tx: Tx,
  { merchantId, id, connectionId }: Pick<Withdrawal, 'merchantId' | 'id' | 'connectionId'>,
  bankReturns: readonly PayoutReturn[],
): Promise<PayoutReturn[]> {
  const { rows } = await sql<{ rtr_id: string }>`
    insert into withdrawal_returns
      (merchant_id, withdrawal_id, connection_id, rtr_id, amount_cents, returned_at, booked_at)
    select ${merchantId}, ${id}, ${connectionId}, rtr_id, amount_cents, returned_at, ${tx.now}
    from unnest(
      ${textArray(bankReturns.map(({ rtrId }) => rtrId))}::text[],
      ${numberArray(bankReturns.map(({ amountCents }) => amountCents))}::bigint[],
      ${bankReturns.map(({ at }) => at)}::timestamptz[]
    ) returned (rtr_id, amount_cents, returned_at)
    on conflict (merchant_id, rtr_id, connection_id) do nothing
    returning rtr_id
  `.execute(tx.db);
  const newIds = new Set(rows.map((row) => row.rtr_id));
  return bankReturns.filter(({ rtrId }) => newIds.has(rtrId));
}

export async function findReturnIds(
  tx: Tx,
  { merchantId, id }: Pick<Withdrawal, 'merchantId' | 'id'>,
): Promise<Set<string>> {
  const rows = await tx.db
    .selectFrom('withdrawal_returns')
    .select('rtr_id')
    .where('merchant_id', '=', merchantId)
    .where('withdrawal_id', '=', id)
    .execute();
  return new Set(rows.map((row) => row.rtr_id));
}
