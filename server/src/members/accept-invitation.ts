import type { checkInvitation as checkEndpoint, ResponseOf } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { findByLogin } from '../identity/index.ts';
import { consumeMailLink, findMailLink, verifyLinkToken } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import { toMembership } from './accounts.ts';
import { deleteInvitation, findInvitation } from './invitation-store.ts';
import { roleLabel, toRequestedTerms } from './member.ts';
import {
  findMember,
  findPerson,
  insertMember,
  listMemberships,
  lockAccountOfMembers,
  type MembershipRow,
} from './store.ts';
import { tellOwners } from './tell-members.ts';

type InvitationDeps = Pick<Deps, 'db' | 'clock' | 'secrets'>;

/** Says what an invitation is for, without using its link up. Refused with LINK_EXPIRED. */
export async function checkInvitation(
  deps: InvitationDeps,
  token: string,
): Promise<ResponseOf<typeof checkEndpoint>> {
  const { db } = deps;
  const { id, merchantId } = await findLink(deps, token);
  const invitation = await findInvitation(db, merchantId, id, deps.clock.now());
  const account = await findPerson(db, merchantId);
  if (invitation === undefined || account === undefined) throw new Refusal('LINK_EXPIRED');
  return {
    account_name: account.name,
    email: invitation.email,
    ...toRequestedTerms(invitation),
    invited_by: invitation.inviter,
    expires_at: invitation.expires_at.toISOString(),
    registered: (await findByLogin(db, invitation.email)) !== undefined,
  };
}

async function findLink(
  { db, clock, secrets }: InvitationDeps,
  token: string,
): Promise<{ readonly id: string; readonly merchantId: number }> {
  const id = verifyLinkToken(secrets, token);
  const link = id === undefined ? undefined : await findMailLink(db, id, 'invitation', clock.now());
  if (id === undefined || link === undefined) throw new Refusal('LINK_EXPIRED');
  return { id, merchantId: link.userId };
}

/**
 * Makes the caller a member of the account that invited their e-mail. The link shows that they read this address.
 * Refused with LINK_EXPIRED, INVITATION_OF_OTHER, MEMBER_EXISTS or ACCOUNT_FROZEN.
 */
export async function acceptInvitation(
  deps: InvitationDeps,
  { userId, accountId: currentId }: Caller,
  token: string,
): Promise<ReturnType<typeof toMembership>> {
  const { id, merchantId } = await findLink(deps, token);
  const membership = await inTransaction(deps, async (tx): Promise<MembershipRow | undefined> => {
    const account = await lockAccountOfMembers(tx, merchantId);
    if (account.frozen_at !== null) throw new Refusal('ACCOUNT_FROZEN');
    const invitation = await findInvitation(tx.db, merchantId, id, tx.now);
    const person = await findPerson(tx.db, userId);
    if (person === undefined) throw new Refusal('UNAUTHENTICATED');
    if (invitation === undefined) throw new Refusal('LINK_EXPIRED');
    if (person.email !== invitation.email) throw new Refusal('INVITATION_OF_OTHER');
    if (await findMember(tx.db, merchantId, userId)) throw new Refusal('MEMBER_EXISTS');
    if (!(await consumeMailLink(tx, id, 'invitation'))) throw new Refusal('LINK_EXPIRED');
    await deleteInvitation(tx, merchantId, id);
    const { role, refund_limit_cents, withdrawal_limit_cents, inviter_id: added_by } = invitation;
    const terms = { role, refund_limit_cents, withdrawal_limit_cents };
    await insertMember(tx, { merchant_id: merchantId, user_id: userId, added_by, ...terms });
    await insertAuditEntry(tx, {
      actor_id: userId,
      action: 'member added',
      subject_id: merchantId,
      reason: null,
      before: {},
      after: { member: person.name, email: person.email, ...toRequestedTerms(terms) },
    });
    await tellOwners(tx, merchantId, {
      title: 'Membro novo',
      mail: `${invitation.email} aceitou o convite, com o papel ${roleLabel(role)}.`,
      panel: `${person.name} (${invitation.email}) aceitou o convite, com o papel ${roleLabel(role)}.`,
    });
    const memberships = await listMemberships(tx.db, userId);
    return memberships.find(({ account_id }) => account_id === merchantId);
  });
  if (membership === undefined) throw new Refusal('LINK_EXPIRED');
  return toMembership(membership, userId, currentId);
}
