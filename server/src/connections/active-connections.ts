import { sql } from 'kysely';
import { batchPerConnection } from '../db/batch-per-connection.ts';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';

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
