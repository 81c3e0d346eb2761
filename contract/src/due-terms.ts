import { isCnpj, isCpf, normalizeDocument } from '@jangada/pix';
import * as z from 'zod/mini';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { centsFromBrl, rateFromPercent } from './money.ts';
import { day } from './period.ts';

/*
 * The terms of a charge with a due date: how long it can be paid afterwards, what is added when it is late, and what is
 * taken off. The bank computes what the payer owes on the day of the payment.
 */

const VALID_AFTER_DUE_MAX_DAYS = 365;
const MAX_DISCOUNTS = 3;

const amountOrPercentType = z.enum(['amount', 'percent'], {
  error: 'O type é "amount" (reais) ou "percent" (por cento).',
});
const daysCounted = z.enum(['calendar', 'business'], {
  error: 'O days é "calendar" (dias corridos) ou "business" (dias úteis).',
});

const valueRule =
  'O value é um número maior que zero com até duas casas decimais, e no máximo 100 em "percent".';

/** A value above zero: in BRL, or in percent. */
const requestedValue = z.number({ error: valueRule });
const valueFields = { type: amountOrPercentType, value: requestedValue };

function isValueOfType({
  type,
  value,
}: {
  readonly type: 'amount' | 'percent';
  readonly value: number;
}): boolean {
  const parsed = type === 'percent' ? rateFromPercent(value) : centsFromBrl(value);
  return parsed !== undefined && parsed > 0;
}
const checkedValue = z.refine<{ type: 'amount' | 'percent'; value: number }>(isValueOfType, {
  error: valueRule,
  path: ['value'],
});

/** A fine for late payment, once. */
const fine = z.object(valueFields).check(checkedValue);

/** Interest for each day, month or year of late payment. An amount is always for each day. */
const interest = z
  .object({
    ...valueFields,
    per: z._default(
      z.enum(['day', 'month', 'year'], { error: 'O per é "day", "month" ou "year".' }),
      'month',
    ),
    days: z._default(daysCounted, 'calendar'),
  })
  .check(checkedValue);

/** What is taken off, whenever the payer pays. */
const rebate = z.object(valueFields).check(checkedValue);

const discountsRule = 'discounts tem de 1 a 3 descontos do mesmo type, cada um até (until) outro dia.';

/** Discounts for those who pay until a day; the one that ends first counts. */
const discounts = z
  .array(z.object({ ...valueFields, until: day }).check(checkedValue), { error: discountsRule })
  .check(
    z.refine(
      (steps) =>
        steps.length > 0 &&
        steps.length <= MAX_DISCOUNTS &&
        new Set(steps.map(({ until }) => until)).size === steps.length &&
        new Set(steps.map(({ type }) => type)).size <= 1,
      discountsRule,
    ),
  );

/** A discount for each day that the payment comes before the due date. */
const earlyDiscount = z
  .object({ ...valueFields, days: z._default(daysCounted, 'calendar') })
  .check(checkedValue);

/** With its punctuation a document has at most 18 characters; more are spaces. */
const DOCUMENT_MAX_LENGTH = 40;

const nameRule = 'O name tem de 2 a 200 caracteres.';

/** Whom a charge is to be for. */
export const billedPerson = z.object({
  name: z
    .string({ error: nameRule })
    .check(z.trim(), z.minLength(2, nameRule), z.maxLength(200, nameRule), withoutMisleadingCharacters()),
  /** A CPF or CNPJ, with or without punctuation. */
  document: z.string({ error: 'O document é um CPF ou um CNPJ.' }).check(
    z.refine((text) => {
      if (text.length > DOCUMENT_MAX_LENGTH) return false;
      const document = normalizeDocument(text);
      return isCpf(document) || isCnpj(document);
    }, 'O document é um CPF ou um CNPJ válido.'),
  ),
});

const validAfterDueRule = 'valid_after_due vai de 0 a 365 dias.';

const validAfterDue = z
  .int({ error: validAfterDueRule })
  .check(z.minimum(0, validAfterDueRule), z.maximum(VALID_AFTER_DUE_MAX_DAYS, validAfterDueRule));

/** What a request for a charge may say besides: whom it is for, when it falls due, and what late or early payers owe. */
export const newDueTerms = z.object({
  /** Whom the charge is for. Required with `due_date`. Others can still pay it. */
  payer: z.nullish(billedPerson),
  /** The charge falls due on this day, and `expires_in` does not count. */
  due_date: z.nullish(day),
  /** For how many days after the due date it can still be paid. */
  valid_after_due: z.nullish(validAfterDue),
  fine: z.nullish(fine),
  interest: z.nullish(interest),
  rebate: z.nullish(rebate),
  discounts: z.nullish(discounts),
  early_discount: z.nullish(earlyDiscount),
});
