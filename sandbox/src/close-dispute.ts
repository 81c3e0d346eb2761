import type { Bank } from './bank.ts';
import { disputeSubject } from './dispute.ts';
import { newReturnId } from './pix.ts';
import type { BookRecord, SandboxDispute, SandboxRefund } from './records.ts';

/**
 * Closes a dispute (MED, the banks' special return mechanism), notifies the webhook, and resolves once the change is on
 * disk. `ACEITA` means that the payer wins: the bank itself then refunds the payer, at most `maxRefundCents` and no
 * more than the account holds. The refund completes after `returnSeconds`, but never sooner than other refunds do
 * (`processingMs`).
 */
export async function closeDispute(
  bank: Bank,
  dispute: SandboxDispute,
  status: 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI',
  { maxRefundCents = dispute.amountCents, returnSeconds = 0 } = {},
): Promise<SandboxDispute> {
  const { books, account, notifier } = bank;
  const now = books.clock.now();
  const closed: SandboxDispute = { ...dispute, status, changedAt: now, closedAt: now };
  const refundCents =
    status === 'ACEITA' ? Math.min(dispute.amountCents, maxRefundCents, books.balanceCents) : 0;
  const records: BookRecord[] = [{ t: 'dispute', dispute: closed }];
  if (refundCents > 0)
    records.push({ t: 'refund', refund: buildDisputeRefund(bank, dispute, refundCents, now, returnSeconds) });
  await notifier.recordAndNotify(records, [disputeSubject(closed, account.key)]);
  bank.settler.wake();
  return closed;
}

function buildDisputeRefund(
  { account, processingMs, books }: Bank,
  { id, endToEndId }: SandboxDispute,
  amountCents: number,
  now: number,
  returnSeconds: number,
): SandboxRefund {
  const isRecurring = books.automatic.cobrs.has(books.pix.get(endToEndId)?.txid ?? '');
  return {
    endToEndId,
    id: `MED${id.replaceAll('-', '')}`,
    rtrId: newReturnId(account.ispb, now),
    amountCents,
    nature: isRecurring ? 'MED_PIX_AUTOMATICO' : 'MED_FRAUDE',
    at: now,
    status: 'EM_PROCESSAMENTO',
    fate: 'completes',
    dueAt: now + Math.max(returnSeconds * 1000, processingMs),
  };
}
