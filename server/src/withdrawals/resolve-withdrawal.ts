import type { adminResolveWithdrawal, BodyOf } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { closeItem } from '../bank-watch/index.ts';
import { inTransaction, type KeyedTx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { refuseFormerStaff, refuseOwnAccount } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { completeWithdrawal } from './complete-withdrawal.ts';
import { failWithdrawal } from './fail-withdrawal.ts';
import { isPayoutLongUnknown } from './payout-timing.ts';
import { lockWithdrawal } from './store.ts';
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
    await note(tx, actorId, withdrawal, resolution);
    if (resolution.outcome === 'paid') {
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
  return status === 'processing' && isPayoutLongUnknown(unknownSince, now) ? ['paid', 'refused'] : [];
}

async function note(
  tx: KeyedTx,
  actorId: number,
  withdrawal: Withdrawal,
  { outcome, evidence }: Resolution,
): Promise<void> {
  const { id, merchantId, status, idEnvio, amountCents } = withdrawal;
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action: 'withdrawal resolved',
    subject_id: merchantId,
    reason: evidence,
    before: { withdrawal: id, status, id_envio: idEnvio, amount_cents: amountCents },
    after: { status: outcome === 'paid' ? 'completed' : 'failed' },
  });
  for (const kind of ['withdrawal-in-doubt', 'withdrawal-differs', 'payout-not-debited'] as const)
    await closeItem(tx, { kind, reference: id, evidence, closedBy: actorId });
}
