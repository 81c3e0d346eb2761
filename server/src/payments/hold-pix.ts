import { heldPixReasonTexts } from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import { saveNotifications } from '../notifications/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { emitHeldPixEvents } from '../webhooks/index.ts';
import type { Decision } from './decide-outcomes.ts';
import { insertHeldPix } from './held-store.ts';
import { formatBrl } from './payment.ts';
import { callHoldOwnPix } from './received-store.ts';

/** Holds Pix at accounts of merchants' own, and returns those that no other transaction booked or held before. */
export async function holdOwnPix(tx: Tx, decisions: readonly Decision[]): Promise<readonly Decision[]> {
  const held = await callHoldOwnPix(
    tx,
    decisions.map(({ pix }) => pix),
  );
  return decisions.filter(({ pix }) => held.has(pix.endToEndId));
}

/**
 * Stores what the merchants are to decide, or what a rule gives back, and tells them. Of a Pix that a rule gives back they
 * are told once it is back.
 */
export async function publishHeldPix(tx: Tx, decisions: readonly Decision[]): Promise<void> {
  const held = decisions.flatMap(({ pix, holding }) => (holding === undefined ? [] : [{ pix, holding }]));
  const rows = await insertHeldPix(
    tx,
    held.map(({ pix, holding: { charge, why, rule, dueAmount } }) => ({
      merchantId: charge.merchantId,
      endToEndId: pix.endToEndId,
      connectionId: pix.account.id,
      chargeId: charge.id,
      why,
      dueAmount: dueAmount ?? null,
      giveBackAt: rule === 'give_back' ? tx.now : null,
    })),
  );
  const toDecide = rows.flatMap((row, index) => {
    const found = held[index];
    return row.giveBackAt !== null || found === undefined ? [] : [{ row, ...found }];
  });
  if (rows.length > toDecide.length) tx.wakeAfterCommit();
  if (toDecide.length === 0) return;
  await emitHeldPixEvents(
    tx,
    toDecide.map(({ row, pix, holding }) => ({
      type: 'pix.held',
      merchantId: row.merchantId,
      id: row.id,
      chargeId: row.chargeId,
      externalId: holding.charge.externalId,
      endToEndId: row.endToEndId,
      why: row.why,
      amountCents: pix.amountCents,
      heldAt: row.heldAt,
    })),
  );
  const messages = await saveNotifications(
    tx,
    toDecide.map(({ row, pix }) => ({
      merchantId: row.merchantId,
      title: 'Pix à espera da sua decisão',
      body: `${formatBrl(pix.amountCents)}: ${heldPixReasonTexts[row.why]}. Aceite ou devolva.`,
      data: { type: 'pix.held', id: row.id, payment_id: row.chargeId },
    })),
  );
  await writeMessages(tx, messages);
}
