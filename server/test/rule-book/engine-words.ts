import type { SubscriptionPeriod } from '@jangada/contract';
import type { DebitSeen, NextStep } from '../../src/subscriptions/next-step.ts';
import type { Period } from './calendar.ts';
import type { CycleOutcome, GivenUpBecause } from './receiver.ts';
import type { ChargeStatus, ChargeView, EndedBy, TryStatus } from './rule-book.ts';

/*
 * Between the words of the rule book and those of the engine.
 */
export const PERIODS: Readonly<Record<Period, SubscriptionPeriod>> = {
  SEMANAL: 'weekly',
  MENSAL: 'monthly',
  TRIMESTRAL: 'quarterly',
  SEMESTRAL: 'semiannual',
  ANUAL: 'annual',
};
export const DEBIT_STATUS: Readonly<Record<ChargeStatus, DebitSeen['status']>> = {
  CRIADA: 'created',
  ATIVA: 'active',
  CONCLUIDA: 'completed',
  EXPIRADA: 'expired',
  REJEITADA: 'refused',
  CANCELADA: 'cancelled',
};
export const TRY_STATUS: Readonly<Record<TryStatus, DebitSeen['attempts'][number]['status']>> = {
  SOLICITADA: 'requested',
  AGENDADA: 'scheduled',
  PAGA: 'paid',
  REJEITADA: 'refused',
  CANCELADA: 'cancelled',
  EXPIRADA: 'expired',
};
const FROM_PAYER: ReadonlySet<EndedBy | null> = new Set(['USUARIO_PAGADOR', 'PSP_PAGADOR']);

export function seenOf({ status, tries, ending }: ChargeView): DebitSeen {
  return {
    status: DEBIT_STATUS[status],
    attempts: tries
      .map((attempt) => ({
        day: attempt.day,
        isRetry: attempt.kind === 'NTAG',
        status: TRY_STATUS[attempt.status],
        code: attempt.code ?? undefined,
      }))
      .toSorted((left, right) => left.day.localeCompare(right.day)),
    endCode: ending?.code ?? undefined,
    endedByPayer: FROM_PAYER.has(ending?.by ?? null),
  };
}

export function outcomeOf(
  step: Exclude<NextStep, { step: 'wait' | 'send' | 'cancel' | 'retry' }>,
  at: number,
): CycleOutcome {
  if (step.step === 'paid' || step.reason === 'paid_otherwise') return { end: 'paid' };
  const code = step.code ?? null;
  if (step.step === 'close')
    return step.reason === 'by_payer' ? givenUp('cancelled', code, at) : { end: 'not-due', at };
  if (step.reason === 'too_late' || step.reason === 'no_amount') return givenUp('not-sent', null, at);
  return step.reason === 'refused' ? givenUp('rejected', code, at) : givenUp('unpaid', code, at);
}

export const givenUp = (because: GivenUpBecause, code: string | null, at: number): CycleOutcome => ({
  end: 'given-up',
  at,
  because,
  code,
});
