import {
  type BankReply,
  type BookingResult,
  closeOutcomeItems,
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
import { publishWithdrawalEvent } from './notify-withdrawal.ts';
import { lockWithdrawal, updateWithdrawal } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** The names, details and update statement that make withdrawals one kind of order to the bank (`bank-orders.ts`). */
export const withdrawalKind: OrderKind<Withdrawal> = {
  name: 'withdrawal',
  notDebitedItem: 'payout-not-debited',
  details: ({ idEnvio, amountCents, feeCents }) => ({
    id_envio: idEnvio,
    amount_cents: amountCents,
    fee_cents: feeCents,
  }),
  update: updateWithdrawal,
};

/**
 * Books the bank's reply about a withdrawal. If the bank completed the payout, the withdrawal is settled; if the bank
 * definitely refused the payout, the merchant is credited back; if the outcome is unknown, no money moves. A reply with
 * another order id, amount or key than the withdrawal's is reported to the operator instead. A withdrawal that has
 * ended changes only when the payee's bank returns money.
 */
export async function settleWithdrawal(
  tx: Tx,
  key: Pick<Withdrawal, 'merchantId' | 'id'>,
  reply: BankReply<BankPayout>,
): Promise<BookingResult<Withdrawal>> {
  const withdrawal = await lockWithdrawal(tx, key);
  invariant(withdrawal !== undefined, 'a withdrawal disappeared');
  if (reply.is === 'answered') return bookBankRecord(tx, withdrawal, reply.answer);
  if (withdrawal.status === 'completed') return scheduleReturnLookUp(tx, withdrawal);
  if (withdrawal.status !== 'processing') return {};
  // A refused resend says nothing about the outcome of the first send.
  if (reply.is === 'refused' && withdrawal.sends === 1) {
    await failWithdrawal(tx, withdrawal, failureReasonFrom(reply.refusal));
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
    return reportPayoutDiffers(tx, withdrawal, payout);
  switch (withdrawal.status) {
    case 'pending':
      // The bank has an order that, according to our database, was never sent, because the database was restored from
      // an older backup.
      return bookBankRecord(tx, await markSent(tx, withdrawal), payout);
    case 'processing':
      if (payout.status === 'completed') return complete(tx, withdrawal, payout);
      if (payout.status === 'refused') return refuse(tx, withdrawal, payout);
      return recordPending(tx, withdrawal, payout);
    case 'completed':
      return payout.status === 'refused'
        ? reportPayoutDiffers(tx, withdrawal, payout)
        : bookNewReturns(tx, withdrawal, payout);
    case 'failed':
      // A completed withdrawal becomes failed when its payee's bank returns all of it, which leaves nothing to book.
      // Any other failed withdrawal was credited back as unpaid, so the bank must have refused its payout too.
      if (withdrawal.completedAt !== null || payout.status === 'refused') return {};
      return reportPayoutDiffers(tx, withdrawal, payout);
  }
}

function reportPayoutDiffers(
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
    return reportPayoutDiffers(tx, withdrawal, payout);
  await bookPayoutReturns(tx, withdrawal, newReturns);
  return {};
}

async function complete(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  await closeOutcomeItems(tx, withdrawalKind, withdrawal, { evidence: 'The bank says that it was paid.' });
  // Returns are booked in a later look-up, because a transaction may post only once.
  const dueAt = payout.returned.length > 0 ? tx.now : null;
  await completeWithdrawal(tx, withdrawal, { endToEndId: payout.endToEndId ?? null, dueAt });
  return {};
}

async function refuse(
  tx: Tx,
  withdrawal: Withdrawal,
  { refusal }: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  await closeOutcomeItems(tx, withdrawalKind, withdrawal, {
    evidence: 'The bank says that it was not paid.',
  });
  await failWithdrawal(tx, withdrawal, failureReasonFrom({ code: refusal?.code, reason: refusal?.reason }));
  return {};
}

/** Records that the bank has the order but has not finished it. The outcome no longer counts as unknown. */
async function recordPending(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<BookingResult<Withdrawal>> {
  await closeOutcomeItems(tx, withdrawalKind, withdrawal, { evidence: 'The bank is at it.' });
  await updateWithdrawal(tx, withdrawal, {
    end_to_end_id: withdrawal.endToEndId ?? payout.endToEndId ?? null,
    unknown_since: null,
    not_found: 0,
    due_at: nextLookUp({ ...withdrawal, unknownSince: null }, tx.now),
  });
  return {};
}

/** After this many look-ups, further returns are found only by the daily job `rereadWithdrawals`. */
const maxReturnLookUps = 10;

/**
 * Schedules another look-up of a completed withdrawal, because this one brought no record that could show its returns.
 */
async function scheduleReturnLookUp(tx: Tx, withdrawal: Withdrawal): Promise<BookingResult<Withdrawal>> {
  const due_at = withdrawal.lookups < maxReturnLookUps ? nextLookUp(withdrawal, tx.now) : null;
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
 * Completes a withdrawal that was paid out: the Pix key received the net amount, and the platform earns the fee. The
 * withdrawal's row must be locked.
 */
export async function completeWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { endToEndId, dueAt }: Completion,
): Promise<void> {
  const { merchantId, id: reference, amountCents, feeCents, pixKey } = withdrawal;
  const body = `${formatBrl(netCents(withdrawal))} foram enviados para a chave ${pixKey}.`;
  await publishWithdrawalEvent(
    tx,
    { ...withdrawal, status: 'completed' },
    { title: 'Saque concluído', body },
  );
  await post(tx, movements.withdrawalCompleted({ merchantId, reference, amountCents, feeCents }));
  await updateWithdrawal(tx, withdrawal, {
    status: 'completed',
    completed_at: tx.now,
    end_to_end_id: withdrawal.endToEndId ?? endToEndId,
    unknown_since: null,
    error_code: null,
    error: null,
    lookups: 0,
    due_at: dueAt,
  });
}
