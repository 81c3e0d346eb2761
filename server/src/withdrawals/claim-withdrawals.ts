import { accountDelay, bankDelay, type Delay, mayResend, onceSent } from '../bank-orders.ts';
import { openItem } from '../bank-watch/index.ts';
import { formatMomentForSentence } from '../calendar-day.ts';
import { after } from '../clock.ts';
import type { Config } from '../config.ts';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readObligations } from '../ledger/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { formatBrl } from '../payments/index.ts';
import { lockPayoutsStop } from '../payouts-stop.ts';
import { findCap } from './caps.ts';
import { readControls } from './controls-store.ts';
import { isSavedDestination } from './destinations-store.ts';
import { type FailureReason, failWithdrawal } from './fail-withdrawal.ts';
import { holdOf } from './hold-withdrawals.ts';
import { isWithdrawalDebited, lockNextToSend, lockWithdrawal, updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

/** What sending depends on besides the database. */
export type SendingRules = {
  readonly limits: Config['limits'];
  /** Whether the bank reports its balance: if so, nothing is sent while the balance is unknown. */
  readonly tellsBalance: boolean;
  readonly resendIsSafe: boolean;
};

export function sendingRules({ config, psp }: Pick<Deps, 'config' | 'psp'>): SendingRules {
  const resendIsSafe = psp.payouts?.resendIsSafe ?? false;
  return { limits: config.limits, tellsBalance: psp.account !== undefined, resendIsSafe };
}

/** `looked`: one was due but is not sent now. */
export type ClaimedWithdrawal =
  | { readonly is: 'nothing' }
  | { readonly is: 'looked'; readonly alarm?: Record<string, unknown> }
  | { readonly is: 'claimed'; readonly withdrawal: Withdrawal };

/**
 * Claims the next due withdrawal after repeating every check that could stop it. Holds the lock on the gateway's row,
 * so claims are serialized and none follows a committed stop. A claimed withdrawal counts as sent.
 */
export async function claimNextWithdrawal(tx: Tx, rules: SendingRules): Promise<ClaimedWithdrawal> {
  const stopped = (await lockPayoutsStop(tx)) !== null;
  const due = await lockNextToSend(tx);
  if (due === undefined) return { is: 'nothing' };
  // This check comes first: a restored database does not know what was sent, so no withdrawal may end while payouts
  // are stopped.
  if (stopped) {
    await putOff(tx, due, pausedUntil(tx));
    return { is: 'looked' };
  }
  if (!(await isWithdrawalDebited(tx, due))) return keepFromLeaving(tx, due);
  const end = await whyNeverLeaves(tx, due);
  if (end !== undefined) {
    await failWithdrawal(tx, due, end);
    return { is: 'looked' };
  }
  const wait = await whyWait(tx, rules, due);
  if (wait !== undefined) {
    await putOff(tx, due, wait);
    return { is: 'looked' };
  }
  return { is: 'claimed', withdrawal: await markSent(tx, due) };
}

/**
 * Claims a withdrawal that the bank does not know, for a resend under the same id. Repeats the checks of a first send
 * except the limits, which were counted then. A reason to fail a first send only delays a resend: the bank may have
 * the order after all, and after an hour it goes to the operator. An order that the bank has ever reported is never
 * missing, even if it now denies it. Returns undefined if it may not be sent now, or another process has changed it
 * meanwhile.
 */
export async function claimForResend(
  tx: Tx,
  rules: SendingRules,
  { merchantId, id, sends }: Withdrawal,
): Promise<Withdrawal | undefined> {
  if (!rules.resendIsSafe) return undefined;
  const stopped = (await lockPayoutsStop(tx)) !== null;
  const withdrawal = await lockWithdrawal(tx, { merchantId, id });
  if (withdrawal?.status !== 'processing' || withdrawal.sends !== sends) return undefined;
  if (withdrawal.endToEndId !== null || !mayResend(withdrawal, tx.now)) return undefined;
  if (stopped || (await bankDelay(tx, rules.tellsBalance, 'saque')) !== undefined) return undefined;
  if (!(await isWithdrawalDebited(tx, withdrawal)) || (await whyNeverLeaves(tx, withdrawal)) !== undefined)
    return undefined;
  return (await whyMerchantWaits(tx, withdrawal)) === undefined ? markSent(tx, withdrawal) : undefined;
}

/** Marks it as sent and clears the operator's hold. */
export async function markSent(tx: Tx, withdrawal: Withdrawal): Promise<Withdrawal> {
  await showStatus(tx, withdrawal, 'processing');
  return updateWithdrawal(tx, withdrawal, {
    ...onceSent(withdrawal, tx.now),
    status: 'processing',
    operator_hold: null,
  });
}

const shortfall = {
  code: 'DISPUTE_SHORTFALL',
  text: 'Há um valor de disputa ainda descoberto: o saque não foi enviado e o valor voltou ao seu saldo.',
};
const apiOff = {
  code: 'API_WITHDRAWALS_OFF',
  text: 'O saque pela chave de API foi desligado antes do envio. O valor voltou ao seu saldo.',
};
const destinationGone = {
  code: 'DESTINATION_NOT_SAVED',
  text: 'O destino foi removido dos destinos salvos antes do envio. O valor voltou ao seu saldo.',
};

/**
 * Obligations take precedence over withdrawals. Turning API withdrawals off, or removing a destination, is urgent, so
 * it also stops what is queued.
 */
async function whyNeverLeaves(
  tx: Tx,
  { merchantId, origin, pixKey }: Withdrawal,
): Promise<FailureReason | undefined> {
  if ((await readObligations(tx.db, merchantId)) > 0) return shortfall;
  if (origin !== 'api') return undefined;
  if (!(await readControls(tx.db, merchantId)).apiEnabled) return apiOff;
  return (await isSavedDestination(tx, merchantId, pixKey)) ? undefined : destinationGone;
}

type Wait = Delay & { readonly until: Date };

const soonMs = 15_000;
const laterMs = 5 * 60_000;

function pausedUntil(tx: Tx): Wait {
  const text = 'Os envios estão suspensos pelo operador. O saque sai quando forem retomados.';
  return { code: 'WITHDRAWALS_PAUSED', text, until: after(tx.now, soonMs) };
}

async function whyWait(tx: Tx, rules: SendingRules, withdrawal: Withdrawal): Promise<Wait | undefined> {
  const delay = await bankDelay(tx, rules.tellsBalance, 'saque');
  if (delay !== undefined) return { ...delay, until: after(tx.now, soonMs) };
  return (await whyMerchantWaits(tx, withdrawal)) ?? whyAmountWaits(tx, rules.limits, withdrawal);
}

async function whyMerchantWaits(tx: Tx, { merchantId }: Withdrawal): Promise<Wait | undefined> {
  const delay = await accountDelay(tx, merchantId, 'saque');
  if (delay !== undefined) return { ...delay, until: after(tx.now, laterMs) };
  const hold = holdOf(await readControls(tx.db, merchantId), tx.now);
  if (hold === undefined) return undefined;
  const text = `Por segurança, os saques estão suspensos. Este sai depois de ${formatMomentForSentence(hold.until)}.`;
  return { code: 'WITHDRAWALS_HELD', text, until: hold.until };
}

async function whyAmountWaits(
  tx: Tx,
  limits: Config['limits'],
  withdrawal: Withdrawal,
): Promise<Wait | undefined> {
  if (withdrawal.amountCents > limits.withdrawalMax) {
    const text = `O valor passa do máximo por saque, agora ${formatBrl(limits.withdrawalMax)}. Fale com o suporte.`;
    return { code: 'WITHDRAWAL_TOO_LARGE', text, until: after(tx.now, laterMs) };
  }
  const cap = await findCap(tx, limits, withdrawal, 'sent');
  if (cap === undefined) return undefined;
  const text = `O limite de saques deste período foi atingido. Este sai em ${formatMomentForSentence(cap.until)}.`;
  return { code: cap.code, text, until: cap.until };
}

/** Open screens are updated only when the reason changes. */
async function putOff(tx: Tx, withdrawal: Withdrawal, { code, text, until }: Wait): Promise<void> {
  await updateWithdrawal(tx, withdrawal, { error_code: code, error: text, due_at: until });
  if (withdrawal.errorCode !== code) await showStatus(tx, withdrawal, 'pending');
}

/** Updates open screens only; webhook and notification follow when the withdrawal ends. */
async function showStatus(
  tx: Tx,
  { merchantId, id }: Pick<Withdrawal, 'merchantId' | 'id'>,
  status: Withdrawal['status'],
): Promise<void> {
  await writeMessages(tx, [{ merchantId, message: { type: 'withdrawal', withdrawal: { id, status } } }]);
}

/** Money that the ledger did not debit must never be sent. */
async function keepFromLeaving(tx: Tx, withdrawal: Withdrawal): Promise<ClaimedWithdrawal> {
  const { merchantId, id: reference, idEnvio, amountCents } = withdrawal;
  const error = 'O saque está sendo verificado pelo operador.';
  await updateWithdrawal(tx, withdrawal, { error_code: 'NOT_DEBITED', error, due_at: null });
  const detail = { id_envio: idEnvio, amount_cents: amountCents, sent: false };
  const opened = await openItem(tx, { kind: 'payout-not-debited', reference, merchantId, detail });
  return { is: 'looked', ...(opened && { alarm: { withdrawalId: reference, merchantId } }) };
}
