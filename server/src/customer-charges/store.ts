import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';

/** A customer of a merchant. */
export type CustomerKey = { readonly merchantId: number; readonly customerId: string };

/** How many open charges of one customer are read, which bounds the cost of a page that anybody may open. */
const maxOpenCharges = 200;
const maxPaidCharges = 100;

const chargesOf = (db: Db, { merchantId, customerId }: CustomerKey) =>
  db
    .selectFrom('charge_options as options')
    .innerJoin('charges', (join) =>
      join
        .onRef('charges.merchant_id', '=', 'options.merchant_id')
        .onRef('charges.id', '=', 'options.charge_id'),
    )
    .where('options.merchant_id', '=', merchantId)
    .where('options.customer_id', '=', customerId);

/** Reads the charges that the customer can pay now, those that end first at the beginning. */
export function selectOpenCharges(db: Db, key: CustomerKey, now: Date) {
  return chargesOf(db, key)
    .select(['charges.id', 'charges.merchant_id as merchantId', 'charges.txid', 'options.description'])
    .select(['charges.amount_cents as amountCents', 'charges.due_date as dueDate'])
    .select(['charges.expires_at as expiresAt'])
    .where('charges.status', '=', 'pending')
    .where('charges.cancelled_at', 'is', null)
    .where('charges.br_code', '!=', '')
    .where('charges.expires_at', '>', now)
    .orderBy('charges.due_date')
    .orderBy('charges.expires_at')
    .limit(maxOpenCharges)
    .execute();
}

/** Reads the charges that were paid since a moment, the newest payment first. */
export function selectPaidCharges(db: Db, key: CustomerKey, since: Date) {
  return chargesOf(db, key)
    .select(['charges.txid', 'options.description', 'charges.amount_cents as amountCents'])
    .select(['charges.refunded_cents as refundedCents', 'charges.paid_at as paidAt'])
    .where('charges.status', 'in', ['paid', 'refunded'])
    .where('charges.paid_at', '>=', since)
    .orderBy('charges.paid_at', 'desc')
    .limit(maxPaidCharges)
    .execute();
}

/** Counts and adds up what the customer ever paid, less what was given back. */
export async function sumPaid(db: Db, key: CustomerKey): Promise<{ count: number; cents: number }> {
  return await chargesOf(db, key)
    .select(sql<number>`count(*)`.as('count'))
    .select(sql<number>`coalesce(sum(charges.amount_cents - charges.refunded_cents), 0)::bigint`.as('cents'))
    .where('charges.status', 'in', ['paid', 'refunded'])
    .executeTakeFirstOrThrow();
}
