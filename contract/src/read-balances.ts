import type * as z from 'zod/mini';
import {
  type Dispute,
  type DisputeStatus,
  disputeDetail,
  type disputeFile,
  disputesPage,
} from './dispute.ts';
import type { Maker } from './maker.ts';
import { centsFromResponse } from './money.ts';
import { paymentRefunds, type Refund } from './refund.ts';
import {
  reserveSchedule,
  type StatementKind,
  type StatementLine,
  statement,
  type statementLine,
} from './statement.ts';

// Readers of responses about refunds, disputes, the statement and reserves. Amounts become integer cents.

// The fallback to 0 is never used: the schemas have already rejected amounts that are no whole number of cents.
const cents = (brl: number): number => centsFromResponse(brl) ?? 0;
const centsOrNull = (brl: number | null): number | null => (brl === null ? null : cents(brl));

export type RefundModel = {
  id: string;
  /** The id that the requester gave the refund (`refund_id`); null if the requester gave none. */
  ownId: string | null;
  status: Refund['status'];
  amountCents: number;
  reason: string;
  origin: Refund['origin'];
  error: string | null;
  /** True while it waits for the approval of other people. */
  awaitsApproval: boolean;
  /** Who asked for it in the dashboard; null if nobody did there, or the provider does not say. */
  madeBy: Maker | null;
  createdAt: string;
  completedAt: string | null;
};

export type PaymentRefundsModel = {
  refunds: RefundModel[];
  refundedCents: number;
  refundingCents: number;
  refundableCents: number;
  refundableUntil: string | null;
  blockedBecause: string | null;
};

function refundFrom(refund: Refund): RefundModel {
  return {
    id: refund.id,
    ownId: refund.refund_id,
    status: refund.status,
    amountCents: cents(refund.amount),
    reason: refund.reason,
    origin: refund.origin,
    error: refund.error,
    awaitsApproval: refund.awaits_approval ?? false,
    madeBy: refund.made_by ?? null,
    createdAt: refund.created_at,
    completedAt: refund.completed_at,
  };
}

/** Reads the refunds of a payment. */
export function parsePaymentRefunds(response: unknown): PaymentRefundsModel {
  const parsed = paymentRefunds.parse(response);
  return {
    refunds: parsed.refunds.map(refundFrom),
    refundedCents: cents(parsed.refunded_amount),
    refundingCents: cents(parsed.refunding_amount),
    refundableCents: cents(parsed.refundable_amount),
    refundableUntil: parsed.refundable_until,
    blockedBecause: parsed.blocked_because,
  };
}

export type DisputeModel = {
  id: string;
  paymentId: string | null;
  endToEndId: string;
  protocol: string;
  status: DisputeStatus;
  reason: string;
  amountCents: number;
  blockedCents: number;
  shortfallCents: number;
  returnedCents: number;
  deadline: string;
  defendedAt: string | null;
  openedAt: string;
  resolvedAt: string | null;
};

export type DisputeDetailModel = DisputeModel & {
  defence: string | null;
  files: z.infer<typeof disputeFile>[];
  /** Whether the bank receives the files of a defence. If false, it receives only the text. */
  takesFiles: boolean;
};

/** A page of disputes. `open` is the number of open disputes, whatever the query selects. */
export type DisputesModel = { disputes: DisputeModel[]; total: number; limit: number; open: number };

function disputeFrom(dispute: Dispute): DisputeModel {
  return {
    id: dispute.id,
    paymentId: dispute.payment_id,
    endToEndId: dispute.end_to_end_id,
    protocol: dispute.protocol,
    status: dispute.status,
    reason: dispute.reason,
    amountCents: cents(dispute.amount),
    blockedCents: cents(dispute.blocked_amount),
    shortfallCents: cents(dispute.shortfall_amount),
    returnedCents: cents(dispute.returned_amount),
    deadline: dispute.deadline,
    defendedAt: dispute.defended_at,
    openedAt: dispute.opened_at,
    resolvedAt: dispute.resolved_at,
  };
}

/** Reads a page of disputes. */
export function parseDisputes(response: unknown): DisputesModel {
  const { disputes, total, limit, open } = disputesPage.parse(response);
  return { disputes: disputes.map(disputeFrom), total, limit, open };
}

/** Reads one dispute with its defence. */
export function parseDisputeDetail(response: unknown): DisputeDetailModel {
  const dispute = disputeDetail.parse(response);
  return {
    ...disputeFrom(dispute),
    defence: dispute.defence,
    files: dispute.files,
    takesFiles: dispute.takes_files,
  };
}

export type StatementLineModel = {
  id: string;
  at: string;
  kind: StatementKind;
  description: string;
  amountCents: number;
  grossCents: number | null;
  feeCents: number | null;
  reservedCents: number | null;
  /** The balance after the movement; null if the query asked for one kind of line only. */
  balanceCents: number | null;
  /** The payment, withdrawal or dispute of the movement, to which a screen links; null if there is none. */
  subject: { type: NonNullable<StatementLine['subject_type']>; id: string } | null;
};

export type StatementModel = {
  lines: StatementLineModel[];
  /** Calendar days in America/Sao_Paulo, both inclusive. */
  from: string;
  to: string;
  openingCents: number;
  closingCents: number;
  inCents: number;
  outCents: number;
  next: string | null;
};

function lineFrom(line: z.infer<typeof statementLine>): StatementLineModel {
  const { subject_type: type, subject_id: id } = line;
  return {
    id: line.id,
    at: line.at,
    kind: line.kind,
    description: line.description,
    amountCents: cents(line.amount),
    grossCents: centsOrNull(line.gross),
    feeCents: centsOrNull(line.fee),
    reservedCents: centsOrNull(line.reserved),
    balanceCents: centsOrNull(line.balance),
    subject: type === null || id === null ? null : { type, id },
  };
}

/** Reads a page of the statement. */
export function parseStatement(response: unknown): StatementModel {
  const page = statement.parse(response);
  return {
    lines: page.lines.map(lineFrom),
    from: page.from,
    to: page.to,
    openingCents: cents(page.opening_balance),
    closingCents: cents(page.closing_balance),
    inCents: cents(page.total_in),
    outCents: cents(page.total_out),
    next: page.next,
  };
}

export type ReservesModel = {
  totalCents: number;
  /** One entry for each calendar day on which reserves are released. */
  releases: { day: string; amountCents: number; payments: number }[];
};

/** Reads the reserves. */
export function parseReserves(response: unknown): ReservesModel {
  const { total, releases } = reserveSchedule.parse(response);
  return {
    totalCents: cents(total),
    releases: releases.map(({ day, amount, payments }) => ({ day, amountCents: cents(amount), payments })),
  };
}
