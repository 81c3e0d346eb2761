import type { adminResolveWithdrawal, BodyOf } from '@jangada/contract';
import { insertAuditEntry, type NewAuditEntry } from '../audit/index.ts';
import { isLongUnknown, recordResolution } from '../bank-orders.ts';
import { inTransaction, type KeyedTx, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { refuseFormerStaff, refuseOwnAccount } from '../identity/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { Refusal } from '../refusal.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { completeWithdrawal, withdrawalKind } from './settle-withdrawal.ts';
import { lockWithdrawal, updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

type Resolution = BodyOf<typeof adminResolveWithdrawal>;

/**
 * Ends a withdrawal on an administrator's evidence: one whose outcome has been unknown for an hour, or, as not paid,
 * one that was never sent. Refused with WITHDRAWAL_NOT_FOUND, NOT_IN_DOUBT, OWN_ACCOUNT, and FORBIDDEN when the
 * caller has lost the permission.
 */
export async function resolveWithdrawal(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'>,
  actorId: number,
  name: Pick<Withdrawal, 'merchantId' | 'id'>,
  resolution: Resolution,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await refuseFormerStaff(tx, actorId, 'run-operations');
    await refuseOwnAccount(tx, actorId, name.merchantId);
    const withdrawal = await lockWithdrawal(tx, name);
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
    } else await failWithdrawal(tx, withdrawal, notSent);
  });
  const { outcome } = resolution;
  deps.log.warn({ withdrawalId: name.id, actorId, outcome }, 'an administrator resolved a withdrawal');
}

const notSent = {
  code: 'NOT_SENT',
  text: 'O saque não foi feito, conforme conferência do operador. O valor voltou ao seu saldo.',
};

/** The outcomes that an administrator may record now. */
export function resolutionsOf({ status, unknownSince }: Withdrawal, now: Date): Resolution['outcome'][] {
  if (status === 'pending') return ['refused'];
  return status === 'processing' && isLongUnknown(unknownSince, now) ? ['paid', 'refused'] : [];
}

type Named = Pick<Withdrawal, 'merchantId' | 'id'>;
type Order = Named & { readonly actorId: number; readonly reason: string };

/**
 * Holds a withdrawal that has not been sent, until it is released or ended. The row lock decides a race between the
 * hold and a claim for sending. Holding it again changes the reason. Refused with WITHDRAWAL_NOT_FOUND,
 * WITHDRAWAL_SENT, OWN_ACCOUNT, and FORBIDDEN when the caller has lost the permission.
 */
export async function holdWithdrawal(deps: Deps, order: Order): Promise<void> {
  if (order.actorId === order.merchantId) throw new Refusal('OWN_ACCOUNT');
  await inTransaction(deps, async (tx) => {
    await refuseFormerStaff(tx, order.actorId, 'run-operations');
    const withdrawal = await lockWithdrawal(tx, order);
    if (withdrawal === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
    if (withdrawal.status !== 'pending') throw tooLate(withdrawal);
    await noteHold(tx, 'withdrawal held', withdrawal, order);
    await updateWithdrawal(tx, order, {
      operator_hold: order.reason,
      error_code: 'OPERATOR_HOLD',
      error: heldText,
      due_at: null,
    });
    await show(tx, order);
  });
  deps.log.warn({ withdrawalId: order.id, actorId: order.actorId }, 'an administrator holds a withdrawal');
}

/**
 * Releases a held withdrawal, which is then sent if it passes all checks again. Refused with WITHDRAWAL_NOT_FOUND,
 * NOT_HELD, OWN_ACCOUNT and FORBIDDEN.
 */
export async function releaseWithdrawal(deps: Deps, order: Order): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await refuseFormerStaff(tx, order.actorId, 'run-operations');
    await refuseOwnAccount(tx, order.actorId, order.merchantId);
    const withdrawal = await lockWithdrawal(tx, order);
    if (withdrawal === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
    if (withdrawal.heldBecause === null) throw new Refusal('NOT_HELD');
    await noteHold(tx, 'withdrawal released', withdrawal, order);
    tx.wakeAfterCommit('orders');
    await updateWithdrawal(tx, order, { operator_hold: null, error_code: null, error: null, due_at: tx.now });
    await show(tx, order);
  });
  deps.log.warn({ withdrawalId: order.id, actorId: order.actorId }, 'an administrator released a withdrawal');
}

const heldText = 'Em análise pelo operador. O saque sai quando for liberado; até lá o valor fica reservado.';

function tooLate({ status, lastSentAt }: Withdrawal): Refusal {
  if (status === 'failed' && lastSentAt === null)
    return new Refusal('WITHDRAWAL_SENT', { message: 'Este saque já foi encerrado.' });
  return new Refusal('WITHDRAWAL_SENT');
}

async function noteHold(
  tx: KeyedTx,
  action: NewAuditEntry['action'],
  { id, merchantId, heldBecause, amountCents }: Withdrawal,
  { actorId, reason }: Order,
): Promise<void> {
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action,
    subject_id: merchantId,
    reason,
    before: { withdrawal: id, amount_cents: amountCents, held_because: heldBecause },
    after: { held_because: action === 'withdrawal held' ? reason : null },
  });
}

/** Makes the merchant's open screens reload it. */
async function show(tx: Tx, { merchantId, id }: Named): Promise<void> {
  await writeMessages(tx, [
    { merchantId, message: { type: 'withdrawal', withdrawal: { id, status: 'pending' } } },
  ]);
}
