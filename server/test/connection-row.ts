import type { Db } from '../src/db/pool.ts';

/** Inserts only the row of an active account of a merchant's own, whose bank no test reaches by it. Returns its number. */
export async function insertConnection(
  db: Db,
  merchantId: number,
  pixKey: string,
  createdAt = new Date(),
): Promise<number> {
  const row = await db
    .insertInto('bank_connections')
    .values({
      merchant_id: merchantId,
      bank: 'sandbox',
      pix_key: pixKey,
      state: 'active',
      created_at: createdAt,
      updated_at: createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}
