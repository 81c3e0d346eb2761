import { isLongUnknown } from '../bank-orders.ts';
import { closeItem, openItem } from '../bank-watch/index.ts';
import { after } from '../clock.ts';
import type { Tx } from '../db/transaction.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { formatBrl } from '../payments/index.ts';
import type { BankPayout } from '../psp/index.ts';
import { bookPayoutReturns, findFreshReturns, sumOf } from './book-payout-returns.ts';
import { markSent } from './claim-withdrawals.ts';
import { type BankRefusal, failureReasonFrom, failWithdrawal } from './fail-withdrawal.ts';
import { publishWithdrawalEvent } from './notify-withdrawal.ts';
import { mayResendPayout, nextPayoutLookUp } from './payout-timing.ts';
import { lockWithdrawal, updateWithdrawal } from './store.ts';
import { netCents, type Withdrawal } from './withdrawal.ts';

/** What the bank answered about an order. `refused`: the order itself was definitely refused. */
export type PayoutReply =
  | { readonly is: 'answered'; readonly payout: BankPayout }
  | { readonly is: 'refused'; readonly refusal: BankRefusal }
  | { readonly is: 'unknown' | 'not-found' };

/** `again`: the bank does not know the order, and it may be resent. `alarm`: the message to log. */
type WithdrawalSettlement = { readonly again?: Withdrawal; readonly alarm?: string };

const oddPauseMs = 15 * 60_000;

/**
 * Books the bank's answer about an order. Completed: the payout is settled; definitely refused: the merchant is
 * credited back; unknown: no money moves. An answer counts only if order id, amount and key match. A withdrawal that
 * has ended changes only by returns.
 */
export async function settleWithdrawal(
  tx: Tx,
  asked: Pick<Withdrawal, 'merchantId' | 'id'>,
  told: PayoutReply,
  resendIsSafe: boolean,
): Promise<WithdrawalSettlement> {
  const withdrawal = await lockWithdrawal(tx, asked);
  invariant(withdrawal !== undefined, 'a withdrawal disappeared');
  if (told.is === 'answered') return bookAnswer(tx, withdrawal, told.payout);
  if (withdrawal.status === 'completed') return rereadLater(tx, withdrawal);
  if (withdrawal.status !== 'processing') return {};
  // A refused resend says nothing about the outcome of the first send.
  if (told.is === 'refused' && withdrawal.sends === 1) {
    await failWithdrawal(tx, withdrawal, failureReasonFrom(told.refusal));
    return {};
  }
  return stayUnknown(tx, withdrawal, told.is === 'not-found', resendIsSafe);
}

async function bookAnswer(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<WithdrawalSettlement> {
  const sameKey = payout.pixKey === undefined || payout.pixKey === withdrawal.pixKey;
  if (payout.idEnvio !== withdrawal.idEnvio || payout.amountCents !== netCents(withdrawal) || !sameKey)
    return putBeforeOperator(tx, withdrawal, payout);
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
        ? putBeforeOperator(tx, withdrawal, payout)
        : bookFresh(tx, withdrawal, payout);
    case 'failed':
      // The merchant was credited back, yet the bank reports the money as sent.
      if (withdrawal.completedAt !== null || payout.status === 'refused') return {};
      return putBeforeOperator(tx, withdrawal, payout);
  }
}

async function bookFresh(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<WithdrawalSettlement> {
  const fresh = await findFreshReturns(tx, withdrawal, payout.returned);
  if (withdrawal.returnedCents + sumOf(fresh) > netCents(withdrawal))
    return putBeforeOperator(tx, withdrawal, payout);
  await bookPayoutReturns(tx, withdrawal, fresh);
  return {};
}

async function complete(tx: Tx, withdrawal: Withdrawal, payout: BankPayout): Promise<WithdrawalSettlement> {
  await endDoubt(tx, withdrawal, 'The bank says that it was paid.');
  // Returns are booked in a later look-up, because a transaction may post only once.
  const dueAt = payout.returned.length > 0 ? tx.now : null;
  await completeWithdrawal(tx, withdrawal, { endToEndId: payout.endToEndId ?? null, dueAt });
  return {};
}

async function refuse(
  tx: Tx,
  withdrawal: Withdrawal,
  { refusal }: BankPayout,
): Promise<WithdrawalSettlement> {
  await endDoubt(tx, withdrawal, 'The bank says that it was not paid.');
  await failWithdrawal(tx, withdrawal, failureReasonFrom({ code: refusal?.code, reason: refusal?.reason }));
  return {};
}

async function stayUnderWay(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<WithdrawalSettlement> {
  await endDoubt(tx, withdrawal, 'The bank is at it.');
  await updateWithdrawal(tx, withdrawal, {
    end_to_end_id: withdrawal.endToEndId ?? payout.endToEndId ?? null,
    unknown_since: null,
    not_found: 0,
    due_at: nextPayoutLookUp({ ...withdrawal, unknownSince: null }, tx.now),
  });
  return {};
}

async function stayUnknown(
  tx: Tx,
  withdrawal: Withdrawal,
  isMissing: boolean,
  resendIsSafe: boolean,
): Promise<WithdrawalSettlement> {
  const unknownSince = withdrawal.unknownSince ?? tx.now;
  const notFound = withdrawal.notFound + (isMissing ? 1 : 0);
  const now = await updateWithdrawal(tx, withdrawal, {
    not_found: notFound,
    unknown_since: unknownSince,
    due_at: nextPayoutLookUp({ ...withdrawal, unknownSince }, tx.now),
  });
  if (mayResendPayout(now, tx.now, resendIsSafe)) return { again: now };
  if (!isLongUnknown(unknownSince, tx.now)) return {};
  const opened = await openItem(tx, {
    kind: 'withdrawal-in-doubt',
    reference: withdrawal.id,
    merchantId: withdrawal.merchantId,
    detail: { ...namesOf(withdrawal), unknown_since: unknownSince.toISOString() },
  });
  return opened ? { alarm: 'nobody knows what became of a withdrawal' } : {};
}

/** After this many, the daily reread of the bank's list is the fallback. */
const mostRereads = 10;

async function rereadLater(tx: Tx, withdrawal: Withdrawal): Promise<WithdrawalSettlement> {
  const due_at = withdrawal.lookups < mostRereads ? nextPayoutLookUp(withdrawal, tx.now) : null;
  await updateWithdrawal(tx, withdrawal, { due_at });
  return {};
}

/** The bank's answer contradicts this withdrawal: book nothing and open an item for the operator. */
async function putBeforeOperator(
  tx: Tx,
  withdrawal: Withdrawal,
  payout: BankPayout,
): Promise<WithdrawalSettlement> {
  const { id: reference, merchantId, status, unknownSince } = withdrawal;
  await updateWithdrawal(
    tx,
    withdrawal,
    status === 'processing'
      ? { due_at: after(tx.now, oddPauseMs), unknown_since: unknownSince ?? tx.now }
      : { due_at: null },
  );
  const detail = { ...namesOf(withdrawal), status, at_bank: factsOf(payout) };
  const opened = await openItem(tx, { kind: 'withdrawal-differs', reference, merchantId, detail });
  return opened ? { alarm: 'the bank and the books differ on a withdrawal' } : {};
}

function namesOf({ idEnvio, amountCents, feeCents }: Withdrawal): Record<string, unknown> {
  return { id_envio: idEnvio, amount_cents: amountCents, fee_cents: feeCents };
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

async function endDoubt(tx: Tx, { id: reference }: Withdrawal, evidence: string): Promise<void> {
  for (const kind of ['withdrawal-in-doubt', 'withdrawal-differs'] as const)
    await closeItem(tx, { kind, reference, evidence });
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
