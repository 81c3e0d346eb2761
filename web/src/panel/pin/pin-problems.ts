import { WITHDRAWAL_PIN_LENGTH } from '@jangada/contract';
import type { PinDefinition } from '../../session/pin-status.ts';

export type PinProblems = Partial<Record<keyof PinDefinition, string>>;

export function isPin(text: string): boolean {
  return text.length === WITHDRAWAL_PIN_LENGTH && /^\d+$/.test(text);
}

/** What is wrong with a PIN's definition, by field, in the sentences to show; empty when nothing is. */
export function pinProblems({ currentPassword, newPin, confirmPin }: PinDefinition): PinProblems {
  return {
    ...(currentPassword === '' && { currentPassword: 'Senha atual é obrigatória' }),
    ...(!isPin(newPin) && { newPin: 'PIN deve ter exatamente 4 dígitos numéricos.' }),
    ...(isPin(newPin) && confirmPin !== newPin && { confirmPin: 'Os PINs não coincidem.' }),
  };
}

const fieldsOfCodes: Record<string, keyof PinDefinition> = {
  PASSWORD_WRONG: 'currentPassword',
  PIN_TOO_SIMPLE: 'newPin',
  PIN_MISMATCH: 'confirmPin',
};

/** The field that a refusal speaks of; undefined when it speaks of none. */
export function fieldOfRefusal(code: string | null): keyof PinDefinition | undefined {
  return code === null ? undefined : fieldsOfCodes[code];
}
