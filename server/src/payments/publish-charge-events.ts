import { brlFromCents, type ChargeStatus } from '@jangada/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import { buildNotificationsSql, type NewNotification } from '../notifications/index.ts';
import { buildMessagesSql, type OutboxMessage } from '../outbox/index.ts';
import { buildPaymentEventsSql } from '../webhooks/index.ts';
import { type Charge, creditedCents, formatBrl, type PayableCharge } from './payment.ts';

type PublishedStatus = Extract<ChargeStatus, 'paid' | 'expired' | 'error'>;

export type ChargeWithPaidAt = { readonly charge: PayableCharge; readonly paidAt: Date | null };

/**
 * Publishes the new status of charges to webhooks and open screens, in the same transaction as the change. For each
 * paid charge, also stores a notification to the merchant.
 */
export async function publishChargeEvents(
  tx: Tx,
  status: PublishedStatus,
  changes: readonly ChargeWithPaidAt[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql`select ${sql.join(chargeEventCalls(tx, status, changes))}`.execute(tx.db);
}

/**
 * The SQL calls of database functions by which `publishChargeEvents` publishes, for a caller that makes them in a
 * statement of its own.
 */
export function chargeEventCalls(
  tx: Tx,
  status: PublishedStatus,
  changes: readonly ChargeWithPaidAt[],
): RawBuilder<boolean>[] {
  if (changes.length === 0) return [];
  const events = buildPaymentEventsSql(
    tx,
    changes.map(({ charge }) => ({
      type: `payment.${status}` as const,
      merchantId: charge.merchantId,
      chargeId: charge.id,
      callbackUrl: charge.callbackUrl,
      externalId: charge.externalId,
      metadata: charge.metadata,
      status,
      amountCents: charge.amountCents,
      createdAt: charge.createdAt,
    })),
  );
  const screenMessages = changes.map(({ charge, paidAt }) =>
    chargeScreenMessage({ ...charge, status, paidAt }),
  );
  if (status !== 'paid') return [events, buildMessagesSql(tx, screenMessages)];
  const notifications = buildNotificationsSql(tx, changes.map(paidNotification));
  return [events, notifications.call, buildMessagesSql(tx, [...notifications.messages, ...screenMessages])];
}

/** The fields of a changed charge that open screens redraw. Amounts in integer cents. */
export type ShownCharge = Pick<
  Charge,
  'merchantId' | 'id' | 'connectionId' | 'status' | 'amountCents' | 'feeCents' | 'paidAt'
> & {
  /** Omitted where nothing can have been refunded yet. */
  readonly refundedCents?: number;
};

function paidNotification({ charge }: ChargeWithPaidAt): NewNotification {
  return {
    merchantId: charge.merchantId,
    title: 'Pix recebido',
    body: `Você recebeu ${formatBrl(charge.amountCents)}.`,
    data: { type: 'payment.paid', id: charge.id, status: 'paid' },
  };
}

/** The message about a changed charge for open screens. */
export function chargeScreenMessage(charge: ShownCharge): OutboxMessage {
  const { merchantId, id, status, amountCents, paidAt, refundedCents } = charge;
  return {
    merchantId,
    message: {
      type: 'charge',
      charge: {
        id,
        status,
        amount: brlFromCents(amountCents),
        credited_amount: brlFromCents(creditedCents(charge)),
        paid_at: paidAt?.toISOString() ?? null,
        ...(refundedCents === undefined ? {} : { refunded_amount: brlFromCents(refundedCents) }),
      },
    },
  };
}
