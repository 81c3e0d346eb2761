import * as z from 'zod/mini';
import { newDueTerms } from './due-terms.ts';
import { CHARGE_EXPIRY } from './limits.ts';
import { withoutMisleadingCharacters } from './misleading-characters.ts';
import { chargeRules } from './payer-rules.ts';

/*
 * What a request for a charge says. Apart from charges themselves, because of all screens only that which imports many
 * charges checks requests.
 */

/** The id of a charge in the integrator's own system. It need not be unique, since an order may be charged twice. */
export const externalId = z
  .string({ error: 'external_id deve ser um texto.' })
  .check(
    z.trim(),
    z.minLength(1, 'external_id deve ter de 1 a 100 caracteres.'),
    z.maxLength(100, 'external_id deve ter de 1 a 100 caracteres.'),
  );

const metadataRule =
  'metadata é um objeto com até 20 nomes de até 40 caracteres, cada um com um texto de até 500.';

/** Texts that an integrator stores with a charge, each under a name. */
export const metadata = z
  .record(z.string(), z.string({ error: metadataRule }), { error: metadataRule })
  .check(
    z.refine(
      (texts) =>
        Object.entries(texts).every(
          ([name, text]) => name.length >= 1 && name.length <= 40 && text.length <= 500,
        ) && Object.keys(texts).length <= 20,
      metadataRule,
    ),
  );
export type Metadata = Readonly<Record<string, string>>;

/** A text that tells the payer what the payment is for. */
export function description(maxLength: number) {
  const rule = `A descrição tem de 1 a ${maxLength} caracteres.`;
  return z
    .string({ error: 'A descrição deve ser um texto.' })
    .check(z.trim(), z.minLength(1, rule), z.maxLength(maxLength, rule), withoutMisleadingCharacters());
}

export const CHARGE_DESCRIPTION_MAX_LENGTH = 140;

/** The URL to which the payer returns after paying. The gateway refuses some URLs (INVALID_SUCCESS_URL). */
export const successUrl = z
  .string({ error: 'A success_url deve ser um texto.' })
  .check(z.trim(), z.maxLength(2000, 'A success_url é longa demais.'));

const amountRule = 'amount deve ser um número, em reais e sem aspas: 25.9, e não "25.9".';

/** An integrator's request for a charge. */
export const newPayment = z.object({
  /** In BRL. */
  amount: z.number({ error: amountRule }),
  /** How long the charge can be paid, in seconds. */
  expires_in: z._default(
    z
      .int({ error: 'A validade deve ser um número inteiro de segundos.' })
      .check(
        z.minimum(CHARGE_EXPIRY.min, 'A validade vai de 60 segundos a 30 dias (2592000 segundos).'),
        z.maximum(CHARGE_EXPIRY.max, 'A validade vai de 60 segundos a 30 dias (2592000 segundos).'),
      ),
    CHARGE_EXPIRY.default,
  ),
  callback_url: z.nullish(
    z
      .string({ error: 'A URL de callback deve ser um texto.' })
      .check(z.maxLength(2048, 'A URL de callback é longa demais.')),
  ),
  external_id: z.nullish(externalId),
  metadata: z.nullish(metadata),
  /** Shown to the payer on the payment page and the receipt. */
  description: z.nullish(description(CHARGE_DESCRIPTION_MAX_LENGTH)),
  /** The payment page links to this URL once the charge is paid. */
  success_url: z.nullish(successUrl),
  /** Whether the response contains the QR code as a picture. Callers that draw the QR code themselves pass false. */
  image: z._default(z.boolean({ error: 'O campo image deve ser true ou false.' }), true),
  /** The customer whom the charge is for, instead of `payer`. */
  customer_id: z.nullish(z.uuid('customer_id não é o id de um cliente.')),
  /** What happens with a Pix that is not as expected. */
  payer_rules: z.nullish(chargeRules),
  ...newDueTerms.shape,
});
export type NewPayment = z.infer<typeof newPayment>;
