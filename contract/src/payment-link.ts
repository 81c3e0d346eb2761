import * as z from 'zod/mini';
import { description, successUrl } from './charge.ts';
import { brl, chargeBrl } from './money.ts';
import { showsAsWritten } from './shown-text.ts';
import { moment } from './user.ts';

export const PAYMENT_LINKS = {
  titleMaxLength: 80,
  descriptionMaxLength: 280,
  /** The most that a limit of payments may name. */
  maxPayments: 1_000_000,
  /** A charge made by a link may be paid for so long. */
  chargeSeconds: 1800,
} as const;

/**
 * `off`: its owner switched it off; `ended`: its last moment has passed; `sold_out`: as many payments as it takes were
 * made. The first that applies, in this order.
 */
export const paymentLinkStates = ['active', 'off', 'ended', 'sold_out'] as const;
export type PaymentLinkState = (typeof paymentLinkStates)[number];

/** A page that makes a charge for everybody who wants to pay. Amounts in BRL. */
export const paymentLink = z.object({
  id: z.string(),
  /** The page that payers open. */
  url: z.string(),
  title: z.string(),
  description: z.nullable(z.string()),
  /** Null: who pays types it. */
  amount: z.nullable(brl),
  max_payments: z.nullable(z.int()),
  ends_at: z.nullable(moment),
  success_url: z.nullable(z.string()),
  /** Whether its owner left it switched on. */
  active: z.boolean(),
  state: z.enum(paymentLinkStates),
  /** How many payments were made by it, and their gross sum: refunds lower neither. */
  payments: z.int(),
  received: brl,
  created_at: moment,
  updated_at: moment,
  /** To be sent back with a change. */
  version: z.int(),
});
export type PaymentLink = z.infer<typeof paymentLink>;

const title = z
  .string({ error: 'Informe um título.' })
  .check(
    z.trim(),
    z.minLength(1, 'Informe um título.'),
    z.maxLength(PAYMENT_LINKS.titleMaxLength, 'O título tem no máximo 80 caracteres.'),
    showsAsWritten(),
  );

const maxPaymentsRule = 'O limite de pagamentos é um número inteiro, de 1 a 1.000.000.';

const fields = {
  title,
  description: z.nullish(description(PAYMENT_LINKS.descriptionMaxLength)),
  amount: z.nullish(chargeBrl),
  max_payments: z.nullish(
    z
      .int({ error: maxPaymentsRule })
      .check(z.minimum(1, maxPaymentsRule), z.maximum(PAYMENT_LINKS.maxPayments, maxPaymentsRule)),
  ),
  ends_at: z.nullish(z.iso.datetime({ offset: true, error: 'Informe o fim como 2026-11-22T14:00:00Z.' })),
  success_url: z.nullish(successUrl),
};

export const newPaymentLink = z.object({
  ...fields,
  active: z._default(z.boolean({ error: 'O campo active deve ser true ou false.' }), true),
});
export type NewPaymentLink = z.infer<typeof newPaymentLink>;

/** The whole of it: what is left out is taken away. */
export const changedPaymentLink = z.object({
  ...fields,
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  /** The version that was seen. */
  version: z.int({ error: 'Informe a versão (version) que você leu.' }),
});
export type ChangedPaymentLink = z.infer<typeof changedPaymentLink>;
