import {
  brlFromCents,
  centsFromBrl,
  type changeMember,
  type inviteMember,
  type MemberRole,
  mayDo,
  memberRole,
  memberRoleTexts,
  type ResponseOf,
} from '@jangada/contract';
import type { InvitationRow } from './invitation-store.ts';
import type { MemberRow, MemberTerms } from './store.ts';

export type Member = ResponseOf<typeof changeMember>['member'];
export type Invitation = ResponseOf<typeof inviteMember>['invitation'];

/** The role and limits as a call gives them, in BRL. */
export type RequestedTerms = {
  readonly role: MemberRole;
  readonly refund_limit: number | null;
  readonly withdrawal_limit: number | null;
};

export function toStoredTerms({ role, refund_limit, withdrawal_limit }: RequestedTerms): MemberTerms {
  return {
    role,
    refund_limit_cents: toCents(refund_limit),
    withdrawal_limit_cents: toCents(withdrawal_limit),
  };
}

function toCents(amount: number | null): number | null {
  return amount === null ? null : (centsFromBrl(amount) ?? null);
}

export function toRequestedTerms(terms: MemberTerms): RequestedTerms {
  const toBrl = (cents: number | null) => (cents === null ? null : brlFromCents(cents));
  return {
    role: memberRole.parse(terms.role),
    refund_limit: toBrl(terms.refund_limit_cents),
    withdrawal_limit: toBrl(terms.withdrawal_limit_cents),
  };
}

export function toMember(row: MemberRow): Member {
  return {
    id: String(row.user_id),
    name: row.name,
    email: row.email,
    ...toRequestedTerms(row),
    holder: row.holder,
    added_at: row.added_at.toISOString(),
  };
}

export function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    email: row.email,
    ...toRequestedTerms(row),
    invited_by: row.inviter,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** Whether a role moves money out of the account. */
export function movesMoney(role: string): boolean {
  const known = memberRole.parse(role);
  return mayDo(known, 'withdraw') || mayDo(known, 'refund');
}

export function roleLabel(role: string): string {
  return memberRoleTexts[memberRole.parse(role)].label;
}
