import { brlFromCents, mayDo, memberRole, type Permission } from '@jangada/contract';
import { startOfToday } from '../calendar-day.ts';
import type { Tx } from '../db/transaction.ts';
import { formatBrl } from '../format-brl.ts';
import { Refusal } from '../refusal.ts';
import { lockMemberTerms } from './store.ts';

/** The limits of a member in one calendar day, and the day's first moment. */
export type MemberDay = {
  readonly refundLimitCents: number | null;
  readonly withdrawalLimitCents: number | null;
  readonly from: Date;
};

/**
 * Locks a member who moves money, so that their orders are checked and stored one after the other, and none is stored
 * after they lost the right. Must be called before anything else is locked. Refused with MEMBER_ROLE_MISSING.
 */
export async function lockMemberDay(
  tx: Tx,
  { merchantId, userId }: { readonly merchantId: number; readonly userId: number },
  permission: Permission,
): Promise<MemberDay> {
  const terms = await lockMemberTerms(tx, merchantId, userId);
  if (terms === undefined || !mayDo(memberRole.parse(terms.role), permission))
    throw new Refusal('MEMBER_ROLE_MISSING');
  return {
    refundLimitCents: terms.refund_limit_cents,
    withdrawalLimitCents: terms.withdrawal_limit_cents,
    from: startOfToday(tx.now),
  };
}

export function memberLimitText(limitCents: number, leftCents: number): string {
  return `O seu limite por dia nesta conta é de ${formatBrl(limitCents)}, e restam ${formatBrl(leftCents)} hoje.`;
}

/** Refuses with MEMBER_DAY_LIMIT an amount that exceeds what is left of a limit. `usedCents`: what was moved today. */
export function refuseAboveLimit(limitCents: number, usedCents: number, amountCents: number): void {
  const leftCents = Math.max(limitCents - usedCents, 0);
  if (amountCents <= leftCents) return;
  throw new Refusal('MEMBER_DAY_LIMIT', {
    message: memberLimitText(limitCents, leftCents),
    details: { limit: brlFromCents(limitCents), left: brlFromCents(leftCents) },
  });
}
