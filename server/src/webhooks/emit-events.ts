import {
  type BatchEvent,
  brlFromCents,
  type ChargeStatus,
  type ConnectionEvent,
  type DisputeEvent,
  type DisputeStatus,
  type FeeStatementEvent,
  type FeeStatementState,
  type HeldPixEvent,
  type HeldPixReason,
  heldPixReasonTexts,
  type Metadata,
  type PaymentEvent,
  type RefundFailedEvent,
  type SubscriptionEvent,
  type WithdrawalEvent,
} from '@jangada/contract';
import type { RawBuilder } from 'kysely';
import type { Tx } from '../db/transaction.ts';
import { buildEventsSql, makeEventId, writeEvents } from './write-events.ts';

/** A changed charge, as reported by webhook. Amounts in integer cents. */
export type PaymentChange = {
  readonly type: PaymentEvent['type'];
  readonly merchantId: number;
  readonly chargeId: string;
  readonly callbackUrl: string | null;
  /** The integrator's own id for the charge. */
  readonly externalId?: string | null;
  /** Stored with the charge by the integrator, and sent back unchanged. */
  readonly metadata?: Metadata | null;
  readonly status: ChargeStatus;
  readonly amountCents: number;
  /** Only for a refund: the total refunded so far, including this refund. */
  readonly refundedCents?: number;
  /** Only for a refund. `externalId` is the integrator's own id for it. */
  readonly refund?: { readonly id: string; readonly externalId: string | null; readonly amountCents: number };
  readonly createdAt: Date;
};

/** Stores one event per change, in one statement. */
export async function emitPaymentEvents(tx: Tx, changes: readonly PaymentChange[]): Promise<void> {
  await writeEvents(tx, paymentEventsOf(tx, changes));
}

/** Returns the SQL call that stores these events, for the caller to include in its own statement. */
export function buildPaymentEventsSql(tx: Tx, changes: readonly PaymentChange[]): RawBuilder<boolean> {
  return buildEventsSql(tx, paymentEventsOf(tx, changes));
}

function paymentEventsOf(tx: Tx, changes: readonly PaymentChange[]) {
  const now = tx.now.toISOString();
  return changes.map((change) => ({
    merchantId: change.merchantId,
    id: paymentEventId(change),
    type: change.type,
    subjectId: change.chargeId,
    callbackUrl: change.callbackUrl,
    body: paymentBodyOf(change, now),
  }));
}

/**
 * A charge reaches each status once and each refund happens once, so the id is unique: the database rejects a duplicate
 * event.
 */
function paymentEventId({ chargeId, status, refund }: PaymentChange): string {
  return makeEventId(chargeId, refund === undefined ? status : `refunded_${refund.id.replaceAll('-', '')}`);
}

function paymentBodyOf(change: PaymentChange, now: string): PaymentEvent {
  return {
    type: change.type,
    id: change.chargeId,
    paymentId: change.chargeId,
    status: change.status,
    ...(change.externalId != null && { external_id: change.externalId }),
    ...(change.metadata != null && { metadata: { ...change.metadata } }),
    amount: brlFromCents(change.amountCents),
    ...(change.refundedCents === undefined ? {} : { refunded_amount: brlFromCents(change.refundedCents) }),
    ...(change.refund && {
      refund: {
        id: change.refund.id,
        refund_id: change.refund.externalId,
        amount: brlFromCents(change.refund.amountCents),
      },
    }),
    created_at: change.createdAt.toISOString(),
    updated_at: now,
  };
}

/** A refund that the bank did not carry out, as reported by webhook. Amounts in integer cents. */
type FailedRefund = {
  readonly merchantId: number;
  readonly chargeId: string;
  /** `externalId` is the integrator's own id for the refund. */
  readonly refund: { readonly id: string; readonly externalId: string | null; readonly amountCents: number };
  /** The reason, fit to show to users. */
  readonly error: string;
  readonly createdAt: Date;
};

/** Stores the event for endpoints only: events of this type are not sent to callback URLs. */
export async function emitRefundFailed(tx: Tx, failed: FailedRefund): Promise<void> {
  const { merchantId, chargeId, refund, error, createdAt } = failed;
  const body: RefundFailedEvent = {
    type: 'refund.failed',
    id: chargeId,
    paymentId: chargeId,
    refund: {
      id: refund.id,
      refund_id: refund.externalId,
      status: 'failed',
      amount: brlFromCents(refund.amountCents),
      error,
    },
    created_at: createdAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const id = makeEventId(chargeId, `refund_failed_${refund.id.replaceAll('-', '')}`);
  await writeEvents(tx, [{ merchantId, id, type: body.type, subjectId: chargeId, callbackUrl: null, body }]);
}

/** A changed withdrawal, as reported by webhook. Amounts in integer cents. */
type WithdrawalChange = {
  readonly merchantId: number;
  readonly withdrawalId: string;
  readonly callbackUrl: string | null;
  readonly status: WithdrawalEvent['status'];
  readonly amountCents: number;
  readonly feeCents: number;
  /** Only for a return: the total returned so far, and the bank's id of this return. */
  readonly returned?: { readonly cents: number; readonly rtrId: string };
  /** Why it failed or was returned, fit to show to users. */
  readonly error?: string | undefined;
  readonly createdAt: Date;
};

const typeByWithdrawalStatus = {
  PENDING: 'withdrawal.pending',
  PAID: 'withdrawal.paid',
  ERROR: 'withdrawal.error',
} as const;

/** Stores the event for a changed withdrawal. */
export async function emitWithdrawalEvent(tx: Tx, change: WithdrawalChange): Promise<void> {
  const { merchantId, withdrawalId, callbackUrl, status, returned, error } = change;
  const body: WithdrawalEvent = {
    type: typeByWithdrawalStatus[status],
    id: withdrawalId,
    withdrawalId,
    status,
    amount: change.amountCents,
    fee: change.feeCents,
    ...(returned === undefined ? {} : { returned_amount: returned.cents }),
    ...(error === undefined ? {} : { error }),
    created_at: change.createdAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const event = { merchantId, id: withdrawalEventId(change), type: body.type, subjectId: withdrawalId };
  await writeEvents(tx, [{ ...event, callbackUrl, body }]);
}

/**
 * A withdrawal reaches each status once and each return happens once, so the id is unique: the database rejects a
 * duplicate event.
 */
function withdrawalEventId({ withdrawalId, status, returned }: WithdrawalChange): string {
  const occurrence =
    returned === undefined
      ? typeByWithdrawalStatus[status].replace('withdrawal.', '')
      : `returned_${returned.rtrId}`;
  return makeEventId(withdrawalId, occurrence);
}

/** A dispute that was opened or resolved, as reported by webhook. Amounts in integer cents. */
type DisputeChange = {
  readonly type: DisputeEvent['type'];
  readonly merchantId: number;
  readonly id: string;
  readonly chargeId: string | null;
  readonly endToEndId: string;
  readonly status: DisputeStatus;
  readonly disputedCents: number;
  /** The amount still blocked. */
  readonly blockedCents: number;
  readonly returnedCents: number;
  readonly deadlineAt: Date;
  readonly openedAt: Date;
};

/** Stores the event, for endpoints only. Its id is unique, because a dispute opens once and ends once. */
export async function emitDisputeEvent(tx: Tx, dispute: DisputeChange): Promise<void> {
  const { type, merchantId, id } = dispute;
  const body: DisputeEvent = {
    type,
    id,
    disputeId: id,
    paymentId: dispute.chargeId,
    end_to_end_id: dispute.endToEndId,
    status: dispute.status,
    amount: brlFromCents(dispute.disputedCents),
    blocked_amount: brlFromCents(dispute.blockedCents),
    returned_amount: brlFromCents(dispute.returnedCents),
    deadline: dispute.deadlineAt.toISOString(),
    created_at: dispute.openedAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const event = { merchantId, id: makeEventId(id, type.replace('dispute.', '')), type, subjectId: id };
  await writeEvents(tx, [{ ...event, callbackUrl: null, body }]);
}

/** A change of what is known of an account of the merchant's own at a bank. */
type ConnectionChange = {
  readonly type: ConnectionEvent['type'];
  readonly merchantId: number;
  readonly connectionId: number;
  readonly bank: string;
  readonly bankName: string;
  readonly pixKey: string;
  readonly brokenSince: Date;
  readonly reason: string;
  /** When the account was entered. */
  readonly createdAt: Date;
};

/** Stores the event, for endpoints only. Its id is unique, because an account breaks once at a time. */
export async function emitConnectionEvent(tx: Tx, change: ConnectionChange): Promise<void> {
  const { type, merchantId } = change;
  const id = String(change.connectionId);
  const body: ConnectionEvent = {
    type,
    id,
    connectionId: id,
    bank: change.bank,
    bank_name: change.bankName,
    pix_key: change.pixKey,
    since: change.brokenSince.toISOString(),
    reason: change.reason,
    created_at: change.createdAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  // Subjects of events are UUIDs, and accounts are numbered.
  const subjectId = `00000000-0000-8000-8000-${change.connectionId.toString(16).padStart(12, '0')}`;
  const occurrence = `${type.replace('connection.', '')}_${change.brokenSince.getTime()}`;
  const event = { merchantId, id: makeEventId(subjectId, occurrence), type, subjectId };
  await writeEvents(tx, [{ ...event, callbackUrl: null, body }]);
}

/** A monthly fee statement that was closed or paid, as reported by webhook. Amounts in integer cents. */
type FeeStatementChange = {
  readonly type: FeeStatementEvent['type'];
  readonly merchantId: number;
  readonly id: string;
  readonly number: string;
  readonly month: string;
  readonly state: FeeStatementState;
  readonly amountCents: number;
  readonly feeCount: number;
  readonly dueOn: string;
  readonly endToEndId: string | null;
  readonly closedAt: Date;
};

/** Stores the event, for endpoints only. Its id is unique, because a statement is closed once and paid once. */
export async function emitFeeStatementEvent(tx: Tx, statement: FeeStatementChange): Promise<void> {
  const { type, merchantId, id } = statement;
  const body: FeeStatementEvent = {
    type,
    id,
    statementId: id,
    number: statement.number,
    month: statement.month,
    status: statement.state,
    amount: brlFromCents(statement.amountCents),
    fees: statement.feeCount,
    due_on: statement.dueOn,
    end_to_end_id: statement.endToEndId,
    created_at: statement.closedAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const event = { merchantId, id: makeEventId(id, type.replace('fee_statement.', '')), type, subjectId: id };
  await writeEvents(tx, [{ ...event, callbackUrl: null, body }]);
}

/**
 * Stores an event of a subscription, for endpoints only. `occurrence` tells apart events of the same type: the cycle, and
 * the day of a retry.
 */
export async function emitSubscriptionEvent(
  tx: Tx,
  { merchantId, occurrence, body }: { merchantId: number; occurrence: string; body: SubscriptionEvent },
): Promise<void> {
  const id = makeEventId(
    body.id,
    `${body.type.replace('.', '_')}${occurrence === '' ? '' : `_${occurrence}`}`,
  );
  await writeEvents(tx, [{ merchantId, id, type: body.type, subjectId: body.id, callbackUrl: null, body }]);
}

/** A Pix that was held, or given back, as reported by webhook. */
export type HeldPixChange = {
  readonly type: HeldPixEvent['type'];
  readonly merchantId: number;
  readonly id: string;
  /** The charge that the Pix names. */
  readonly chargeId: string;
  readonly externalId: string | null;
  readonly endToEndId: string;
  readonly why: HeldPixReason;
  readonly amountCents: number;
  readonly heldAt: Date;
};

/** Stores the events, for endpoints only. Their ids are unique, because a Pix is held once and given back once. */
export async function emitHeldPixEvents(tx: Tx, changes: readonly HeldPixChange[]): Promise<void> {
  const events = changes.map((change) => {
    const { type, merchantId, id, why } = change;
    const body: HeldPixEvent = {
      type,
      id,
      heldPixId: id,
      paymentId: change.chargeId,
      external_id: change.externalId,
      end_to_end_id: change.endToEndId,
      why,
      reason: heldPixReasonTexts[why],
      amount: brlFromCents(change.amountCents),
      created_at: change.heldAt.toISOString(),
      updated_at: tx.now.toISOString(),
    };
    const eventId = makeEventId(id, type.replace('pix.', ''));
    return { merchantId, id: eventId, type, subjectId: id, callbackUrl: null, body };
  });
  if (events.length > 0) await writeEvents(tx, events);
}

/** A batch of charges of which no line waits any more, as reported by webhook. */
export type CompletedBatch = {
  readonly merchantId: number;
  readonly id: string;
  readonly reference: string | null;
  readonly size: number;
  readonly counts: Readonly<Record<'created' | 'refused' | 'cancelled', number>>;
  readonly createdAt: Date;
};

/** Stores the event, for endpoints only. Its id is unique, because a batch is completed once. */
export async function emitBatchCompleted(
  tx: Tx,
  { merchantId, id, reference, size, counts, createdAt }: CompletedBatch,
): Promise<void> {
  const body: BatchEvent = {
    type: 'batch.completed',
    id,
    batchId: id,
    reference,
    size,
    created: counts.created,
    refused: counts.refused,
    cancelled: counts.cancelled,
    created_at: createdAt.toISOString(),
    updated_at: tx.now.toISOString(),
  };
  const event = { merchantId, id: makeEventId(id, 'completed'), type: body.type, subjectId: id };
  await writeEvents(tx, [{ ...event, callbackUrl: null, body }]);
}
