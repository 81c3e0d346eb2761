import {
  type BankReply,
  type BookingResult,
  closeOpenItemsAboutOutcome,
  nextLookUp,
  type OrderKind,
  recordUnknownOutcome,
  reportContradiction,
} from '../bank-orders.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { formatBrl } from '../payments/index.ts';
import type { BankPayout } from '../psp/index.ts';
import { bookPayoutReturns, findNewReturns, sumReturnedCents } from './book-payout-returns.ts';
import { markSent } from './claim-withdrawals.ts';
import { failureReasonFrom, failWithdrawal } from './fail-withdrawal.ts';
import { publishWithdrawalEvent } from './publish-withdrawal-event.ts';
import { lockWithdrawal, updateWithdrawal } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** The names, details and update statement that make withdrawals one kind of order to the bank (`bank-orders.ts`). */
export const withdrawalKind: OrderKind<Withdrawal> = {
  name: 'withdrawal',
  notDebitedItemKind: 'payout-not-debited',
  details: ({ idEnvio, amountCents, feeCents }) => ({
    id_envio: idEnvio,
    amount_cents: amountCents,
    fee_cents: feeCents,
  }),
  update: updateWithdrawal,
};

/**
 * Books the bank's reply about a withdrawal. If the bank completed the payout, the withdrawal is settled; if the bank
 * definitely refused the payout, the merchant is credited back; if the outcome is unknown, no money moves. If the
 * reply's order id, amount or Pix key is not the withdrawal's, nothing is booked and the operator is told. Once a
 * withdrawal is completed or failed, only money that the payee's bank returns changes its status and amounts.
 */
export async function settleWithdrawal(
  tx: Tx,
  ids: Pick<Withdrawal, 'merchantId' | 'id'>,
  reply: BankReply<BankPayout>,
): Promise<BookingResult<Withdrawal>> {
  const withdrawal = await lockWithdrawal(tx, ids);
  invariant(withdrawal !== undefined, 'a withdrawal disappeared');
  if (reply.is === 'answered') return bookBankRecord(tx, withdrawal, reply.answer);
  // The look-up of a completed withdrawal serves only to find returned money, and this reply shows none.
  if (withdrawal.status === 'completed') return scheduleReturnLookUp(tx, withdrawal);
  if (withdrawal.status !== 'processing') return {};
  // A refused resend says nothing about the outcome of the first send.
  if (reply.is === 'refused' && withdrawal.sendCount === 1) {
    await failWithdrawal(tx, withdrawal, failureReasonFrom(withdrawal, reply.refusal));
    return {};
  }
  return recordUnknownOutcome(tx, withdrawalKind, withdrawal, reply.is === 'not-found');
}

async function bookBankRecord(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  const isSameKey = payout.pixKey === undefined || payout.pixKey === withdrawal.pixKey;
  const isSameAmount = payout.amountCents === netCents(withdrawal);
  if (payout.idEnvio !== withdrawal.idEnvio || !isSameAmount || !isSameKey)
    return reportPayoutContradiction(tx, withdrawal, payout);
  switch (withdrawal.status) {
    case 'pending':
      // Our database says that this order was never sent, but the bank has it: the database was restored from an older
      // backup. The order is marked as sent, and its record is booked as usual.
      return bookBankRecord(tx, await markSent(tx, withdrawal), payout);
    case 'processing':
      if (payout.status === 'completed') return bookPaid(tx, withdrawal, payout);
      if (payout.status === 'refused') return bookRefused(tx, withdrawal, payout);
      return recordUnderWay(tx, withdrawal, payout);
    case 'completed':
      return payout.status === 'refused'
        ? reportPayoutContradiction(tx, withdrawal, payout)
        : bookNewReturns(tx, withdrawal, payout);
    case 'failed':
      // With `completedAt`, it was paid and then returned in full, so nothing is left to book. Otherwise the merchant
      // was credited because nothing was paid, which a payout that the bank did not refuse contradicts.
      if (withdrawal.completedAt !== null || payout.status === 'refused') return {};
      return reportPayoutContradiction(tx, withdrawal, payout);
  }
}

function reportPayoutContradiction(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  return reportContradiction(tx, withdrawalKind, withdrawal, payoutDetails(payout));
}

async function bookNewReturns(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  const newReturns = await findNewReturns(tx, withdrawal, payout.returned);
  if (withdrawal.returnedCents + sumReturnedCents(newReturns) > netCents(withdrawal))
    return reportPayoutContradiction(tx, withdrawal, payout);
  await bookPayoutReturns(tx, withdrawal, newReturns);
  return {};
}

async function bookPaid(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  await closeOpenItemsAboutOutcome(tx, withdrawalKind, withdrawal, {
    evidence: 'The bank says that it was paid.',
  });
  // Returns are booked by another look-up at once: completing posts to the ledger, which a transaction does only once.
  const dueAt = payout.returned.length > 0 ? tx.now : null;
  await completeWithdrawal(tx, withdrawal, { endToEndId: payout.endToEndId ?? null, dueAt });
  return {};
}

async function bookRefused(
  tx: Tx,
  withdrawal: Withdrawal,
  { refusal }: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  await closeOpenItemsAboutOutcome(tx, withdrawalKind, withdrawal, {
    evidence: 'The bank says that it was not paid.',
  });
  await failWithdrawal(
    tx,
    withdrawal,
    failureReasonFrom(withdrawal, { code: refusal?.code, reason: refusal?.reason }),
  );
  return {};
}

/** Records that the bank has the order but has not finished it. The outcome no longer counts as unknown. */
async function recordUnderWay(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  await closeOpenItemsAboutOutcome(tx, withdrawalKind, withdrawal, {
    evidence: 'The bank has the order and is still processing it.',
  });
  await updateWithdrawal(tx, withdrawal, {
    end_to_end_id: withdrawal.endToEndId ?? payout.endToEndId ?? null,
    unknown_since: null,
    not_found_count: 0,
    due_at: nextLookUp({ ...withdrawal, unknownSince: null }, tx.now),
  });
  return {};
}

/** After this many look-ups, further returns are found only by the daily job `rereadSentPixList`. */
const maxReturnLookUps = 10;

/**
 * Schedules another look-up of a completed withdrawal after one without a record, which could not show returned money.
 */
async function scheduleReturnLookUp(tx: Tx, withdrawal: Withdrawal): Promise<BookingResult<Withdrawal>> {
  const due_at = withdrawal.lookupCount < maxReturnLookUps ? nextLookUp(withdrawal, tx.now) : null;
  await updateWithdrawal(tx, withdrawal, { due_at });
  return {};
}

/** The bank's record of a payout in the form in which an open item stores it for the operator. */
export function payoutDetails(payout: BankPayout): Record<string, unknown> {
  return {
    id_envio: payout.idEnvio,
    end_to_end_id: payout.endToEndId ?? null,
    status: payout.status,
    amount_cents: payout.amountCents,
    requested_at: payout.requestedAt?.toISOString() ?? null,
  };
}

type Completion = {
  readonly endToEndId: string | null;
  /** When to look the payout up again at the bank; null for never. */
  readonly dueAt: Date | null;
};

/**
 * Completes a withdrawal that was paid out: the payee received the net amount, and the platform earns the fee. The
 * withdrawal's row must be locked.
 */
export async function completeWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { endToEndId, dueAt }: Completion,
): Promise<void> {
  const { merchantId, connectionId, id: reference, amountCents, feeCents, pixKey } = withdrawal;
  const body = `${formatBrl(netCents(withdrawal))} foram enviados para a chave ${pixKey}.`;
  await publishWithdrawalEvent(
    tx,
    { ...withdrawal, status: 'completed' },
    { title: 'Saque concluído', body },
  );
  await post(
    tx,
    movements.withdrawalCompleted({ merchantId, connectionId, reference, amountCents, feeCents }),
  );
  await updateWithdrawal(tx, withdrawal, {
    status: 'completed',
    completed_at: tx.now,
    end_to_end_id: withdrawal.endToEndId ?? endToEndId,
    unknown_since: null,
    error_code: null,
    error: null,
    // From now on, look-ups for returned money are counted.
    lookup_count: 0,
    due_at: dueAt,
  });
}
