import { sql } from 'kysely';
import { insertAuditEntry } from '../audit/index.ts';
import { assertBankCovers } from '../bank-watch/index.ts';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { refuseFormerStaff } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { lockPayoutsStop, readPayoutsStop, writePayoutsStop } from '../payouts-stop.ts';
import { PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { reconcileWithdrawals } from './reconcile-withdrawals.ts';
import { hasUnexplainedPayouts, makeDueAfterPayoutsStop } from './store.ts';

/**
 * Stops all payouts, including queued ones: every claim after this commit sees the stop. `actorId` is the
 * platform's if the stop is made on the command line. Refuses with FORBIDDEN if the caller has lost the permission.
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
 * Resumes payouts, if the bank account covers the money of the merchants and no unexplained payout has left it. Refuses
 * with BANK_BALANCE_LOW or PAYOUTS_IN_QUESTION otherwise, and also while the bank cannot be queried. Refuses with
 * PAYOUTS_IN_QUESTION if payouts were stopped for another reason during this call, because that stop must stay. Refuses
 * with FORBIDDEN like `stopPayouts`. `stopReason`: the reason of the stop to lift, if that is the only one to be lifted.
 */
export async function resumePayouts(
  deps: Deps,
  actorId: number,
  reason: string,
  stopReason?: string,
): Promise<void> {
  const reasonBeforeChecks = stopReason ?? (await readPayoutsStop(deps.db));
  await assertBankCovers(deps);
  await reconcileOrRefuse(deps);
  await inTransaction(deps, async (tx) => {
    await refuseFormer(tx, actorId);
    const before = await lockPayoutsStop(tx);
    if (before !== null && before !== reasonBeforeChecks)
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

/** Refuses an administrator who has lost the permission. The command line acts as the platform and is not checked. */
async function refuseFormer(tx: Tx, actorId: number): Promise<void> {
  if (actorId !== PLATFORM) await refuseFormerStaff(tx, actorId, 'run-operations');
}

const stoppedAnewText =
  'Os envios foram parados por outro motivo enquanto isto era conferido. Veja o motivo antes de retomar.';

/**
 * Reads the bank's list of sent Pix up to now, so that unexplained payouts are known. Refuses if the list cannot be
 * read.
 */
async function reconcileOrRefuse(deps: Deps): Promise<void> {
  try {
    await reconcileWithdrawals(deps);
  } catch (error) {
    if (!(error instanceof PspUnknown)) throw error;
    throw new Refusal('PAYOUTS_IN_QUESTION', {
      message: 'O banco não informou o que foi enviado. Tente de novo em instantes.',
    });
  }
}

/** The operator's overview of payouts. Amounts are in integer cents, and null if the bank never reported a balance. */
export type PayoutState = {
  /** Null while payouts are not stopped. */
  readonly stoppedBecause: string | null;
  /** Withdrawals that wait to be sent. */
  readonly waiting: number;
  /** Withdrawals that were sent and whose outcome is still unknown after a look-up or a resend. */
  readonly inDoubt: number;
  /** The bank's last reported balance. */
  readonly balanceCents: number | null;
  /** The amount that belongs to merchants. */
  readonly neededCents: number | null;
  /** The time of the last reported balance. */
  readonly readAt: Date | null;
  /** Whether the bank reported a balance at the last poll. */
  readonly bankReportsBalance: boolean;
};

/** Reads whether payouts are stopped, how many withdrawals wait, and the last balance that the bank reported. */
export async function readPayoutState(db: Db): Promise<PayoutState> {
  const { rows } = await sql<PayoutState>`
    select (select payouts_stopped_because from gateway) as "stoppedBecause",
           (select count(*) from withdrawals where status = 'pending') as waiting,
           (select count(*) from withdrawals
            where status = 'processing' and unknown_since is not null and (lookups > 0 or sends > 1)) as "inDoubt",
           known_cents as "balanceCents", needed_cents as "neededCents", known_at as "readAt",
           balance_cents is not null as "bankReportsBalance"
    from (values (true)) one (row) left join bank_balance on only_row
  `.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('PostgreSQL answered without a row.');
  return state;
}
