import { insertAuditEntry } from '../src/audit/index.ts';
import { inTransaction } from '../src/db/transaction.ts';
import type { Deps } from '../src/deps.ts';
import { movements, post, readAvailable } from '../src/ledger/index.ts';

/** An operator's adjustment of a merchant's available balance, with its entry in the audit log. */
export async function givenAdjustment(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  merchantId: number,
  differenceCents: number,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    const balance = await readAvailable(tx.db, merchantId);
    const entry = await insertAuditEntry(tx, {
      actor_id: 0,
      action: 'balance adjusted',
      subject_id: merchantId,
      reason: 'given',
      before: { balance_cents: balance },
      after: { balance_cents: balance + differenceCents },
    });
    await post(tx, movements.balanceAdjusted({ merchantId, reference: String(entry), differenceCents }));
  });
}
