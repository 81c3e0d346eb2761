import {
  type BilledPerson,
  brlFromCents,
  centsFromBrl,
  DUE_MAX_DAYS_AHEAD,
  type Due,
  type DueParts,
  type NewPayment,
  percentFromRate,
  rateFromPercent,
  VALID_AFTER_DUE_DEFAULT_DAYS,
} from '@jangada/contract';
import {
  type AmountOrPercent,
  addDays,
  type DueAmount,
  type DueTerms,
  dueDaysOf,
  type EarlyDiscount,
  formatDocument,
  type LateInterest,
  maskDocument,
  normalizeDocument,
  predictDueAmount,
} from '@jangada/pix';
import { calendarDayOf, startOfDay } from '../calendar-day.ts';
import { invariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';

/** Whom a charge is for and, if it has a due date, by which terms. */
export type ChargeBilling = {
  /** The document has letters and digits only. */
  readonly billedTo: BilledPerson | undefined;
  readonly due: DueTerms | undefined;
};

/** What a request says about the payer, the due date, and late and early payment. */
export type BillingRequest = Pick<
  NewPayment,
  'payer' | 'due_date' | 'valid_after_due' | 'fine' | 'interest' | 'rebate' | 'discounts' | 'early_discount'
>;

/**
 * Reads whom a charge is for and its due date from a request.
 * @throws {Refusal} DUE_TERMS_INVALID
 */
export function billingFrom(request: BillingRequest, amountCents: number): ChargeBilling {
  const { payer } = request;
  const billedTo = payer ? { name: payer.name, document: normalizeDocument(payer.document) } : undefined;
  if (request.due_date == null) {
    refuseTermsWithoutDate(request);
    return { billedTo, due: undefined };
  }
  if (billedTo === undefined)
    throw invalidTerms('payer', 'Uma cobrança com vencimento diz a quem cobra: name e document.');
  const due: DueTerms = {
    originalCents: amountCents,
    dueDate: request.due_date,
    validAfterDueDays: request.valid_after_due ?? VALID_AFTER_DUE_DEFAULT_DAYS,
    ...(request.fine && { fine: partFrom(request.fine) }),
    ...(request.interest && { interest: interestFrom(request.interest) }),
    ...(request.rebate && { rebate: partFrom(request.rebate) }),
    ...discountFrom(request),
  };
  return { billedTo, due };
}

const termNames = ['valid_after_due', 'fine', 'interest', 'rebate', 'discounts', 'early_discount'] as const;

function refuseTermsWithoutDate(request: BillingRequest): void {
  const name = termNames.find((term) => request[term] != null);
  if (name !== undefined) throw invalidTerms(name, 'Só vale numa cobrança com vencimento: informe due_date.');
}

/** The refusal of a field that says whom a charge is for, when it is due, or what is owed late or early. */
export function invalidTerms(field: string, message: string): Refusal {
  return new Refusal('DUE_TERMS_INVALID', { message, details: { fields: [{ field, message }] } });
}

/** What a charge may come to on any day on which it can be paid. */
type AmountLimits = { readonly isTooSmall: (cents: number) => boolean; readonly maxCents: number };

/**
 * Refuses what every bank would refuse (`CobVOperacaoInvalida` of the API Pix), before the bank is asked, and terms by
 * which the charge would come to too little or too much.
 */
export function refuseImpossible(due: DueTerms, today: string, limits: AmountLimits): void {
  const { originalCents, dueDate, rebate, discount } = due;
  if (dueDate < today) throw invalidTerms('due_date', 'O vencimento já passou.');
  if (dueDate > addDays(today, DUE_MAX_DAYS_AHEAD))
    throw invalidTerms('due_date', 'O vencimento pode estar até cinco anos à frente.');
  if (rebate !== undefined && reachesAll(rebate, originalCents))
    throw invalidTerms('rebate', 'O abatimento tem de ser menor que o valor.');
  if (discount?.kind === 'each-day' && reachesAll(discount, originalCents))
    throw invalidTerms('early_discount', 'O desconto tem de ser menor que o valor.');
  for (const step of discount?.kind === 'until' ? discount.steps : []) {
    if (reachesAll(step, originalCents))
      throw invalidTerms('discounts', 'O desconto tem de ser menor que o valor.');
    if (step.until > dueDate) throw invalidTerms('discounts', 'Um desconto não passa do vencimento.');
    if (step.until < today) throw invalidTerms('discounts', 'A data de um desconto já passou.');
  }
  // Who pays last owes most. Who pays first owes least, unless a later discount is the greater one.
  const { lastDay } = dueDaysOf(due);
  const discountDays = discount?.kind === 'until' ? discount.steps.map(({ until }) => until) : [];
  const amounts = [today, ...discountDays, lastDay].map(
    (day) => predictDueAmount(due, day)?.finalCents ?? originalCents,
  );
  if (limits.isTooSmall(Math.min(...amounts)))
    throw invalidTerms(
      'amount',
      'Com abatimento e desconto, o valor não passa da tarifa ou do mínimo de R$ 1,50.',
    );
  if (Math.max(...amounts) > limits.maxCents)
    throw invalidTerms('amount', 'Com multa e juros até o último dia, o valor passa do máximo por cobrança.');
}

function reachesAll(part: AmountOrPercent, cents: number): boolean {
  return part.unit === 'amount' ? part.cents >= cents : part.hundredths >= 10_000;
}

type Value = { readonly type: 'amount' | 'percent'; readonly value: number };

function partFrom({ type, value }: Value): AmountOrPercent {
  const parsed = type === 'percent' ? rateFromPercent(value) : centsFromBrl(value);
  invariant(parsed !== undefined, 'the contract admits only values with two decimals');
  return type === 'percent' ? { unit: 'percent', hundredths: parsed } : { unit: 'amount', cents: parsed };
}

function interestFrom({ per, days, ...value }: NonNullable<BillingRequest['interest']>): LateInterest {
  const part = partFrom(value);
  return part.unit === 'percent' ? { ...part, days, per } : { ...part, days };
}

function discountFrom({ discounts, early_discount: early }: BillingRequest): { discount?: EarlyDiscount } {
  if (discounts && early)
    throw invalidTerms('early_discount', 'Use discounts ou early_discount, e não os dois.');
  if (discounts)
    return {
      discount: { kind: 'until', steps: discounts.map((step) => ({ ...partFrom(step), until: step.until })) },
    };
  if (early) return { discount: { kind: 'each-day', ...partFrom(early), days: early.days } };
  return {};
}

/** The moment after which nobody can pay a charge with these terms, as far as we know the payer's holidays. */
export function endOf(due: DueTerms): Date {
  return startOfDay(addDays(dueDaysOf(due).lastDay, 1));
}

/** Whom a charge is for, as responses show it. */
export function billedToResponse({ name, document }: BilledPerson): BilledPerson {
  return { name, document: formatDocument(document) };
}

/** Whom a charge is for, as a response shows it to somebody who may see documents in full, or may not. */
export function billedToFor({ name, document }: BilledPerson, showsDocuments: boolean): BilledPerson {
  return { name, document: showsDocuments ? document : maskDocument(document) };
}

/** A due date with its terms, as responses show it. `parts`: how the bank explained what was paid. */
export function dueResponse(
  { due, parts }: { readonly due: DueTerms; readonly parts?: DueAmount | undefined },
  { isOpen, now }: { readonly isOpen: boolean; readonly now: Date },
): Due {
  const predicted = isOpen ? predictDueAmount(due, calendarDayOf(now)) : undefined;
  const shown = parts ?? predicted;
  const { fine, rebate } = due;
  return {
    due_date: due.dueDate,
    valid_until: dueDaysOf(due).lastDay,
    valid_after_due: due.validAfterDueDays,
    fine: fine === undefined ? null : valueFrom(fine),
    interest: due.interest === undefined ? null : interestResponse(due.interest),
    rebate: rebate === undefined ? null : valueFrom(rebate),
    ...discountResponse(due.discount),
    amount_today: predicted === undefined ? null : brlFromCents(predicted.finalCents),
    parts: shown === undefined ? null : partsFrom(shown),
  };
}

function interestResponse(interest: LateInterest): Due['interest'] {
  const per = interest.unit === 'percent' ? interest.per : 'day';
  return { ...valueFrom(interest), per, days: interest.days };
}

function discountResponse(discount: EarlyDiscount | undefined): Pick<Due, 'discounts' | 'early_discount'> {
  if (discount?.kind === 'until') {
    const discounts = discount.steps.map((step) => ({ ...valueFrom(step), until: step.until }));
    return { discounts, early_discount: null };
  }
  const early = discount && { ...valueFrom(discount), days: discount.days };
  return { discounts: null, early_discount: early ?? null };
}

function valueFrom(part: AmountOrPercent): Value {
  return part.unit === 'amount'
    ? { type: 'amount', value: brlFromCents(part.cents) }
    : { type: 'percent', value: percentFromRate(part.hundredths) };
}

function partsFrom(amount: DueAmount): DueParts {
  return {
    original_amount: brlFromCents(amount.originalCents),
    fine_amount: brlFromCents(amount.fineCents),
    interest_amount: brlFromCents(amount.interestCents),
    rebate_amount: brlFromCents(amount.rebateCents),
    discount_amount: brlFromCents(amount.discountCents),
  };
}
