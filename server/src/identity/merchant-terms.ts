import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

/** What an operation needs to know of a merchant. Rates in hundredths of a percent, amounts in integer cents. */
export type Merchant = {
  readonly id: number;
  readonly name: string;
  readonly approved: boolean;
  readonly apiActive: boolean;
  readonly inRate: number;
  readonly fixInCents: number;
  readonly reserveRate: number;
  readonly reserveDays: number;
};

/** A merchant's standing and terms; a reserve that is switched off reads as rate 0. */
export async function readMerchant(db: Db | Tx['db'], id: number): Promise<Merchant | undefined> {
  const row = await db
    .selectFrom('users')
    .select([
      'id',
      'name',
      'approved',
      'api_active',
      'in_rate',
      'fix_in_cents',
      'reserve_enabled',
      'reserve_rate',
      'reserve_days',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  return (
    row && {
      id: row.id,
      name: row.name,
      approved: row.approved,
      apiActive: row.api_active,
      inRate: row.in_rate,
      fixInCents: row.fix_in_cents,
      reserveRate: row.reserve_enabled ? row.reserve_rate : 0,
      reserveDays: row.reserve_enabled ? row.reserve_days : 0,
    }
  );
}
