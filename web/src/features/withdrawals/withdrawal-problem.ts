import { errors, feeCents, MIN_WITHDRAWAL_CENTS, type OutFeesModel } from '@jangada/contract';
import { formatMoney } from '../../format/money.ts';
import { keyProblem } from '../../panel/pix-key/pix-key.ts';
import type { TypedKey } from '../../panel/pix-key/pix-key-fields.tsx';
import type { PinStatus } from '../../session/pin-status.ts';

export type WithdrawalFormInput = { cents: number | null; key: TypedKey };

export type WithdrawalContext = {
  /** Null while unknown; the server has the last word. */
  balanceCents: number | null;
  terms: OutFeesModel;
  pin: PinStatus;
};

/** The places on the screen where something may be wrong, from top to bottom. */
export const places = ['amount', 'key', 'pin'] as const;
export type WithdrawalFormPart = (typeof places)[number];

/** The sentence of each place where something stands in the way of a withdrawal. */
export function withdrawalProblems(
  { cents, key }: WithdrawalFormInput,
  known: WithdrawalContext,
): Record<WithdrawalFormPart, string | undefined> {
  return {
    amount: amountProblem(cents, known),
    key: keyProblem(key.type, key.text),
    pin: pinProblem(known.pin),
  };
}

/** The error for an amount; undefined when it may be requested. */
export function amountProblem(
  cents: number | null,
  { balanceCents, terms }: Pick<WithdrawalContext, 'balanceCents' | 'terms'>,
): string | undefined {
  const { minCents, maxCents, caps, fee } = terms;
  if (cents === null || cents <= 0) return 'Valor de saque inválido.';
  if (cents < minCents) {
    return minCents === MIN_WITHDRAWAL_CENTS
      ? errors.WITHDRAWAL_MINIMUM.message
      : `O valor mínimo para saque é de ${formatMoney(minCents)}`;
  }
  if (balanceCents !== null && cents > balanceCents) return 'O valor do saque é maior que o saldo disponível';
  if (maxCents !== null && cents > maxCents) return `O valor máximo por saque é ${formatMoney(maxCents)}.`;
  const cap = caps.find(({ leftCents }) => cents > leftCents);
  if (cap !== undefined) return neverProblem(cents, caps) ?? cap.message;
  return feeCents(cents, fee) >= cents ? errors.WITHDRAWAL_TOO_SMALL.message : undefined;
}

/** For an amount above the widest limit itself, for which there is nothing to wait. */
function neverProblem(cents: number, caps: OutFeesModel['caps']): string | undefined {
  const limits = caps.flatMap(({ limitCents }) => (limitCents === null ? [] : [limitCents]));
  const widest = Math.max(...limits);
  return limits.length > 0 && cents > widest
    ? `O limite de saques por dia é de ${formatMoney(widest)}. Tente um valor menor.`
    : undefined;
}

/** The most that may be asked for now; null while the balance is unknown. */
export function mostCents({
  balanceCents,
  terms,
}: Pick<WithdrawalContext, 'balanceCents' | 'terms'>): number | null {
  const { maxCents, caps } = terms;
  if (balanceCents === null) return null;
  return Math.min(
    balanceCents,
    maxCents ?? Number.POSITIVE_INFINITY,
    ...caps.map(({ leftCents }) => leftCents),
  );
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
