import * as z from 'zod/mini';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { brl, chargeBrl } from './money.ts';
import { description, successUrl } from './new-payment.ts';
import { moment } from './user.ts';

export const PAYMENT_LINK_LIMITS = {
  titleMaxLength: 80,
  descriptionMaxLength: 280,
  /** The highest limit that `max_payments` may set. */
  maxPayments: 1_000_000,
  /** How long a charge created by a link can be paid, in seconds. */
  chargeSeconds: 1800,
} as const;

/**
 * `off`: the owner switched the link off. `ended`: the link's end time has passed. `sold_out`: the link's limit of
 * payments is reached. If several apply, the state is the first of them in this order.
 */
export const paymentLinkStates = ['active', 'off', 'ended', 'sold_out'] as const;
export type PaymentLinkState = (typeof paymentLinkStates)[number];

/** A page that creates a charge for each payer. Amounts in BRL. */
export const paymentLink = z.object({
  id: z.string(),
  /** The page for payers. */
  url: z.string(),
  title: z.string(),
  description: z.nullable(z.string()),
  /** Null if the payer chooses the amount. */
  amount: z.nullable(brl),
  max_payments: z.nullable(z.int()),
  ends_at: z.nullable(moment),
  success_url: z.nullable(z.string()),
  /** Whether the owner has switched the link on. */
  active: z.boolean(),
  state: z.enum(paymentLinkStates),
  /** The number of payments through this link, refunded ones included. */
  payments: z.int(),
  /** The gross sum of those payments. Refunds do not reduce it. */
  received: brl,
  created_at: moment,
  updated_at: moment,
  /** A change must name the version that its author read, and is refused if another change came first. */
  version: z.int(),
});
export type PaymentLink = z.infer<typeof paymentLink>;

const title = z
  .string({ error: 'Informe um título.' })
  .check(
    z.trim(),
    z.minLength(1, 'Informe um título.'),
    z.maxLength(PAYMENT_LINK_LIMITS.titleMaxLength, 'O título tem no máximo 80 caracteres.'),
    withoutMisleadingCharacters(),
  );

const maxPaymentsRule = 'O limite de pagamentos é um número inteiro, de 1 a 1.000.000.';

const sharedFields = z.object({
  title,
  description: z.nullish(description(PAYMENT_LINK_LIMITS.descriptionMaxLength)),
  amount: z.nullish(chargeBrl),
  max_payments: z.nullish(
    z
      .int({ error: maxPaymentsRule })
      .check(z.minimum(1, maxPaymentsRule), z.maximum(PAYMENT_LINK_LIMITS.maxPayments, maxPaymentsRule)),
  ),
  ends_at: z.nullish(z.iso.datetime({ offset: true, error: 'Informe o fim como 2026-11-22T14:00:00Z.' })),
  success_url: z.nullish(successUrl),
});

export const newPaymentLink = z.extend(sharedFields, {
  active: z._default(z.boolean({ error: 'O campo active deve ser true ou false.' }), true),
});
export type NewPaymentLink = z.infer<typeof newPaymentLink>;

/** A change replaces the whole link, so fields that the change omits are removed. */
export const changedPaymentLink = z.extend(sharedFields, {
  active: z.boolean({ error: 'O campo active deve ser true ou false.' }),
  /** The version that the caller last read. */
  version: z.int({ error: 'Informe a versão (version) que você leu.' }),
});
export type ChangedPaymentLink = z.infer<typeof changedPaymentLink>;
