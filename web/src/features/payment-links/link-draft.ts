import {
  brlFromCents,
  centsFromBrl,
  type NewPaymentLink,
  PAYMENT_LINKS,
  type PaymentLink,
} from '@jangada/contract';
import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';
import { amountProblem, type ChargeRules } from '../../panel/charge/amount-problem.ts';

/** A link as its form holds it. */
export type LinkDraft = {
  readonly title: string;
  readonly description: string;
  /** Whether the link sets the amount, or the payer does. */
  readonly pricing: 'fixed' | 'open';
  readonly amountCents: number | null;
  /** As typed; empty for no limit. */
  readonly maxPayments: string;
  /** `yyyy-MM-ddTHH:mm` in São Paulo; empty for no end. */
  readonly endsAt: string;
  readonly successUrl: string;
};

type Field = 'title' | 'description' | 'amountCents' | 'maxPayments' | 'endsAt' | 'successUrl';
export type LinkProblems = { readonly [Name in Field]?: string };

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
    endsAt: ends_at === null ? '' : localOf(ends_at),
    successUrl: success_url ?? '',
  };
}

const local = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'short',
});

/** A moment as a field for date and time holds it. */
function localOf(moment: string): string {
  return local.format(new Date(moment)).replace(' ', 'T');
}

/** The errors of a draft before sending. An expiry already seen may have passed; a new one may not. */
export function problemsOf(
  draft: LinkDraft,
  seen: PaymentLink | null,
  rules: ChargeRules,
  now: number,
): LinkProblems {
  const { title, pricing, amountCents, successUrl } = draft;
  const amount = pricing === 'fixed' ? amountProblem(amountCents, rules) : undefined;
  return {
    ...(title.trim() === '' && { title: 'Informe um título.' }),
    ...(amount !== undefined && { amountCents: amount }),
    ...maxPaymentsProblem(draft.maxPayments),
    ...endProblem(draft, seen, now),
    ...(successUrl.trim() !== '' &&
      !/^https?:\/\/./i.test(successUrl.trim()) && {
        successUrl: 'Informe o endereço inteiro, como https://sualoja.com.br/obrigado.',
      }),
  };
}

/** A browser takes a year of six digits, which is no moment: it is never sent as no end. */
function endProblem(draft: LinkDraft, seen: PaymentLink | null, now: number): LinkProblems {
  const end = endOf(draft, seen);
  if (end === null) return draft.endsAt === '' ? {} : { endsAt: 'Informe uma data que existe.' };
  const isPast = end !== seen?.ends_at && Date.parse(end) <= now;
  return isPast ? { endsAt: 'O fim do link precisa estar no futuro.' } : {};
}

function maxPaymentsProblem(text: string): LinkProblems {
  const typed = text.replace(/\./g, '').trim();
  const fits = /^\d+$/.test(typed) && Number(typed) >= 1 && Number(typed) <= PAYMENT_LINKS.maxPayments;
  return typed === '' || fits ? {} : { maxPayments: 'Informe um número inteiro, de 1 a 1.000.000.' };
}

/** The request body for a form. */
export function bodyOf(draft: LinkDraft, seen: PaymentLink | null) {
  const { title, description, pricing, amountCents, maxPayments, successUrl } = draft;
  const most = maxPayments.replace(/\./g, '').trim();
  return {
    title: title.trim(),
    description: description.trim() === '' ? null : description.trim(),
    amount: pricing === 'open' || amountCents === null ? null : brlFromCents(amountCents),
    max_payments: most === '' ? null : Number(most),
    ends_at: endOf(draft, seen),
    success_url: successUrl.trim() === '' ? null : successUrl.trim(),
    active: seen?.active ?? true,
  } satisfies NewPaymentLink;
}

/** The end as it goes on the wire. One that was not touched keeps its seconds: it is the same end. */
function endOf({ endsAt }: LinkDraft, seen: PaymentLink | null): string | null {
  if (endsAt === '') return null;
  if (seen?.ends_at != null && localOf(seen.ends_at) === endsAt) return seen.ends_at;
  const end = new Date(`${endsAt}:00-03:00`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

const refusedNames = z.array(z.object({ field: z.string(), message: z.string() }));
const fieldsOfWire = new Map<string, Field>([
  ['title', 'title'],
  ['description', 'description'],
  ['amount', 'amountCents'],
  ['max_payments', 'maxPayments'],
  ['ends_at', 'endsAt'],
  ['success_url', 'successUrl'],
]);
const fieldsOfCodes = new Map<string | null, Field>([
  ['AMOUNT_INVALID', 'amountCents'],
  ['AMOUNT_TOO_SMALL', 'amountCents'],
  ['AMOUNT_TOO_LARGE', 'amountCents'],
  ['AMOUNT_BELOW_FEE', 'amountCents'],
  ['INVALID_SUCCESS_URL', 'successUrl'],
  ['LINK_END_INVALID', 'endsAt'],
]);

/** The field errors of a refusal; empty when it is about something else. */
export function refusedFields(error: unknown): LinkProblems {
  if (!(error instanceof ApiError)) return {};
  const field = fieldsOfCodes.get(error.code);
  if (field !== undefined) return { [field]: error.serverMessage ?? 'Confira este campo.' };
  const named = refusedNames.safeParse(error.details['fields']);
  return Object.fromEntries(
    (named.data ?? []).flatMap(({ field: name, message }) => {
      const known = fieldsOfWire.get(name);
      return known === undefined ? [] : [[known, message]];
    }),
  );
}
