import * as z from 'zod/mini';
import { CHARGE_EXPIRY, PAGE_SIZE } from './limits.ts';
import { brl } from './money.ts';
import { moment } from './user.ts';

export const chargeStatuses = ['pending', 'paid', 'expired', 'refunded', 'error'] as const;
export const chargeStatus = z.enum(chargeStatuses);
export type ChargeStatus = z.infer<typeof chargeStatus>;

/** A charge in a list, with what its detail shows. Amounts in BRL. */
export const transaction = z.object({
  id: z.string(),
  status: chargeStatus,
  /** Gross. */
  amount: brl,
  /** Net: gross less fee. */
  credited_amount: brl,
  fee: brl,
  refunded_amount: brl,
  created_at: moment,
  paid_at: z.nullable(moment),
  expires_at: moment,
  /** Pix copia e cola; empty while the bank has not answered. */
  content: z.string(),
  end_to_end_id: z.nullable(z.string()),
});
export type Transaction = z.infer<typeof transaction>;

export const newPayment = z.object({
  /** In BRL. */
  amount: z.number({ error: 'Por favor, insira um valor válido.' }),
  /** Seconds. */
  expires_in: z._default(
    z
      .int({ error: 'A validade deve ser um número inteiro de segundos.' })
      .check(
        z.minimum(CHARGE_EXPIRY.min, 'A validade vai de 60 a 86400 segundos.'),
        z.maximum(CHARGE_EXPIRY.max, 'A validade vai de 60 a 86400 segundos.'),
      ),
    CHARGE_EXPIRY.default,
  ),
  callback_url: z.nullish(
    z
      .string({ error: 'A URL de callback deve ser um texto.' })
      .check(z.maxLength(2048, 'A URL de callback é longa demais.')),
  ),
  /** False: the answer comes without the picture, for who draws it from the code or shows none. */
  image: z._default(z.boolean({ error: 'O campo image deve ser true ou false.' }), true),
});
export type NewPayment = z.infer<typeof newPayment>;

export const createdPayment = z.object({
  id: z.string(),
  /** Pix copia e cola; `text` and `content` are the same. */
  text: z.string(),
  content: z.string(),
  /** QR code: a PNG as data URI; null when `image: false` was asked. */
  image: z.nullable(z.string()),
  status: chargeStatus,
  amount: brl,
  fee: brl,
  credited_amount: brl,
  created_at: moment,
  expires_at: moment,
});
export type CreatedPayment = z.infer<typeof createdPayment>;

export const paymentStatus = z.object({
  id: z.string(),
  status: chargeStatus,
  amount: brl,
  credited_amount: brl,
  created_at: moment,
  paid_at: z.nullable(moment),
  expires_at: moment,
  refunded_amount: brl,
});
export type PaymentStatus = z.infer<typeof paymentStatus>;

const day = z.iso.date('Use a data como AAAA-MM-DD.');

/** Query of the feed. Dates are calendar days of America/Sao_Paulo, both included. */
export const feedQuery = z.object({
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0)), 0),
  limit: z._default(
    z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_SIZE.max)),
    PAGE_SIZE.transactions,
  ),
  status: z.optional(chargeStatus),
  from: z.optional(day),
  to: z.optional(day),
  /** The beginning of an id or endToEndId, or an exact amount ("12,34"). */
  search: z.optional(z.string().check(z.maxLength(64))),
  /** Cursor: `next` of the page before; offset is ignored then. */
  before: z.optional(z.string().check(z.maxLength(200))),
});

export const feedCounts = z.object({
  all: z.int(),
  pending: z.int(),
  paid: z.int(),
  expired: z.int(),
  refunded: z.int(),
  error: z.int(),
});
export type FeedCounts = z.infer<typeof feedCounts>;

export const feed = z.object({
  data: z.array(transaction),
  transactions: z.array(transaction),
  /** How many the filter finds; with a period or a search, counted to 10,001 at most. */
  total: z.int(),
  counts: feedCounts,
  /** Cursor of the next older page; null on the last. */
  next: z.nullable(z.string()),
});
