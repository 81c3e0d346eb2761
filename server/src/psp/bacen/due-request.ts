import {
  type AmountOrPercent,
  centsToPixAmount,
  type DueTerms,
  type EarlyDiscount,
  type LateInterest,
} from '@jangada/pix';

/** The due date of a charge, as the API Pix takes it (`cobv.calendario`). */
export function cobvCalendar({ dueDate, validAfterDueDays }: DueTerms) {
  return { dataDeVencimento: dueDate, validadeAposVencimento: validAfterDueDays };
}

/** What is added to the original amount and taken off it, as the API Pix takes it (`cobv.valor`). */
export function cobvValue({ fine, interest, rebate, discount }: DueTerms) {
  return {
    ...(fine && { multa: amountOrPercent(fine) }),
    ...(interest && {
      juros: { modalidade: interestModality(interest), valorPerc: valueText(interest) },
    }),
    ...(rebate && { abatimento: amountOrPercent(rebate) }),
    ...(discount && { desconto: discountFrom(discount) }),
  };
}

function amountOrPercent(part: AmountOrPercent) {
  return { modalidade: part.unit === 'amount' ? 1 : 2, valorPerc: valueText(part) };
}

/** Cents as reais, and hundredths of a percent as percent: both are written `12.34`. */
function valueText(part: AmountOrPercent): string {
  return centsToPixAmount(part.unit === 'amount' ? part.cents : part.hundredths);
}

/** 1 to 4 count calendar days, 5 to 8 business days: an amount a day, and percent a day, a month and a year. */
function interestModality(interest: LateInterest): number {
  const ofCalendarDays = interest.unit === 'amount' ? 1 : { day: 2, month: 3, year: 4 }[interest.per];
  return interest.days === 'calendar' ? ofCalendarDays : ofCalendarDays + 4;
}

function discountFrom(discount: EarlyDiscount) {
  if (discount.kind === 'until') {
    const [first] = discount.steps;
    return {
      modalidade: first?.unit === 'percent' ? 2 : 1,
      descontoDataFixa: discount.steps.map((step) => ({ data: step.until, valorPerc: valueText(step) })),
    };
  }
  const ofCalendarDays = discount.unit === 'amount' ? 3 : 5;
  return {
    modalidade: discount.days === 'calendar' ? ofCalendarDays : ofCalendarDays + 1,
    valorPerc: valueText(discount),
  };
}
