import {
  type BankReply,
  type Booked,
  closeDoubt,
  nextLookUp,
  type OrderKind,
  reportContradiction,
  stayUnknown,
} from '../bank-orders.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { formatBrl } from '../payments/index.ts';
import type { BankPayout } from '../psp/index.ts';
import { bookPayoutReturns, findFreshReturns, sumOf } from './book-payout-returns.ts';
import { markSent } from './claim-withdrawals.ts';
import { failureReasonFrom, failWithdrawal } from './fail-withdrawal.ts';
import { publishWithdrawalEvent } from './notify-withdrawal.ts';
import { lockWithdrawal, updateWithdrawal } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** Withdrawals as orders to the bank. */
export const withdrawalKind: OrderKind<Withdrawal> = {
  name: 'withdrawal',
  notDebited: 'payout-not-debited',
  facts: ({ idEnvio, amountCents, feeCents }) => ({
    id_envio: idEnvio,
    amount_cents: amountCents,
    fee_cents: feeCents,
  }),
  update: updateWithdrawal,
};

/**
 * Books the bank's answer about an order. Completed: the payout is settled; definitely refused: the merchant is
 * credited back; unknown: no money moves. An answer counts only if order id, amount and key match. A withdrawal that
 * has ended changes only by returns.
 */
export async function settleWithdrawal(
  tx: Tx,
  asked: Pick<Withdrawal, 'merchantId' | 'id'>,
  reply: BankReply<BankPayout>,
): Promise<Booked<Withdrawal>> {
  const withdrawal = await lockWithdrawal(tx, asked);
  invariant(withdrawal !== undefined, 'a withdrawal disappeared');
  if (reply.is === 'answered') return bookAnswer(tx, withdrawal, reply.answer);
  if (withdrawal.status === 'completed') return rereadLater(tx, withdrawal);
  if (withdrawal.status !== 'processing') return {};
  // A refused resend says nothing about the outcome of the first send.
  if (reply.is === 'refused' && withdrawal.sends === 1) {
    await failWithdrawal(tx, withdrawal, failureReasonFrom(reply.refusal));
    return {};
  }
  return stayUnknown(tx, withdrawalKind, withdrawal, reply.is === 'not-found');
}

async function bookAnswer(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<Booked<Withdrawal>> {
  const sameKey = payout.pixKey === undefined || payout.pixKey === withdrawal.pixKey;
  if (payout.idEnvio !== withdrawal.idEnvio || payout.amountCents !== netCents(withdrawal) || !sameKey)
    return contradict(tx, withdrawal, payout);
  switch (withdrawal.status) {
    case 'pending':
      // The bank has it but the database never sent it: the database was restored from before the send.
      return bookAnswer(tx, await markSent(tx, withdrawal), payout);
    case 'processing':
      if (payout.status === 'completed') return complete(tx, withdrawal, payout);
      if (payout.status === 'refused') return refuse(tx, withdrawal, payout);
      return stayUnderWay(tx, withdrawal, payout);
    case 'completed':
      return payout.status === 'refused'
        ? contradict(tx, withdrawal, payout)
        : bookFresh(tx, withdrawal, payout);
    case 'failed':
      // The merchant was credited back, yet the bank reports the money as sent.
      if (withdrawal.completedAt !== null || payout.status === 'refused') return {};
      return contradict(tx, withdrawal, payout);
  }
}

function contradict(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<Booked<Withdrawal>> {
  return reportContradiction(tx, withdrawalKind, withdrawal, factsOf(payout));
}

async function bookFresh(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<Booked<Withdrawal>> {
  const fresh = await findFreshReturns(tx, withdrawal, payout.returned);
  if (withdrawal.returnedCents + sumOf(fresh) > netCents(withdrawal))
    return contradict(tx, withdrawal, payout);
  await bookPayoutReturns(tx, withdrawal, fresh);
  return {};
}

async function complete(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<Booked<Withdrawal>> {
  await closeDoubt(tx, withdrawalKind, withdrawal, { evidence: 'The bank says that it was paid.' });
  // Returns are booked in a later look-up, because a transaction may post only once.
  const dueAt = payout.returned.length > 0 ? tx.now : null;
  await completeWithdrawal(tx, withdrawal, { endToEndId: payout.endToEndId ?? null, dueAt });
  return {};
}

async function refuse(tx: Tx, withdrawal: Withdrawal, { refusal }: BankPayout): Promise<Booked<Withdrawal>> {
  await closeDoubt(tx, withdrawalKind, withdrawal, { evidence: 'The bank says that it was not paid.' });
  await failWithdrawal(tx, withdrawal, failureReasonFrom({ code: refusal?.code, reason: refusal?.reason }));
  return {};
}

async function stayUnderWay(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<Booked<Withdrawal>> {
  await closeDoubt(tx, withdrawalKind, withdrawal, { evidence: 'The bank is at it.' });
  await updateWithdrawal(tx, withdrawal, {
    end_to_end_id: withdrawal.endToEndId ?? payout.endToEndId ?? null,
    unknown_since: null,
    not_found: 0,
    due_at: nextLookUp({ ...withdrawal, unknownSince: null }, tx.now),
  });
  return {};
}

/** After this many, the daily reread of the bank's list is the fallback. */
const mostRereads = 10;

async function rereadLater(tx: Tx, withdrawal: Withdrawal): Promise<Booked<Withdrawal>> {
  const due_at = withdrawal.lookups < mostRereads ? nextLookUp(withdrawal, tx.now) : null;
  await updateWithdrawal(tx, withdrawal, { due_at });
  return {};
}

/** The bank's facts as shown in an open item. */
export function factsOf(payout: BankPayout): Record<string, unknown> {
  return {
    id_envio: payout.idEnvio,
    end_to_end_id: payout.endToEndId ?? null,
    status: payout.status,
    amount_cents: payout.amountCents,
    requested_at: payout.requestedAt?.toISOString() ?? null,
  };
}

type Found = {
  readonly endToEndId: string | null /** When to look it up at the bank again. */;
  readonly dueAt: Date | null;
};

/**
 * Completes a withdrawal that was paid out: the key received the net amount, the platform its fee. Its row must be
 * locked.
 */
export async function completeWithdrawal(
  tx: Tx,
  withdrawal: Withdrawal,
  { endToEndId, dueAt }: Found,
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
