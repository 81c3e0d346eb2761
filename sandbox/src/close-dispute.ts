import { disputeSubject } from './dispute.ts';
import { newReturnId } from './pix.ts';
import type { SandboxDispute, SandboxRefund } from './records.ts';
import type { Bank } from './site.ts';

/**
 * Closes a dispute and resolves once that is durable. If the payer wins, the bank itself returns the money after
 * `returnSeconds`: at most `maxReturnCents`, and no more than the account holds.
 */
export async function closeDispute(
  bank: Bank,
  { endToEndId, amountCents, ...dispute }: SandboxDispute,
  status: 'ACEITA' | 'REJEITADA' | 'CANCELADA_EFI',
  { maxReturnCents = amountCents, returnSeconds = 0 } = {},
): Promise<SandboxDispute> {
  const { books, account, notifier } = bank;
  const now = books.clock.now();
  const closed: SandboxDispute = {
    ...dispute,
    endToEndId,
    amountCents,
    status,
    changedAt: now,
    closedAt: now,
  };
  const returnedCents = status === 'ACEITA' ? Math.min(amountCents, maxReturnCents, books.balanceCents) : 0;
  const refund: SandboxRefund = {
    endToEndId,
    id: `MED${dispute.id.replaceAll('-', '')}`,
    rtrId: newReturnId(account.ispb, now),
    amountCents: returnedCents,
    nature: 'MED_FRAUDE',
    at: now,
    status: 'EM_PROCESSAMENTO',
    fate: 'completes',
    dueAt: now + Math.max(returnSeconds * 1000, bank.processingMs),
  };
  await notifier.announce(
    [{ t: 'dispute', dispute: closed }, ...(returnedCents > 0 ? [{ t: 'refund' as const, refund }] : [])],
    [disputeSubject(closed, account.key)],
  );
  bank.settler.wake();
  return closed;
}
