import { sql } from 'kysely';
import { numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';

/** A payment to be counted by a payment link or counter code. Amounts in integer cents. */
type Counted = { readonly merchantId: number; readonly id: string; readonly amountCents: number };

/**
 * Adds payments to the counters of their payment links. `id`: the charge's. Locks the links, so creating a charge by
 * one waits.
 */
export async function countLinkPayments(tx: Tx, paid: readonly Counted[]): Promise<void> {
  if (paid.length === 0) return;
  await sql`
    update payment_links
    set payments = payment_links.payments + counting.payments,
        received_cents = payment_links.received_cents + counting.cents
    from (
      select links.merchant_id, links.id, gained.payments, gained.cents
      from payment_links links
      join (
        select made.merchant_id, made.link_id, count(*) as payments, sum(paid.cents)::bigint as cents
        from ${unnested(paid)} paid (merchant_id, id, cents)
        join charge_options made on made.merchant_id = paid.merchant_id and made.charge_id = paid.id
        group by made.merchant_id, made.link_id
      ) gained on gained.merchant_id = links.merchant_id and gained.link_id = links.id
      order by links.merchant_id, links.id
      for no key update of links
    ) counting
    where payment_links.merchant_id = counting.merchant_id and payment_links.id = counting.id
  `.execute(tx.db);
}

/** Adds payments to the counters of their counter codes. `id`: the code's. */
export async function countCounterPayments(tx: Tx, paid: readonly Counted[]): Promise<void> {
  if (paid.length === 0) return;
  await sql`
    update counter_codes
    set payments = counter_codes.payments + counting.payments,
        received_cents = counter_codes.received_cents + counting.cents
    from (
      select codes.merchant_id, codes.id, gained.payments, gained.cents
      from counter_codes codes
      join (
        select merchant_id, id, count(*) as payments, sum(cents)::bigint as cents
        from ${unnested(paid)} paid (merchant_id, id, cents)
        group by merchant_id, id
      ) gained using (merchant_id, id)
      order by codes.merchant_id, codes.id
      for no key update of codes
    ) counting
    where counter_codes.merchant_id = counting.merchant_id and counter_codes.id = counting.id
  `.execute(tx.db);
}

function unnested(paid: readonly Counted[]) {
  return sql`unnest(
    ${numbers(paid.map(({ merchantId }) => merchantId))}::bigint[], ${texts(paid.map(({ id }) => id))}::uuid[],
    ${numbers(paid.map(({ amountCents }) => amountCents))}::bigint[])`;
}
