import type { Tx } from '../db/transaction.ts';
import { type NewNotification, saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { chargeScreenMessage, formatBrl, type RefundableCharge } from '../payments/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { emitPaymentEvents, emitRefundFailed } from '../webhooks/index.ts';
import type { StoredRefund } from './refund.ts';

/**
 * Tells the merchant by webhook, notification and open screens that a refund was completed. `charge` is as it was before
 * this refund was added to its total. `skipsNotification`: for a return that belongs to a dispute, because the dispute
 * has already notified the merchant.
 */
export async function publishRefundCompleted(
  tx: Tx,
  charge: RefundableCharge,
  refund: StoredRefund,
  { skipsNotification = false }: { readonly skipsNotification?: boolean } = {},
): Promise<void> {
  const totalRefundedCents = charge.refundedCents + refund.amountCents;
  const chargeStatus = totalRefundedCents === charge.amountCents ? 'refunded' : 'paid';
  await emitPaymentEvents(tx, [
    {
      type: 'payment.refunded',
      merchantId: charge.merchantId,
      chargeId: charge.id,
      callbackUrl: charge.callbackUrl,
      externalId: charge.externalId,
      metadata: charge.metadata,
      status: chargeStatus,
      amountCents: charge.amountCents,
      refundedCents: totalRefundedCents,
      refund,
      createdAt: charge.createdAt,
    },
  ]);
  const notifications = skipsNotification ? [] : [completedNotification(charge, refund, chargeStatus)];
  const notificationMessages = await saveNotifications(tx, notifications);
  await writeMessages(tx, [
    ...notificationMessages,
    chargeScreenMessage({ ...charge, status: chargeStatus, refundedCents: totalRefundedCents }),
  ]);
}

/**
 * Tells the merchant by webhook, notification and open screens that a refund failed and its amount was credited back.
 * `charge` stays as it is, because only completed refunds count in its total. `failureText`: the reason, in Portuguese.
 * `blockedCents`: the part of the amount that disputes of the Pix now block.
 */
export async function publishRefundFailed(
  tx: Tx,
  charge: RefundableCharge,
  refund: StoredRefund,
  { failureText, blockedCents }: { readonly failureText: string; readonly blockedCents: number },
): Promise<void> {
  const { merchantId, id: chargeId } = charge;
  await emitRefundFailed(tx, {
    merchantId,
    chargeId,
    refund,
    error: failureText,
    createdAt: refund.createdAt,
  });
  const blockedText =
    blockedCents > 0 ? `, dos quais ${formatBrl(blockedCents)} ficam bloqueados pela disputa deste Pix` : '';
  const backWhere =
    charge.connectionId === HOUSE_CONNECTION ? 'voltaram ao seu saldo' : 'ficaram na sua conta bancária';
  const notificationMessages = await saveNotifications(tx, [
    {
      merchantId,
      title: 'Estorno não realizado',
      body: `${formatBrl(refund.amountCents)} ${backWhere}${blockedText}. ${failureText}`,
      // Every notification about a refund has this type. A failed refund differs in the status, and its webhook has a
      // type of its own, `refund.failed`.
      data: { type: 'payment.refunded', id: chargeId, status: 'failed', refund_id: refund.id },
    },
  ]);
  await writeMessages(tx, [...notificationMessages, chargeScreenMessage(charge)]);
}

function completedNotification(
  { merchantId, id: chargeId }: RefundableCharge,
  refund: StoredRefund,
  chargeStatus: 'refunded' | 'paid',
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
    data: { type: 'payment.refunded', id: chargeId, status: chargeStatus, refund_id: refund.id },
  };
}
