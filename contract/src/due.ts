import * as z from 'zod/mini';
import { brl } from './money.ts';

/*
 * Due dates and whom charges are for, as responses show them. Apart from requests, and from charges, so that only those
 * screens load it that show it (web/build/strip-contract-plugin.ts).
 */

/** How an amount is made up: the original amount, plus fine and interest, less rebate and discount. */
export const dueParts = z.object({
  original_amount: brl,
  fine_amount: brl,
  interest_amount: brl,
  rebate_amount: brl,
  discount_amount: brl,
});
export type DueParts = z.infer<typeof dueParts>;

/** Whom a charge is for, as a response shows it. */
export const billedTo = z.object({ name: z.string(), document: z.string() });
export type BilledPerson = z.infer<typeof billedTo>;

// What a response shows needs no checks, which a browser would have to load.
const shownType = z.enum(['amount', 'percent']);
const shownNumber = z.number();
const shownValue = { type: shownType, value: shownNumber };
const shownDays = z.enum(['calendar', 'business']);

/** The due date of a charge with its terms, as a response shows them. */
export const due = z.object({
  due_date: z.string(),
  /** The last day on which the payer's bank may take the payment. Holidays of the payer's town can move it. */
  valid_until: z.string(),
  valid_after_due: z.int(),
  fine: z.nullable(z.object(shownValue)),
  interest: z.nullable(z.object({ ...shownValue, per: z.enum(['day', 'month', 'year']), days: shownDays })),
  rebate: z.nullable(z.object(shownValue)),
  discounts: z.nullable(z.array(z.object({ ...shownValue, until: z.string() }))),
  early_discount: z.nullable(z.object({ ...shownValue, days: shownDays })),
  /** What the payer owes if they pay today, as we predict it; null once it is paid, or can no longer be paid. */
  amount_today: z.nullable(brl),
  /** How the amount is made up: as the bank explained it once paid, and else as we predict it for today. */
  parts: z.nullable(dueParts),
});
export type Due = z.infer<typeof due>;
