// The PIN with which a person confirms a withdrawal: its calls, apart from the others because more screens ask for it.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { currentPassword } from './security.ts';
import { moment } from './user.ts';

export const fourDigitPin = (error: string) => z.string({ error }).check(z.regex(/^\d{4}$/, error));

/** Whether the merchant has a PIN, and what keeps the merchant from withdrawing now. */
export const withdrawalPin = z.object({
  has_pin: z.boolean(),
  /** The end of the lock that follows too many wrong PINs; null if withdrawals are not locked. */
  locked_until: z.nullable(moment),
  /**
   * The end of the 24 hours for which withdrawals are held after a change of PIN or e-mail address, or after a reset of
   * the password or second factor; null if they are not held.
   */
  held_until: z.nullable(moment),
});

export const checkWithdrawalPin = endpoint({
  name: 'checkWithdrawalPin',
  method: 'GET',
  isBatchable: true,
  path: '/authed/check-withdrawal-pin',
  access: 'session',
  permission: 'read-money',
  tag: 'Saques',
  summary: 'Diz se há PIN de saque, e até quando saques estão bloqueados.',
  response: withdrawalPin,
  refusals: [],
});

export const setWithdrawalPin = endpoint({
  name: 'setWithdrawalPin',
  method: 'POST',
  path: '/authed/set-withdrawal-pin',
  access: 'session',
  permission: 'manage-account',
  tag: 'Saques',
  summary: 'Define o PIN de saque, com a senha atual. Trocar um PIN segura os saques por 24 horas.',
  body: z.object({
    current_password: currentPassword,
    new_pin: fourDigitPin('PIN deve ter exatamente 4 dígitos numéricos.'),
    confirm_pin: z.string({ error: 'Os PINs não coincidem.' }),
  }),
  response: z.extend(withdrawalPin, { success: z.literal(true), message: z.string() }),
  refusals: ['ACCOUNT_NOT_APPROVED', 'PASSWORD_WRONG', 'PIN_MISMATCH', 'PIN_TOO_SIMPLE', 'STEP_UP_REQUIRED'],
  stepUp: true,
});

export type WithdrawalPinModel = { hasPin: boolean; lockedUntil: string | null; heldUntil: string | null };

const anyPin = z.object({
  has_pin: z.boolean(),
  locked_until: z.nullish(z.string()),
  held_until: z.nullish(z.string()),
});

/** Reads whether a PIN is set, and what currently prevents withdrawals. Throws ZodError for anything else. */
export function parseWithdrawalPin(response: unknown): WithdrawalPinModel {
  const state = anyPin.parse(response);
  return {
    hasPin: state.has_pin,
    lockedUntil: state.locked_until ?? null,
    heldUntil: state.held_until ?? null,
  };
}
