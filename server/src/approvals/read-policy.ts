import type { TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Secrets } from '../secrets.ts';
import type { PolicyState } from './count-approvals.ts';
import { noPolicy, replayHistory } from './replay-history.ts';
import { hasHistory, selectHistory, selectProvenRequests } from './store.ts';

/** Reads and proves the policy of an account that is in force now. Account 0 is the operator's. */
export async function readPolicy(
  { db, secrets }: Pick<TxWithSecrets, 'db' | 'secrets'> | Pick<Deps, 'db' | 'secrets'>,
  merchantId: number,
): Promise<PolicyState> {
  if (!(await hasHistory(db, merchantId))) return noPolicy;
  const history = await selectHistory(db, merchantId);
  const requestIds = history.flatMap(({ requestId }) => (requestId === null ? [] : [requestId]));
  const requests = await selectProvenRequests(db, merchantId, requestIds);
  const { state } = await replayHistory(merchantId, history, requests, makeMarkWith(secrets));
  return state;
}

/** The mark of this gateway's own key, which is not in the database. */
export function makeMarkWith(secrets: Pick<Secrets, 'hash'>): (text: string) => Buffer {
  return (text) => secrets.hash('approval', text);
}
