import { formatDateAtTime } from '../../format/date.ts';
import type { PinState } from '../../session/pin-status.ts';

export type WithdrawalLockout = { title: string; why: string };

/**
 * When the block on withdrawals ends, and its reason; undefined when nothing blocks them. Of two blocks the later end
 * wins.
 */
export function withdrawalLockout({
  lockedUntil,
  heldUntil,
}: Pick<PinState, 'lockedUntil' | 'heldUntil'>): WithdrawalLockout | undefined {
  const locked = lockedUntil === null ? 0 : Date.parse(lockedUntil);
  const held = heldUntil === null ? 0 : Date.parse(heldUntil);
  if (lockedUntil !== null && locked > held)
    return {
      title: `Saques bloqueados até ${formatDateAtTime(lockedUntil)}.`,
      why: 'O PIN foi digitado errado vezes demais. Trocar o PIN não encurta o bloqueio.',
    };
  if (heldUntil !== null)
    return {
      title: `Saques suspensos até ${formatDateAtTime(heldUntil)}.`,
      why: 'Por segurança, depois de uma troca do PIN, da senha ou do e-mail da conta.',
    };
  return undefined;
}
