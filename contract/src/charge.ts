import * as z from 'zod/mini';
import { billedTo, due } from './due.ts';
import { PAGE_SIZE } from './limits.ts';
import { maker } from './maker.ts';
import { brl } from './money.ts';
import { day, periodInOrder } from './period.ts';
import { moment } from './user.ts';

/*
 * A charge (cobrança) is a request for one Pix payment of a fixed amount. The specification also calls it a payment (in
 * the integrator's calls) and a transaction (in lists).
 */

/** `error`: the bank did not create the charge. A charge that the merchant cancelled is `expired`. */
export const chargeStatuses = ['pending', 'paid', 'expired', 'refunded', 'error'] as const;
export const chargeStatus = z.enum(chargeStatuses);
export type ChargeStatus = z.infer<typeof chargeStatus>;

/** The payer as reported by the bank. If `document` is a CPF, only its middle digits are shown. */
export const payer = z.object({ name: z.nullable(z.string()), document: z.nullable(z.string()) });
export type Payer = z.infer<typeof payer>;

/** A charge in a list. It has every field that its detail view needs. Amounts in BRL. */
export const transaction = z.object({
  id: z.string(),
  external_id: z.nullable(z.string()),
  metadata: z.record(z.string(), z.string()),
  /** Shown to the payer. */
  description: z.nullable(z.string()),
  /** The URL to which the payer returns after paying. */
  success_url: z.nullable(z.string()),
  /** The payment page. */
  checkout_url: z.string(),
  /** The receipt page; null before the charge is paid. */
  receipt_url: z.nullable(z.string()),
  /** The payment link or the counter code that created the charge; at most one of the two ids is set. */
  payment_link_id: z.nullable(z.string()),
  counter_code_id: z.nullable(z.string()),
  status: chargeStatus,
  /** The gross amount. */
  amount: brl,
  /** What enters the balance: gross less fee. At an account of the merchant's own it is gross, and the fee falls due. */
  credited_amount: brl,
  /** The part of the net amount that is withheld for some days after the payment (the reserve). 0 at an account of the merchant's own. */
  reserved_amount: brl,
  fee: brl,
  /** True at an account of the merchant's own: the fee is not kept back, it goes on the monthly fee statement. */
  fee_billed: z.optional(z.boolean()),
  /** The merchant's own account into which it is, or would be, paid, by the name that the merchant gave it. */
  account_name: z.optional(z.string()),
  refunded_amount: brl,
  created_at: moment,
  paid_at: z.nullable(moment),
  expires_at: moment,
  /** The code that the payer pastes (Pix copia e cola); empty until the bank has responded. */
  content: z.string(),
  /** The id of the payment in the nationwide Pix system; null before the charge is paid. */
  end_to_end_id: z.nullable(z.string()),
  /** Null before the payment, and also afterwards if the bank does not report who paid. */
  payer: z.nullable(payer),
  /** When the merchant cancelled the charge. The status is then expired, or paid if a Pix was already on its way. */
  cancelled_at: z.nullable(moment),
  /** The customer whom the charge is for, if it is for one of the register. */
  customer_id: z.optional(z.string()),
  /** Whom the charge is for, if it names somebody. */
  billed_to: z.optional(billedTo),
  /** Only for a charge with a due date. */
  due: z.optional(due),
});
export type Transaction = z.infer<typeof transaction>;

/** The response to a request for a charge. */
export const createdPayment = z.object({
  id: z.string(),
  external_id: z.nullable(z.string()),
  metadata: z.record(z.string(), z.string()),
  /** Shown to the payer. */
  description: z.nullable(z.string()),
  /** The URL to which the payer returns after paying. */
  success_url: z.nullable(z.string()),
  /** The payment page. */
  checkout_url: z.string(),
  /**
   * The code that the payer pastes (Pix copia e cola), under both names that the specification uses: `text` and
   * `content` are equal.
   */
  text: z.string(),
  content: z.string(),
  /** The QR code as a PNG in a data URI; null if the request had `image: false`. */
  image: z.nullable(z.string()),
  status: chargeStatus,
  amount: brl,
  fee: brl,
  /** True at an account of the merchant's own: the fee is not kept back, it goes on the monthly fee statement. */
  fee_billed: z.optional(z.boolean()),
  credited_amount: brl,
  /** The part of the net amount that will be withheld for some days after the payment (the reserve). */
  reserved_amount: brl,
  created_at: moment,
  expires_at: moment,
  /** The customer whom the charge is for, if it is for one of the register. */
  customer_id: z.optional(z.string()),
  /** Whom the charge is for, if it names somebody. */
  billed_to: z.optional(billedTo),
  /** Only for a charge with a due date. */
  due: z.optional(due),
});
export type CreatedPayment = z.infer<typeof createdPayment>;

/** A charge as an integrator reads it by its id. */
export const paymentStatus = z.object({
  id: z.string(),
  external_id: z.nullable(z.string()),
  metadata: z.record(z.string(), z.string()),
  /** Shown to the payer. */
  description: z.nullable(z.string()),
  /** The URL to which the payer returns after paying. */
  success_url: z.nullable(z.string()),
  /** The payment page. */
  checkout_url: z.string(),
  /** The receipt page; null before the charge is paid. */
  receipt_url: z.nullable(z.string()),
  /** The payment link or the counter code that created the charge; at most one of the two ids is set. */
  payment_link_id: z.nullable(z.string()),
  counter_code_id: z.nullable(z.string()),
  status: chargeStatus,
  amount: brl,
  credited_amount: brl,
  /** The part of the net amount that is withheld for some days after the payment (the reserve). */
  reserved_amount: brl,
  created_at: moment,
  paid_at: z.nullable(moment),
  expires_at: moment,
  refunded_amount: brl,
  /** The id of the payment in the nationwide Pix system; null before the charge is paid. */
  end_to_end_id: z.nullable(z.string()),
  payer: z.nullable(payer),
  cancelled_at: z.nullable(moment),
  /** The customer whom the charge is for, if it is for one of the register. */
  customer_id: z.optional(z.string()),
  /** Whom the charge is for, if it names somebody. */
  billed_to: z.optional(billedTo),
  /** Only for a charge with a due date. */
  due: z.optional(due),
});
export type PaymentStatus = z.infer<typeof paymentStatus>;

/**
 * Query of the feed, the dashboard's list of charges. `from` and `to` are calendar days in America/Sao_Paulo, both
 * inclusive.
 */
export const feedQuery = periodInOrder(
  z.object({
    offset: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
      PAGE_SIZE.transactions,
    ),
    status: z.optional(chargeStatus),
    from: z.optional(day),
    to: z.optional(day),
    /**
     * Finds charges by the beginning of their id or endToEndId, by their exact amount ("12,34") or by their
     * external_id. A leading "#" limits the search to external_id.
     */
    search: z.optional(z.string().check(z.maxLength(64))),
    /** Cursor: `next` of the previous page. With a cursor, `offset` is ignored. */
    before: z.optional(z.string().check(z.maxLength(200))),
  }),
);

/** The number of charges in each status. */
export const feedCounts = z.object({
  all: z.int(),
  pending: z.int(),
  paid: z.int(),
  expired: z.int(),
  refunded: z.int(),
  error: z.int(),
});
export type FeedCounts = z.infer<typeof feedCounts>;

/** A page of the feed. `data` and `transactions` are equal: the specification has both names for the charges. */
export const feed = z.object({
  data: z.array(transaction),
  transactions: z.array(transaction),
  /** The number of charges that match. With a period or a search, counting stops at 10,001 to bound its cost. */
  total: z.int(),
  counts: feedCounts,
  /** The `before` that requests the next page, of older charges; null on the last page. */
  next: z.nullable(z.string()),
});

/**
 * Query of an integrator's list of charges. `from` and `to` are calendar days in America/Sao_Paulo, both inclusive.
 */
export const paymentsQuery = periodInOrder(
  z.object({
    external_id: z.optional(z.string().check(z.maxLength(100))),
    /** Finds charges whose metadata has the text `metadata_value`, in full, under the name `metadata_name`. */
    metadata_name: z.optional(z.string().check(z.maxLength(40))),
    metadata_value: z.optional(z.string().check(z.maxLength(500))),
    /** Finds charges that this payment link or counter code created. */
    payment_link_id: z.optional(z.uuid()),
    counter_code_id: z.optional(z.uuid()),
    /** Finds the charges of this customer. */
    customer_id: z.optional(z.uuid()),
    status: z.optional(chargeStatus),
    from: z.optional(day),
    to: z.optional(day),
    limit: z._default(
      z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
      PAGE_SIZE.transactions,
    ),
    /** Cursor: `next` of the previous page. */
    before: z.optional(z.string().check(z.maxLength(200))),
  }),
);

export const payments = z.object({
  data: z.array(transaction),
  /** The `before` that requests the next page, of older charges; null on the last page. */
  next: z.nullable(z.string()),
});

/** One entry of a charge's timeline, which lists in chronological order what happened to the charge. */
export const timelineEntry = z.object({
  at: moment,
  kind: z.enum([
    'created',
    'cancelled',
    'expired',
    'failed',
    'paid',
    'credited',
    'webhook',
    'refund',
    'dispute',
  ]),
  /** What happened, in one Portuguese sentence. */
  title: z.string(),
  /** Ids and amounts with which the step can be found elsewhere, for example at the bank. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  /** False if this step failed. */
  ok: z.boolean(),
  /** The member who created the charge, or asked for the refund, in the dashboard. Absent from answers to an API key. */
  made_by: z.optional(maker),
});
export type TimelineEntry = z.infer<typeof timelineEntry>;
