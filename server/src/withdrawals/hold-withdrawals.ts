import { formatMomentForSentence } from '../calendar-day.ts';
import type { Tx } from '../db/transaction.ts';
import { Refusal } from '../refusal.ts';
import { lockControls, updateControls, type WithdrawalControls } from './controls-store.ts';

/** A security-relevant change: the hold leaves time to notice one that was not authorized. */
export type HoldCause = 'pin-changed' | 'email-changed' | 'password-reset' | 'factor-reset';

export const holdMs = 24 * 3_600_000;

const reasons: Readonly<Record<HoldCause, string>> = {
  'pin-changed': 'o PIN de saque foi alterado',
  'email-changed': 'o e-mail da conta foi alterado',
  'password-reset': 'a senha da conta foi redefinida',
  'factor-reset': 'o segundo fator da conta foi removido pelo suporte',
};

/** Holds a merchant's withdrawals for a day, including those waiting to be sent. */
export async function holdWithdrawals(tx: Tx, merchantId: number, because: HoldCause): Promise<void> {
  await putHold(tx, await lockControls(tx, merchantId), because);
}

/** Like `holdWithdrawals`, on a row that is already locked. */
export async function putHold(tx: Tx, { merchantId }: WithdrawalControls, because: HoldCause): Promise<void> {
  const held_until = new Date(tx.now.getTime() + holdMs);
  await updateControls(tx, merchantId, { held_until, held_because: because });
}

export type Hold = { readonly until: Date; readonly because: HoldCause | undefined };

export function holdOf({ heldUntil, heldBecause }: WithdrawalControls, now: Date): Hold | undefined {
  if (heldUntil === null || heldUntil <= now) return undefined;
  return {
    until: heldUntil,
    because: heldBecause !== null && isCause(heldBecause) ? heldBecause : undefined,
  };
}

function isCause(text: string): text is HoldCause {
  return Object.hasOwn(reasons, text);
}

export function withdrawalsHeld({ until, because }: Hold): Refusal {
  const reason = because === undefined ? '' : `: ${reasons[because]}`;
  return new Refusal('WITHDRAWALS_HELD', {
    message: `Por segurança, os saques estão suspensos até ${formatMomentForSentence(until)}${reason}.`,
    details: { until: until.toISOString() },
  });
}
