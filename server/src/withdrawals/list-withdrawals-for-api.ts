import type { apiListWithdrawals as endpoint, QueryOf, ResponseOf } from '@jangada/contract';
import { spanOfDays } from '../calendar-day.ts';
import type { Deps } from '../deps.ts';
import { cursorFrom, cursorOf } from '../list-cursor.ts';
import { selectWithdrawalsAfter } from './store.ts';
import { statusesOf, toPublicWithdrawal } from './withdrawal.ts';

/** A page of a merchant's withdrawals for the API, newest first. Uses a cursor, so every page costs the same. */
export async function listWithdrawalsForApi(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  { status, before, limit, ...days }: QueryOf<typeof endpoint>,
): Promise<ResponseOf<typeof endpoint>> {
  const found = await selectWithdrawalsAfter(db, merchantId, {
    ...spanOfDays(days),
    statuses: status && statusesOf(status),
    after: before === undefined ? undefined : cursorFrom(before),
    limit: limit + 1,
  });
  const withdrawals = found.slice(0, limit);
  const last = withdrawals.at(-1);
  return {
    data: withdrawals.map(toPublicWithdrawal),
    next: last === undefined || found.length <= limit ? null : cursorOf(last),
  };
}
