import { revokeKeysMadeBy } from '../api-keys/index.ts';
import { type AllOrderHooks, lockRequestsBy, refuseLeavingTooFew } from '../approvals/index.ts';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { endSessionsForAccount, moveSession, reopenChannels } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { parseMembershipId } from './accounts.ts';
import { parseMemberId } from './change-member.ts';
import { withdrawInvitationsBy } from './invite-member.ts';
import { toRequestedTerms } from './member.ts';
import { lockAsOwner } from './require-owner.ts';
import { deleteMember, findMember, lockAccountOfMembers, type MemberRow } from './store.ts';
import { tellOwners, tellPerson } from './tell-members.ts';

type RemovalDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/**
 * Removes a member at once: no call of theirs for the account that begins after the commit succeeds, and what they asked
 * others to approve ends. The owner says what becomes of the API keys that the member made. Returns how many were
 * revoked. Refused with MEMBER_NOT_FOUND or HOLDER_STAYS.
 */
export async function removeMember(
  deps: RemovalDeps,
  hooks: AllOrderHooks,
  caller: Caller,
  { requestedId, keys }: { readonly requestedId: string; readonly keys: 'keep' | 'revoke' },
): Promise<number> {
  const userId = parseMemberId(requestedId);
  return inTransaction(deps, async (tx) => {
    const account = await lockAsOwner(tx, caller);
    const member = await findMember(tx.db, caller.accountId, userId);
    if (member === undefined) throw new Refusal('MEMBER_NOT_FOUND');
    const endRequests = await lockRequestsBy(tx, hooks, {
      merchantId: caller.accountId,
      userId,
      role: undefined,
    });
    const revokedCount = await endMembership(tx, member, { keys, actorId: caller.userId });
    const keysText = keysSentence(keys, revokedCount);
    await tellOwners(tx, caller.accountId, {
      title: 'Membro removido',
      mail: `${member.email} deixou de ser membro. ${keysText}`,
      panel: `${member.name} (${member.email}) deixou de ser membro. ${keysText}`,
    });
    // Who handed their own account over may be no member of it any more.
    const hasOwn = (await findMember(tx.db, userId, userId)) !== undefined;
    const rest = hasOwn
      ? 'A sua própria conta continua como estava.'
      : 'Seguem com você o seu perfil e as outras contas de que é membro, se houver.';
    await tellPerson(tx, userId, {
      title: 'Você não é mais membro de uma conta',
      mail: `Um dono removeu você de uma conta. ${rest}`,
      panel: `Um dono removeu você da conta ${account.name}. ${rest}`,
    });
    await endRequests();
    return revokedCount;
  });
}

function keysSentence(keys: 'keep' | 'revoke', revokedCount: number): string {
  if (keys === 'keep') return 'As chaves de API que criou continuam valendo.';
  return revokedCount === 0
    ? 'Não havia chaves de API dele.'
    : `Chaves de API dele que foram revogadas: ${revokedCount}.`;
}

/**
 * Ends the caller's membership of an account, by their own wish. Their keys are revoked, because no owner said that they
 * stay. A session that acts for the account goes on in the caller's own. Refused with MEMBERSHIP_NOT_FOUND or
 * HOLDER_STAYS.
 */
export async function leaveAccount(
  deps: RemovalDeps,
  hooks: AllOrderHooks,
  { userId, sessionHash, accountId: currentId }: Caller,
  requestedId: string,
): Promise<void> {
  const merchantId = parseMembershipId(requestedId);
  await inTransaction(deps, async (tx) => {
    const member = await lockForLeaving(tx, merchantId, userId);
    if (sessionHash !== undefined && currentId === merchantId && merchantId !== userId && !member.holder)
      await moveSession(tx, sessionHash, userId);
    await refuseLeavingTooFew(tx, merchantId, userId);
    const endRequests = await lockRequestsBy(tx, hooks, { merchantId, userId, role: undefined });
    const revokedCount = await endMembership(tx, member, { keys: 'revoke', actorId: userId });
    const keysText = keysSentence('revoke', revokedCount);
    await tellOwners(tx, merchantId, {
      title: 'Membro saiu',
      mail: `${member.email} deixou a conta. ${keysText}`,
      panel: `${member.name} (${member.email}) deixou a conta. ${keysText}`,
    });
    await endRequests();
  });
}

async function lockForLeaving(tx: TxWithSecrets, merchantId: number, userId: number): Promise<MemberRow> {
  // Looked for first, because nobody may lock an account of which they are not a member.
  if (!(await findMember(tx.db, merchantId, userId))) throw new Refusal('MEMBERSHIP_NOT_FOUND');
  await lockAccountOfMembers(tx, merchantId);
  const member = await findMember(tx.db, merchantId, userId);
  if (member === undefined) throw new Refusal('MEMBERSHIP_NOT_FOUND');
  return member;
}

/** Ends a membership with all that depends on it, and records it. Returns how many keys were revoked. */
async function endMembership(
  tx: TxWithSecrets,
  member: MemberRow,
  { keys, actorId }: { readonly keys: 'keep' | 'revoke'; readonly actorId: number },
): Promise<number> {
  const { merchant_id: merchantId, user_id: userId } = member;
  if (member.holder) throw new Refusal('HOLDER_STAYS');
  await deleteMember(tx, merchantId, userId);
  // Push subscriptions and tickets of these sessions are deleted with them. In the account with which a person began,
  // their sessions go on without a role, because the person must be able to enter other accounts.
  if (merchantId === userId) await reopenChannels(tx, userId, merchantId);
  else await endSessionsForAccount(tx, userId, merchantId);
  await withdrawInvitationsBy(tx, merchantId, userId);
  const revokedCount = keys === 'revoke' ? await revokeKeysMadeBy(tx, merchantId, userId) : 0;
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action: actorId === userId ? 'member left' : 'member removed',
    subject_id: merchantId,
    reason: null,
    before: { member: member.name, email: member.email, ...toRequestedTerms(member) },
    after: { keys, revoked_keys: revokedCount },
  });
  return revokedCount;
}
