import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { changeUser, recheckAbility, refuseOwnAccount } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { lockReview } from './store.ts';

/**
 * Records that the operator looked at the identity of whoever controls an account since it was handed over. Refused
 * with USER_NOT_FOUND, OWN_ACCOUNT, NOTHING_TO_REVIEW, and FORBIDDEN when the caller ceased to be an administrator.
 */
export async function confirmIdentity(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  {
    actorId,
    accountId,
    reason,
  }: { readonly actorId: number; readonly accountId: number; readonly reason: string },
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await recheckAbility(tx, actorId, 'decide-kyc');
    await refuseOwnAccount(tx, actorId, accountId);
    const account = await lockReview(tx, accountId);
    if (account === undefined) throw new Refusal('USER_NOT_FOUND');
    if (account.identity_review_since === null) throw new Refusal('NOTHING_TO_REVIEW');
    await changeUser(tx, accountId, { identity_review_since: null });
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'identity reviewed',
      subject_id: accountId,
      reason,
      before: { identity_review_since: account.identity_review_since.toISOString() },
      after: { identity_review_since: null },
    });
  });
}
