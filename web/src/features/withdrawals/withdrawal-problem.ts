import { errors, feeCents, MIN_WITHDRAWAL_CENTS, type OutFeesModel } from '@jangada/contract';
import { formatMoney } from '../../format/money.ts';
import { keyProblem } from '../../panel/pix-key/pix-key.ts';
import type { TypedKey } from '../../panel/pix-key/pix-key-fields.tsx';
import type { PinStatus } from '../../session/pin-status.ts';

export type Wanted = { cents: number | null; key: TypedKey };

export type Known = {
  /** Null while unknown; the server has the last word. */
  balanceCents: number | null;
  terms: OutFeesModel;
  pin: PinStatus;
};

/** Where what is wrong stands on the screen, and its sentence. */
export type WithdrawalProblem = { at: 'amount' | 'key' | 'pin'; text: string };

/** The first thing in the way of a withdrawal, in the order of the screen; undefined when nothing is. */
export function withdrawalProblem({ cents, key }: Wanted, known: Known): WithdrawalProblem | undefined {
  const amount = amountProblem(cents, known);
  if (amount !== undefined) return { at: 'amount', text: amount };
  const wrongKey = keyProblem(key.type, key.text);
  if (wrongKey !== undefined) return { at: 'key', text: wrongKey };
  const pin = pinProblem(known.pin);
  return pin === undefined ? undefined : { at: 'pin', text: pin };
}

/** What is wrong with an amount; undefined when it may be asked for. */
export function amountProblem(
  cents: number | null,
  { balanceCents, terms }: Pick<Known, 'balanceCents' | 'terms'>,
): string | undefined {
  const { minCents, maxCents, fee } = terms;
  if (cents === null || cents <= 0) return 'Valor de saque inválido.';
  if (cents < minCents) {
    return minCents === MIN_WITHDRAWAL_CENTS
      ? errors.WITHDRAWAL_MINIMUM.message
      : `O valor mínimo para saque é de ${formatMoney(minCents)}`;
  }
  if (balanceCents !== null && cents > balanceCents) return 'O valor do saque é maior que o saldo disponível';
  if (maxCents !== null && cents > maxCents) return `O valor máximo por saque é ${formatMoney(maxCents)}.`;
  return feeCents(cents, fee) >= cents ? errors.WITHDRAWAL_TOO_SMALL.message : undefined;
}

/** A withdrawal takes a PIN that is set; undefined when it is. */
export function pinProblem(status: PinStatus): string | undefined {
  switch (status) {
    case 'set':
      return undefined;
    case 'not_set':
      return 'PIN de Saque não configurado.';
    case 'error':
      return 'Erro ao verificar status do PIN.';
    default:
      return 'Verificando status do PIN...';
  }
}
