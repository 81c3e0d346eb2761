import { sql } from 'kysely';
import type { Tx } from './db/transaction.ts';

/** Locks a merchant until the transaction ends, so that others who do so wait and see what it writes. */
export async function lockMerchant({ db }: Tx, merchantId: number): Promise<void> {
  await sql`select from users where id = ${merchantId} for no key update`.execute(db);
}
