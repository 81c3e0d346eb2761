import { sql } from 'kysely';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

const readBatched = batchPerConnection<number, readonly number[]>({
  maxBatchSize: 200,
  maxConcurrentRuns: 1,
  work: readOfMerchants,
});

/**
 * The numbers of a merchant's accounts at which charges may be made, in the merchant's order. Those of concurrent
 * requests are read in one statement.
 */
export function readActiveConnections(db: Db | Tx['db'], merchantId: number): Promise<readonly number[]> {
  return readBatched(db, merchantId);
}

/** The numbers of a merchant's suspended accounts. */
export async function readSuspendedConnections(
  db: Db | Tx['db'],
  merchantId: number,
): Promise<readonly number[]> {
  const rows = await db
    .selectFrom('bank_connections')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('state', '=', 'suspended')
    .execute();
  return rows.map(({ id }) => id);
}

/** The names by which a merchant knows these accounts of their own, by number. */
export async function readAccountNames(
  db: Db | Tx['db'],
  merchantId: number,
  connectionIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const ownIds = [...new Set(connectionIds)].filter((id) => id !== HOUSE_CONNECTION);
  if (ownIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('bank_connections')
    .select(['id', 'name', 'pix_key'])
    .where('merchant_id', '=', merchantId)
    .where('id', 'in', ownIds)
    .execute();
  return new Map(rows.map(({ id, name, pix_key }) => [id, name === '' ? pix_key : name]));
}

async function readOfMerchants(
  db: Db | Tx['db'],
  merchantIds: readonly number[],
): Promise<readonly (readonly number[])[]> {
  const { rows } = await sql<{ merchant_id: number; id: number }>`
    select merchant_id, id from bank_connections
    where merchant_id = any(${[...new Set(merchantIds)]}::bigint[]) and state = 'active'
    order by position, id
  `.execute(db);
  const byMerchant = Map.groupBy(rows, (row) => row.merchant_id);
  return merchantIds.map((merchantId) => (byMerchant.get(merchantId) ?? []).map(({ id }) => id));
}
