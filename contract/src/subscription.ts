import * as z from 'zod/mini';
import { billedTo } from './due.ts';
import { billedPerson } from './due-terms.ts';
import { brl, chargeBrl } from './money.ts';
import { description, externalId, metadata } from './new-payment.ts';
import { day } from './period.ts';
import { moment } from './user.ts';

/*
 * Charges that repeat by Pix Automático. A subscription says what is charged and how often. Its mandate is what the payer
 * allows at their own bank. Each period is a cycle, which the payer's bank debits; a debit that fails may be tried again.
 */

export const subscriptionPeriods = ['weekly', 'monthly', 'quarterly', 'semiannual', 'annual'] as const;
export const subscriptionPeriod = z.enum(subscriptionPeriods, {
  error: 'O period é "weekly", "monthly", "quarterly", "semiannual" ou "annual".',
});
export type SubscriptionPeriod = z.infer<typeof subscriptionPeriod>;

/**
 * How the payer allows the debits: `code` by reading a code that pays nothing, `pay` along with a first payment,
 * `offer` as an offer along with a charge that has a due date, `push` by a request that appears in the bank's app.
 */
export const authorizations = ['code', 'pay', 'offer', 'push'] as const;
export type Authorization = (typeof authorizations)[number];

/**
 * `waiting`: the payer has not allowed the debits yet. `past_due`: the last cycle that ended was not paid. `ended`: no
 * more cycles follow.
 */
export const subscriptionStatuses = ['waiting', 'active', 'past_due', 'ended'] as const;
export const subscriptionStatus = z.enum(subscriptionStatuses);
export type SubscriptionStatus = z.infer<typeof subscriptionStatus>;

/** `making`: the bank has not confirmed it yet. */
export const mandateStatuses = ['making', 'created', 'approved', 'rejected', 'expired', 'cancelled'] as const;
export const mandateStatus = z.enum(mandateStatuses);
export type MandateStatusShown = z.infer<typeof mandateStatus>;

/**
 * `planned`: nothing was sent yet. `sending`: sent, and not confirmed. `scheduled`: the bank will debit it. `retrying`: a
 * debit failed and another follows. `given_up`: it ended without a payment. `cancelled`: it was taken back.
 */
export const cycleStatuses = [
  'planned',
  'sending',
  'scheduled',
  'retrying',
  'paid',
  'given_up',
  'cancelled',
] as const;
export const cycleStatus = z.enum(cycleStatuses);
export type CycleStatus = z.infer<typeof cycleStatus>;

/** Why a cycle ended without a payment, or was taken back. */
export const cycleReasons = [
  'mandate_ended',
  'no_amount',
  'too_late',
  'refused',
  'no_retries_left',
  'expired',
  'paid_otherwise',
  'by_merchant',
  'by_payer',
  'subscription_ended',
] as const;
export const cycleReason = z.enum(cycleReasons);
export type CycleReason = z.infer<typeof cycleReason>;

/** Why a subscription ended. */
export const subscriptionEnds = [
  'finished',
  'by_merchant',
  'by_payer',
  'by_bank',
  'rejected',
  'not_allowed',
] as const;
export const subscriptionEnd = z.enum(subscriptionEnds);
export type SubscriptionEnd = z.infer<typeof subscriptionEnd>;

/** The types of events about subscriptions. */
export const subscriptionEventTypes = [
  'mandate.approved',
  'mandate.rejected',
  'mandate.cancelled',
  'mandate.expired',
  'cycle.planned',
  'cycle.scheduled',
  'cycle.retrying',
  'cycle.paid',
  'cycle.given_up',
  'cycle.cancelled',
  'subscription.past_due',
  'subscription.recovered',
  'subscription.ended',
] as const;

export const SUBSCRIPTION_LIMITS = {
  /** The bank shows the payer no more of what is paid for. */
  descriptionMaxLength: 35,
  retriesMax: 3,
  retryLastDay: 7,
} as const;

const retryRule = 'retry_days tem até 3 dias diferentes, de 1 a 7, em ordem.';

/** On which days after the due day a failed cycle is tried again. Empty: never. */
const retryDays = z
  .array(z.int({ error: retryRule }), { error: retryRule })
  .check(
    z.refine(
      (days) =>
        days.length <= SUBSCRIPTION_LIMITS.retriesMax &&
        days.every(
          (value, index) =>
            value >= 1 && value <= SUBSCRIPTION_LIMITS.retryLastDay && value > (days[index - 1] ?? 0),
        ),
      retryRule,
    ),
  );

const ispbRule = 'O ispb tem 8 dígitos.';
const branchRule = 'A agência (branch) tem até 4 dígitos.';
const numberRule = 'A conta (number) tem de 1 a 20 caracteres.';

/** The payer's account, into whose app the request is pushed. */
const payerAccount = z.object({
  ispb: z.string({ error: ispbRule }).check(z.regex(/^\d{8}$/, ispbRule)),
  branch: z.nullish(z.string({ error: branchRule }).check(z.regex(/^\d{1,4}$/, branchRule))),
  number: z.string({ error: numberRule }).check(z.regex(/^[0-9A-Za-z]{1,20}$/, numberRule)),
});

export const newSubscription = z.object({
  /** The payer, or the customer of the register who is: one of the two. */
  payer: z.nullish(billedPerson),
  customer_id: z.nullish(z.uuid('customer_id não é o id de um cliente.')),
  /** What is paid for, as the payer's bank shows it. */
  description: description(SUBSCRIPTION_LIMITS.descriptionMaxLength),
  /** The amount of each cycle; null if it varies, and is then given for each. */
  amount: z.nullish(chargeBrl),
  /** Of a varying amount: the maximum that the payer sets at their bank may not be below it. */
  min_maximum: z.nullish(chargeBrl),
  period: subscriptionPeriod,
  /** The day of the first debit. Those of the 29th to the 31st come on the last day of shorter months. */
  first_day: day,
  /** No cycle falls due after this day. */
  last_day: z.nullish(day),
  /** Three times within a week, if nothing is said. */
  retry_days: z._default(retryDays, [1, 4, 7]),
  authorization: z.enum(authorizations, {
    error: 'O authorization é "code", "pay", "offer" ou "push".',
  }),
  /**
   * The payment with which the payer also allows the debits: of `pay`, at once; of `offer`, due on a day. By default it has
   * the amount of each cycle. It is no cycle itself.
   */
  first_payment: z.nullish(z.object({ amount: z.nullish(chargeBrl), due_date: z.nullish(day) })),
  /** Required by `push`. */
  payer_account: z.nullish(payerAccount),
  external_id: z.nullish(externalId),
  metadata: z.nullish(metadata),
});
export type NewSubscription = z.infer<typeof newSubscription>;

/** Why the bank refused or ended something: its code (AM02), and a sentence for people. */
const bankReason = z.object({ code: z.string(), text: z.string() });

export const mandate = z.object({
  status: mandateStatus,
  /** The bank's id; null until the bank has made it. */
  id_rec: z.nullable(z.string()),
  /** How the payer allowed it; null before that. */
  allowed_by: z.nullable(z.enum(authorizations)),
  allowed_at: z.nullable(moment),
  ended_at: z.nullable(moment),
  reason: z.nullable(bankReason),
});

export const debitAttempt = z.object({
  day: z.string(),
  retry: z.boolean(),
  status: z.enum(['requested', 'scheduled', 'paid', 'refused', 'cancelled', 'expired']),
  end_to_end_id: z.nullable(z.string()),
  reason: z.nullable(bankReason),
});

export const cycle = z.object({
  /** The first has 1. */
  number: z.int(),
  status: cycleStatus,
  /** The day that the subscription names, and the business day on which the bank debits. */
  due_day: z.string(),
  debit_day: z.string(),
  /** Null while the amount of this cycle is not known. */
  amount: z.nullable(brl),
  reason: z.nullable(cycleReason),
  bank_reason: z.nullable(bankReason),
  /** The charge that the bank debits; null until it is sent. */
  payment_id: z.nullable(z.string()),
  /** The charge by which the payer can pay this cycle without the debit, and its page. */
  other_payment_id: z.nullable(z.string()),
  other_checkout_url: z.nullable(z.string()),
  paid_at: z.nullable(moment),
  attempts: z.array(debitAttempt),
});
export type Cycle = z.infer<typeof cycle>;

/** Amounts in BRL. */
export const subscription = z.object({
  id: z.string(),
  status: subscriptionStatus,
  payer: billedTo,
  /** The customer of the register whom it is for; null if it is for none. */
  customer_id: z.nullable(z.string()),
  description: z.string(),
  amount: z.nullable(brl),
  min_maximum: z.nullable(brl),
  period: subscriptionPeriod,
  first_day: z.string(),
  last_day: z.nullable(z.string()),
  retry_days: z.array(z.int()),
  authorization: z.enum(authorizations),
  mandate,
  /** The text that the payer pastes or scans in order to allow the debits; null if there is none, or not yet. */
  code: z.nullable(z.string()),
  /** The page on which the payer allows the debits, and later sees them. */
  page_url: z.string(),
  /** The charge that is paid along with the permission: of `pay` and `offer`. */
  first_payment_id: z.nullable(z.string()),
  external_id: z.nullable(z.string()),
  metadata: z.record(z.string(), z.string()),
  end: z.nullable(subscriptionEnd),
  ended_at: z.nullable(moment),
  /** The next cycle that is planned or under way. */
  next_cycle: z.nullable(cycle),
  /** The day of the next debit, also before its cycle is planned; null if none is to come. */
  next_debit_day: z.nullable(z.string()),
  created_at: moment,
  updated_at: moment,
});
export type Subscription = z.infer<typeof subscription>;

export const subscriptionsQuery = z.object({
  status: z.optional(subscriptionStatus),
  external_id: z.optional(z.string().check(z.maxLength(100))),
  customer_id: z.optional(z.uuid()),
  /** Name or document of the payer, or what is paid for. */
  search: z.optional(z.string().check(z.maxLength(100))),
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100)), 25),
  before: z.optional(z.string().check(z.maxLength(200))),
});

/** The money that subscriptions are expected to bring, and why others ended. Amounts in BRL. */
export const subscriptionSummary = z.object({
  waiting: z.int(),
  active: z.int(),
  past_due: z.int(),
  /** What falls due within 30 days: the number of cycles and their sum. Those of unknown amount only count. */
  expected_count: z.int(),
  expected: brl,
  /** How many ended within 90 days, by reason. */
  ended: z.array(z.object({ reason: subscriptionEnd, count: z.int() })),
});
