import { brlFromCents, type Dispute as DisputeBody, type DisputeDetail } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import type { StoredDispute } from './dispute.ts';
import { listEvidenceFiles } from './file-store.ts';

/** Converts a dispute to the form in which the API returns it. */
export function toDisputeResponse(dispute: StoredDispute): DisputeBody {
  return {
    id: dispute.id,
    payment_id: dispute.chargeId,
    end_to_end_id: dispute.endToEndId,
    protocol: dispute.protocol,
    status: dispute.status,
    reason: dispute.reason,
    amount: brlFromCents(dispute.disputedCents),
    blocked_amount: brlFromCents(dispute.blockedCents),
    shortfall_amount: brlFromCents(dispute.shortfallCents),
    returned_amount: brlFromCents(dispute.returnedCents),
    deadline: dispute.deadlineAt.toISOString(),
    defended_at: dispute.defendedAt?.toISOString() ?? null,
    opened_at: dispute.openedAt.toISOString(),
    resolved_at: dispute.resolvedAt?.toISOString() ?? null,
  };
}

/** Converts a dispute to the form in which the API returns it with its defence. */
export async function toDisputeDetail(
  { db, banks }: Pick<Deps, 'db' | 'banks'>,
  dispute: StoredDispute,
): Promise<DisputeDetail> {
  return {
    ...toDisputeResponse(dispute),
    defence: dispute.defence,
    files: await listEvidenceFiles(db, dispute),
    takes_files: banks.find(dispute.connectionId)?.psp.disputes?.takesFiles ?? false,
  };
}
