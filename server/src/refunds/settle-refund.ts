import { isLongUnknown, mayResend, ORDER_LEASE_MS } from '../bank-orders.ts';
import { closeItem, isBankInDoubt, openItem } from '../bank-watch/index.ts';
import { after } from '../clock.ts';
import type { Tx } from '../db/transaction.ts';
import { type BlockedRefund, blockRefusedRefund } from '../disputes/index.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import {
  changeRefunds,
  lockReceivedPix,
  lockRefundableCharge,
  type RefundableCharge,
  setOutcome,
} from '../payments/index.ts';
import { readPayoutsStopForShare } from '../payouts-stop.ts';
import type { BankReturn } from '../psp/index.ts';
import { publishRefundCompleted, publishRefundFailed } from './publish-refund-event.ts';
import { nextRefundLookUp, refundableCents, type StoredRefund } from './refund.ts';
import { changeRefund, isRefundDebited, lockRefund, readContest, sumReturns } from './store.ts';

/**
 * What the bank answered about a refund. `refused`: the order itself was definitely refused. `impossible`: so much of
 * its Pix was returned that this refund no longer fits. `granted`: the bank returns the Pix itself, in a dispute, and
 * this refund was never sent. `tellsBalance`: see `areRefundsStopped`.
 */
export type RefundReply =
  | { readonly is: 'answered'; readonly atBank: BankReturn }
  | { readonly is: 'refused'; readonly reason: string | undefined }
  | { readonly is: 'not-found'; readonly tellsBalance: boolean }
  | { readonly is: 'unknown' | 'impossible' | 'granted' };

/** `again`: to be resent now. `alarm`: the item opened for the operator, to be logged. */
type RefundSettlement = { readonly again?: StoredRefund; readonly alarm?: string };

const oddPauseMs = 10 * 60_000;

const tooMuch = 'O banco já devolveu este Pix a quem pagou.';
const grantedText = 'O pagador ganhou a disputa deste Pix: quem devolve é o banco.';

/**
 * Books the bank's answer about a refund. Completed: the refund is settled; refused: the merchant is credited back;
 * unknown: no money moves. An answer counts only if refund and amount match. A refund that has ended does not change.
 */
export async function settleRefund(
  tx: Tx,
  asked: StoredRefund,
  told: RefundReply,
): Promise<RefundSettlement> {
  const charge = await lockRefundSource(tx, asked);
  const refund = await lockRefund(tx, asked);
  if (refund.status !== 'processing') return {};
  if (told.is === 'answered') return bookAnswer(tx, refund, charge, told.atBank);
  if (told.is === 'impossible') return fail(tx, refund, charge, 'BANK_RETURNED_IT', tooMuch);
  if (told.is === 'granted')
    return refund.sends === 0 ? fail(tx, refund, charge, 'PAYMENT_IN_DISPUTE', grantedText) : {};
  // A refused resend says nothing about the outcome of the first send.
  if (told.is === 'refused' && refund.sends === 1)
    return fail(tx, refund, charge, 'BANK_REFUSED', refusalText(told.reason));
  return stayUnknown(tx, refund, told);
}

/** Lock order: the charge, or the unclaimed Pix, before its refunds. */
export async function lockRefundSource(tx: Tx, refund: StoredRefund): Promise<RefundableCharge | undefined> {
  if (refund.chargeId !== null) return lockRefundableCharge(tx, refund.merchantId, refund.chargeId);
  await lockReceivedPix(tx, refund.endToEndId);
  return undefined;
}

async function bookAnswer(
  tx: Tx,
  refund: StoredRefund,
  charge: RefundableCharge | undefined,
  atBank: BankReturn,
): Promise<RefundSettlement> {
  if (atBank.refundId !== refund.bankRefundId || atBank.amountCents !== refund.amountCents)
    return putBeforeOperator(tx, refund, atBank);
  if (atBank.status === 'completed') return complete(tx, refund, charge, atBank);
  if (atBank.status === 'refused')
    return fail(tx, refund, charge, 'BANK_REFUSED', refusalText(atBank.reason));
  await changeRefund(tx, refund, {
    rtr_id: refund.rtrId ?? atBank.rtrId ?? null,
    unknown_since: null,
    error_code: null,
    error: null,
    due_at: nextRefundLookUp(refund.firstSentAt ?? tx.now, tx.now),
  });
  await endAlarms(tx, refund, 'the bank is at it');
  return {};
}

async function complete(
  tx: Tx,
  refund: StoredRefund,
  charge: RefundableCharge | undefined,
  atBank: BankReturn,
): Promise<RefundSettlement> {
  const { merchantId, id: reference, amountCents } = refund;
  await changeRefund(tx, refund, {
    status: 'completed',
    completed_at: tx.now,
    returned_at: atBank.at,
    rtr_id: refund.rtrId ?? atBank.rtrId ?? null,
    unknown_since: null,
    due_at: null,
    error_code: null,
    error: null,
  });
  await endAlarms(tx, refund, 'the bank gave it back');
  if (charge === undefined) {
    await settleSuspenseOutcome(tx, refund.endToEndId);
    await post(tx, movements.unmatchedReturned({ reference, amountCents }));
    return {};
  }
  await publishRefundCompleted(tx, charge, refund);
  await post(tx, movements.refundCompleted({ merchantId, reference, amountCents }));
  await changeRefunds(tx, charge, { refundingCents: -amountCents, refundedCents: amountCents });
  return {};
}

async function fail(
  tx: Tx,
  refund: StoredRefund,
  charge: RefundableCharge | undefined,
  errorCode: string,
  error: string,
): Promise<RefundSettlement> {
  const { merchantId, id: reference, amountCents } = refund;
  await changeRefund(tx, refund, {
    status: 'failed',
    error_code: errorCode,
    error,
    unknown_since: null,
    due_at: null,
  });
  await endAlarms(tx, refund, 'the bank did not give it back');
  if (charge === undefined) {
    await settleSuspenseOutcome(tx, refund.endToEndId);
    await post(tx, movements.unmatchedReturnRefused({ reference, amountCents }));
    return { alarm: 'the bank did not give back a Pix that nobody claimed' };
  }
  const { securedCents, transfers } = await secure(tx, refund, charge);
  await publishRefundFailed(tx, charge, refund, { why: error, securedCents });
  await post(tx, [...movements.refundRefused({ merchantId, reference, amountCents }), ...transfers]);
  await changeRefunds(tx, charge, { refundingCents: -amountCents, refundedCents: 0 });
  return {};
}

/** Blocks the amount of a failed refund for disputes of the Pix. */
function secure(tx: Tx, refund: StoredRefund, charge: RefundableCharge): Promise<BlockedRefund> {
  const { merchantId, endToEndId, id: refundId, amountCents } = refund;
  const leftCents = refundableCents(charge) + amountCents;
  return blockRefusedRefund(tx, { merchantId, endToEndId, refundId, amountCents, leftCents });
}

/** An unclaimed Pix is returned once all of it is, and is in suspense again when no return is pending. */
export async function settleSuspenseOutcome(tx: Tx, endToEndId: string): Promise<void> {
  const pix = await lockReceivedPix(tx, endToEndId);
  invariant(pix?.merchantId === PLATFORM, 'a return of a Pix that is not there, or is claimed');
  const { refundedCents, refundingCents } = await sumReturns(tx, endToEndId);
  const under = refundingCents > 0 ? 'returning' : 'suspense';
  const outcome = refundedCents === pix.amountCents ? 'returned' : under;
  if (outcome !== pix.outcome) await setOutcome(tx, endToEndId, outcome);
}

async function stayUnknown(tx: Tx, refund: StoredRefund, told: RefundReply): Promise<RefundSettlement> {
  const unknownSince = refund.unknownSince ?? tx.now;
  const lookups = refund.lookups + (told.is === 'not-found' ? 1 : 0);
  const isDue =
    told.is === 'not-found' && mayResend({ notFound: lookups, sentAt: unknownSince, unknownSince }, tx.now);
  if (isDue && (await mayLeave(tx, refund, told.tellsBalance))) {
    const sends = refund.sends + 1;
    await changeRefund(tx, refund, {
      sends,
      lookups: 0,
      unknown_since: unknownSince,
      due_at: after(tx.now, ORDER_LEASE_MS),
    });
    return { again: { ...refund, sends } };
  }
  await changeRefund(tx, refund, {
    lookups,
    unknown_since: unknownSince,
    due_at: nextRefundLookUp(unknownSince, tx.now),
  });
  if (!isLongUnknown(unknownSince, tx.now)) return {};
  const opened = await openItem(tx, {
    kind: 'refund-in-doubt',
    reference: refund.id,
    merchantId: refund.merchantId,
    detail: { ...namesOf(refund), unknown_since: unknownSince.toISOString() },
  });
  return opened ? { alarm: 'nobody knows what became of a refund' } : {};
}

/** Repeats the checks of the first send before a resend. */
async function mayLeave(tx: Tx, refund: StoredRefund, tellsBalance: boolean): Promise<boolean> {
  const stopped = await areRefundsStopped(tx, tellsBalance);
  return (await deferReason(tx, refund, stopped)) === undefined && isRefundDebited(tx, refund);
}

async function putBeforeOperator(
  tx: Tx,
  refund: StoredRefund,
  atBank: BankReturn,
): Promise<RefundSettlement> {
  const { refundId, rtrId, amountCents, status } = atBank;
  // An answer about something else proves nothing about this refund.
  await changeRefund(tx, refund, {
    unknown_since: refund.unknownSince ?? tx.now,
    due_at: after(tx.now, oddPauseMs),
  });
  const opened = await openItem(tx, {
    kind: 'refund-differs',
    reference: refund.id,
    merchantId: refund.merchantId,
    detail: {
      ...namesOf(refund),
      at_bank: { refund_id: refundId, rtr_id: rtrId ?? null, amount_cents: amountCents, status },
    },
  });
  return opened ? { alarm: 'the bank speaks of another refund than was asked for' } : {};
}

export function namesOf({ endToEndId, bankRefundId, amountCents }: StoredRefund): Record<string, unknown> {
  return { end_to_end_id: endToEndId, bank_refund_id: bankRefundId, amount_cents: amountCents };
}

async function endAlarms(tx: Tx, refund: StoredRefund, evidence: string): Promise<void> {
  for (const kind of ['refund-in-doubt', 'refund-differs', 'refund-not-debited'] as const)
    await closeItem(tx, { kind, reference: refund.id, evidence });
}

function refusalText(reason: string | undefined): string {
  return reason === undefined ? 'O banco recusou a devolução.' : `O banco recusou a devolução: ${reason}`;
}

const stoppedText = 'Os envios estão suspensos pelo operador. O estorno segue quando voltarem.';
const contestedText = 'O pagador contestou este Pix no banco dele. O estorno espera o fim da disputa.';
const notApprovedText = 'A conta não está aprovada. O estorno segue quando ela for.';
const frozenText = 'A conta está bloqueada. O estorno fica retido até que ela seja desbloqueada.';

/**
 * Whether all refunds are stopped now. `tellsBalance`: the bank reports its balance, so none is sent while it is
 * unknown.
 */
export async function areRefundsStopped(tx: Tx, tellsBalance: boolean): Promise<boolean> {
  return (await readPayoutsStopForShare(tx)) !== undefined || (await isBankInDoubt(tx, tellsBalance));
}

/** Why a refund may not be sent or resent now, as shown to the merchant; undefined if it may. */
export async function deferReason(
  tx: Tx,
  refund: StoredRefund,
  stopped: boolean,
): Promise<string | undefined> {
  if (stopped) return stoppedText;
  // Otherwise it could be returned twice: by this refund and by the bank.
  if ((await readContest(tx, refund)) !== undefined) return contestedText;
  if (refund.merchantId === PLATFORM) return undefined;
  const merchant = await readMerchant(tx.db, refund.merchantId);
  if (merchant?.frozen) return frozenText;
  return merchant?.approved === true ? undefined : notApprovedText;
}
