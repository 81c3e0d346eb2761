import { WITHDRAWAL_PIN_LENGTH } from '@jangada/contract';
import { formatDateAtTime } from '../../format/date.ts';
import type { PinDefinition, PinState } from '../../session/pin-status.ts';

/** The error message of each invalid field. */
export type PinProblems = Partial<Record<keyof PinDefinition, string>>;

/** True for exactly four digits. */
export function isPin(text: string): boolean {
  return text.length === WITHDRAWAL_PIN_LENGTH && /^\d+$/.test(text);
}

/** The messages for an invalid PIN definition, by field; empty when it is valid. */
export function pinProblems({ currentPassword, newPin, confirmPin }: PinDefinition): PinProblems {
  return {
    ...(currentPassword === '' && { currentPassword: 'Senha atual é obrigatória' }),
    ...(!isPin(newPin) && { newPin: 'PIN deve ter exatamente 4 dígitos numéricos.' }),
    ...(isPin(newPin) && confirmPin !== newPin && { confirmPin: 'Os PINs não coincidem.' }),
  };
}

const fieldByErrorCode: Record<string, keyof PinDefinition> = {
  PASSWORD_WRONG: 'currentPassword',
  PIN_TOO_SIMPLE: 'newPin',
  PIN_MISMATCH: 'confirmPin',
};

/** The field that an error code is about; undefined if the code is about no field. */
export function fieldOfRefusal(code: string | null): keyof PinDefinition | undefined {
  return code === null ? undefined : fieldByErrorCode[code];
}

/** Why the user cannot withdraw at the moment, in two sentences. */
export type WithdrawalLockout = { title: string; why: string };

/**
 * When withdrawals are possible again, and why they are not possible now; undefined when they are. Withdrawals are
 * locked after wrong PINs (`lockedUntil`), and held after a change of PIN, password, e-mail or holder, or
 * after support gave an owner access again (`heldUntil`).
 * If both apply, the result describes the one that ends later.
 */
export function withdrawalLockout({
  lockedUntil,
  heldUntil,
}: Pick<PinState, 'lockedUntil' | 'heldUntil'>): WithdrawalLockout | undefined {
  const lockEndMs = lockedUntil === null ? 0 : Date.parse(lockedUntil);
  const holdEndMs = heldUntil === null ? 0 : Date.parse(heldUntil);
  if (lockedUntil !== null && lockEndMs > holdEndMs)
    return {
      title: `Saques bloqueados até ${formatDateAtTime(lockedUntil)}.`,
      why: 'O PIN foi digitado errado vezes demais. Trocar o PIN não encurta o bloqueio.',
    };
  if (heldUntil !== null)
    return {
      title: `Saques suspensos até ${formatDateAtTime(heldUntil)}.`,
      why: 'Por segurança, depois de uma troca do PIN, da senha, do e-mail ou do titular, ou de um acesso recuperado pelo suporte.',
    };
  return undefined;
}
