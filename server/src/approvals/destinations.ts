import type { Tx, TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readPolicy } from './read-policy.ts';
import { hasHistory, insertHistory } from './store.ts';

/** Whether others have approved this destination with at least this limit, or no policy demands it. */
export async function isApprovedDestination(
  sources: Pick<TxWithSecrets, 'db' | 'secrets'> | Pick<Deps, 'db' | 'secrets'>,
  merchantId: number,
  { pixKey, dayLimitCents }: { readonly pixKey: string; readonly dayLimitCents: number },
): Promise<boolean> {
  const { isOn, destinations } = await readPolicy(sources, merchantId);
  return !isOn || (destinations.get(pixKey) ?? -1) >= dayLimitCents;
}

/** Takes back the approval of a destination that is removed, so that it is asked for again when it is saved again. */
export async function forgetDestination(tx: Tx, merchantId: number, pixKey: string): Promise<void> {
  if (!(await hasHistory(tx.db, merchantId))) return;
  await insertHistory(tx, { merchant_id: merchantId, kind: 'end', pix_key: pixKey });
}
