import type { Defence } from '@jangada/contract';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { decodeEvidence, insertEvidenceFiles, sealFile } from './file-store.ts';
import { publishDisputeEvent } from './publish-dispute-event.ts';
import { lockDispute, updateDispute } from './store.ts';

/**
 * Stores a merchant's defence of a dispute and makes the dispute due, so that the defence is sent to the bank without
 * delay (`process-due-disputes.ts`). A dispute accepts one defence, until its deadline. Refuses with DISPUTE_NOT_FOUND,
 * DISPUTE_CLOSED, DISPUTE_DEFENDED, DISPUTE_TOO_LATE, FILE_NOT_ACCEPTED or FILE_TOO_LARGE.
 */
export async function defendDispute(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { merchantId, id }: { readonly merchantId: number; readonly id: string },
  { text, files }: Defence,
): Promise<void> {
  const sealedFiles = decodeEvidence(files).map((file) => sealFile(deps.secrets, file));
  await inTransaction(deps, async (tx) => {
    const dispute = await lockDispute(tx, merchantId, id);
    if (dispute === undefined) throw new Refusal('DISPUTE_NOT_FOUND');
    if (dispute.status !== 'open') throw new Refusal('DISPUTE_CLOSED');
    if (dispute.defendedAt !== null) throw new Refusal('DISPUTE_DEFENDED');
    if (tx.now >= dispute.deadlineAt) throw new Refusal('DISPUTE_TOO_LATE');
    await updateDispute(tx, dispute, { defence: text, defendedAt: tx.now, dueAt: tx.now });
    await insertEvidenceFiles(tx, dispute, sealedFiles);
    tx.wakeAfterCommit({ hasOrders: true });
    await publishDisputeEvent(tx, dispute, 'changed');
  });
}
