import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';

export type PixOutcome = 'credited' | 'suspense' | 'assigned' | 'returning' | 'returned';

/** A received Pix as booked. Amounts in integer cents. */
export type ReceivedPix = {
  readonly endToEndId: string;
  readonly merchantId: number;
  readonly chargeId: string | null;
  readonly outcome: PixOutcome;
  readonly amountCents: number;
  readonly paidAt: Date;
};

/** Locks the Pix: serializes decisions about an unclaimed Pix. */
export async function lockReceivedPix(tx: Tx, endToEndId: string): Promise<ReceivedPix | undefined> {
  const row = await tx.db
    .selectFrom('received_pix')
    .select(['end_to_end_id', 'merchant_id', 'charge_id', 'outcome', 'amount_cents', 'paid_at'])
    .where('end_to_end_id', '=', endToEndId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return (
    row && {
      endToEndId: row.end_to_end_id,
      merchantId: row.merchant_id,
      chargeId: row.charge_id,
      // The table's CHECK admits only these words.
      outcome: row.outcome as PixOutcome,
      amountCents: row.amount_cents,
      paidAt: row.paid_at,
    }
  );
}

export async function setOutcome(
  tx: Tx,
  endToEndId: string,
  outcome: Exclude<PixOutcome, 'credited' | 'assigned'>,
): Promise<void> {
  await tx.db.updateTable('received_pix').set({ outcome }).where('end_to_end_id', '=', endToEndId).execute();
}

/** Assigns a Pix to the merchant of the charge created for it. */
export async function setAssigned(
  tx: Tx,
  endToEndId: string,
  { merchantId, chargeId }: { readonly merchantId: number; readonly chargeId: string },
): Promise<void> {
  await tx.db
    .updateTable('received_pix')
    .set({ outcome: 'assigned', merchant_id: merchantId, charge_id: chargeId })
    .where('end_to_end_id', '=', endToEndId)
    .execute();
}

/** Returned and pending amounts of an unclaimed Pix, in integer cents. */
export async function sumReturns(
  tx: Tx,
  endToEndId: string,
): Promise<{ refundedCents: number; refundingCents: number }> {
  const { rows } = await sql<{ refunded: number; refunding: number }>`
    select coalesce(sum(amount_cents) filter (where status = 'completed'), 0)::bigint as refunded,
           coalesce(sum(amount_cents) filter (where status = 'processing'), 0)::bigint as refunding
    from refunds where merchant_id = ${PLATFORM} and end_to_end_id = ${endToEndId}
  `.execute(tx.db);
  return { refundedCents: rows[0]?.refunded ?? 0, refundingCents: rows[0]?.refunding ?? 0 };
}
