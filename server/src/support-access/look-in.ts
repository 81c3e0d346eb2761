import type { adminLookIn, ResponseOf } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { moveSessionForSupport, recheckAbility } from '../identity/index.ts';
import { tellOwners } from '../members/index.ts';
import { showChange } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { findAccountToLookInto, lockSupportAccess } from './store.ts';

/**
 * Lets a session of staff look into an account, reading only and as long as an owner allowed. The audit log names who
 * looked in, and the owners are told. Refused with USER_NOT_FOUND, SUPPORT_NOT_ALLOWED or ACCOUNT_FROZEN, and with
 * FORBIDDEN when the caller lost the ability.
 */
export async function lookIn(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { userId: actorId, sessionHash }: Caller,
  { accountId, reason }: { readonly accountId: number; readonly reason: string },
): Promise<ResponseOf<typeof adminLookIn>> {
  if (sessionHash === undefined) throw new Refusal('UNAUTHENTICATED');
  return inTransaction(deps, async (tx) => {
    await recheckAbility(tx, actorId, 'look-into-accounts');
    const account = await findAccountToLookInto(tx, accountId);
    if (account === undefined) throw new Refusal('USER_NOT_FOUND');
    const access = actorId === accountId ? undefined : await lockSupportAccess(tx, accountId);
    if (access === undefined) throw new Refusal('SUPPORT_NOT_ALLOWED');
    if (account.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
    if (!(await moveSessionForSupport(tx, sessionHash, accountId))) throw new Refusal('UNAUTHENTICATED');
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'support looked in',
      subject_id: accountId,
      reason,
      before: {},
      after: { until: access.expires_at.toISOString() },
    });
    showChange(tx, accountId, 'members');
    await tellOwners(tx, accountId, {
      kind: 'support',
      title: 'O suporte olhou a conta',
      mail: 'O suporte entrou na conta para olhar, como um dono permitiu. A página Membros diz quem e quando, e encerra o acesso.',
      panel:
        'O suporte entrou na conta para olhar, como um dono permitiu. A página Membros diz quem e quando.',
    });
    return {
      account_id: String(accountId),
      name: account.name,
      expires_at: access.expires_at.toISOString(),
    };
  });
}
