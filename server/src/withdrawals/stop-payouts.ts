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
 * Stops everything that would leave, also what is queued: whatever is claimed after this is committed sees it. `actorId`:
 * the platform's for whoever commands the machine. Refused with FORBIDDEN when the caller may not any more.
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
 * Lets orders leave again, once the account covers what belongs to merchants, and nothing left it that the books do not
 * know. Refused with BANK_BALANCE_LOW or PAYOUTS_IN_QUESTION, also while the bank cannot be asked, and when somebody
 * stopped them for another reason meanwhile: that stop is not the one to be lifted. And as `stopPayouts`.
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

/** The bank's list is read up to now. */
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
