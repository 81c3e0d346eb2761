import {
  type Authorization,
  brlFromCents,
  SUBSCRIPTION_LIMITS,
  type SubscriptionPeriod,
} from '@jangada/contract';
import { isCnpj, isCpf, normalizeDocument } from '@jangada/pix';
import * as z from 'zod/mini';
import { ApiError } from '../../api/api-error.ts';
import { formatCalendarDay } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { repetitionText, shortMonthText, termText } from '../../format/subscription-words.ts';
import { type ChargeRules, chargeAmountProblem } from '../../panel/charge/amount-problem.ts';
import type { NewSubscriptionBody } from './subscriptions-queries.ts';

/** A customer of the register. */
export type ChosenCustomer = { readonly id: string; readonly name: string; readonly document: string };

/** The fields of the form for a new subscription, as typed. */
export type SubscriptionDraft = {
  /** Who pays, if chosen from the register; name and document are typed otherwise. */
  readonly customer: ChosenCustomer | null;
  readonly name: string;
  readonly document: string;
  readonly description: string;
  readonly pricing: 'fixed' | 'variable';
  readonly amountCents: number | null;
  /** Of a variable amount: the least maximum that the payer may set; null for none. */
  readonly minMaximumCents: number | null;
  readonly period: SubscriptionPeriod;
  /** `yyyy-MM-dd`; empty until chosen. */
  readonly firstDay: string;
  /** Empty for no end. */
  readonly lastDay: string;
  readonly retries: boolean;
  /** In order. Kept while retries are off. */
  readonly retryDays: readonly number[];
  readonly authorization: Authorization;
  /** What is paid along with the permission; null for the amount of each cycle. */
  readonly firstCents: number | null;
  /** Of `offer`: when that falls due. Empty until chosen. */
  readonly firstDueDate: string;
  readonly ispb: string;
  readonly branch: string;
  readonly number: string;
};

type Field = Exclude<keyof SubscriptionDraft, 'customer' | 'pricing' | 'period' | 'retries'>;
/** The error message of each invalid field. */
export type SubscriptionProblems = { readonly [Name in Field]?: string };

export const emptyDraft: SubscriptionDraft = {
  customer: null,
  name: '',
  document: '',
  description: '',
  pricing: 'fixed',
  amountCents: null,
  minMaximumCents: null,
  period: 'monthly',
  firstDay: '',
  lastDay: '',
  retries: true,
  retryDays: [1, 4, 7],
  authorization: 'code',
  firstCents: null,
  firstDueDate: '',
  ispb: '',
  branch: '',
  number: '',
};

/** The days on which a failed debit may be tried again: all of them come before the next cycle. */
export function retryDaysOf(period: SubscriptionPeriod): readonly number[] {
  const last = period === 'weekly' ? SUBSCRIPTION_LIMITS.retryLastDay - 1 : SUBSCRIPTION_LIMITS.retryLastDay;
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** The days that are sent: none if the merchant wants no retries. */
export function chosenRetryDays({ retries, retryDays, period }: SubscriptionDraft): number[] {
  return retries ? retryDays.filter((day) => retryDaysOf(period).includes(day)) : [];
}

/** Checks a draft before it is sent, and returns its errors. `today` is a calendar day. */
export function problemsOf(
  draft: SubscriptionDraft,
  rules: ChargeRules,
  today: string,
): SubscriptionProblems {
  return {
    ...(draft.customer === null && payerProblems(draft)),
    ...(draft.description.trim() === '' && { description: 'Diga o que está sendo pago.' }),
    ...amountProblems(draft, rules),
    ...dayProblems(draft, today),
    ...(draft.retries && chosenRetryDays(draft).length === 0 && { retryDays: 'Escolha pelo menos um dia.' }),
    ...firstPaymentProblems(draft, rules, today),
    ...accountProblems(draft),
  };
}

function payerProblems(draft: SubscriptionDraft): SubscriptionProblems {
  const document = normalizeDocument(draft.document);
  return {
    ...(draft.name.trim().length < 2 && { name: 'Informe o nome de quem paga.' }),
    ...(!isCpf(document) && !isCnpj(document) && { document: 'Informe um CPF ou CNPJ válido.' }),
  };
}

/** Who pays, as it is shown. */
export function payerOf({ customer, name, document }: SubscriptionDraft): Omit<ChosenCustomer, 'id'> {
  return customer ?? { name: name.trim(), document };
}

function amountProblems(draft: SubscriptionDraft, rules: ChargeRules): SubscriptionProblems {
  if (draft.pricing === 'fixed') {
    const problem = chargeAmountProblem(draft.amountCents, rules);
    return problem === undefined ? {} : { amountCents: problem };
  }
  const problem =
    draft.minMaximumCents === null ? undefined : chargeAmountProblem(draft.minMaximumCents, rules);
  return problem === undefined ? {} : { minMaximumCents: problem };
}

function dayProblems({ firstDay, lastDay }: SubscriptionDraft, today: string): SubscriptionProblems {
  if (firstDay === '') return { firstDay: 'Informe o dia da primeira cobrança.' };
  if (firstDay < today) return { firstDay: 'O primeiro dia não pode estar no passado.' };
  return lastDay !== '' && lastDay < firstDay
    ? { lastDay: 'O último dia não pode vir antes do primeiro.' }
    : {};
}

/** Whether something is paid along with the permission. */
export function hasFirstPayment({ authorization }: SubscriptionDraft): boolean {
  return authorization === 'pay' || authorization === 'offer';
}

/** The amount that is paid along with the permission; null if it is not known. */
function firstPaymentCents({ firstCents, pricing, amountCents }: SubscriptionDraft): number | null {
  return firstCents ?? (pricing === 'fixed' ? amountCents : null);
}

function firstPaymentProblems(
  draft: SubscriptionDraft,
  rules: ChargeRules,
  today: string,
): SubscriptionProblems {
  if (!hasFirstPayment(draft)) return {};
  const isGiven = draft.firstCents !== null || draft.pricing === 'variable';
  const problem = isGiven ? chargeAmountProblem(draft.firstCents, rules) : undefined;
  const isDueMissing = draft.authorization === 'offer' && draft.firstDueDate < today;
  return {
    ...(problem !== undefined && { firstCents: problem }),
    ...(isDueMissing && { firstDueDate: 'Informe quando ela vence, de hoje em diante.' }),
  };
}

function accountProblems(draft: SubscriptionDraft): SubscriptionProblems {
  if (draft.authorization !== 'push') return {};
  return {
    ...(!/^\d{8}$/.test(draft.ispb.trim()) && { ispb: 'O ISPB tem 8 dígitos.' }),
    ...(!/^\d{0,4}$/.test(draft.branch.trim()) && { branch: 'A agência tem até 4 dígitos.' }),
    ...(!/^[0-9A-Za-z]{1,20}$/.test(draft.number.replace(/[\s.-]/g, '')) && {
      number: 'Informe o número da conta, com o dígito.',
    }),
  };
}

/** The request body for a draft without problems. */
export function bodyOf(draft: SubscriptionDraft): NewSubscriptionBody {
  const isFixed = draft.pricing === 'fixed';
  const brlOf = (cents: number | null) => (cents === null ? null : brlFromCents(cents));
  return {
    ...(draft.customer === null
      ? { payer: { name: draft.name.trim(), document: normalizeDocument(draft.document) } }
      : { customer_id: draft.customer.id }),
    description: draft.description.trim(),
    amount: isFixed ? brlOf(draft.amountCents) : null,
    min_maximum: isFixed ? null : brlOf(draft.minMaximumCents),
    period: draft.period,
    first_day: draft.firstDay,
    last_day: draft.lastDay === '' ? null : draft.lastDay,
    retry_days: chosenRetryDays(draft),
    authorization: draft.authorization,
    first_payment: hasFirstPayment(draft)
      ? {
          amount: brlOf(draft.firstCents),
          due_date: draft.authorization === 'offer' ? draft.firstDueDate : null,
        }
      : null,
    payer_account:
      draft.authorization === 'push'
        ? {
            ispb: draft.ispb.trim(),
            branch: draft.branch.trim() === '' ? null : draft.branch.trim(),
            number: draft.number.replace(/[\s.-]/g, ''),
          }
        : null,
  };
}

/** What will be charged, in sentences, for whoever confirms it. */
export function summaryOf(draft: SubscriptionDraft): readonly string[] {
  const { period, firstDay, amountCents, minMaximumCents } = draft;
  const amount =
    draft.pricing === 'fixed' ? formatMoney(amountCents) : 'um valor que você informa a cada vez';
  const repetition = repetitionText(period, firstDay);
  const days = chosenRetryDays(draft);
  return [
    `${repetition.charAt(0).toUpperCase()}${repetition.slice(1)}, ${amount}, ${termText(firstDay, draft.lastDay === '' ? null : draft.lastDay)}.`,
    ...(draft.pricing === 'variable' && minMaximumCents !== null
      ? [`No banco, o pagador não pode escolher um máximo abaixo de ${formatMoney(minMaximumCents)}.`]
      : []),
    ...(shortMonthText(period, firstDay) === null ? [] : [`${shortMonthText(period, firstDay)}`]),
    'Quando a data cai em fim de semana ou feriado, o débito fica para o próximo dia útil.',
    days.length === 0
      ? 'Se o débito falhar, o banco não tenta de novo.'
      : `Se o débito falhar, o banco tenta de novo ${daysText(days)} depois.`,
    ...(hasFirstPayment(draft) ? [firstPaymentText(draft)] : []),
  ];
}

function firstPaymentText(draft: SubscriptionDraft): string {
  const amount = formatMoney(firstPaymentCents(draft));
  return draft.authorization === 'pay'
    ? `Além disso, a pessoa paga ${amount} na hora de autorizar.`
    : `Além disso, a pessoa paga ${amount} até ${formatCalendarDay(draft.firstDueDate)}, e então o banco oferece o débito.`;
}

/** `1, 4 e 7 dias`. */
export function daysText(days: readonly number[]): string {
  if (days.length === 1) return days[0] === 1 ? '1 dia' : `${days[0]} dias`;
  return `${days.slice(0, -1).join(', ')} e ${days.at(-1)} dias`;
}

const refusedFieldsSchema = z.array(z.object({ field: z.string(), message: z.string() }));
/** The form's field for each field name of the API. */
const fieldByApiName = new Map<string, Field>([
  ['payer.name', 'name'],
  ['payer.document', 'document'],
  ['description', 'description'],
  ['amount', 'amountCents'],
  ['min_maximum', 'minMaximumCents'],
  ['first_day', 'firstDay'],
  ['last_day', 'lastDay'],
  ['retry_days', 'retryDays'],
  ['authorization', 'authorization'],
  ['first_payment', 'authorization'],
  ['first_payment.amount', 'firstCents'],
  ['first_payment.due_date', 'firstDueDate'],
  ['payer_account', 'ispb'],
  ['payer_account.ispb', 'ispb'],
  ['payer_account.branch', 'branch'],
  ['payer_account.number', 'number'],
]);

/** The field errors in a refusal of the API; empty when the refusal is not about a field. */
export function refusedFields(error: unknown, { pricing }: SubscriptionDraft): SubscriptionProblems {
  if (!(error instanceof ApiError)) return {};
  const refused = refusedFieldsSchema.safeParse(error.details['fields']).data ?? [];
  const found = refused.flatMap(({ field, message }) => {
    const formField = fieldByApiName.get(field);
    return formField === undefined ? [] : [[formField, message] as const];
  });
  if (found.length > 0) return Object.fromEntries(found);
  if (error.code?.startsWith('AMOUNT_') !== true) return {};
  return {
    [pricing === 'fixed' ? 'amountCents' : 'minMaximumCents']: error.serverMessage ?? 'Confira o valor.',
  };
}
