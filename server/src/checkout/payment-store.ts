import type { Db } from '../db/pool.ts';
import { chargeKeyOf } from '../payments/index.ts';

/** Finds a charge by its txid (its identifier at the bank), with the fields that its payer sees. */
export async function findPayerCharge(db: Db, txid: string) {
  const key = chargeKeyOf(txid);
  if (key === undefined) return undefined;
  return await db
    .selectFrom('charges')
    .leftJoin('charge_options as options', (join) =>
      join
        .onRef('options.merchant_id', '=', 'charges.merchant_id')
        .onRef('options.charge_id', '=', 'charges.id'),
    )
    .leftJoin('payment_links as links', (join) =>
      join
        .onRef('links.merchant_id', '=', 'options.merchant_id')
        .onRef('links.id', '=', 'options.payment_link_id'),
    )
    .select(['charges.merchant_id as merchantId', 'charges.connection_id as connectionId'])
    .select(['charges.id', 'charges.due_date as dueDate'])
    .select(['charges.txid', 'charges.status'])
    .select(['charges.amount_cents as amountCents', 'charges.refunded_cents as refundedCents'])
    .select(['charges.expires_at as expiresAt', 'charges.cancelled_at as cancelledAt'])
    .select(['charges.paid_at as paidAt', 'charges.end_to_end_id as endToEndId', 'br_code as brCode'])
    .select(['options.description', 'options.success_url as successUrl', 'links.slug as linkSlug'])
    .where('charges.merchant_id', '=', key.merchantId)
    .where('charges.id', '=', key.id)
    .where('txid', '=', txid)
    .executeTakeFirst();
}

/** Finds the fields for which the payment page polls. Reads just one row, by its key, because polls are frequent. */
export async function findChargeStatusFields(db: Db, txid: string) {
  const key = chargeKeyOf(txid);
  if (key === undefined) return undefined;
  return await db
    .selectFrom('charges')
    .select(['status', 'expires_at as expiresAt', 'cancelled_at as cancelledAt', 'paid_at as paidAt'])
    .where('merchant_id', '=', key.merchantId)
    .where('id', '=', key.id)
    .where('txid', '=', txid)
    .executeTakeFirst();
}
