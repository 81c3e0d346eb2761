import { brlFromCents, type ChargeStatus, type PaymentEvent } from '@jangada/contract';
import { sql } from 'kysely';
import { jsonLines, numbers, texts } from '../db/arrays.ts';
import type { Tx } from '../db/transaction.ts';
import { distinctEndpoints, type Endpoint } from './lane-store.ts';

/** A charge that changed, as its webhook tells it. Amounts in integer cents. */
export type PaymentChange = {
  readonly type: PaymentEvent['type'];
  readonly merchantId: number;
  readonly chargeId: string;
  readonly callbackUrl: string | null;
  readonly status: ChargeStatus;
  readonly amountCents: number;
  /** Only when something went back: all that did so far, and the refund that did now. */
  readonly refundedCents?: number;
  readonly refundId?: string;
  readonly createdAt: Date;
};

/** Writes one delivery for each change whose charge has a callback address, all in one statement. */
export async function emitPaymentEvents(tx: Tx, changes: readonly PaymentChange[]): Promise<void> {
  const told = changes.filter(hasCallback);
  if (told.length === 0) return;
  const endpoints = endpointsOf(told);
  const changed = distinctEndpoints(endpoints);
  const now = tx.now.toISOString();
  await sql`
    with delivery as (
      insert into webhook_deliveries (merchant_id, id, type, subject_id, url, endpoint, body, due_at, created_at)
      select merchant_id, id, type, subject_id, url, endpoint, body, ${tx.now}, ${tx.now}
      from rows from (
        unnest(
          ${numbers(endpoints.map((one) => one.merchantId))}::bigint[], ${texts(told.map(eventId))}::text[],
          ${texts(told.map((change) => change.type))}::text[], ${texts(told.map((change) => change.chargeId))}::uuid[],
          ${texts(told.map((change) => change.callbackUrl))}::text[],
          ${texts(endpoints.map((one) => one.endpoint))}::text[]),
        string_to_table(${jsonLines(told.map((change) => bodyOf(change, now)))}, E'\\n')
      ) told (merchant_id, id, type, subject_id, url, endpoint, body)
    )
    insert into webhook_lane_changes (merchant_ids, endpoints, since)
    values (${numbers(changed.map((one) => one.merchantId))}::bigint[],
            ${texts(changed.map((one) => one.endpoint))}::text[], ${tx.now})
  `.execute(tx.db);
}

type Told = PaymentChange & { readonly callbackUrl: string };

function hasCallback(change: PaymentChange): change is Told {
  return change.callbackUrl !== null;
}

/** The receiver of each change. Few addresses take many payments: each is read once. */
function endpointsOf(told: readonly Told[]): Endpoint[] {
  const origins = new Map<string, string>();
  return told.map(({ merchantId, callbackUrl }) => {
    const endpoint = origins.get(callbackUrl) ?? new URL(callbackUrl).origin;
    origins.set(callbackUrl, endpoint);
    return { merchantId, endpoint };
  });
}

/** One charge comes to each status once, and goes back once by each refund: the database refuses to tell it twice. */
function eventId({ chargeId, status, refundId }: PaymentChange): string {
  const what = refundId === undefined ? status : `refunded_${refundId.replaceAll('-', '')}`;
  return `evt_${chargeId.replaceAll('-', '')}_${what}`;
}

function bodyOf(change: PaymentChange, now: string): PaymentEvent {
  return {
    type: change.type,
    id: change.chargeId,
    paymentId: change.chargeId,
    status: change.status,
    amount: brlFromCents(change.amountCents),
    ...(change.refundedCents === undefined ? {} : { refunded_amount: brlFromCents(change.refundedCents) }),
    created_at: change.createdAt.toISOString(),
    updated_at: now,
  };
}
