import { type adminSuspense, brlFromCents, type ResponseOf } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { listUnmatchedPix, sumUnmatchedPix, type UnmatchedPix } from './suspense-store.ts';

const pageSize = 50;

/**
 * Lists the Pix in suspense (money that matched no charge) or being returned, oldest first, for the administrators who
 * decide about them.
 */
export async function listSuspense(
  { db }: Pick<Deps, 'db'>,
  page: number,
): Promise<ResponseOf<typeof adminSuspense>> {
  const [pix, sum] = await Promise.all([
    listUnmatchedPix(db, { limit: pageSize, offset: (page - 1) * pageSize }),
    sumUnmatchedPix(db),
  ]);
  return {
    pix: pix.map(suspensePixFrom),
    total: sum.count,
    total_amount: brlFromCents(sum.cents),
    page,
    limit: pageSize,
  };
}

export function suspensePixFrom(pix: UnmatchedPix): ResponseOf<typeof adminSuspense>['pix'][number] {
  const { proposal, outcome } = pix;
  return {
    end_to_end_id: pix.endToEndId,
    amount: brlFromCents(pix.amountCents),
    paid_at: pix.paidAt.toISOString(),
    txid: pix.txid,
    why: pix.suspenseReason,
    // The API has no status for a Pix that paid a charge or fees, or that an account of a merchant's own holds: it is never
    // listed here and never decided about.
    status: outcome === 'credited' || outcome === 'fees' || outcome === 'held' ? 'assigned' : outcome,
    proposal:
      proposal === undefined
        ? null
        : {
            action: proposal.action,
            user_id: proposal.merchantId === null ? null : String(proposal.merchantId),
            user_name: proposal.merchantName,
            reason: proposal.reason,
            proposed_by: String(proposal.proposedBy),
            proposed_by_name: proposal.proposedByName,
            proposed_at: proposal.proposedAt.toISOString(),
          },
  };
}
