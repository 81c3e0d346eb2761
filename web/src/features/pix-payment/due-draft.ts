import {
  brlFromCents,
  centsFromText,
  DUE_MAX_DAYS_AHEAD,
  type NewPayment,
  percentFromRate,
  VALID_AFTER_DUE_DEFAULT_DAYS,
} from '@jangada/contract';
import { type AmountOrPercent, addDays, type DueTerms, isCnpj, isCpf, normalizeDocument } from '@jangada/pix';
import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';

/** An amount or a percentage as it is typed: `2,50` in either unit. */
export type TypedValue = { readonly unit: 'percent' | 'amount'; readonly text: string };

export type DiscountStep = { readonly until: string; readonly text: string };

/** What somebody types about a charge with a due date. Days are `yyyy-MM-dd`, and empty until they are chosen. */
export type DueDraft = {
  readonly name: string;
  readonly document: string;
  readonly dueDate: string;
  readonly validAfterDue: string;
  readonly fine: TypedValue;
  readonly interest: TypedValue;
  /** Of interest in percent; an amount is for each day. */
  readonly interestPer: 'day' | 'month' | 'year';
  readonly interestDays: 'calendar' | 'business';
  readonly rebate: TypedValue;
  /** The unit of all steps. */
  readonly discountUnit: TypedValue['unit'];
  readonly discounts: readonly DiscountStep[];
  readonly early: TypedValue;
  readonly earlyDays: 'calendar' | 'business';
};

const MAX_DISCOUNTS = 3;
const MAX_VALID_AFTER_DUE_DAYS = 365;
const nothing: TypedValue = { unit: 'percent', text: '' };

/** The form as it opens: due in a week, without fine and interest. */
export function newDueDraft(today: string): DueDraft {
  return {
    name: '',
    document: '',
    dueDate: addDays(today, 7),
    validAfterDue: String(VALID_AFTER_DUE_DEFAULT_DAYS),
    fine: nothing,
    interest: nothing,
    interestPer: 'month',
    interestDays: 'calendar',
    rebate: { unit: 'amount', text: '' },
    discountUnit: 'amount',
    discounts: [],
    early: nothing,
    earlyDays: 'calendar',
  };
}

export function canAddDiscount({ discounts }: DueDraft): boolean {
  return discounts.length < MAX_DISCOUNTS;
}

/** A field of the form, or one of the discounts by its place: `discount0`, and its day `until0`. */
export type DueField =
  | 'name'
  | 'document'
  | 'dueDate'
  | 'validAfterDue'
  | 'fine'
  | 'interest'
  | 'rebate'
  | 'early'
  | `discount${number}`
  | `until${number}`;
export type DueProblems = Partial<Record<DueField, string>>;

/** What has to be mended before the charge is asked for. The server checks all of it again. */
export function dueProblemsOf(draft: DueDraft, amountCents: number | null, today: string): DueProblems {
  const document = normalizeDocument(draft.document);
  const found: readonly (readonly [DueField, string | undefined])[] = [
    ['name', draft.name.trim().length < 2 ? 'Informe o nome de quem paga.' : undefined],
    ['document', isCpf(document) || isCnpj(document) ? undefined : 'Informe um CPF ou CNPJ válido.'],
    ['dueDate', dueDateProblem(draft.dueDate, today)],
    ['validAfterDue', daysFrom(draft.validAfterDue) === undefined ? 'Informe de 0 a 365 dias.' : undefined],
    ['fine', valueProblem(draft.fine)],
    ['interest', valueProblem(draft.interest)],
    ['rebate', valueProblem(draft.rebate) ?? wholeProblem('O abatimento', draft.rebate, amountCents)],
    ['early', valueProblem(draft.early) ?? wholeProblem('O desconto', draft.early, amountCents)],
    ...draft.discounts.flatMap((step, place) => stepProblems(draft, step, place, { amountCents, today })),
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

function dueDateProblem(dueDate: string, today: string): string | undefined {
  if (dueDate === '') return 'Informe o dia do vencimento.';
  if (dueDate < today) return 'O vencimento já passou.';
  return dueDate > addDays(today, DUE_MAX_DAYS_AHEAD)
    ? 'O vencimento pode estar até cinco anos à frente.'
    : undefined;
}

function valueProblem(typed: TypedValue): string | undefined {
  if (typed.text.trim() === '') return undefined;
  const value = centsFromText(typed.text);
  if (value === undefined || value === 0) return 'Use um número com até duas casas decimais, como 2,50.';
  return typed.unit === 'percent' && value > 10_000 ? 'Uma porcentagem vai até 100.' : undefined;
}

/** What is taken off must leave something to pay. */
function wholeProblem(what: string, typed: TypedValue, amountCents: number | null): string | undefined {
  const value = centsFromText(typed.text) ?? 0;
  const whole = typed.unit === 'percent' ? 10_000 : amountCents;
  return whole !== null && value >= whole ? `${what} tem de ser menor que o valor.` : undefined;
}

function stepProblems(
  draft: DueDraft,
  step: DiscountStep,
  place: number,
  { amountCents, today }: { readonly amountCents: number | null; readonly today: string },
): readonly (readonly [DueField, string | undefined])[] {
  if (isBlank(step)) return [];
  const typed = { unit: draft.discountUnit, text: step.text };
  const isRepeated = draft.discounts.findIndex(({ until }) => until === step.until) < place;
  const untilProblem = () => {
    if (step.until === '') return 'Informe até que dia vale.';
    if (step.until < today) return 'Este dia já passou.';
    if (draft.dueDate !== '' && step.until > draft.dueDate) return 'Um desconto não passa do vencimento.';
    return isRepeated ? 'Dois descontos não acabam no mesmo dia.' : undefined;
  };
  return [
    [
      `discount${place}`,
      step.text.trim() === ''
        ? 'Informe o desconto.'
        : (valueProblem(typed) ?? wholeProblem('O desconto', typed, amountCents)),
    ],
    [`until${place}`, untilProblem()],
  ];
}

const isBlank = ({ until, text }: DiscountStep) => until === '' && text.trim() === '';

function daysFrom(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return days <= MAX_VALID_AFTER_DUE_DAYS ? days : undefined;
}

/** The terms as far as they are typed, to predict amounts; undefined without an amount or a due date. */
export function dueTermsOf(draft: DueDraft, amountCents: number | null): DueTerms | undefined {
  if (amountCents === null || amountCents === 0 || draft.dueDate === '') return undefined;
  const fine = partOf(draft.fine);
  const interest = partOf(draft.interest);
  const rebate = partOf(draft.rebate);
  const early = partOf(draft.early);
  const steps = draft.discounts.flatMap(({ until, text }) => {
    const part = partOf({ unit: draft.discountUnit, text });
    return part === undefined || until === '' ? [] : [{ ...part, until }];
  });
  return {
    originalCents: amountCents,
    dueDate: draft.dueDate,
    validAfterDueDays: daysFrom(draft.validAfterDue) ?? VALID_AFTER_DUE_DEFAULT_DAYS,
    ...(fine && { fine }),
    ...(interest && {
      interest:
        interest.unit === 'percent'
          ? { ...interest, days: draft.interestDays, per: draft.interestPer }
          : { ...interest, days: draft.interestDays },
    }),
    ...(rebate && { rebate }),
    ...(steps.length > 0
      ? { discount: { kind: 'until', steps } }
      : early && { discount: { kind: 'each-day', days: draft.earlyDays, ...early } }),
  };
}

function partOf(typed: TypedValue): AmountOrPercent | undefined {
  const value = valueProblem(typed) === undefined ? centsFromText(typed.text) : undefined;
  if (value === undefined) return undefined;
  return typed.unit === 'percent' ? { unit: 'percent', hundredths: value } : { unit: 'amount', cents: value };
}

/** What the API is asked for besides the amount. */
export type DueRequest = Pick<
  NewPayment,
  'payer' | 'due_date' | 'valid_after_due' | 'fine' | 'interest' | 'rebate' | 'discounts' | 'early_discount'
>;

/** The request for a draft without problems. */
export function dueRequestOf(draft: DueDraft): DueRequest {
  const fine = requestedValueOf(draft.fine);
  const interest = requestedValueOf(draft.interest);
  const rebate = requestedValueOf(draft.rebate);
  const early = requestedValueOf(draft.early);
  const discounts = draft.discounts.flatMap(({ until, text }) => {
    const value = requestedValueOf({ unit: draft.discountUnit, text });
    return value === undefined ? [] : [{ ...value, until }];
  });
  return {
    payer: { name: draft.name.trim(), document: normalizeDocument(draft.document) },
    due_date: draft.dueDate,
    valid_after_due: Number(draft.validAfterDue),
    ...(fine && { fine }),
    ...(interest && {
      interest: {
        ...interest,
        per: interest.type === 'percent' ? draft.interestPer : 'day',
        days: draft.interestDays,
      },
    }),
    ...(rebate && { rebate }),
    ...(discounts.length > 0
      ? { discounts }
      : early && { early_discount: { ...early, days: draft.earlyDays } }),
  };
}

function requestedValueOf({
  unit,
  text,
}: TypedValue): { type: TypedValue['unit']; value: number } | undefined {
  const value = centsFromText(text);
  if (value === undefined) return undefined;
  return { type: unit, value: unit === 'percent' ? percentFromRate(value) : brlFromCents(value) };
}

/**
 * What is more than consumer law usually allows: a fine above 2 %, and interest above 1 % a month. The gateway does not
 * know who is a consumer, so this warns and refuses nothing.
 */
export function dueWarningsOf(draft: DueDraft, amountCents: number | null): string[] {
  const { fine, interest } = dueTermsOf(draft, amountCents) ?? {};
  const base = amountCents ?? 0;
  const isFineHigh =
    fine?.unit === 'percent' ? fine.hundredths > 200 : fine !== undefined && fine.cents * 50 > base;
  return [
    ...(isFineHigh ? ['a multa por atraso não passa de 2%'] : []),
    ...(interest !== undefined && isInterestHigh(interest, base)
      ? ['os juros por atraso costumam ficar em 1% ao mês']
      : []),
  ];
}

const perYear = {
  calendar: { day: 365, month: 12, year: 1 },
  business: { day: 252, month: 12, year: 1 },
} as const;

function isInterestHigh(interest: NonNullable<DueTerms['interest']>, base: number): boolean {
  if (interest.unit === 'percent') return interest.hundredths * perYear[interest.days][interest.per] > 1200;
  return interest.cents * perYear[interest.days].day * 100 > 12 * base;
}

/** The problems that are left once these fields are changed: those of other fields. */
export function problemsAfter(problems: DueProblems, changed: Partial<DueDraft>): DueProblems {
  const isChanged = (field: string) =>
    field in changed || ('discounts' in changed && /^(?:discount|until)\d$/.test(field));
  return Object.fromEntries(Object.entries(problems).filter(([field]) => !isChanged(field)));
}

const refusedFieldsSchema = z.array(z.object({ field: z.string(), message: z.string() }));

/** The form's field for each field name of the API. */
const fieldByApiName = new Map<string, DueField>([
  ['payer', 'name'],
  ['payer.name', 'name'],
  ['payer.document', 'document'],
  ['due_date', 'dueDate'],
  ['valid_after_due', 'validAfterDue'],
  ['fine', 'fine'],
  ['fine.value', 'fine'],
  ['interest', 'interest'],
  ['interest.value', 'interest'],
  ['rebate', 'rebate'],
  ['rebate.value', 'rebate'],
  ['early_discount', 'early'],
  ['early_discount.value', 'early'],
  ['discounts', 'discount0'],
]);

/** The errors of a refusal that belong to a field of the form, and what it says of the amount. */
export function refusedDueFields(error: unknown): {
  readonly problems: DueProblems;
  readonly amount?: string;
} {
  if (!(error instanceof ApiError)) return { problems: {} };
  const refused = refusedFieldsSchema.safeParse(error.details['fields']).data ?? [];
  const amount = refused.find(({ field }) => field === 'amount')?.message;
  return {
    problems: Object.fromEntries(
      refused.flatMap(({ field, message }) => {
        const formField = fieldByApiName.get(field) ?? placeOf(field);
        return formField === undefined ? [] : [[formField, message]];
      }),
    ),
    ...(amount !== undefined && { amount }),
  };
}

function placeOf(field: string): DueField | undefined {
  const place = /^discounts\.(\d)\.(value|until)$/.exec(field);
  if (place?.[1] === undefined) return undefined;
  return place[2] === 'until' ? `until${Number(place[1])}` : `discount${Number(place[1])}`;
}
