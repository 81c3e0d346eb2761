import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

export async function findAvatar(db: Db, id: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('avatars').select('content').where('id', '=', id).executeTakeFirst();
  return row?.content;
}

export async function replaceAvatar(tx: Tx, merchantId: number, id: string, content: Buffer): Promise<void> {
  const avatar = { id, content, created_at: tx.now };
  await tx.db
    .insertInto('avatars')
    .values({ merchant_id: merchantId, ...avatar })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(avatar))
    .execute();
}

export async function deleteAvatar(tx: Tx, merchantId: number): Promise<void> {
  await tx.db.deleteFrom('avatars').where('merchant_id', '=', merchantId).execute();
}

/** The update locks the account's row, so that of two concurrent uploads the stored address and picture match. */
export async function writeAddress(tx: Tx, merchantId: number, avatar: string): Promise<void> {
  await tx.db.updateTable('users').set({ avatar, updated_at: tx.now }).where('id', '=', merchantId).execute();
}
