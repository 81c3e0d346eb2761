import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Accounts } from './accounts.ts';
import { disputeSubject } from './dispute.ts';
import { findPayment } from './find-payment.ts';
import { readAmount } from './move-money.ts';
import type { SandboxDispute } from './records.ts';
import { SandboxRefusal } from './refusal.ts';
import { refundableCents } from './request-refund.ts';

/** The receiver has 7 days to send a defence in a dispute (MED). */
const DEFENCE_MS = 7 * 86_400_000;

const requestSchema = z.strictObject({
  endToEndId: z.string(),
  /** In BRL; by default the whole amount that is not refunded yet. */
  amount: z.number().optional(),
  /** One of Efí's terms (`SITUATIONS`), or a text in the payer's own words. */
  reason: z.string().min(1).max(200),
  comment: z.string().max(500).optional(),
});

/**
 * Opens a dispute about a received Pix for its payer, notifies the webhook of the account that received it, and
 * resolves once the dispute is on disk. Throws `SandboxRefusal`.
 */
export async function openDispute(accounts: Accounts, body: unknown): Promise<SandboxDispute> {
  const { data } = requestSchema.safeParse(body);
  if (data === undefined) throw new SandboxRefusal('INVALID_REQUEST', 'A contestação não pode ser lida.');
  const { endToEndId, reason, comment } = data;
  const { bank, pix } = findPayment(accounts, endToEndId);
  if (bank.books.openDisputes.has(endToEndId)) {
    throw new SandboxRefusal('DISPUTE_OPEN', 'Este pagamento já está em contestação.');
  }
  const maxCents = refundableCents(bank, pix);
  const amountCents = data.amount === undefined ? maxCents : readAmount(data.amount);
  if (amountCents > maxCents || maxCents === 0) {
    throw new SandboxRefusal(
      'AMOUNT_EXCEEDED',
      'O valor passa do que ainda não foi devolvido deste pagamento.',
    );
  }
  const now = bank.books.clock.now();
  const dispute: SandboxDispute = {
    id: randomUUID(),
    protocol: String(bank.books.disputes.size + 1),
    endToEndId,
    amountCents,
    reason,
    ...(comment !== undefined && comment !== '' && { comment }),
    status: 'ABERTA',
    openedAt: now,
    deadlineAt: now + DEFENCE_MS,
    changedAt: now,
  };
  await bank.notifier.recordAndNotify([{ t: 'dispute', dispute }], [disputeSubject(dispute, pix.key)]);
  return dispute;
}
