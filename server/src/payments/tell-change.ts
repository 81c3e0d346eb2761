import { brlFromCents, type ChargeStatus } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { keepNotifications, type NewNotification } from '../notifications/index.ts';
import { type OutboxMessage, writeMessages } from '../outbox/index.ts';
import { emitPaymentEvents } from '../webhooks/index.ts';
import { formatBrl, type PayableCharge } from './payment.ts';

type Told = Extract<ChargeStatus, 'paid' | 'expired' | 'error'>;

export type ChangedCharge = { readonly charge: PayableCharge; readonly paidAt: Date | null };

/**
 * Tells merchants' systems and open screens that charges came to a status, in the transaction that brought them there.
 * Of money that arrived a notification is kept too.
 */
export async function tellChange(tx: Tx, status: Told, changes: readonly ChangedCharge[]): Promise<void> {
  await emitPaymentEvents(
    tx,
    changes.map(({ charge }) => ({
      type: `payment.${status}` as const,
      merchantId: charge.merchantId,
      chargeId: charge.id,
      callbackUrl: charge.callbackUrl,
      status,
      amountCents: charge.amountCents,
      createdAt: charge.createdAt,
    })),
  );
  const notified = await keepNotifications(tx, status === 'paid' ? changes.map(paidNotification) : []);
  await writeMessages(tx, [...notified, ...changes.map((change) => changeMessage(status, change))]);
}

function paidNotification({ charge }: ChangedCharge): NewNotification {
  return {
    merchantId: charge.merchantId,
    title: 'Pix recebido',
    body: `Você recebeu ${formatBrl(charge.amountCents)}.`,
    data: { type: 'payment.paid', id: charge.id, status: 'paid' },
  };
}

function changeMessage(status: Told, { charge, paidAt }: ChangedCharge): OutboxMessage {
  return {
    merchantId: charge.merchantId,
    message: {
      type: 'charge',
      charge: {
        id: charge.id,
        status,
        amount: brlFromCents(charge.amountCents),
        credited_amount: brlFromCents(charge.amountCents - charge.feeCents),
        paid_at: paidAt?.toISOString() ?? null,
      },
    },
  };
}
