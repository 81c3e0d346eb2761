import { formatDateAtTime } from '../format/date.ts';
import type { PinState } from '../session/pin-status.ts';

type Stop = Pick<PinState, 'lockedUntil' | 'heldUntil'>;

/** Until when no withdrawal is taken, and why, in a sentence; undefined when nothing stops them. */
export function stopSentence({ lockedUntil, heldUntil }: Stop): string | undefined {
  // The later one is what decides.
  if (lockedUntil !== null && (heldUntil === null || Date.parse(lockedUntil) > Date.parse(heldUntil)))
    return `Saques bloqueados até ${formatDateAtTime(lockedUntil)} por tentativas demais com o PIN errado. Trocar o PIN não encurta o bloqueio.`;
  if (heldUntil !== null)
    return `Por segurança, os saques ficam suspensos até ${formatDateAtTime(heldUntil)}, porque o PIN, a senha ou o e-mail da conta mudou.`;
  return undefined;
}
