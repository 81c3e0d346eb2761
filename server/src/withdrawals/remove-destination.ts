import type { ApiWithdrawals } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { lockControls } from './controls-store.ts';
import { deleteDestination } from './destinations-store.ts';
import { readApiWithdrawals } from './read-api-withdrawals.ts';

/** Removes a saved destination, to which the API key can then no longer withdraw. One that is not saved is no error. */
export async function removeDestination(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  pixKey: string,
): Promise<ApiWithdrawals> {
  await inTransaction(deps, async (tx) => {
    await lockControls(tx, merchantId);
    await deleteDestination(tx, merchantId, pixKey);
  });
  return readApiWithdrawals(deps, merchantId);
}
