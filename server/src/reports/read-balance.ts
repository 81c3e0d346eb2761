import { brlFromCents, type getBalance, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { readBalancesAndObligations } from '../ledger/index.ts';

/** A merchant's current balances, for its own systems. */
export async function readBalance(
  deps: Pick<Deps, 'db'>,
  merchantId: number,
): Promise<ResponseOf<typeof getBalance>> {
  const standing = await readBalancesAndObligations(deps.db, merchantId);
  return {
    available: brlFromCents(standing.available),
    reserved: brlFromCents(standing.reserved),
    blocked: brlFromCents(standing.blocked),
    in_transit: brlFromCents(standing.in_transit),
    owed: brlFromCents(standing.claims),
  };
}
