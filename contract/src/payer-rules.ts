import * as z from 'zod/mini';
import { PAGE_SIZE } from './limits.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';

/*
 * What a merchant wants done with a Pix that is not as expected. A rule of a charge wins over the account's. Where there
 * is no rule, another payer and a late payment are accepted, and a second payment is left to whoever keeps the account at
 * the bank.
 */

/**
 * `accept`: it is credited. `hold`: the merchant decides. `give_back`: all of it goes back to its payer, and the payment
 * costs no fee.
 */
const payerRule = z.enum(['accept', 'hold', 'give_back'], {
  error: 'A regra é "accept" (aceitar), "hold" (reter) ou "give_back" (devolver).',
});
export type PayerRule = z.infer<typeof payerRule>;

/** The rules of a charge. What is null or missing is as in the account. */
export const chargeRules = z.object({
  /** The payer is another person than the one the charge is for. */
  other_payer: z.nullish(payerRule),
  /** It comes after the last day, or after the charge has ended. */
  late: z.nullish(payerRule),
  /** The charge is paid already. */
  doubled: z.nullish(payerRule),
});

/** The rules of an account; null where there is none. */
export const payerRules = z.object({
  other_payer: z.nullable(payerRule),
  late: z.nullable(payerRule),
  doubled: z.nullable(payerRule),
});
export type PayerRules = z.infer<typeof payerRules>;

/**
 * Why a Pix was held. The first three are by a rule; the others, and `second-payment` without a rule, only concern
 * accounts of a merchant's own, where nobody else would tell of them.
 */
export const heldPixReasons = [
  'other-payer',
  'late',
  'second-payment',
  'wrong-amount',
  'wrong-key',
  'below-fee',
] as const;
export const heldPixReason = z.enum(heldPixReasons);
export type HeldPixReason = z.infer<typeof heldPixReason>;

/** What happened, as the payer reads it after "Devolvido: ". */
export const heldPixReasonTexts: Readonly<Record<HeldPixReason, string>> = {
  'other-payer': 'pago por outra pessoa',
  late: 'pago fora do prazo',
  'second-payment': 'cobrança já paga',
  'wrong-amount': 'valor diferente do cobrado',
  'wrong-key': 'pago a outra chave',
  'below-fee': 'valor menor que a tarifa',
};

/** `held`: the merchant decides. `returning`: it is on its way back. */
export const heldPixStates = ['held', 'accepted', 'returning', 'returned'] as const;
export const heldPixState = z.enum(heldPixStates);
export type HeldPixState = z.infer<typeof heldPixState>;

/** A received Pix that names a charge of the account and was not simply credited to it. */
export const heldPix = z.object({
  id: z.string(),
  end_to_end_id: z.string(),
  amount: brl,
  paid_at: moment,
  held_at: moment,
  why: heldPixReason,
  state: heldPixState,
  /** The charge that the Pix names. */
  payment_id: z.string(),
  external_id: z.nullable(z.string()),
  /** The payment that it became, once accepted or given back from an account of the merchant's own; else null. */
  credited_payment_id: z.nullable(z.string()),
  /** The account at a bank on which it arrived; null for the operator's. */
  connection_id: z.nullable(z.string()),
  /** The payer, as far as the bank told. */
  payer: z.nullable(z.object({ name: z.nullable(z.string()), document: z.nullable(z.string()) })),
  decided_at: z.nullable(moment),
});
export type HeldPix = z.infer<typeof heldPix>;

export const heldPixQuery = z.object({
  /** `open`: only those that wait for a decision. */
  state: z._default(z.enum(['open', 'all']), 'all'),
  limit: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
    PAGE_SIZE.transactions,
  ),
  /** Cursor: `next` of the previous page. */
  before: z.optional(z.string().check(z.maxLength(200))),
});

export const heldPixPage = z.object({
  data: z.array(heldPix),
  /** The `before` that requests the next page, of older ones; null on the last page. */
  next: z.nullable(z.string()),
});
