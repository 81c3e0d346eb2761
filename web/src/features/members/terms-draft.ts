import { brlFromCents, centsFromBrl, type MemberRole, mayDo } from '@jangada/contract';

/** A role and its limits by day, as a form has them: in cents, null for none. */
export type TermsDraft = {
  readonly role: MemberRole;
  readonly refundCents: number | null;
  readonly withdrawalCents: number | null;
};

type Terms = {
  readonly role: MemberRole;
  readonly refund_limit: number | null;
  readonly withdrawal_limit: number | null;
};

export const newTerms: TermsDraft = { role: 'operator', refundCents: null, withdrawalCents: null };

export function draftOfTerms({ role, refund_limit, withdrawal_limit }: Terms): TermsDraft {
  const centsOf = (limit: number | null) => (limit === null ? null : (centsFromBrl(limit) ?? null));
  return { role, refundCents: centsOf(refund_limit), withdrawalCents: centsOf(withdrawal_limit) };
}

/** Whether a limit means something for a role: an owner has none, and the others only for what they may do. */
export function hasLimit(role: MemberRole, permission: 'refund' | 'withdraw'): boolean {
  return role !== 'owner' && mayDo(role, permission);
}

/** The terms to send. A limit of an earlier choice that means nothing for the role is left out. */
export function termsOf({ role, refundCents, withdrawalCents }: TermsDraft): Terms {
  const limit = (permission: 'refund' | 'withdraw', cents: number | null) =>
    cents === null || !hasLimit(role, permission) ? null : brlFromCents(cents);
  return {
    role,
    refund_limit: limit('refund', refundCents),
    withdrawal_limit: limit('withdraw', withdrawalCents),
  };
}
