import { checkApproval } from '../approvals/index.ts';
import {
  changesOnSend,
  type DeferralReason,
  findAccountDeferralReason,
  findBankDeferralReason,
  mayResend,
  waitsForBalance,
} from '../bank-orders.ts';
import { formatMomentForSentence } from '../calendar-day.ts';
import { addMs } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Tx, TxWithSecrets } from '../db/transaction.ts';
import { readObligations } from '../ledger/index.ts';
import { findPersonHold, longerHold } from '../money-hold.ts';
import { writeMessages } from '../outbox/index.ts';
import { formatBrl } from '../payments/index.ts';
import { lockPayoutsStopAt } from '../payouts-stop.ts';
import { type AtBank, HOUSE_CONNECTION } from '../psp/index.ts';
import { findExceededCap } from './caps.ts';
import { readControls } from './controls-store.ts';
import { isSavedDestination } from './destinations-store.ts';
import { type FailureReason, failWithdrawal } from './fail-withdrawal.ts';
import { activeHoldOf } from './hold-withdrawals.ts';
import { reportPayoutNotDebited } from './report-not-debited.ts';
import { isWithdrawalDebited, lockNextWithdrawalToSend, lockWithdrawal, updateWithdrawal } from './store.ts';
import { moneyOrderOf, type Withdrawal } from './withdrawal.ts';

/** The account from which to send, and the conditions for sending that do not come from the database. */
export type SendingRules = {
  readonly connectionId: number;
  readonly limits: Config['limits'];
  /** The address of this gateway, for which the approvers' passkeys were made. */
  readonly publicUrl: string;
  /** Whether nothing is sent while the balance at the bank is unknown. */
  readonly bankReportsBalance: boolean;
  /** Whether the bank accepts each order id only once, so that a resend cannot pay twice. */
  readonly canResendSafely: boolean;
};

export function sendingRulesFrom({
  config,
  connection,
  psp,
}: Pick<AtBank, 'config' | 'connection' | 'psp'>): SendingRules {
  const resendIsSafe = psp.payouts?.isResendSafe ?? false;
  return {
    connectionId: connection.id,
    limits: config.limits,
    publicUrl: config.publicUrl,
    bankReportsBalance: waitsForBalance({ connection, psp }),
    canResendSafely: resendIsSafe,
  };
}

/**
 * `none due`: no withdrawal is due. `not sent`: a withdrawal was due, but was deferred or failed; `alarm` holds the
 * details of an error to log. `claimed`: the caller must send the withdrawal.
 */
export type ClaimedWithdrawal =
  | { readonly is: 'none due' }
  | { readonly is: 'not sent'; readonly alarm?: Record<string, unknown> }
  | { readonly is: 'claimed'; readonly withdrawal: Withdrawal };

/**
 * Claims the next due withdrawal of the account for sending, after repeating every check that could prevent the
 * sending. Locks the gateway's row, so that claims happen one after the other and none happens after a committed stop
 * of payouts. A claimed withdrawal counts as sent, so that after a crash it is looked up at the bank and not simply
 * sent again.
 */
export async function claimNextWithdrawal(
  tx: TxWithSecrets,
  rules: SendingRules,
): Promise<ClaimedWithdrawal> {
  const isStopped = (await lockPayoutsStopAt(tx, rules.connectionId)) !== null;
  const due = await lockNextWithdrawalToSend(tx, rules.connectionId);
  if (due === undefined) return { is: 'none due' };
  // This check comes first because payouts are also stopped after a restore: a restored database does not know which
  // withdrawals were sent, so no withdrawal may fail while payouts are stopped.
  if (isStopped) {
    await deferWithdrawal(tx, due, deferralWhileStopped(tx, due));
    return { is: 'not sent' };
  }
  if (!(await isWithdrawalDebited(tx, due))) return reportWithdrawalNotDebited(tx, due);
  const failure = await findReasonToFail(tx, due);
  if (failure !== undefined) {
    await failWithdrawal(tx, due, failure);
    return { is: 'not sent' };
  }
  const deferral = await findReasonToDefer(tx, rules, due);
  if (deferral !== undefined) {
    await deferWithdrawal(tx, due, deferral);
    return { is: 'not sent' };
  }
  // Last, because it marks the approvals as used.
  const wait = await checkApproval(tx, rules, moneyOrderOf(due));
  if (wait !== undefined) {
    await updateWithdrawal(tx, due, { error_code: wait.code, error: wait.text, due_at: null });
    if (due.errorCode !== wait.code) await updateOpenScreens(tx, due, 'pending');
    return { is: 'not sent' };
  }
  return { is: 'claimed', withdrawal: await markSent(tx, due) };
}

/**
 * Claims a withdrawal that the bank does not know, for a resend under the same id. Repeats the checks of a first send,
 * except the limits, because the withdrawal already counts towards them. A reason that would fail an unsent withdrawal
 * only delays the resend: the bank may have the order after all, and after an hour the operator decides. A withdrawal
 * whose endToEndId the bank has reported is never resent, even if the bank now denies knowing the order. Returns
 * undefined if the withdrawal may not be resent now, or if another process has changed the withdrawal meanwhile.
 */
export async function claimForResend(
  tx: TxWithSecrets,
  rules: SendingRules,
  { merchantId, id, sendCount }: Withdrawal,
): Promise<Withdrawal | undefined> {
  if (!rules.canResendSafely) return undefined;
  const isStopped = (await lockPayoutsStopAt(tx, rules.connectionId)) !== null;
  const withdrawal = await lockWithdrawal(tx, { merchantId, id });
  if (withdrawal?.status !== 'processing' || withdrawal.sendCount !== sendCount) return undefined;
  if (withdrawal.endToEndId !== null || !mayResend(withdrawal, tx.now)) return undefined;
  if (isStopped) return undefined;
  if ((await findBankDeferralReason(tx, rules.bankReportsBalance, 'saque')) !== undefined) return undefined;
  if (!(await isWithdrawalDebited(tx, withdrawal))) return undefined;
  if ((await findReasonToFail(tx, withdrawal)) !== undefined) return undefined;
  if ((await findMerchantDeferral(tx, withdrawal)) !== undefined) return undefined;
  const wait = await checkApproval(tx, rules, moneyOrderOf(withdrawal));
  return wait === undefined ? markSent(tx, withdrawal) : undefined;
}

/** Marks a withdrawal as sent, and clears the operator's hold, because only an unsent withdrawal can be held. */
export async function markSent(tx: Tx, withdrawal: Withdrawal): Promise<Withdrawal> {
  await updateOpenScreens(tx, withdrawal, 'processing');
  return updateWithdrawal(tx, withdrawal, {
    ...changesOnSend(withdrawal, tx.now),
    status: 'processing',
    operator_hold_reason: null,
  });
}

const shortfallFailure = {
  code: 'DISPUTE_SHORTFALL',
  text: 'Há um valor de disputa ainda descoberto: o saque não foi enviado.',
};
const apiWithdrawalsOffFailure = {
  code: 'API_WITHDRAWALS_OFF',
  text: 'O saque pela chave de API foi desligado antes do envio.',
};
const destinationRemovedFailure = {
  code: 'DESTINATION_NOT_SAVED',
  text: 'O destino foi removido dos destinos salvos antes do envio.',
};

/**
 * Returns the reason why the withdrawal must fail instead of being sent; undefined if there is none. A merchant's
 * obligations (debts and dispute shortfalls) take precedence over withdrawals from the operator's own account. A merchant turns API withdrawals off, or
 * removes a destination, in an emergency, so queued withdrawals must fail too.
 */
async function findReasonToFail(
  tx: Tx,
  { merchantId, connectionId, origin, pixKey }: Withdrawal,
): Promise<FailureReason | undefined> {
  if (connectionId === HOUSE_CONNECTION && (await readObligations(tx.db, merchantId)) > 0)
    return shortfallFailure;
  if (origin !== 'api') return undefined;
  if (!(await readControls(tx.db, merchantId)).apiEnabled) return apiWithdrawalsOffFailure;
  return (await isSavedDestination(tx, merchantId, pixKey)) ? undefined : destinationRemovedFailure;
}

/** Why a withdrawal is not sent now, and when it is checked again. */
type Deferral = DeferralReason & { readonly until: Date };

/** The time until the next check if all withdrawals must wait: short, so that they leave soon after the reason ends. */
const shortDeferralMs = 15_000;
/** The time until the next check if only one merchant, or one amount, must wait: a person has to act first. */
const longDeferralMs = 5 * 60_000;

function deferralWhileStopped(tx: Tx, { connectionId }: Withdrawal): Deferral {
  const text =
    connectionId === HOUSE_CONNECTION
      ? 'Os envios estão suspensos pelo operador. O saque sai quando forem retomados.'
      : 'Os envios desta conta bancária estão suspensos. O saque sai quando forem retomados.';
  return { code: 'WITHDRAWALS_PAUSED', text, until: addMs(tx.now, shortDeferralMs) };
}

async function findReasonToDefer(
  tx: Tx,
  rules: SendingRules,
  withdrawal: Withdrawal,
): Promise<Deferral | undefined> {
  const deferralReason = await findBankDeferralReason(tx, rules.bankReportsBalance, 'saque');
  if (deferralReason !== undefined) return { ...deferralReason, until: addMs(tx.now, shortDeferralMs) };
  return (await findMerchantDeferral(tx, withdrawal)) ?? findAmountDeferral(tx, rules.limits, withdrawal);
}

async function findMerchantDeferral(
  tx: Tx,
  { merchantId, madeBy }: Withdrawal,
): Promise<Deferral | undefined> {
  const deferralReason = await findAccountDeferralReason(tx, merchantId, 'saque');
  if (deferralReason !== undefined) return { ...deferralReason, until: addMs(tx.now, longDeferralMs) };
  // After a security-relevant change, of the account or of whoever asked for the withdrawal, it waits.
  const ofAccount = activeHoldOf(await readControls(tx.db, merchantId), tx.now);
  const hold = longerHold(ofAccount, await findPersonHold(tx.db, madeBy, tx.now));
  if (hold === undefined) return undefined;
  const text = `Por segurança, os saques estão suspensos. Este sai depois de ${formatMomentForSentence(hold.until)}.`;
  return { code: 'WITHDRAWALS_HELD', text, until: hold.until };
}

async function findAmountDeferral(
  tx: Tx,
  limits: Config['limits'],
  withdrawal: Withdrawal,
): Promise<Deferral | undefined> {
  if (withdrawal.amountCents > limits.withdrawalMaxCents) {
    const text = `O valor passa do máximo por saque, agora ${formatBrl(limits.withdrawalMaxCents)}. Fale com o suporte.`;
    return { code: 'WITHDRAWAL_TOO_LARGE', text, until: addMs(tx.now, longDeferralMs) };
  }
  const cap = await findExceededCap(tx, limits, withdrawal, 'send');
  if (cap === undefined) return undefined;
  const text = `O limite de saques deste período foi atingido. Este sai em ${formatMomentForSentence(cap.until)}.`;
  return { code: cap.code, text, until: cap.until };
}

/**
 * Stores why a withdrawal is not sent now and when it is due again. Updates open screens only if the reason changed,
 * because the same deferral may repeat every few seconds.
 */
async function deferWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { code, text, until }: Deferral,
): Promise<void> {
  await updateWithdrawal(tx, withdrawal, { error_code: code, error: text, due_at: until });
  if (withdrawal.errorCode !== code) await updateOpenScreens(tx, withdrawal, 'pending');
}

/** Updates open screens only: the merchant's webhook and notification follow when the withdrawal ends. */
async function updateOpenScreens(
  tx: Tx,
  { merchantId, id }: Pick<Withdrawal, 'merchantId' | 'id'>,
  status: Withdrawal['status'],
): Promise<void> {
  await writeMessages(tx, [{ merchantId, message: { type: 'withdrawal', withdrawal: { id, status } } }]);
}

/**
 * Stops payouts and opens an item for the operator instead of sending the withdrawal: money that the ledger did not
 * debit must never leave.
 */
async function reportWithdrawalNotDebited(
  tx: TxWithSecrets,
  withdrawal: Withdrawal,
): Promise<ClaimedWithdrawal> {
  const { merchantId, connectionId, id: reference, idEnvio, amountCents } = withdrawal;
  const error = 'O saque está sendo verificado pelo operador.';
  await updateWithdrawal(tx, withdrawal, { error_code: 'NOT_DEBITED', error, due_at: null });
  const detail = {
    id_envio: idEnvio,
    amount_cents: amountCents,
    sent: false,
  };
  const isNewItem = await reportPayoutNotDebited(tx, {
    connectionId,
    reference,
    merchantId,
    detail,
  });
  return { is: 'not sent', ...(isNewItem && { alarm: { withdrawalId: reference, merchantId } }) };
}
