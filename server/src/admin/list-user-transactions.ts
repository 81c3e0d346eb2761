import type { adminUserTransactions, QueryOf, ResponseOf } from '@jangada/contract';
import { PAGE_SIZE } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readAccount } from '../identity/index.ts';
import { listTransactions } from '../payments/index.ts';

/** Lists an account's charges, newest first, as its owner sees them but without the payment code. */
export async function listUserTransactions(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: number,
  { before, search }: QueryOf<typeof adminUserTransactions>,
): Promise<ResponseOf<typeof adminUserTransactions>> {
  await readAccount(deps, userId);
  const page = { limit: PAGE_SIZE.adminTransactions, offset: 0 };
  const { data, next } = await listTransactions(deps, userId, { ...page, before, search });
  return { transactions: data.map(({ content, ...shown }) => shown), next };
}
