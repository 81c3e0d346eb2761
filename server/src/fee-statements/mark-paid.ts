import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recheckAbility, refuseOwnAccount } from '../identity/index.ts';
import { movements, post } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import type { StoredFeeStatement } from './fee-statement.ts';
import { publishPaid } from './publish-statement-event.ts';
import { findMerchantOfStatement, lockStatement, markPaid } from './store.ts';

/**
 * Marks a statement as paid by other means than a Pix to the gateway's own charge: the money is with the operator, but
 * not in the account at the bank. Refused with FEE_STATEMENT_NOT_FOUND, FEE_STATEMENT_PAID, OWN_ACCOUNT, and FORBIDDEN
 * if the caller has lost the permission.
 */
export async function markStatementPaidByOperator(
  deps: Pick<Deps, 'db' | 'clock' | 'secrets'>,
  { id, actorId, reference }: { readonly id: string; readonly actorId: number; readonly reference: string },
): Promise<StoredFeeStatement> {
  const merchantId = await findMerchantOfStatement(deps.db, id);
  if (merchantId === undefined) throw new Refusal('FEE_STATEMENT_NOT_FOUND');
  return inTransaction(deps, async (tx) => {
    await recheckAbility(tx, actorId, 'run-operations');
    await refuseOwnAccount(tx, actorId, merchantId);
    const statement = await lockStatement(tx, merchantId, id);
    if (statement === undefined) throw new Refusal('FEE_STATEMENT_NOT_FOUND');
    if (statement.state === 'paid') throw new Refusal('FEE_STATEMENT_PAID');
    const { number, amountCents } = statement;
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'fee statement paid',
      subject_id: merchantId,
      reason: reference,
      before: { status: 'open' },
      after: { status: 'paid', statement: id, number, amount_cents: amountCents },
    });
    const paid = {
      ...statement,
      state: 'paid' as const,
      paidAt: tx.now,
      endToEndId: null,
      paidReference: reference,
    };
    await markPaid(tx, [paid]);
    await publishPaid(tx, paid, { isByOperator: true });
    await post(tx, movements.feesPaidElsewhere({ merchantId, reference: id, amountCents }));
    return paid;
  });
}
