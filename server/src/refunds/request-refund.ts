import { randomUUID } from 'node:crypto';
import { brlFromCents, centsFromBrl } from '@jangada/contract';
import { askForApproval } from '../approvals/index.ts';
import type { Config } from '../config.ts';
import { inTransaction, type Tx, type TxWithSecrets } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { IdempotencyHandle } from '../http/route.ts';
import { readMerchant } from '../identity/index.ts';
import { invariant } from '../invariant.ts';
import { movements, post } from '../ledger/index.ts';
import { lockMemberDay, type MemberDay, refuseAboveLimit } from '../members/index.ts';
import { writeMessages } from '../outbox/index.ts';
import {
  adjustRefundTotals,
  chargeScreenMessage,
  lockRefundableCharge,
  type RefundableCharge,
} from '../payments/index.ts';
import { offersOf } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import {
  moneyOrderOf,
  newBankRefundId,
  refundableCents,
  refundRefusal,
  type StoredRefund,
  unsentOrderFields,
} from './refund.ts';
import { findByExternalId, findRefund, insertRefund, readRefundBlockers, sumRequestedBy } from './store.ts';

export type NewRefundRequest = {
  readonly merchantId: number;
  readonly chargeId: string;
  /** The id that the caller chose for the refund. */
  readonly externalId: string | undefined;
  /** In BRL, as received; undefined for all that is left of the payment. */
  readonly amount: number | undefined;
  readonly reason: string;
  readonly origin: 'panel' | 'api';
  /** The person who asks in the panel; an API key has no limit of its own. */
  readonly requestedBy?: number | undefined;
};

/**
 * Requests a full or partial refund of a payment. One transaction debits the money and stores the order to the bank;
 * the order is sent afterwards, or once others have approved it where the account's policy demands that. A member is
 * refused with MEMBER_DAY_LIMIT above their limit of the day. A retry under the same idempotency key, or with the same
 * external id and data, gets the same refund.
 */
export async function requestRefund(
  deps: Deps,
  request: NewRefundRequest,
  idempotency?: IdempotencyHandle,
): Promise<StoredRefund> {
  const requestedCents = request.amount === undefined ? null : parseAmount(request.amount);
  const id = idempotency?.resumedId ?? randomUUID();
  if (idempotency?.resumedId === undefined) await idempotency?.remember(id);
  const makesRefunds = (connectionId: number) => offersOf(deps.banks, connectionId).refunds;
  return inTransaction(deps, (tx) =>
    storeRefund(tx, id, { ...request, requestedCents }, { makesRefunds, config: deps.config }),
  );
}

function parseAmount(amount: number): number {
  const cents = centsFromBrl(amount);
  if (cents !== undefined && cents > 0) return cents;
  const rule = 'O valor em reais deve ser maior que zero e ter no máximo duas casas decimais, como 10.50.';
  throw new Refusal('AMOUNT_INVALID', { details: { fields: [{ field: 'amount', message: rule }] } });
}

type RequestInCents = Omit<NewRefundRequest, 'amount'> & { readonly requestedCents: number | null };

type RefundSettings = {
  readonly makesRefunds: (connectionId: number) => boolean;
  readonly config: Pick<Config, 'publicUrl'>;
};

async function storeRefund(
  tx: TxWithSecrets,
  id: string,
  request: RequestInCents,
  { makesRefunds, config }: RefundSettings,
): Promise<StoredRefund> {
  const { merchantId, chargeId, requestedBy } = request;
  const memberDay =
    requestedBy === undefined
      ? undefined
      : await lockMemberDay(tx, { merchantId, userId: requestedBy }, 'refund');
  await checkAccount(tx, request);
  const charge = await lockRefundableCharge(tx, merchantId, chargeId);
  if (charge === undefined) throw new Refusal('PAYMENT_NOT_FOUND');
  const existingRefund = await findExisting(tx, id, request);
  if (existingRefund !== undefined) return existingRefund;
  if (!makesRefunds(charge.connectionId)) throw new Refusal('REFUND_NOT_SUPPORTED');

  const blockers = await readRefundBlockers(tx.db, merchantId, charge);
  const refusal = refundRefusal(charge, blockers, tx.now);
  if (refusal !== undefined) throw refusal;
  const amountCents = amountToRefund(charge, request.requestedCents);
  if (memberDay !== undefined) await refuseAboveMemberLimit(tx, memberDay, request, amountCents);
  const unsent = newRefund(id, request, charge, amountCents, tx.now);
  const wait = await askForApproval(tx, config, moneyOrderOf(unsent));
  const refund = wait === undefined ? unsent : { ...unsent, errorCode: wait.code, error: wait.text };
  await insertRefund(tx, refund, { dueAt: wait === undefined ? tx.now : null });
  await adjustRefundTotals(tx, charge, { refundingCents: amountCents, refundedCents: 0 });
  await writeMessages(tx, [chargeScreenMessage(charge)]);
  await post(
    tx,
    movements.refundRequested({ merchantId, connectionId: charge.connectionId, reference: id, amountCents }),
  );
  return refund;
}

async function refuseAboveMemberLimit(
  tx: Tx,
  { refundLimitCents, from }: MemberDay,
  { merchantId, requestedBy }: RequestInCents,
  amountCents: number,
): Promise<void> {
  if (refundLimitCents === null || requestedBy === undefined) return;
  const usedCents = await sumRequestedBy(tx.db, { merchantId, requestedBy, from });
  refuseAboveLimit(refundLimitCents, usedCents, amountCents);
}

async function checkAccount(tx: Tx, { merchantId, origin }: RequestInCents): Promise<void> {
  const merchant = await readMerchant(tx.db, merchantId);
  invariant(merchant !== undefined, 'a caller without an account');
  if (merchant.frozen) throw new Refusal('ACCOUNT_FROZEN');
  if (!merchant.approved) throw new Refusal('ACCOUNT_NOT_APPROVED');
  if (origin === 'api' && !merchant.apiActive) throw new Refusal('API_KEY_INACTIVE');
}

/**
 * Finds the refund that an earlier attempt created under the same id, or else under the same external id. Refuses with
 * REFUND_ID_REUSED if the external id belongs to a different request.
 */
async function findExisting(tx: Tx, id: string, request: RequestInCents): Promise<StoredRefund | undefined> {
  const { merchantId, chargeId, externalId, requestedCents, reason } = request;
  const refundOfId = await findRefund(tx.db, { merchantId, id });
  if (refundOfId !== undefined || externalId === undefined) return refundOfId;
  const refundOfExternalId = await findByExternalId(tx, merchantId, chargeId, externalId);
  if (refundOfExternalId === undefined) return undefined;
  if (refundOfExternalId.requestedCents !== requestedCents || refundOfExternalId.reason !== reason)
    throw new Refusal('REFUND_ID_REUSED');
  return refundOfExternalId;
}

function amountToRefund(charge: RefundableCharge, requestedCents: number | null): number {
  const leftCents = refundableCents(charge);
  if (requestedCents !== null && requestedCents > leftCents)
    throw new Refusal('REFUND_EXCEEDS_PAYMENT', { details: { refundable: brlFromCents(leftCents) } });
  return requestedCents ?? leftCents;
}

function newRefund(
  id: string,
  { merchantId, externalId, requestedCents, reason, origin, requestedBy }: RequestInCents,
  charge: RefundableCharge,
  amountCents: number,
  now: Date,
): StoredRefund {
  invariant(charge.endToEndId !== null, 'a paid charge without its Pix');
  return {
    merchantId,
    id,
    connectionId: charge.connectionId,
    chargeId: charge.id,
    endToEndId: charge.endToEndId,
    externalId: externalId ?? null,
    requestedCents,
    bankRefundId: newBankRefundId(),
    rtrId: null,
    origin,
    madeBy: requestedBy ?? null,
    status: 'processing',
    amountCents,
    reason,
    errorCode: null,
    error: null,
    ...unsentOrderFields,
    createdAt: now,
    completedAt: null,
  };
}
