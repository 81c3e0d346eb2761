import type { Tx } from '../db/transaction.ts';
import { PLATFORM } from '../ledger/index.ts';
import { showChange } from '../outbox/index.ts';

/** Makes open screens refetch the approvals of an account; of the operator, those of its administrators. */
export async function showApprovalChange(tx: Tx, merchantId: number): Promise<void> {
  if (merchantId !== PLATFORM) return showChange(tx, merchantId, 'approvals');
  const administrators = await tx.db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'ADMIN')
    .where('frozen_at', 'is', null)
    .execute();
  for (const { id } of administrators) showChange(tx, id, 'approvals');
}
