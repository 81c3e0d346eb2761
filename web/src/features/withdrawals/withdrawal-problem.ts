import { errors, feeCents, MIN_WITHDRAWAL_CENTS, type OutFeesModel } from '@jangada/contract';
import { formatMoney } from '../../format/money.ts';
import { keyProblem } from '../../panel/pix-key/pix-key.ts';
import type { TypedKey } from '../../panel/pix-key/pix-key-fields.tsx';
import type { PinStatus } from '../../session/pin-status.ts';

/** The amount and the Pix key typed into the form. */
export type WithdrawalFormInput = { cents: number | null; key: TypedKey };

/** The facts that the typed amount and the PIN are checked against. */
export type WithdrawalContext = {
  /** Null while unknown. A cached balance may be stale: the server makes the final check. */
  balanceCents: number | null;
  terms: OutFeesModel;
  pin: PinStatus;
};

/** The parts of the form that can show a problem, from top to bottom. */
export const formParts = ['amount', 'key', 'pin'] as const;
export type WithdrawalFormPart = (typeof formParts)[number];

/** For each part of the form, the problem that prevents the withdrawal; undefined if there is none. */
export function withdrawalProblems(
  { cents, key }: WithdrawalFormInput,
  context: WithdrawalContext,
): Record<WithdrawalFormPart, string | undefined> {
  return {
    amount: withdrawalAmountProblem(cents, context),
    key: keyProblem(key.type, key.text),
    pin: pinProblem(context.pin),
  };
}

/** The error for an amount; undefined when the amount may be requested. */
export function withdrawalAmountProblem(
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
  if (cap !== undefined) return overLimitProblem(cents, caps) ?? cap.message;
  return feeCents(cents, fee) >= cents ? errors.WITHDRAWAL_TOO_SMALL.message : undefined;
}

/**
 * The error for an amount above even the largest limit. It replaces the server's message for a used-up limit, which
 * says when to try again: waiting does not help with such an amount.
 */
function overLimitProblem(cents: number, caps: OutFeesModel['caps']): string | undefined {
  const limits = caps.flatMap(({ limitCents }) => (limitCents === null ? [] : [limitCents]));
  const largestLimit = Math.max(...limits);
  return limits.length > 0 && cents > largestLimit
    ? `O limite de saques por dia é de ${formatMoney(largestLimit)}. Tente um valor menor.`
    : undefined;
}

/** The largest amount that can be withdrawn now; null while the balance is unknown. */
export function maxWithdrawalCents({
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

/** Why the PIN prevents a withdrawal: it is not set, or its state is not known. Undefined when it is set. */
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
