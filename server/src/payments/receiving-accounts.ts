import { readActiveConnections } from '../connections/index.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, merchantKindOf } from '../identity/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';

/**
 * The accounts at which a new charge of the merchant can be made, in the order in which they are tried: the operator's
 * own, or the active ones of the merchant. Empty if the merchant has none yet.
 */
export async function receivingAccountsOf(
  deps: Pick<Deps, 'config' | 'db' | 'banks'>,
  { id, kind }: Pick<Merchant, 'id' | 'kind'>,
): Promise<readonly number[]> {
  if (merchantKindOf(deps.config, kind) === 'pooled') return [HOUSE_CONNECTION];
  // An account that another process has just activated may not be known here yet.
  return (await readActiveConnections(deps.db, id)).filter((one) => deps.banks.find(one) !== undefined);
}
