import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/**
 * A payment to be added to the payment count and total of a payment link, or of a counter code (a printed QR Code).
 * `id` is the charge's for a link, and the code's for a counter code. Amount in integer cents.
 */
type CountedPayment = { readonly merchantId: number; readonly id: string; readonly amountCents: number };

/**
 * Adds payments to the counters of their payment links; `id` is the charge's. Locks the links until the transaction
 * ends; meanwhile these links create no other charges.
 */
export async function addPaymentsToLinks(tx: Tx, payments: readonly CountedPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await sql`
    update payment_links
    set payments = payment_links.payments + added.payments,
        received_cents = payment_links.received_cents + added.cents
    from (
      select links.merchant_id, links.id, total.payments, total.cents
      from payment_links links
      join (
        select options.merchant_id, options.payment_link_id, count(*) as payments, sum(paid.cents)::bigint as cents
        from ${unnestPayments(payments)} paid (merchant_id, id, cents)
        join charge_options options on options.merchant_id = paid.merchant_id and options.charge_id = paid.id
        group by options.merchant_id, options.payment_link_id
      ) total on total.merchant_id = links.merchant_id and total.payment_link_id = links.id
      order by links.merchant_id, links.id
      for no key update of links
    ) added
    where payment_links.merchant_id = added.merchant_id and payment_links.id = added.id
  `.execute(tx.db);
}

/** Adds payments to the counters of their counter codes; `id` is the code's. */
export async function addPaymentsToCounterCodes(tx: Tx, payments: readonly CountedPayment[]): Promise<void> {
  if (payments.length === 0) return;
  await sql`
    update counter_codes
    set payments = counter_codes.payments + added.payments,
        received_cents = counter_codes.received_cents + added.cents
    from (
      select codes.merchant_id, codes.id, total.payments, total.cents
      from counter_codes codes
      join (
        select merchant_id, id, count(*) as payments, sum(cents)::bigint as cents
        from ${unnestPayments(payments)} paid (merchant_id, id, cents)
        group by merchant_id, id
      ) total using (merchant_id, id)
      order by codes.merchant_id, codes.id
      for no key update of codes
    ) added
    where counter_codes.merchant_id = added.merchant_id and counter_codes.id = added.id
  `.execute(tx.db);
}

function unnestPayments(payments: readonly CountedPayment[]) {
  return sql`unnest(
    ${numberArray(payments.map(({ merchantId }) => merchantId))}::bigint[],
    ${textArray(payments.map(({ id }) => id))}::uuid[],
    ${numberArray(payments.map(({ amountCents }) => amountCents))}::bigint[])`;
}
