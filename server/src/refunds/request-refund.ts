import { randomUUID } from 'node:crypto';
import { brlFromCents, centsFromBrl } from '@jangada/contract';
import { inTransaction, type Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { writeMessages } from '../outbox/index.ts';
import {
  changeRefunds,
  chargeScreenMessage,
  lockRefundableCharge,
  type RefundableCharge,
} from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import { neverSent, newBankRefundId, refundableCents, refundRefusal, type StoredRefund } from './refund.ts';
import { findByCallerId, findRefund, insertRefund, readRefundBlockers } from './store.ts';

export type WantedRefund = {
  readonly merchantId: number;
  readonly chargeId: string;
  /** The caller's own id for it. */
  readonly callerId: string | undefined;
  /** In BRL, as received; undefined: all that is left. */
  readonly amount: number | undefined;
  readonly reason: string;
  readonly origin: 'panel' | 'api';
};

/**
 * Requests a full or partial refund of a payment: debits the money in the transaction that stores the order, which is
 * sent afterwards. A retry under the same idempotency key, or with the same caller id and data, gets the same refund.
 */
export async function requestRefund(
  deps: Deps,
  wanted: WantedRefund,
  idempotency?: IdempotencyHandle,
): Promise<StoredRefund> {
  if (deps.psp.refunds === undefined) throw new Refusal('REFUND_NOT_SUPPORTED');
  const askedCents = wanted.amount === undefined ? null : checkedAmount(wanted.amount);
  const id = idempotency?.resumed ?? randomUUID();
  if (idempotency?.resumed === undefined) await idempotency?.remember(id);
  return inTransaction(deps, (tx) => holdRefund(tx, id, { ...wanted, askedCents }));
}

function checkedAmount(amount: number): number {
  const cents = centsFromBrl(amount);
  if (cents !== undefined && cents > 0) return cents;
  const rule = 'O valor em reais deve ser maior que zero e ter no máximo duas casas decimais, como 10.50.';
  throw new Refusal('AMOUNT_INVALID', { details: { fields: [{ field: 'amount', message: rule }] } });
}

type Order = Omit<WantedRefund, 'amount'> & { readonly askedCents: number | null };

async function holdRefund(tx: Tx, id: string, order: Order): Promise<StoredRefund> {
  const { merchantId, chargeId } = order;
  await checkAccount(tx, order);
  const charge = await lockRefundableCharge(tx, merchantId, chargeId);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const known = await findKnown(tx, id, order);
  if (known !== undefined) return known;

  const standing = await readRefundBlockers(tx.db, merchantId, charge.endToEndId);
  const refusal = refundRefusal(charge, standing, tx.now);
  if (refusal !== undefined) throw refusal;
  const amountCents = amountOf(charge, order.askedCents);
  const refund = newRefund(id, order, charge, amountCents, tx.now);
  await insertRefund(tx, refund, { dueAt: tx.now });
  await changeRefunds(tx, charge, { refundingCents: amountCents, refundedCents: 0 });
  await writeMessages(tx, [chargeScreenMessage(charge)]);
  await post(tx, movements.refundRequested({ merchantId, reference: id, amountCents }));
  return refund;
}

async function checkAccount(tx: Tx, { merchantId, origin }: Order): Promise<void> {
  const merchant = await readMerchant(tx.db, merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  if (merchant.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (origin === 'api' && !merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
}

/** The refund created before by this call, or by one with the same caller id. */
async function findKnown(tx: Tx, id: string, order: Order): Promise<StoredRefund | undefined> {
  const { merchantId, chargeId, callerId, askedCents, reason } = order;
  const made = await findRefund(tx.db, { merchantId, id });
  if (made !== undefined || callerId === undefined) return made;
  const named = await findByCallerId(tx, merchantId, chargeId, callerId);
  if (named !== undefined && (named.askedCents !== askedCents || named.reason !== reason))
    throw new Refusal('REFUND_ID_REUSED');
  return named;
}

function amountOf(charge: RefundableCharge, askedCents: number | null): number {
  const left = refundableCents(charge);
  if (askedCents !== null && askedCents > left)
    throw new Refusal('REFUND_EXCEEDS_PAYMENT', { details: { refundable: brlFromCents(left) } });
  return askedCents ?? left;
}

function newRefund(
  id: string,
  { merchantId, callerId, askedCents, reason, origin }: Order,
  charge: RefundableCharge,
  amountCents: number,
  now: Date,
): StoredRefund {
  invariant(charge.endToEndId !== null, 'a paid charge without its Pix');
  return {
    merchantId,
    id,
    chargeId: charge.id,
    endToEndId: charge.endToEndId,
    callerId: callerId ?? null,
    askedCents,
    bankRefundId: newBankRefundId(),
    rtrId: null,
    origin,
    status: 'processing',
    amountCents,
    reason,
    error: null,
    ...neverSent,
    createdAt: now,
    completedAt: null,
  };
}
