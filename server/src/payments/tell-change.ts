import { brlFromCents, type ChargeStatus } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { keepNotifications, type NewNotification } from '../notifications/index.ts';
import { type OutboxMessage, writeMessages } from '../outbox/index.ts';
import { emitPaymentEvents } from '../webhooks/index.ts';
import { type Charge, formatBrl, type PayableCharge } from './payment.ts';

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
      externalId: charge.externalId,
      metadata: charge.metadata,
      status,
      amountCents: charge.amountCents,
      createdAt: charge.createdAt,
    })),
  );
  const notified = await keepNotifications(tx, status === 'paid' ? changes.map(paidNotification) : []);
  await writeMessages(tx, [
    ...notified,
    ...changes.map(({ charge, paidAt }) => changeMessage({ ...charge, status, paidAt })),
  ]);
}

/** As much of a changed charge as its screens redraw. Amounts in integer cents. */
export type ShownCharge = Pick<
  Charge,
  'merchantId' | 'id' | 'status' | 'amountCents' | 'feeCents' | 'paidAt'
> & {
  /** Left out where nothing can be back yet. */
  readonly refundedCents?: number;
};

function paidNotification({ charge }: ChangedCharge): NewNotification {
  return {
    merchantId: charge.merchantId,
    title: 'Pix recebido',
    body: `Você recebeu ${formatBrl(charge.amountCents)}.`,
    data: { type: 'payment.paid', id: charge.id, status: 'paid' },
  };
}

/** What open screens are told of a charge that changed. */
export function changeMessage(charge: ShownCharge): OutboxMessage {
  const { merchantId, id, status, amountCents, feeCents, paidAt, refundedCents } = charge;
  return {
    merchantId,
    message: {
      type: 'charge',
      charge: {
        id,
        status,
        amount: brlFromCents(amountCents),
        credited_amount: brlFromCents(amountCents - feeCents),
        paid_at: paidAt?.toISOString() ?? null,
        ...(refundedCents === undefined ? {} : { refunded_amount: brlFromCents(refundedCents) }),
      },
    },
  };
}
