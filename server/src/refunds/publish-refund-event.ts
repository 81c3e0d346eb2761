import type { Tx } from '../db/transaction.ts';
import { type NewNotification, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { chargeScreenMessage, formatBrl, type RefundableCharge } from '../payments/index.ts';
import { emitPaymentEvents, emitRefundFailed } from '../webhooks/index.ts';
import type { StoredRefund } from './refund.ts';

/**
 * Publishes to webhooks and open screens that a payment was refunded, and notifies the merchant. `silent` omits the
 * notification, for a caller that sends its own.
 */
export async function publishRefundCompleted(
  tx: Tx,
  charge: RefundableCharge,
  refund: StoredRefund,
  { silent = false }: { silent?: boolean } = {},
): Promise<void> {
  const refundedCents = charge.refundedCents + refund.amountCents;
  const status = refundedCents === charge.amountCents ? 'refunded' : 'paid';
  const { merchantId, id, callbackUrl, externalId, metadata, amountCents, createdAt } = charge;
  await emitPaymentEvents(tx, [
    {
      type: 'payment.refunded',
      merchantId,
      chargeId: id,
      callbackUrl,
      externalId,
      metadata,
      status,
      amountCents,
      refundedCents,
      refund,
      createdAt,
    },
  ]);
  const notifications = silent ? [] : [refundedNotification(charge, refund, status)];
  const notificationMessages = await saveNotifications(tx, notifications);
  await writeMessages(tx, [
    ...notificationMessages,
    chargeScreenMessage({ ...charge, status, refundedCents }),
  ]);
}

/**
 * Tells the merchant by webhook, notification and open screens that a refund failed and its amount was credited back.
 * `failureText`: the reason, in the merchant's language. `blockedCents`: the part of the amount that disputes of the
 * Pix now block.
 */
export async function publishRefundFailed(
  tx: Tx,
  charge: RefundableCharge,
  refund: StoredRefund,
  { failureText, blockedCents }: { readonly failureText: string; readonly blockedCents: number },
): Promise<void> {
  const { merchantId, id: chargeId } = charge;
  const blockedText =
    blockedCents > 0 ? `, dos quais ${formatBrl(blockedCents)} ficam bloqueados pela disputa deste Pix` : '';
  await emitRefundFailed(tx, {
    merchantId,
    chargeId,
    refund,
    error: failureText,
    createdAt: refund.createdAt,
  });
  const notificationMessages = await saveNotifications(tx, [
    {
      merchantId,
      title: 'Estorno não realizado',
      body: `${formatBrl(refund.amountCents)} voltaram ao seu saldo${blockedText}. ${failureText}`,
      data: { type: 'payment.refunded', id: chargeId, status: 'failed', refund_id: refund.id },
    },
  ]);
  await writeMessages(tx, [...notificationMessages, chargeScreenMessage(charge)]);
}

function refundedNotification(
  { merchantId, id }: RefundableCharge,
  refund: StoredRefund,
  status: string,
): NewNotification {
  const amount = formatBrl(refund.amountCents);
  const [title, body] =
    refund.origin === 'bank'
      ? ['Pix devolvido pelo banco', `O banco devolveu ${amount} de um pagamento a quem pagou.`]
      : ['Estorno concluído', `${amount} foram devolvidos a quem pagou.`];
  return {
    merchantId,
    title,
    body,
    data: { type: 'payment.refunded', id, status, refund_id: refund.id },
  };
}
