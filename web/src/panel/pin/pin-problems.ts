import { WITHDRAWAL_PIN_LENGTH } from '@jangada/contract';
import type { PinDefinition } from '../../session/pin-status.ts';

export type PinProblems = Partial<Record<keyof PinDefinition, string>>;

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

const fieldsOfCodes: Record<string, keyof PinDefinition> = {
  PASSWORD_WRONG: 'currentPassword',
  PIN_TOO_SIMPLE: 'newPin',
  PIN_MISMATCH: 'confirmPin',
};

/** The field that a refusal is about; undefined when it is about none. */
export function fieldOfRefusal(code: string | null): keyof PinDefinition | undefined {
  return code === null ? undefined : fieldsOfCodes[code];
}
