import { readActiveConnections } from '../connections/index.ts';
import type { Deps } from '../deps.ts';
import { type Merchant, merchantKindOf } from '../identity/index.ts';
import { type ConnectedBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { wasSilentLately } from './silent-banks.ts';

/**
 * The accounts at which a new charge of the merchant can be made, in the order in which they are tried: the operator's
 * own, or the active ones of the merchant. Those whose banks did not answer lately come last. Empty if the merchant has
 * none yet.
 */
export async function receivingAccountsOf(
  deps: Pick<Deps, 'config' | 'clock' | 'db' | 'banks'>,
  { id, kind }: Pick<Merchant, 'id' | 'kind'>,
): Promise<readonly number[]> {
  if (merchantKindOf(deps.config, kind) === 'pooled') return [HOUSE_CONNECTION];
  const now = deps.clock.now();
  const isSilent = ({ psp }: ConnectedBank) => wasSilentLately(psp, now);
  // An account that another process has just activated may not be known here yet.
  const known = (await readActiveConnections(deps.db, id)).flatMap((one) => deps.banks.find(one) ?? []);
  const ordered =
    known.length > 1 ? known.toSorted((a, b) => Number(isSilent(a)) - Number(isSilent(b))) : known;
  return ordered.map(({ connection }) => connection.id);
}
