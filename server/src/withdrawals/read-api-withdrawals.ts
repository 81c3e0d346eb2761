import type { ApiWithdrawals } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readControls } from './controls-store.ts';
import { selectDestinations } from './destinations-store.ts';

/** Whether a merchant's API key may withdraw, and to which destinations. */
export async function readApiWithdrawals(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<ApiWithdrawals> {
  const [controls, destinations] = await Promise.all([
    readControls(db, merchantId),
    selectDestinations(db, merchantId),
  ]);
  return { enabled: controls.apiEnabled, destinations };
}
