import { sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import { lockSeveral } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';

/** A charge that was created by a payment link and is now paid. */
type PaidLinkCharge = { readonly merchantId: number; readonly id: string; readonly amountCents: number };

/**
 * Adds paid charges to the counters of the payment links that created them. Locks the links until the transaction ends;
 * meanwhile these links create no other charges.
 */
export async function addPaymentsToLinks(tx: Tx, charges: readonly PaidLinkCharge[]): Promise<void> {
  if (charges.length === 0) return;
  await sql`
    update payment_links
    set payments = payment_links.payments + added.payments,
        received_cents = payment_links.received_cents + added.cents
    from (
      select links.merchant_id, links.id, total.payments, total.cents
      from payment_links links
      join (
        select options.merchant_id, options.payment_link_id, count(*) as payments, sum(paid.cents)::bigint as cents
        from ${unnestPayments(charges)} paid (merchant_id, charge_id, cents)
        join charge_options options
          on options.merchant_id = paid.merchant_id and options.charge_id = paid.charge_id
        group by options.merchant_id, options.payment_link_id
      ) total on total.merchant_id = links.merchant_id and total.payment_link_id = links.id
      order by links.merchant_id, links.id
      ${lockSeveral('for no key update', 'links')}
    ) added
    where payment_links.merchant_id = added.merchant_id and payment_links.id = added.id
  `.execute(tx.db);
}

/** A payment made with a counter code, a printed QR Code. */
type CounterCodePayment = {
  readonly merchantId: number;
  readonly counterCodeId: string;
  readonly amountCents: number;
};

/** Adds payments to the counters of their counter codes. */
export async function addPaymentsToCounterCodes(
  tx: Tx,
  payments: readonly CounterCodePayment[],
): Promise<void> {
  if (payments.length === 0) return;
  const idsAndAmounts = payments.map(({ counterCodeId, ...payment }) => ({ ...payment, id: counterCodeId }));
  await sql`
    update counter_codes
    set payments = counter_codes.payments + added.payments,
        received_cents = counter_codes.received_cents + added.cents
    from (
      select codes.merchant_id, codes.id, total.payments, total.cents
      from counter_codes codes
      join (
        select merchant_id, id, count(*) as payments, sum(cents)::bigint as cents
        from ${unnestPayments(idsAndAmounts)} paid (merchant_id, id, cents)
        group by merchant_id, id
      ) total using (merchant_id, id)
      order by codes.merchant_id, codes.id
      ${lockSeveral('for no key update', 'codes')}
    ) added
    where counter_codes.merchant_id = added.merchant_id and counter_codes.id = added.id
  `.execute(tx.db);
}

function unnestPayments(
  payments: readonly { readonly merchantId: number; readonly id: string; readonly amountCents: number }[],
) {
  return sql`unnest(
    ${numberArray(payments.map(({ merchantId }) => merchantId))}::bigint[],
    ${textArray(payments.map(({ id }) => id))}::uuid[],
    ${numberArray(payments.map(({ amountCents }) => amountCents))}::bigint[])`;
}
