import { requireOperatorApproval } from '../approvals/index.ts';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recheckAbility } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { retractItemNotifications } from './open-item.ts';
import { closeLockedItem, doesCauseExist, findItem, lockItem, type OpenItemRow } from './store.ts';

/** The kinds that keep payouts stopped while an item of theirs is open. */
export const kindsThatStopPayouts = ['payout-not-debited', 'withdrawal-differs'] as const;

/** Closing an item that keeps payouts stopped needs approval where the operator has an approval policy. */
async function requireApprovalOfStop(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>,
  id: string,
  { evidence, closedBy }: { readonly evidence: string; readonly closedBy: number },
): Promise<void> {
  const item = await findItem(deps.db, id);
  if (item === undefined || item.closed_at !== null) return;
  const { kind, reference } = item;
  if (!kindsThatStopPayouts.some((stopping) => stopping === kind)) return;
  await requireOperatorApproval(deps, closedBy, 'open-item', { id, kind, reference, reason: evidence });
}

/**
 * Closes an open item (a discrepancy that the operator examines) with an administrator's evidence. Refuses with
 * NOT_FOUND; with ITEM_CLOSED; with ITEM_STANDS, if the database shows that the item's cause still exists; and with
 * FORBIDDEN, if the caller has lost the permission.
 */
export async function closeItemManually(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets' | 'config'>,
  id: string,
  closure: { readonly evidence: string; readonly closedBy: number },
): Promise<OpenItemRow> {
  await requireApprovalOfStop(deps, id, closure);
  return inTransaction(deps, async (tx) => {
    await recheckAbility(tx, closure.closedBy, 'run-operations');
    const item = await lockItem(tx, id);
    if (item === undefined) throw new Refusal('NOT_FOUND');
    if (item.closed_at !== null) throw new Refusal('ITEM_CLOSED');
    if (await doesCauseExist(tx, item)) throw new Refusal('ITEM_STANDS');
    const { kind, reference, merchant_id } = item;
    await insertAuditEntry(tx, {
      actor_id: closure.closedBy,
      action: 'item closed',
      subject_id: merchant_id ?? PLATFORM,
      reason: closure.evidence,
      before: { item: id, kind, reference },
      after: { closed: true },
    });
    const closedItem = await closeLockedItem(tx, id, closure);
    await retractItemNotifications(tx, kind);
    return closedItem;
  });
}
