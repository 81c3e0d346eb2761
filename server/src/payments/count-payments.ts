import { type RawBuilder, sql } from 'kysely';
import { numberArray, textArray } from '../db/arrays.ts';
import { isSharded } from '../db/sharding.ts';
import type { Tx } from '../db/transaction.ts';

/** A charge that was created by a payment link and is now paid. */
type PaidLinkCharge = { readonly merchantId: number; readonly id: string; readonly amountCents: number };

/**
 * Adds paid charges to the counters of the payment links that created them. Locks the links until the transaction ends;
 * meanwhile these links create no other charges.
 */
export async function addPaymentsToLinks(tx: Tx, charges: readonly PaidLinkCharge[]): Promise<void> {
  if (charges.length === 0) return;
  const paymentsOfLinks = sql`
    select options.merchant_id, options.payment_link_id, count(*) as payments, sum(paid.cents)::bigint as cents
    from ${unnestPayments(charges)} paid (merchant_id, charge_id, cents)
    join charge_options options
      on options.merchant_id = paid.merchant_id and options.charge_id = paid.charge_id
    group by options.merchant_id, options.payment_link_id`;
  await sql`
    update payment_links
    set payments = payment_links.payments + added.payments,
        received_cents = payment_links.received_cents + added.cents
    from (
      select links.merchant_id, links.id, total.payments, total.cents
      from payment_links links
      join (${isSharded() ? await readPayments(tx, paymentsOfLinks) : paymentsOfLinks}) total
        on total.merchant_id = links.merchant_id and total.payment_link_id = links.id
      order by links.merchant_id, links.id
      for no key update of links
    ) added
    where payment_links.merchant_id = added.merchant_id and payment_links.id = added.id
  `.execute(tx.db);
}

/** Reads the rows of a query first, since in a cluster they are on other servers than the links that are changed. */
async function readPayments(tx: Tx, query: RawBuilder<unknown>): Promise<RawBuilder<unknown>> {
  type Row = { merchant_id: number; payment_link_id: string; payments: number; cents: number };
  const { rows } = await (query as RawBuilder<Row>).execute(tx.db);
  return sql`select * from unnest(
    ${numberArray(rows.map((row) => row.merchant_id))}::bigint[],
    ${textArray(rows.map((row) => row.payment_link_id))}::uuid[],
    ${numberArray(rows.map((row) => row.payments))}::bigint[],
    ${numberArray(rows.map((row) => row.cents))}::bigint[]
  ) payment (merchant_id, payment_link_id, payments, cents)`;
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
      for no key update of codes
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
