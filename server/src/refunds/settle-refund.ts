import {
  type BankReply,
  type BookingResult,
  closeOpenItemsAboutOutcome,
  nextLookUp,
  type OrderKind,
  recordUnknownOutcome,
  reportContradiction,
} from '../bank-orders.ts';
import { closeItem } from '../bank-watch/index.ts';
import type { Tx } from '../db/transaction.ts';
import { type BlockedRefund, blockFailedRefund } from '../disputes/index.ts';
import { invariant } from '../invariant.ts';
import { movements, PLATFORM, post } from '../ledger/index.ts';
import {
  adjustRefundTotals,
  lockReceivedPix,
  lockRefundableCharge,
  type RefundableCharge,
  setPixOutcome,
} from '../payments/index.ts';
import { type BankReturn, HOUSE_CONNECTION } from '../psp/index.ts';
import { publishGivenBack } from './publish-given-back.ts';
import { publishRefundCompleted, publishRefundFailed } from './publish-refund-event.ts';
import { refundableCents, type StoredRefund } from './refund.ts';
import { lockRefund, sumReturnsOfUnmatchedPix, updateRefund } from './store.ts';

/** The names, details and update statement that make refunds one kind of order to the bank (`bank-orders.ts`). */
export const refundKind: OrderKind<StoredRefund> = {
  name: 'refund',
  notDebitedItemKind: 'refund-not-debited',
  details: ({ endToEndId, bankRefundId, amountCents }) => ({
    end_to_end_id: endToEndId,
    bank_refund_id: bankRefundId,
    amount_cents: amountCents,
  }),
  update: updateRefund,
};

/**
 * Books the bank's reply about a refund. If the bank completed the refund, the refund is settled; if the bank refused
 * it, the merchant is credited back; if the outcome is unknown, no money moves. A reply with another refund id or
 * amount than ours is reported to the operator instead. A refund that has ended does not change.
 */
export async function settleRefund(
  tx: Tx,
  unlockedRefund: StoredRefund,
  reply: BankReply<BankReturn>,
): Promise<BookingResult<StoredRefund>> {
  const { charge, refund } = await lockRefundWithChargeOrPix(tx, unlockedRefund);
  if (refund.status !== 'processing') return {};
  if (reply.is === 'answered') return bookBankRecord(tx, refund, charge, reply.answer);
  // A refused resend says nothing about the outcome of the first send.
  if (reply.is === 'refused' && refund.sendCount === 1)
    return failRefund(tx, refund, charge, 'BANK_REFUSED', refusalText(reply.refusal.reason));
  return recordUnknownOutcome(tx, refundKind, refund, reply.is === 'not-found');
}

/** Fails a pending refund that exceeds what is left of its Pix, because the bank has already returned so much of it. */
export async function endImpossibleRefund(tx: Tx, unlockedRefund: StoredRefund): Promise<void> {
  const { charge, refund } = await lockRefundWithChargeOrPix(tx, unlockedRefund);
  if (refund.status !== 'processing') return;
  await failRefund(tx, refund, charge, 'BANK_RETURNED_IT', 'O banco já devolveu este Pix a quem pagou.');
}

/** Fails a refund that was never sent: the payer has won a dispute of the Pix, so the bank returns the money itself. */
export async function endRefundLostToDispute(
  tx: Tx,
  unlockedRefund: StoredRefund,
): Promise<BookingResult<StoredRefund>> {
  const { charge, refund } = await lockRefundWithChargeOrPix(tx, unlockedRefund);
  if (refund.status !== 'processing' || refund.sendCount > 0) return {};
  const error = 'O pagador ganhou a disputa deste Pix: quem devolve é o banco.';
  return failRefund(tx, refund, charge, 'PAYMENT_IN_DISPUTE', error);
}

/** Fails a refund that was never sent: nobody approved it, or whoever asked for it withdrew it. */
export async function endUnapprovedRefund(
  tx: Tx,
  unlockedRefund: StoredRefund,
  code: string,
  text: string,
): Promise<void> {
  const { charge, refund } = await lockRefundWithChargeOrPix(tx, unlockedRefund);
  if (refund.status === 'processing' && refund.sendCount === 0)
    await failRefund(tx, refund, charge, code, text);
}

async function lockRefundWithChargeOrPix(tx: Tx, unlockedRefund: StoredRefund) {
  const charge = await lockChargeOrPixOfRefund(tx, unlockedRefund);
  return { charge, refund: await lockRefund(tx, unlockedRefund) };
}

/**
 * Locks the charge of a refund and returns it; locks the Pix instead if no merchant owns it. Every caller locks the
 * charge or Pix before the refund itself, so that transactions cannot deadlock.
 */
export async function lockChargeOrPixOfRefund(
  tx: Tx,
  refund: StoredRefund,
): Promise<RefundableCharge | undefined> {
  if (refund.chargeId !== null) return lockRefundableCharge(tx, refund.merchantId, refund.chargeId);
  await lockReceivedPix(tx, refund.endToEndId, refund.connectionId);
  return undefined;
}

async function bookBankRecord(
  tx: Tx,
  refund: StoredRefund,
  charge: RefundableCharge | undefined,
  bankReturn: BankReturn,
): Promise<BookingResult<StoredRefund>> {
  if (bankReturn.refundId !== refund.bankRefundId || bankReturn.amountCents !== refund.amountCents)
    return reportDifferingRecord(tx, refund, bankReturn);
  if (bankReturn.status === 'completed') return completeRefund(tx, refund, charge, bankReturn);
  if (bankReturn.status === 'refused')
    return failRefund(tx, refund, charge, 'BANK_REFUSED', refusalText(bankReturn.reason));
  await updateRefund(tx, refund, {
    rtr_id: refund.rtrId ?? bankReturn.rtrId ?? null,
    unknown_since: null,
    error_code: null,
    error: null,
    not_found_count: 0,
    due_at: nextLookUp({ ...refund, unknownSince: null }, tx.now),
  });
  // The bank is still processing the refund, so its outcome is not in doubt.
  await closeItems(tx, refund, 'the bank is at it');
  return {};
}

async function completeRefund(
  tx: Tx,
  refund: StoredRefund,
  charge: RefundableCharge | undefined,
  bankReturn: BankReturn,
): Promise<BookingResult<StoredRefund>> {
  const { merchantId, connectionId, id: reference, amountCents } = refund;
  await updateRefund(tx, refund, {
    status: 'completed',
    completed_at: tx.now,
    returned_at: bankReturn.at,
    rtr_id: refund.rtrId ?? bankReturn.rtrId ?? null,
    unknown_since: null,
    due_at: null,
    error_code: null,
    error: null,
  });
  await closeItems(tx, refund, 'the bank gave it back');
  await publishGivenBack(tx, refund);
  if (charge === undefined) {
    await settleSuspenseOutcome(tx, refund.endToEndId);
    await post(tx, movements.unmatchedReturned({ reference, amountCents }));
    return {};
  }
  await publishRefundCompleted(tx, charge, refund);
  await post(tx, movements.refundCompleted({ merchantId, connectionId, reference, amountCents }));
  await adjustRefundTotals(tx, charge, { refundingCents: -amountCents, refundedCents: amountCents });
  return {};
}

async function failRefund(
  tx: Tx,
  refund: StoredRefund,
  charge: RefundableCharge | undefined,
  errorCode: string,
  error: string,
): Promise<BookingResult<StoredRefund>> {
  const { merchantId, connectionId, id: reference, amountCents } = refund;
  await updateRefund(tx, refund, {
    status: 'failed',
    error_code: errorCode,
    error,
    unknown_since: null,
    due_at: null,
  });
  await closeItems(tx, refund, 'the bank did not give it back');
  if (charge === undefined) {
    await settleSuspenseOutcome(tx, refund.endToEndId);
    await post(tx, movements.unmatchedReturnRefused({ reference, amountCents }));
    return { alarm: 'the bank refused to return an unclaimed Pix' };
  }
  const { securedCents, entries } = await blockForDisputes(tx, refund, charge);
  await publishRefundFailed(tx, charge, refund, { failureText: error, blockedCents: securedCents });
  await post(tx, [
    ...movements.refundRefused({ merchantId, connectionId, reference, amountCents }),
    ...entries,
  ]);
  await adjustRefundTotals(tx, charge, { refundingCents: -amountCents, refundedCents: 0 });
  return {};
}

/** Blocks as much of a failed refund's amount as the disputes of its Pix still claim. */
function blockForDisputes(tx: Tx, refund: StoredRefund, charge: RefundableCharge): Promise<BlockedRefund> {
  const { merchantId, connectionId, endToEndId, id: refundId, amountCents } = refund;
  const leftCents = refundableCents(charge) + amountCents;
  return blockFailedRefund(tx, { merchantId, connectionId, endToEndId, refundId, amountCents, leftCents });
}

/**
 * Sets the outcome of an unclaimed Pix (one that no merchant owns) after one of its returns changed: `returned` if the
 * whole amount has been returned, else `returning` while a return is pending, else `suspense`.
 */
export async function settleSuspenseOutcome(tx: Tx, endToEndId: string): Promise<void> {
  const pix = await lockReceivedPix(tx, endToEndId, HOUSE_CONNECTION);
  invariant(pix?.merchantId === PLATFORM, 'a return of a Pix that is not there, or is claimed');
  const { refundedCents, refundingCents } = await sumReturnsOfUnmatchedPix(tx, endToEndId);
  const unreturnedOutcome = refundingCents > 0 ? 'returning' : 'suspense';
  const outcome = refundedCents === pix.amountCents ? 'returned' : unreturnedOutcome;
  if (outcome !== pix.outcome) await setPixOutcome(tx, endToEndId, outcome);
}

function reportDifferingRecord(
  tx: Tx,
  refund: StoredRefund,
  { refundId, rtrId, amountCents, status }: BankReturn,
): Promise<BookingResult<StoredRefund>> {
  const bankRecord = { refund_id: refundId, rtr_id: rtrId ?? null, amount_cents: amountCents, status };
  return reportContradiction(tx, refundKind, refund, bankRecord);
}

/** Closes the operator's open items about the refund. */
async function closeItems(tx: Tx, refund: StoredRefund, evidence: string): Promise<void> {
  await closeOpenItemsAboutOutcome(tx, refundKind, refund, { evidence });
  const { id: reference, connectionId } = refund;
  await closeItem(tx, { kind: 'refund-not-debited', connectionId, reference, evidence });
}

function refusalText(reason: string | undefined): string {
  return reason === undefined ? 'O banco recusou a devolução.' : `O banco recusou a devolução: ${reason}`;
}
