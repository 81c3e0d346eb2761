import { isBankInDoubt, openItem } from '../bank-watch/index.ts';
import { formatMomentForSentence } from '../calendar-day.ts';
import type { Config } from '../config.ts';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { readMerchant } from '../identity/index.ts';
import { readObligations } from '../ledger/index.ts';
import { writeMessages } from '../outbox/index.ts';
import { formatBrl } from '../payments/index.ts';
import { findCap } from './caps.ts';
import { readControls } from './controls-store.ts';
import { isSavedDestination } from './destinations-store.ts';
import { type FailureReason, failWithdrawal } from './fail-withdrawal.ts';
import { holdOf } from './hold-withdrawals.ts';
import { after, mayResendPayout, PAYOUT_LEASE_MS } from './payout-timing.ts';
import { lockPayoutsStop } from './payouts-stop-store.ts';
import { isWithdrawalDebited, lockNextToSend, lockWithdrawal, updateWithdrawal } from './store.ts';
import type { Withdrawal } from './withdrawal.ts';

/** What sending depends on beside the database. */
export type SendingRules = {
  readonly limits: Config['limits'];
  /** Whether the bank tells its balance: then nothing leaves while nobody knows it. */
  readonly tellsBalance: boolean;
  readonly resendIsSafe: boolean;
};

export function sendingRules({ config, psp }: Pick<Deps, 'config' | 'psp'>): SendingRules {
  const resendIsSafe = psp.payouts?.resendIsSafe ?? false;
  return { limits: config.limits, tellsBalance: psp.account !== undefined, resendIsSafe };
}

/** `looked`: one was due, and does not leave now. */
export type ClaimedWithdrawal =
  | { readonly is: 'nothing' }
  | { readonly is: 'looked'; readonly alarm?: Record<string, unknown> }
  | { readonly is: 'claimed'; readonly withdrawal: Withdrawal };

/**
 * Takes the next withdrawal that is due to leave, after asking everything anew that could keep it. Whoever claims holds
 * the gateway's row: one at a time, and none after a stop that was committed. From then on it counts as sent.
 */
export async function claimNextWithdrawal(tx: Tx, rules: SendingRules): Promise<ClaimedWithdrawal> {
  const stopped = (await lockPayoutsStop(tx)) !== null;
  const due = await lockNextToSend(tx);
  if (due === undefined) return { is: 'nothing' };
  // Before anything else: a restored database does not know what left, so nothing in it ends while payouts are stopped.
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
 * Takes one that the bank does not know, to be sent once more under the same id, after asking anew what is asked of one
 * that leaves first, but for its caps, which were counted then. What would end that one only keeps this one: the bank may
 * have it after all, and after an hour it stands before the operator. Undefined: it may not leave now, or somebody else
 * has found out more.
 */
export async function claimForResend(
  tx: Tx,
  rules: SendingRules,
  { merchantId, id, sends }: Withdrawal,
): Promise<Withdrawal | undefined> {
  const stopped = (await lockPayoutsStop(tx)) !== null;
  const withdrawal = await lockWithdrawal(tx, { merchantId, id });
  if (withdrawal?.status !== 'processing' || withdrawal.sends !== sends) return undefined;
  if (!mayResendPayout(withdrawal, tx.now, rules.resendIsSafe)) return undefined;
  if (stopped || (await isBankInDoubt(tx, rules.tellsBalance))) return undefined;
  if (!(await isWithdrawalDebited(tx, withdrawal)) || (await whyNeverLeaves(tx, withdrawal)) !== undefined)
    return undefined;
  return (await whyMerchantWaits(tx, withdrawal)) === undefined ? markSent(tx, withdrawal) : undefined;
}

/** It counts as sent, and is held no more. Until the bank answers, nobody knows what becomes of it. */
export async function markSent(
  tx: Tx,
  { unknownSince, sends, ...withdrawal }: Withdrawal,
): Promise<Withdrawal> {
  await showStatus(tx, withdrawal, 'processing');
  return updateWithdrawal(tx, withdrawal, {
    status: 'processing',
    sends: sends + 1,
    lookups: 0,
    not_found: 0,
    ...(sends === 0 && { first_sent_at: tx.now }),
    last_sent_at: tx.now,
    unknown_since: unknownSince ?? tx.now,
    error_code: null,
    error: null,
    operator_hold: null,
    due_at: after(tx.now, PAYOUT_LEASE_MS),
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

/** A claim comes first; and whoever took the way by API key back is in haste, also for what is queued. */
async function whyNeverLeaves(
  tx: Tx,
  { merchantId, origin, pixKey }: Withdrawal,
): Promise<FailureReason | undefined> {
  if ((await readObligations(tx.db, merchantId)) > 0) return shortfall;
  if (origin !== 'api') return undefined;
  if (!(await readControls(tx.db, merchantId)).apiEnabled) return apiOff;
  return (await isSavedDestination(tx, merchantId, pixKey)) ? undefined : destinationGone;
}

type Wait = { readonly code: string; readonly text: string; readonly until: Date };

const soonMs = 15_000;
const laterMs = 5 * 60_000;

function pausedUntil(tx: Tx): Wait {
  const text = 'Os envios estão suspensos pelo operador. O saque sai quando forem retomados.';
  return { code: 'WITHDRAWALS_PAUSED', text, until: after(tx.now, soonMs) };
}

async function whyWait(tx: Tx, rules: SendingRules, withdrawal: Withdrawal): Promise<Wait | undefined> {
  if (await isBankInDoubt(tx, rules.tellsBalance)) {
    const text = 'O saldo no banco está sendo conferido. O saque sai em seguida.';
    return { code: 'BANK_IN_DOUBT', text, until: after(tx.now, soonMs) };
  }
  return (await whyMerchantWaits(tx, withdrawal)) ?? whyAmountWaits(tx, rules.limits, withdrawal);
}

async function whyMerchantWaits(tx: Tx, { merchantId }: Withdrawal): Promise<Wait | undefined> {
  const merchant = await readMerchant(tx.db, merchantId);
  if (merchant?.frozen) {
    const text = 'A conta está bloqueada. O saque fica retido até que ela seja desbloqueada.';
    return { code: 'ACCOUNT_FROZEN', text, until: after(tx.now, laterMs) };
  }
  if (merchant?.approved !== true) {
    const text = 'A conta não está aprovada. O saque fica retido até que ela seja aprovada de novo.';
    return { code: 'ACCOUNT_NOT_APPROVED', text, until: after(tx.now, laterMs) };
  }
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

/** The merchant is told why it waits, once. */
async function putOff(tx: Tx, withdrawal: Withdrawal, { code, text, until }: Wait): Promise<void> {
  await updateWithdrawal(tx, withdrawal, { error_code: code, error: text, due_at: until });
  if (withdrawal.errorCode !== code) await showStatus(tx, withdrawal, 'pending');
}

/** Open screens are told; what follows of it is told when it ends. */
async function showStatus(
  tx: Tx,
  { merchantId, id }: Pick<Withdrawal, 'merchantId' | 'id'>,
  status: Withdrawal['status'],
): Promise<void> {
  await writeMessages(tx, [{ merchantId, message: { type: 'withdrawal', withdrawal: { id, status } } }]);
}

/** Money that the books did not put aside must not leave, whatever asks for it. */
async function keepFromLeaving(tx: Tx, withdrawal: Withdrawal): Promise<ClaimedWithdrawal> {
  const { merchantId, id: reference, idEnvio, amountCents } = withdrawal;
  const error = 'O saque está sendo verificado pelo operador.';
  await updateWithdrawal(tx, withdrawal, { error_code: 'NOT_DEBITED', error, due_at: null });
  const detail = { id_envio: idEnvio, amount_cents: amountCents, sent: false };
  const opened = await openItem(tx, { kind: 'payout-not-debited', reference, merchantId, detail });
  return { is: 'looked', ...(opened && { alarm: { withdrawalId: reference, merchantId } }) };
}
