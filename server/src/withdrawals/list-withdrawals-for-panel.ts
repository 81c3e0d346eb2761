import type { listWithdrawals as endpoint, QueryOf, ResponseOf, WithdrawalStatus } from '@jangada/contract';
import type { Db } from '../db/pool.ts';
import type { Deps } from '../deps.ts';
import { findOpenWithdrawal, readWithdrawalCounts, selectWithdrawals } from './store.ts';
import { toWithdrawalItem } from './withdrawal.ts';

/** A page of a merchant's withdrawals, newest first, and the total count. */
export async function listWithdrawalsForPanel(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  { page, pageSize, status }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const wanted = { status, limit: pageSize, offset: (page - 1) * pageSize };
  const [withdrawals, total] = await Promise.all([
    selectWithdrawals(db, merchantId, wanted),
    countWithdrawals(db, merchantId, status),
  ]);
  return { withdrawals: withdrawals.map(toWithdrawalItem), total, page, limit: pageSize };
}

/** Read from counters; a merchant has at most one open withdrawal. */
async function countWithdrawals(
  db: Db,
  merchantId: number,
  status: WithdrawalStatus | undefined,
): Promise<number> {
  if (status === 'pending' || status === 'processing')
    return (await findOpenWithdrawal(db, merchantId))?.status === status ? 1 : 0;
  const counts = await readWithdrawalCounts(db, merchantId);
  if (status === 'completed') return counts.completed_withdrawals_count;
  if (status === 'failed') return counts.failed_withdrawals_count;
  return (
    counts.pending_withdrawals_count + counts.completed_withdrawals_count + counts.failed_withdrawals_count
  );
}
