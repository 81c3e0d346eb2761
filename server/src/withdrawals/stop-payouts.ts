import { insertAuditEntry } from '../audit/index.ts';
import { assertBankCovers } from '../bank-watch/index.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { refuseFormerStaff } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { lockPayoutsStop, readPayoutsStop, writePayoutsStop } from './payouts-stop-store.ts';
import { reconcileWithdrawals } from './reconcile-withdrawals.ts';
import { hasUnexplainedPayouts, makeDueAfterPayoutsStop } from './store.ts';

/**
 * Stops all payouts, including queued ones: every claim after this commit sees the stop. `actorId`: the platform's if
 * the stop comes from the command line. Refused with FORBIDDEN when the caller has lost the permission.
 */
export async function stopPayouts(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'>,
  actorId: number,
  reason: string,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await refuseFormer(tx, actorId);
    const before = await lockPayoutsStop(tx);
    await writePayoutsStop(tx, reason);
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'payouts stopped',
      subject_id: PLATFORM,
      reason,
      before: { stopped_because: before },
      after: { stopped_because: reason },
    });
  });
  deps.log.warn({ actorId, reason }, 'payouts were stopped');
}

/**
 * Resumes payouts, once the bank account covers what belongs to merchants and no unexplained payout has left it.
 * Refused with BANK_BALANCE_LOW or PAYOUTS_IN_QUESTION, also while the bank cannot be queried, and when payouts were
 * meanwhile stopped for another reason, which this call must not lift. Also refused as `stopPayouts`.
 */
export async function resumePayouts(deps: Deps, actorId: number, reason: string): Promise<void> {
  const seen = await readPayoutsStop(deps.db);
  await assertBankCovers(deps);
  await assertNothingStrange(deps);
  await inTransaction(deps, async (tx) => {
    await refuseFormer(tx, actorId);
    const before = await lockPayoutsStop(tx);
    if (before !== null && before !== seen)
      throw new Refusal('PAYOUTS_IN_QUESTION', { message: stoppedAnewText });
    if (await hasUnexplainedPayouts(tx)) throw new Refusal('PAYOUTS_IN_QUESTION');
    await writePayoutsStop(tx, null);
    await makeDueAfterPayoutsStop(tx);
    await insertAuditEntry(tx, {
      actor_id: actorId,
      action: 'payouts resumed',
      subject_id: PLATFORM,
      reason,
      before: { stopped_because: before },
      after: { stopped_because: null },
    });
  });
  deps.log.warn({ actorId, reason }, 'payouts were resumed');
}

async function refuseFormer(tx: Tx, actorId: number): Promise<void> {
  if (actorId !== PLATFORM) await refuseFormerStaff(tx, actorId, 'run-operations');
}

const stoppedAnewText =
  'Os envios foram parados por outro motivo enquanto isto era conferido. Veja o motivo antes de retomar.';

/** Reads the bank's list up to now before it checks. */
async function assertNothingStrange(deps: Deps): Promise<void> {
  try {
    await reconcileWithdrawals(deps);
  } catch (error) {
    if (!(error instanceof PspUnknown)) throw error;
    throw new Refusal('PAYOUTS_IN_QUESTION', {
      message: 'O banco não informou o que foi enviado. Tente de novo em instantes.',
    });
  }
}
