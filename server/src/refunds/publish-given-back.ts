import { heldPixReasonTexts } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { findCharge, findHeldPixOf, formatBrl } from '../payments/index.ts';
import { HOUSE_CONNECTION } from '../psp/index.ts';
import { emitHeldPixEvents } from '../webhooks/index.ts';
import type { StoredRefund } from './refund.ts';

/** Tells the merchant that a held Pix is back with its payer; of other refunds, nothing. */
export async function publishGivenBack(tx: Tx, { id: refundId, ...refund }: StoredRefund): Promise<void> {
  const held = await findHeldPixOf(tx, refund);
  if (held === undefined || held.refundId !== refundId) return;
  const { merchantId, id, chargeId, endToEndId, why, heldAt, amountCents } = held;
  const charge = await findCharge(tx.db, merchantId, chargeId);
  await emitHeldPixEvents(tx, [
    {
      type: 'pix.given_back',
      merchantId,
      id,
      chargeId,
      externalId: charge?.externalId ?? null,
      endToEndId,
      why,
      amountCents,
      heldAt,
    },
  ]);
  // From an account of the merchant's own it goes back as a refund, of which they are told anyway.
  if (refund.connectionId !== HOUSE_CONNECTION) return;
  const messages = await saveNotifications(tx, [
    {
      merchantId,
      title: 'Pix devolvido',
      body: `${formatBrl(amountCents)} voltaram a quem pagou. Devolvido: ${heldPixReasonTexts[why]}.`,
      data: { type: 'pix.given_back', id, payment_id: chargeId },
    },
  ]);
  await writeMessages(tx, messages);
}
