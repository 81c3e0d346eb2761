import {
  brlFromCents,
  centsFromBrl,
  type NewPaymentLink,
  PAYMENT_LINK_LIMITS,
  type PaymentLink,
} from '@jangada/contract';
import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';
import { fromDateTimeInput, toDateTimeInput } from '../../format/date.ts';
import { type ChargeRules, chargeAmountProblem } from '../../panel/charge/amount-problem.ts';

/** The fields of the payment link form, as typed. */
export type LinkDraft = {
  readonly title: string;
  readonly description: string;
  /** `fixed`: the link sets the amount. `open`: the payer enters it. */
  readonly pricing: 'fixed' | 'open';
  readonly amountCents: number | null;
  /** As typed; empty for no limit. */
  readonly maxPayments: string;
  /** `yyyy-MM-ddTHH:mm` in São Paulo; empty for no end. */
  readonly endsAt: string;
  readonly successUrl: string;
};

type Field = 'title' | 'description' | 'amountCents' | 'maxPayments' | 'endsAt' | 'successUrl';
/** The error message of each invalid field. */
export type LinkProblems = { readonly [Name in Field]?: string };

/** The initial content of the form: the fields of the link being changed, or empty fields for a new link. */
export function draftOf(link: PaymentLink | null): LinkDraft {
  if (link === null)
    return {
      title: '',
      description: '',
      pricing: 'fixed',
      amountCents: null,
      maxPayments: '',
      endsAt: '',
      successUrl: '',
    };
  const { title, description, amount, max_payments, ends_at, success_url } = link;
  return {
    title,
    description: description ?? '',
    pricing: amount === null ? 'open' : 'fixed',
    amountCents: amount === null ? null : (centsFromBrl(amount) ?? null),
    maxPayments: max_payments === null ? '' : String(max_payments),
    endsAt: ends_at === null ? '' : toDateTimeInput(ends_at),
    successUrl: success_url ?? '',
  };
}

/**
 * Checks a draft before it is sent, and returns its errors. `saved` is the link being changed, or null for a new one.
 * The end that a saved link already has may be in the past; a newly typed end may not.
 */
export function problemsOf(
  draft: LinkDraft,
  saved: PaymentLink | null,
  rules: ChargeRules,
  nowMs: number,
): LinkProblems {
  const { title, pricing, amountCents, successUrl } = draft;
  const amountError = pricing === 'fixed' ? chargeAmountProblem(amountCents, rules) : undefined;
  const url = successUrl.trim();
  const isUrlIncomplete = url !== '' && !/^https?:\/\/./i.test(url);
  return {
    ...(title.trim() === '' && { title: 'Informe um título.' }),
    ...(amountError !== undefined && { amountCents: amountError }),
    ...maxPaymentsProblem(draft.maxPayments),
    ...endProblem(draft, saved, nowMs),
    ...(isUrlIncomplete && {
      successUrl: 'Informe o endereço inteiro, como https://sualoja.com.br/obrigado.',
    }),
  };
}

/**
 * The error for the end of the link. Browsers accept years of six digits, which cannot be converted to a time. Such an
 * end must be refused: it would be sent as null, and the link would never end.
 */
function endProblem(draft: LinkDraft, saved: PaymentLink | null, nowMs: number): LinkProblems {
  const end = endOf(draft, saved);
  if (end === null) return draft.endsAt === '' ? {} : { endsAt: 'Informe uma data que existe.' };
  const isNewEndPast = end !== saved?.ends_at && Date.parse(end) <= nowMs;
  return isNewEndPast ? { endsAt: 'O fim do link precisa estar no futuro.' } : {};
}

function maxPaymentsProblem(text: string): LinkProblems {
  const typed = withoutGroupingDots(text);
  const isValid =
    /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= PAYMENT_LINK_LIMITS.maxPayments;
  return typed === '' || isValid ? {} : { maxPayments: 'Informe um número inteiro, de 1 a 1.000.000.' };
}

/** A typed number without the dots that group its thousands: `1.000` becomes `1000`. */
function withoutGroupingDots(text: string): string {
  return text.replace(/\./g, '').trim();
}

/** The request body for a draft. A new link starts active; a changed link keeps its state. */
export function bodyOf(draft: LinkDraft, saved: PaymentLink | null) {
  const { title, description, pricing, amountCents, maxPayments, successUrl } = draft;
  const maxPaymentsText = withoutGroupingDots(maxPayments);
  return {
    title: title.trim(),
    description: description.trim() === '' ? null : description.trim(),
    amount: pricing === 'open' || amountCents === null ? null : brlFromCents(amountCents),
    max_payments: maxPaymentsText === '' ? null : Number(maxPaymentsText),
    ends_at: endOf(draft, saved),
    success_url: successUrl.trim() === '' ? null : successUrl.trim(),
    active: saved?.active ?? true,
  } satisfies NewPaymentLink;
}

/**
 * The end to send; null when the field is empty or invalid. An end that the user did not edit is sent exactly as it was
 * saved, because the input does not show its seconds.
 */
function endOf({ endsAt }: LinkDraft, saved: PaymentLink | null): string | null {
  if (endsAt === '') return null;
  if (saved?.ends_at != null && toDateTimeInput(saved.ends_at) === endsAt) return saved.ends_at;
  return fromDateTimeInput(endsAt);
}

/** The list of refused fields in the details of an API error. */
const refusedFieldsSchema = z.array(z.object({ field: z.string(), message: z.string() }));
/** The form's field for each field name of the API. */
const fieldByApiName = new Map<string, Field>([
  ['title', 'title'],
  ['description', 'description'],
  ['amount', 'amountCents'],
  ['max_payments', 'maxPayments'],
  ['ends_at', 'endsAt'],
  ['success_url', 'successUrl'],
]);
/** The form's field that an error code of the API is about. */
const fieldByErrorCode = new Map<string | null, Field>([
  ['AMOUNT_INVALID', 'amountCents'],
  ['AMOUNT_TOO_SMALL', 'amountCents'],
  ['AMOUNT_TOO_LARGE', 'amountCents'],
  ['AMOUNT_BELOW_FEE', 'amountCents'],
  ['INVALID_SUCCESS_URL', 'successUrl'],
  ['LINK_END_INVALID', 'endsAt'],
]);

/** The field errors in a refusal of the API; empty when the refusal is not about a field. */
export function refusedFields(error: unknown): LinkProblems {
  if (!(error instanceof ApiError)) return {};
  const field = fieldByErrorCode.get(error.code);
  if (field !== undefined) return { [field]: error.serverMessage ?? 'Confira este campo.' };
  const refused = refusedFieldsSchema.safeParse(error.details['fields']);
  return Object.fromEntries(
    (refused.data ?? []).flatMap(({ field: apiName, message }) => {
      const formField = fieldByApiName.get(apiName);
      return formField === undefined ? [] : [[formField, message]];
    }),
  );
}
