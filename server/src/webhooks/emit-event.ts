import { brlFromCents, type ChargeStatus, type PaymentEvent } from '@jangada/contract';
import { sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';

/** A charge that changed, as its webhook tells it. Amounts in integer cents. */
export type PaymentChange = {
  readonly type: PaymentEvent['type'];
  readonly merchantId: number;
  readonly chargeId: string;
  readonly callbackUrl: string | null;
  readonly status: ChargeStatus;
  readonly amountCents: number;
  /** Only when something went back. */
  readonly refundedCents?: number;
  readonly createdAt: Date;
};

/** Writes one delivery for each change whose charge has a callback address, all in one statement. */
export async function emitPaymentEvents(tx: Tx, changes: readonly PaymentChange[]): Promise<void> {
  const told = changes.flatMap((change) =>
    change.callbackUrl === null ? [] : [{ ...change, callbackUrl: change.callbackUrl }],
  );
  if (told.length === 0) return;
  await sql`
    with delivery as (
      insert into webhook_deliveries (merchant_id, id, type, subject_id, url, endpoint, body, due_at, created_at)
      select merchant_id, id, type, subject_id, url, endpoint, body, ${tx.now}, ${tx.now}
      from unnest(
        ${told.map((change) => change.merchantId)}::bigint[],
        ${told.map(eventId)}::text[],
        ${told.map((change) => change.type)}::text[],
        ${told.map((change) => change.chargeId)}::uuid[],
        ${told.map((change) => change.callbackUrl)}::text[],
        ${told.map((change) => new URL(change.callbackUrl).origin)}::text[],
        ${told.map((change) => JSON.stringify(bodyOf(change, tx.now)))}::text[]
      ) told (merchant_id, id, type, subject_id, url, endpoint, body)
      returning merchant_id, endpoint
    )
    insert into webhook_lane_changes (merchant_id, endpoint) select distinct merchant_id, endpoint from delivery
  `.execute(tx.db);
}

/** One charge comes to each status once, and is told of it once: the database refuses a second. */
function eventId({ chargeId, status }: PaymentChange): string {
  return `evt_${chargeId.replaceAll('-', '')}_${status}`;
}

function bodyOf(change: PaymentChange, now: Date): PaymentEvent {
  return {
    type: change.type,
    id: change.chargeId,
    paymentId: change.chargeId,
    status: change.status,
    amount: brlFromCents(change.amountCents),
    ...(change.refundedCents === undefined ? {} : { refunded_amount: brlFromCents(change.refundedCents) }),
    created_at: change.createdAt.toISOString(),
    updated_at: now.toISOString(),
  };
}
