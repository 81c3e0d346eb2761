import type { adminResolveWithdrawal, BodyOf } from '@jangada/contract';
import { insertAuditEntry, type NewAuditEntry } from '../audit/index.ts';
import { isLongUnknown, recordResolution } from '../bank-orders.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recheckAbility, refuseMember, refuseOwnAccount } from '../identity/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { completeWithdrawal, withdrawalKind } from './settle-withdrawal.ts';
import { lockWithdrawal, updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

// The operator's actions on one withdrawal: to end it on evidence, and to hold or release it.

type Resolution = BodyOf<typeof adminResolveWithdrawal>;

/**
 * Ends a withdrawal on an administrator's evidence, once its outcome has been unknown for an hour. A withdrawal that
 * was never sent may be ended without waiting, but only as not paid. Refuses with WITHDRAWAL_NOT_FOUND, NOT_IN_DOUBT,
 * OWN_ACCOUNT, and FORBIDDEN if the caller has lost the permission.
 */
export async function resolveWithdrawal(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'>,
  actorId: number,
  key: WithdrawalKey,
  resolution: Resolution,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await recheckAbility(tx, actorId, 'run-operations');
    await refuseOwnAccount(tx, actorId, key.merchantId);
    const withdrawal = await lockWithdrawal(tx, key);
    if (withdrawal === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
    if (!resolutionsOf(withdrawal, tx.now).includes(resolution.outcome)) throw new Refusal('NOT_IN_DOUBT');
    const isPaid = resolution.outcome === 'paid';
    await recordResolution(tx, withdrawalKind, withdrawal, {
      actorId,
      evidence: resolution.evidence,
      status: isPaid ? 'completed' : 'failed',
    });
    if (isPaid) {
      const endToEndId = resolution.end_to_end_id?.trim() || null;
      await completeWithdrawal(tx, withdrawal, { endToEndId, dueAt: null });
    } else await failWithdrawal(tx, withdrawal, notSentFailure);
  });
  const { outcome } = resolution;
  deps.log.warn({ withdrawalId: key.id, actorId, outcome }, 'an administrator resolved a withdrawal');
}

const notSentFailure = {
  code: 'NOT_SENT',
  text: 'O saque não foi feito, conforme conferência do operador.',
};

/** The outcomes that an administrator may record for a withdrawal now. */
export function resolutionsOf({ status, unknownSince }: Withdrawal, now: Date): Resolution['outcome'][] {
  if (status === 'pending') return ['refused'];
  return status === 'processing' && isLongUnknown(unknownSince, now) ? ['paid', 'refused'] : [];
}

type WithdrawalKey = Pick<Withdrawal, 'merchantId' | 'id'>;
type HoldRequest = WithdrawalKey & { readonly actorId: number; readonly reason: string };

/**
 * Holds an unsent withdrawal until an administrator releases or ends it. If a process claims the withdrawal for sending
 * at the same moment, the row lock decides which of the two comes first. Holding a held withdrawal again replaces the
 * reason. Refuses with WITHDRAWAL_NOT_FOUND, WITHDRAWAL_SENT, OWN_ACCOUNT, and FORBIDDEN if the caller has lost the
 * permission.
 */
export async function holdWithdrawal(deps: Deps, request: HoldRequest): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await recheckAbility(tx, request.actorId, 'run-operations');
    await refuseMember(tx, request.actorId, request.merchantId);
    const withdrawal = await lockWithdrawal(tx, request);
    if (withdrawal === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
    if (withdrawal.status !== 'pending') throw alreadySentRefusal(withdrawal);
    await auditHold(tx, 'withdrawal held', withdrawal, request);
    await updateWithdrawal(tx, request, {
      operator_hold_reason: request.reason,
      error_code: 'OPERATOR_HOLD',
      error: heldText,
      due_at: null,
    });
    await updateOpenScreens(tx, request);
  });
  deps.log.warn(
    { withdrawalId: request.id, actorId: request.actorId },
    'an administrator holds a withdrawal',
  );
}

/**
 * Releases a held withdrawal, which is then sent if it passes all checks again. Refuses with WITHDRAWAL_NOT_FOUND,
 * NOT_HELD, OWN_ACCOUNT, and FORBIDDEN if the caller has lost the permission.
 */
export async function releaseWithdrawal(deps: Deps, request: HoldRequest): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await recheckAbility(tx, request.actorId, 'run-operations');
    await refuseOwnAccount(tx, request.actorId, request.merchantId);
    const withdrawal = await lockWithdrawal(tx, request);
    if (withdrawal === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
    if (withdrawal.operatorHoldReason === null) throw new Refusal('NOT_HELD');
    await auditHold(tx, 'withdrawal released', withdrawal, request);
    tx.wakeAfterCommit({ hasOrders: true });
    await updateWithdrawal(tx, request, {
      operator_hold_reason: null,
      error_code: null,
      error: null,
      due_at: tx.now,
    });
    await updateOpenScreens(tx, request);
  });
  deps.log.warn(
    { withdrawalId: request.id, actorId: request.actorId },
    'an administrator released a withdrawal',
  );
}

const heldText = 'Em análise pelo operador. O saque sai quando for liberado; até lá o valor fica reservado.';

/** Returns the refusal to hold a withdrawal that was sent, or that ended without being sent. */
function alreadySentRefusal({ status, lastSentAt }: Withdrawal): Refusal {
  if (status === 'failed' && lastSentAt === null)
    return new Refusal('WITHDRAWAL_SENT', { message: 'Este saque já foi encerrado.' });
  return new Refusal('WITHDRAWAL_SENT');
}

async function auditHold(
  tx: TxWithSecrets,
  action: NewAuditEntry['action'],
  { id, merchantId, operatorHoldReason, amountCents }: Withdrawal,
  { actorId, reason }: HoldRequest,
): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action,
    subject_id: merchantId,
    reason,
    before: { withdrawal: id, amount_cents: amountCents, held_because: operatorHoldReason },
    after: { held_because: action === 'withdrawal held' ? reason : null },
  });
}

/** Makes the merchant's open screens reload the withdrawal. */
async function updateOpenScreens(tx: Tx, { merchantId, id }: WithdrawalKey): Promise<void> {
  await writeMessages(tx, [
    { merchantId, message: { type: 'withdrawal', withdrawal: { id, status: 'pending' } } },
  ]);
}
