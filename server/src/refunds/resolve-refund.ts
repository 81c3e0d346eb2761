import type { adminResolveRefund, BodyOf } from '@jangada/contract';
import { isLongUnknown, recordResolution } from '../bank-orders.ts';
import { inTransaction, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recheckAbility, refuseOwnAccount } from '../identity/index.ts';
import type { BankReturn } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import type { StoredRefund } from './refund.ts';
import { lockChargeOrPixOfRefund, refundKind, settleRefund } from './settle-refund.ts';
import { findRefund, lockRefund, type RefundKey } from './store.ts';

type Resolution = BodyOf<typeof adminResolveRefund>;

/**
 * Ends a refund on an administrator's evidence, once its outcome has been unknown for an hour. A refund that was never
 * sent may be ended without waiting, but only as not returned. Refuses with REFUND_NOT_FOUND, NOT_IN_DOUBT,
 * OWN_ACCOUNT, and FORBIDDEN if the caller has lost the permission.
 */
export async function resolveRefund(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'>,
  actorId: number,
  key: RefundKey,
  resolution: Resolution,
): Promise<void> {
  await inTransaction(deps, (tx) => resolve(tx, actorId, key, resolution));
  const { outcome } = resolution;
  deps.log.warn({ refundId: key.id, actorId, outcome }, 'an administrator resolved a refund');
}

async function resolve(
  tx: TxWithSecrets,
  actorId: number,
  key: RefundKey,
  resolution: Resolution,
): Promise<void> {
  await recheckAbility(tx, actorId, 'run-operations');
  await refuseOwnAccount(tx, actorId, key.merchantId);
  const unlockedRefund = await findRefund(tx.db, key);
  if (unlockedRefund === undefined) throw new Refusal('REFUND_NOT_FOUND');
  // The charge or Pix is always locked before its refunds, so that transactions cannot deadlock.
  await lockChargeOrPixOfRefund(tx, unlockedRefund);
  const refund = await lockRefund(tx, key);
  if (!mayBeResolved(refund, resolution, tx.now))
    throw new Refusal('NOT_IN_DOUBT', {
      message: 'O desfecho deste estorno é conhecido ou ainda está sendo verificado.',
    });
  const status = resolution.outcome === 'returned' ? 'completed' : 'failed';
  await recordResolution(tx, refundKind, refund, { actorId, evidence: resolution.evidence, status });
  await settleRefund(tx, refund, {
    is: 'answered',
    answer: returnFromResolution(refund, resolution, tx.now),
  });
}

function mayBeResolved(
  { status, sendCount, unknownSince }: StoredRefund,
  { outcome }: Resolution,
  now: Date,
) {
  if (status !== 'processing') return false;
  if (sendCount === 0) return outcome === 'refused';
  return isLongUnknown(unknownSince, now);
}

/**
 * Returns the administrator's resolution in the form of a record of the bank, because `settleRefund` books such
 * records.
 */
function returnFromResolution(refund: StoredRefund, { outcome, rtr_id }: Resolution, at: Date): BankReturn {
  return {
    refundId: refund.bankRefundId,
    rtrId: rtr_id || undefined,
    amountCents: refund.amountCents,
    nature: 'requested',
    status: outcome === 'returned' ? 'completed' : 'refused',
    at,
    reason: 'conforme conferência do operador.',
  };
}
