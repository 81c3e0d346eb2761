import type { WithdrawalDestination } from '@jangada/contract';
import { pixKeyType } from '@jangada/contract';
import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { showChange } from '../outbox/index.ts';
import type { ValidatedWithdrawal } from './validate-withdrawal.ts';

/** Lists a merchant's saved destinations: the Pix keys to which the merchant's API key may withdraw. */
export async function selectDestinations(
  db: Db | Tx['db'],
  merchantId: number,
): Promise<WithdrawalDestination[]> {
  const rows = await db
    .selectFrom('withdrawal_destinations')
    .select(['pix_key', 'key_type', 'label', 'created_at'])
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at')
    .orderBy('pix_key')
    .execute();
  return rows.map((row) => ({
    pix_key: row.pix_key,
    pix_key_type: pixKeyType.parse(row.key_type),
    label: row.label,
    created_at: row.created_at.toISOString(),
  }));
}

export async function isSavedDestination(tx: Tx, merchantId: number, pixKey: string): Promise<boolean> {
  const row = await tx.db
    .selectFrom('withdrawal_destinations')
    .select('pix_key')
    .where('merchant_id', '=', merchantId)
    .where('pix_key', '=', pixKey)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether this merchant ever completed a withdrawal to this Pix key. */
export async function hasWithdrawnToKey(
  db: Db,
  { merchantId, pixKey }: Pick<ValidatedWithdrawal, 'merchantId' | 'pixKey'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('withdrawals')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('pix_key', '=', pixKey)
    // A literal instead of a parameter, because the planner matches the partial index only to a literal status.
    .where('status', '=', sql.lit('completed'))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Saves a destination, or updates its label if it is already saved. */
export async function upsertDestination(
  tx: Tx,
  merchantId: number,
  { keyType, pixKey }: Pick<ValidatedWithdrawal, 'keyType' | 'pixKey'>,
  label: string,
): Promise<void> {
  showChange(tx, merchantId, 'destinations');
  await tx.db
    .insertInto('withdrawal_destinations')
    .values({ merchant_id: merchantId, pix_key: pixKey, key_type: keyType, label, created_at: tx.now })
    .onConflict((conflict) => conflict.columns(['merchant_id', 'pix_key']).doUpdateSet({ label }))
    .execute();
}

/** Deletes a destination. Returns whether it was saved. */
export async function deleteDestination(tx: Tx, merchantId: number, pixKey: string): Promise<boolean> {
  showChange(tx, merchantId, 'destinations');
  const row = await tx.db
    .deleteFrom('withdrawal_destinations')
    .where('merchant_id', '=', merchantId)
    .where('pix_key', '=', pixKey)
    .returning('pix_key')
    .executeTakeFirst();
  return row !== undefined;
}
