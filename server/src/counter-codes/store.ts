import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { ListCursor } from '../list-cursor.ts';
import type { StoredCounterCode } from './counter-code.ts';

const columns = [
  'merchant_id as merchantId',
  'id',
  'txid',
  'name',
  'amount_cents as amountCents',
  'active',
  'version',
  'payments',
  'received_cents as receivedCents',
  'created_at as createdAt',
  'updated_at as updatedAt',
] as const;

type NewCode = Pick<StoredCounterCode, 'merchantId' | 'id' | 'txid' | 'name' | 'amountCents'>;

export async function insertCode(tx: Tx, code: NewCode): Promise<StoredCounterCode> {
  return await tx.db
    .insertInto('counter_codes')
    .values({
      merchant_id: code.merchantId,
      id: code.id,
      txid: code.txid,
      name: code.name,
      amount_cents: code.amountCents,
      active: true,
      created_at: tx.now,
      updated_at: tx.now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
}

/** Updates a counter code, which the caller must have locked. */
export async function updateCode(
  tx: Tx,
  { merchantId, id, version }: StoredCounterCode,
  { name, active }: Pick<StoredCounterCode, 'name' | 'active'>,
): Promise<StoredCounterCode> {
  return await tx.db
    .updateTable('counter_codes')
    .set({ name, active, version: version + 1, updated_at: tx.now })
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow();
}

export async function findCode(
  db: Db,
  merchantId: number,
  id: string,
): Promise<StoredCounterCode | undefined> {
  return await selectCode(db, merchantId).where('id', '=', id).executeTakeFirst();
}

export async function lockCode(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<StoredCounterCode | undefined> {
  return await selectCode(tx.db, merchantId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

export async function findCodeByTxid(
  db: Db,
  merchantId: number,
  txid: string,
): Promise<StoredCounterCode | undefined> {
  return await selectCode(db, merchantId).where('txid', '=', txid).executeTakeFirst();
}

/** Lists a page of a merchant's counter codes, newest first. `after`: the last counter code of the page before. */
export async function listCodes(
  db: Db,
  { merchantId, active }: { readonly merchantId: number; readonly active: boolean | undefined },
  { limit, after }: { readonly limit: number; readonly after?: ListCursor },
): Promise<StoredCounterCode[]> {
  let query = selectCode(db, merchantId);
  if (active !== undefined) query = query.where('active', '=', active);
  if (after !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${after.createdAt}, ${after.id}::uuid)`);
  return await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

function selectCode(db: Db | Tx['db'], merchantId: number) {
  return db.selectFrom('counter_codes').select(columns).where('merchant_id', '=', merchantId);
}
