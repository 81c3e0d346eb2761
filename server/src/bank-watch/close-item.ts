import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recheckAbility } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { retractItemNotifications } from './open-item.ts';
import { closeLockedItem, doesCauseExist, lockItem, type OpenItemRow } from './store.ts';

/**
 * Closes an open item (a discrepancy that the operator examines) with an administrator's evidence. Refuses with
 * NOT_FOUND; with ITEM_CLOSED; with ITEM_STANDS, if the database shows that the item's cause still exists; and with
 * FORBIDDEN, if the caller has lost the permission.
 */
export async function closeItemManually(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  id: string,
  closure: { readonly evidence: string; readonly closedBy: number },
): Promise<OpenItemRow> {
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
