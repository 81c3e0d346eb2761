import { type AllOrderHooks, lockRequestsBy } from '../approvals/index.ts';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { reopenChannels } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { withdrawInvitationsBy } from './invite-member.ts';
import {
  type Member,
  type RequestedTerms,
  roleLabel,
  toMember,
  toRequestedTerms,
  toStoredTerms,
} from './member.ts';
import { lockAsOwner } from './require-owner.ts';
import { findMember, type MemberRow, updateMember } from './store.ts';
import { tellOwners, tellPerson } from './tell-members.ts';

/**
 * Changes a member's role and limits, from their next call on. What they asked others to approve and may not ask for any
 * more ends. Who holds the account remains an owner.
 * Refused with MEMBER_NOT_FOUND or HOLDER_STAYS.
 */
export async function changeMember(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  hooks: AllOrderHooks,
  caller: Caller,
  requestedId: string,
  terms: RequestedTerms,
): Promise<Member> {
  const merchantId = caller.accountId;
  const userId = parseMemberId(requestedId);
  return inTransaction(deps, async (tx) => {
    const account = await lockAsOwner(tx, caller);
    const before = await findMember(tx.db, merchantId, userId);
    if (before === undefined) throw new Refusal('MEMBER_NOT_FOUND');
    if (before.holder && terms.role !== 'owner') throw new Refusal('HOLDER_STAYS');
    const after = { ...before, ...toStoredTerms(terms) };
    if (isSame(before, after)) return toMember(before);
    const endRequests = await lockRequestsBy(tx, hooks, { merchantId, userId, role: terms.role });
    await updateMember(tx, merchantId, userId, toStoredTerms(terms));
    if (before.role === 'owner' && terms.role !== 'owner')
      await withdrawInvitationsBy(tx, merchantId, userId);
    if (before.role !== terms.role) await reopenChannels(tx, userId, merchantId);
    await insertAuditEntry(tx, {
      actor_id: caller.userId,
      action: 'member changed',
      subject_id: merchantId,
      reason: null,
      before: { member: before.name, ...toRequestedTerms(before) },
      after: { member: before.name, ...terms },
    });
    await tellChange(tx, after, account.name);
    await endRequests();
    return toMember(after);
  });
}

/** Refuses text that is no number of a person with MEMBER_NOT_FOUND. */
export function parseMemberId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal('MEMBER_NOT_FOUND');
  return Number(text);
}

function isSame(left: MemberRow, right: MemberRow): boolean {
  return JSON.stringify(toRequestedTerms(left)) === JSON.stringify(toRequestedTerms(right));
}

async function tellChange(
  tx: TxWithSecrets,
  { merchant_id: merchantId, user_id, name, email, role }: MemberRow,
  accountName: string,
): Promise<void> {
  const label = roleLabel(role);
  const title = 'Membro alterado';
  await tellOwners(tx, merchantId, {
    title,
    mail: `${email} tem agora o papel ${label}, ou limites novos.`,
    panel: `${name} (${email}) tem agora o papel ${label}, ou limites novos.`,
  });
  if (role !== 'owner')
    await tellPerson(tx, user_id, {
      title: 'Seu papel em uma conta mudou',
      mail: `Em uma conta de que você é membro, o seu papel ou os seus limites mudaram. O papel é ${label}.`,
      panel: `Na conta ${accountName}, o seu papel é ${label}. O papel ou os limites mudaram.`,
    });
}
