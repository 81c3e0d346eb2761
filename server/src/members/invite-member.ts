import { INVITATION_DAYS, MAX_MEMBERS } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { enforceAttemptLimit, normalizeEmail } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { consumeMailLink, createMailLink, isMailEnabled, writeMail } from '../mail/index.ts';
import { Refusal } from '../refusal.ts';
import {
  countMembersAndInvitations,
  deleteInvitation,
  deleteInvitationsBy,
  deleteInvitationsTo,
  findInvitation,
  insertInvitation,
  listInvitations,
} from './invitation-store.ts';
import {
  type Invitation,
  type Member,
  movesMoney,
  type RequestedTerms,
  roleLabel,
  toInvitation,
  toMember,
  toStoredTerms,
} from './member.ts';
import { lockAsOwner } from './require-owner.ts';
import { listMembers } from './store.ts';
import { tellOwners } from './tell-members.ts';

/** Limited, because each invitation sends a mail to an address that may belong to a stranger. */
const invitationLimit = { limit: 20, windowSeconds: 3600 };
const lifetimeMs = INVITATION_DAYS * 86_400_000;

/** Lists the members of the account, and the invitations that can still be accepted. */
export async function readMembers(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { accountId }: Caller,
): Promise<{ members: Member[]; invitations: Invitation[] }> {
  const [members, invitations] = await Promise.all([
    listMembers(db, accountId),
    listInvitations(db, accountId, clock.now()),
  ]);
  return { members: members.map(toMember), invitations: invitations.map(toInvitation) };
}

/**
 * Invites somebody by e-mail, in place of an earlier invitation to the same address. The link is in the mail alone.
 * Refused with INVITATIONS_OFF, ACCOUNT_NOT_APPROVED, MEMBER_EXISTS, MEMBERS_FULL or RATE_LIMITED.
 */
export async function inviteMember(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'secrets'>,
  caller: Caller,
  { email: requestedEmail, ...terms }: RequestedTerms & { readonly email: string },
): Promise<Invitation> {
  if (!isMailEnabled(deps.config)) throw new Refusal('INVITATIONS_OFF');
  await enforceAttemptLimit(deps, { key: `invite ${caller.accountId}`, ...invitationLimit });
  const email = normalizeEmail(requestedEmail);
  const merchant_id = caller.accountId;
  return inTransaction(deps, async (tx) => {
    const { approved } = await lockAsOwner(tx, caller);
    if (!approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
    const members = await listMembers(tx.db, merchant_id);
    if (members.some((member) => member.email === email)) throw new Refusal('MEMBER_EXISTS');
    await endLinks(tx, await deleteInvitationsTo(tx, merchant_id, email));
    if ((await countMembersAndInvitations(tx, merchant_id)) >= MAX_MEMBERS) throw new Refusal('MEMBERS_FULL');
    const id = await createMailLink(tx, { userId: merchant_id, purpose: 'invitation', email, lifetimeMs });
    const expires_at = new Date(tx.now.getTime() + lifetimeMs);
    const invited = { merchant_id, id, email, invited_by: caller.userId, expires_at };
    await insertInvitation(tx, { ...invited, ...toStoredTerms(terms) });
    await mailInvitation(tx, merchant_id, { id, email, role: terms.role });
    await insertAuditEntry(tx, {
      actor_id: caller.userId,
      action: 'member invited',
      subject_id: merchant_id,
      reason: null,
      before: {},
      after: { email, ...terms },
    });
    const invitation = await findInvitation(tx.db, merchant_id, id, tx.now);
    invariant(invitation !== undefined, 'an invitation was just stored');
    return toInvitation(invitation);
  });
}

async function mailInvitation(
  tx: TxWithSecrets,
  merchantId: number,
  { id, email, role }: { readonly id: string; readonly email: string; readonly role: string },
): Promise<void> {
  await writeMail(tx, {
    userId: merchantId,
    kind: 'invitation',
    to: email,
    subject: 'Convite para uma conta',
    paragraphs: [
      `Convidaram você para ajudar a cuidar de uma conta, com o papel ${roleLabel(role)}. Abra o link para ver de quem é e aceitar: ele serve uma vez e vale por ${INVITATION_DAYS} dias.`,
      'Se você não esperava por isso, ignore esta mensagem.',
    ],
    linkId: id,
  });
  const text = `${email} foi convidado com o papel ${roleLabel(role)}.`;
  await tellOwners(tx, merchantId, { title: 'Membro convidado', mail: text, panel: text });
}

/** Withdraws an invitation; its link ends. Refused with INVITATION_NOT_FOUND. */
export async function withdrawInvitation(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  caller: Caller,
  id: string,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await lockAsOwner(tx, caller);
    const invitation = await deleteInvitation(tx, caller.accountId, id);
    if (invitation === undefined) throw new Refusal('INVITATION_NOT_FOUND');
    await endLinks(tx, [id]);
    await insertAuditEntry(tx, {
      actor_id: caller.userId,
      action: 'invitation withdrawn',
      subject_id: caller.accountId,
      reason: null,
      before: { email: invitation.email },
      after: {},
    });
  });
}

/** Withdraws the invitations of an owner who ceases to be one. */
export async function withdrawInvitationsBy(
  tx: TxWithSecrets,
  merchantId: number,
  inviterId: number,
): Promise<void> {
  await endLinks(tx, await deleteInvitationsBy(tx, merchantId, inviterId));
}

/**
 * Withdraws the invitations with roles that move money, when a policy begins under which they would need approval.
 * Owners are told which, so that they can invite again.
 */
export async function withdrawMoneyInvitations(
  tx: TxWithSecrets,
  merchantId: number,
  actorId: number,
): Promise<void> {
  const all = await listInvitations(tx.db, merchantId, tx.now);
  const withdrawn = all.filter(({ role }) => movesMoney(role));
  if (withdrawn.length === 0) return;
  for (const { id, email } of withdrawn) {
    await deleteInvitation(tx, merchantId, id);
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'invitation withdrawn',
      subject_id: merchantId,
      reason: null,
      before: { email },
      after: {},
    });
  }
  await endLinks(
    tx,
    withdrawn.map(({ id }) => id),
  );
  const text = `A política de aprovação foi ligada, e um papel que move dinheiro agora precisa de aprovação. Terminaram os convites de ${withdrawn.map(({ email }) => email).join(', ')}: convide de novo.`;
  await tellOwners(tx, merchantId, { title: 'Convites encerrados', mail: text, panel: text });
}

async function endLinks(tx: TxWithSecrets, ids: readonly string[]): Promise<void> {
  for (const id of ids) await consumeMailLink(tx, id, 'invitation');
}
