import { sql } from 'kysely';
import { insertAuditEntry } from '../audit/index.ts';
import { refuseLowBankBalance } from '../bank-watch/index.ts';
import type { Db } from '../db/pool.ts';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { recheckAbility } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import {
  endStopAt,
  lockPayoutsStop,
  readPayoutsStop,
  stopOwnAccounts,
  writePayoutsStop,
} from '../payouts-stop.ts';
import { type AtBank, atHouse, HOUSE_CONNECTION, PspUnknown } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { reconcileWithdrawals } from './reconcile-withdrawals.ts';
import { hasUnexplainedPayouts, makeWithdrawalsDueAfterResume } from './store.ts';

/**
 * Stops all payouts, including those of queued withdrawals: no withdrawal is claimed for sending after this commit. A
 * stop on the command line has the platform as `actorId`. Refuses with FORBIDDEN if the caller has lost the permission.
 */
export async function stopPayouts(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'secrets'>,
  actorId: number,
  reason: string,
): Promise<void> {
  await inTransaction(deps, async (tx) => {
    await refuseFormerAdministrator(tx, actorId);
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
 * Resumes payouts if the operator's own account covers the merchants' money and no unexplained payout has left it.
 * Otherwise refuses with BANK_BALANCE_LOW or PAYOUTS_IN_QUESTION, as it does while the operator's bank cannot be
 * queried. Also refuses with PAYOUTS_IN_QUESTION if payouts were stopped for another reason during this call, because
 * that stop must stay; and with FORBIDDEN if the caller has lost the permission. If `stopReason` is given, only a stop for
 * that reason is lifted.
 *
 * Payouts from merchants' own accounts resume one account after the other, each once its own bank has said what it sent
 * (`resumeAtOwnAccount`). The books of an account are its own, so what may be missing in one of them makes no payout from
 * another wrong, and a bank that does not answer keeps only its own payouts stopped.
 */
export async function resumePayouts(
  deps: Deps,
  actorId: number,
  reason: string,
  stopReason?: string,
): Promise<void> {
  const reasonBeforeChecks = stopReason ?? (await readPayoutsStop(deps.db));
  await refuseLowBankBalance(atHouse(deps));
  await reconcileOrRefuse(atHouse(deps));
  await inTransaction(deps, async (tx) => {
    await refuseFormerAdministrator(tx, actorId);
    const before = await lockPayoutsStop(tx);
    if (before !== null && before !== reasonBeforeChecks)
      throw new Refusal('PAYOUTS_IN_QUESTION', { message: stoppedMeanwhileText });
    if (await hasUnexplainedPayouts(tx, HOUSE_CONNECTION)) throw new Refusal('PAYOUTS_IN_QUESTION');
    await stopOwnAccounts(tx, reasonBeforeChecks ?? reason);
    await writePayoutsStop(tx, null);
    await makeWithdrawalsDueAfterResume(tx, HOUSE_CONNECTION);
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

/** Refuses an administrator who has lost the permission. The command line acts as the platform, which needs none. */
async function refuseFormerAdministrator(tx: Tx, actorId: number): Promise<void> {
  if (actorId !== PLATFORM) await recheckAbility(tx, actorId, 'run-operations');
}

const stoppedMeanwhileText =
  'Os envios foram parados por outro motivo enquanto isto era conferido. Veja o motivo antes de retomar.';

/**
 * Reads the list of sent Pix of the operator's own account up to now, so that every unexplained payout is known before
 * payouts resume. Refuses with PAYOUTS_IN_QUESTION if the bank does not provide its list.
 */
async function reconcileOrRefuse(deps: AtBank): Promise<void> {
  try {
    await reconcileWithdrawals(deps);
  } catch (error) {
    if (!(error instanceof PspUnknown)) throw error;
    throw new Refusal('PAYOUTS_IN_QUESTION', {
      message: 'O banco não informou o que foi enviado. Tente de novo em instantes.',
    });
  }
}

/**
 * Resumes payouts from one merchant's own account, unless its bank's list shows a payout that nobody explained. Throws if
 * the bank does not provide its list.
 */
export async function resumeAtOwnAccount(deps: AtBank): Promise<void> {
  const { id } = deps.connection;
  await reconcileWithdrawals(deps);
  const isResumed = await inTransaction(deps, async (tx) => {
    await lockPayoutsStop(tx);
    if (await hasUnexplainedPayouts(tx, id)) return false;
    const wasStopped = await endStopAt(tx, id);
    if (wasStopped) await makeWithdrawalsDueAfterResume(tx, id);
    return wasStopped;
  });
  if (isResumed) deps.log.warn({ connectionId: id }, 'payouts from a merchant’s own account were resumed');
}

/**
 * The operator's overview of payouts. Amounts are in integer cents, and are null if the bank never reported a balance.
 */
export type PayoutState = {
  /** Why payouts are stopped; null while they are not. */
  readonly stoppedBecause: string | null;
  /** The number of withdrawals that wait to be sent. */
  readonly waiting: number;
  /** The number of sent withdrawals whose outcome is still unknown after a look-up or a resend. */
  readonly inDoubt: number;
  /** The last balance that the bank reported. */
  readonly balanceCents: number | null;
  /** The amount that belongs to merchants, which the bank account must cover. */
  readonly neededCents: number | null;
  /** When the bank reported that balance. */
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
            where status = 'processing' and unknown_since is not null
              and (lookup_count > 0 or send_count > 1)) as "inDoubt",
           known_cents as "balanceCents", needed_cents as "neededCents", known_at as "readAt",
           balance_cents is not null as "bankReportsBalance"
    -- One row also while bank_balance is empty, before the first poll of the balance.
    from (values (true)) one (row) left join bank_balance on only_row
  `.execute(db);
  const [state] = rows;
  if (state === undefined) throw new Error('PostgreSQL answered without a row.');
  return state;
}
