import type { CobvTerms } from '../records.ts';
import type { Violation } from '../refusal.ts';

/** A whole, in hundredths of a percent. */
const WHOLE = 10_000;

/**
 * Returns which of BACEN's rules (CobVOperacaoInvalida) the terms of a charge break. `createdOn` is the day on which
 * the charge was or is created.
 */
export function findCobvViolations(terms: CobvTerms, createdOn: string): Violation[] {
  const { amountCents, dueDate, validityDays, rebate } = terms;
  const violations: Violation[] = [];
  const add = (property: string, reason: string) =>
    violations.push({ razao: reason, propriedade: `cobv.${property}` });
  if (dueDate < createdOn) {
    add(
      'calendario.dataDeVencimento',
      'O campo cobv.calendario.dataDeVencimento é anterior à data de criação da cobrança.',
    );
  }
  if (validityDays < 0) {
    add(
      'calendario.validadeAposVencimento',
      'O campo cobv.calendario.validadeAposVencimento é menor do que zero.',
    );
  }
  if (amountCents === 0) add('valor.original', 'O campo cobv.valor.original apresenta o valor zero.');
  if (rebate !== undefined && rebate.value >= (rebate.modality === 1 ? amountCents : WHOLE)) {
    add(
      'valor.abatimento',
      'O objeto cobv.valor.abatimento representa um valor maior ou igual ao valor da cobrança original ou maior ou igual a 100%.',
    );
  }
  for (const reason of findDiscountViolations(terms)) {
    add('valor.desconto', `O objeto cobv.valor.desconto apresenta ${reason}.`);
  }
  return violations;
}

function findDiscountViolations({ amountCents, dueDate, discount }: CobvTerms): string[] {
  if (discount === undefined) return [];
  const { modality, steps, value } = discount;
  const reasons: string[] = [];
  const hasSteps = modality <= 2;
  if (hasSteps && value !== undefined) {
    reasons.push('modalidade 1 ou 2, porém cobv.valor.desconto.valorPerc encontra-se preenchido');
  }
  if (hasSteps && (steps === undefined || steps.length === 0)) {
    reasons.push('modalidade 1 ou 2, porém o array cobv.valor.desconto.descontoDataFixa está vazio ou nulo');
  }
  if (!hasSteps && value === undefined) {
    reasons.push('modalidade de 3 a 6, porém o elemento cobv.valor.desconto.valorPerc não está preenchido');
  }
  if (!hasSteps && steps !== undefined) {
    reasons.push(
      'modalidade de 3 a 6, porém o elemento cobv.valor.desconto.descontoDataFixa está preenchido ou não nulo',
    );
  }
  const isPercent = modality === 2 || modality >= 5;
  const values = [...(steps ?? []).map((step) => step.value), ...(value === undefined ? [] : [value])];
  if (values.some((each) => each >= (isPercent ? WHOLE : amountCents))) {
    reasons.push(
      'algum elemento de desconto que representa um valor maior ou igual ao valor da cobrança original ou maior ou igual a 100%',
    );
  }
  if (steps?.some(({ until }) => until > dueDate)) {
    reasons.push('algum elemento cuja data é posterior à data de vencimento');
  }
  return reasons;
}
