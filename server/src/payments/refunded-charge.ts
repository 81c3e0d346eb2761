import { sql } from 'kysely';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { Charge } from './payment.ts';
import { chargeColumns, chargeFrom } from './store.ts';

/** A charge with what of it is on its way back, in integer cents. */
export type RefundableCharge = Charge & { readonly refundingCents: number };

export async function findRefundableCharge(
  db: Db | Tx['db'],
  merchantId: number,
  id: string,
): Promise<RefundableCharge | undefined> {
  const row = await selectCharge(db, merchantId, id).executeTakeFirst();
  return row && { ...chargeFrom(row), refundingCents: row.refunding_cents };
}

/** The same, locked: whoever changes what goes back of a payment, or claims it, waits here. */
export async function lockRefundableCharge(
  tx: Tx,
  merchantId: number,
  id: string,
): Promise<RefundableCharge | undefined> {
  const row = await selectCharge(tx.db, merchantId, id).forNoKeyUpdate().executeTakeFirst();
  return row && { ...chargeFrom(row), refundingCents: row.refunding_cents };
}

function selectCharge(db: Db | Tx['db'], merchantId: number, id: string) {
  return db
    .selectFrom('charges')
    .select([...chargeColumns, 'refunding_cents'])
    .where('merchant_id', '=', merchantId)
    .where('id', '=', id);
}

/** By how much of a charge more is on its way back, or is back, in integer cents; less where negative. */
export type RefundChange = { readonly refundingCents: number; readonly refundedCents: number };

/**
 * Changes what a locked charge says of its refunds; wholly back, it is refunded. The last statement of a transaction that
 * books a refund: it locks the merchant's counters.
 */
export async function changeRefunds(
  tx: Tx,
  charge: Pick<Charge, 'merchantId' | 'id'>,
  { refundingCents, refundedCents }: RefundChange,
): Promise<void> {
  await sql`
    update charges
    set refunding_cents = refunding_cents + ${refundingCents}, refunded_cents = refunded_cents + ${refundedCents},
        status = case when refunded_cents + ${refundedCents} = amount_cents then 'refunded' else status end,
        updated_at = ${tx.now}
    where merchant_id = ${charge.merchantId} and id = ${charge.id}
  `.execute(tx.db);
}
