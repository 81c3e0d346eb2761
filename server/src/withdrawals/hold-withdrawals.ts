import { formatMomentForSentence } from '../calendar-day.ts';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { lockControls, updateControls, type WithdrawalControls } from './controls-store.ts';

/**
 * A security-relevant change of an account. Withdrawals are then held for a day, which gives the merchant time to
 * notice a change that somebody else made.
 */
export type HoldCause = 'pin-changed' | 'email-changed' | 'password-reset' | 'factor-reset';

/** How long a hold lasts: a day. */
export const holdDurationMs = 24 * 3_600_000;

const causeTexts: Readonly<Record<HoldCause, string>> = {
  'pin-changed': 'o PIN de saque foi alterado',
  'email-changed': 'o e-mail da conta foi alterado',
  'password-reset': 'a senha da conta foi redefinida',
  'factor-reset': 'o segundo fator da conta foi removido pelo suporte',
};

/** Holds a merchant's withdrawals for a day, including those that were requested earlier and wait to be sent. */
export async function holdWithdrawals(tx: Tx, merchantId: number, cause: HoldCause): Promise<void> {
  await writeHold(tx, await lockControls(tx, merchantId), cause);
}

/** Holds the withdrawals of a merchant whose controls are already locked. */
export async function writeHold(tx: Tx, { merchantId }: WithdrawalControls, cause: HoldCause): Promise<void> {
  const held_until = new Date(tx.now.getTime() + holdDurationMs);
  await updateControls(tx, merchantId, { held_until, held_because: cause });
}

/** A hold in force. `cause` is undefined if the database holds a cause that this version does not know. */
export type Hold = { readonly until: Date; readonly cause: HoldCause | undefined };

/** Returns the hold that is in force at `now`, if any. */
export function activeHoldOf({ heldUntil, heldBecause }: WithdrawalControls, now: Date): Hold | undefined {
  if (heldUntil === null || heldUntil <= now) return undefined;
  return {
    until: heldUntil,
    cause: heldBecause !== null && isCause(heldBecause) ? heldBecause : undefined,
  };
}

function isCause(text: string): text is HoldCause {
  return Object.hasOwn(causeTexts, text);
}

/** Returns the refusal of a withdrawal while a hold is in force. */
export function withdrawalsHeldRefusal({ until, cause }: Hold): Refusal {
  const reason = cause === undefined ? '' : `: ${causeTexts[cause]}`;
  return new Refusal('WITHDRAWALS_HELD', {
    message: `Por segurança, os saques estão suspensos até ${formatMomentForSentence(until)}${reason}.`,
    details: { until: until.toISOString() },
  });
}
