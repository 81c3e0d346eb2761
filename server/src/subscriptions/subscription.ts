import type {
  Authorization,
  BilledPerson,
  CycleReason,
  CycleStatus,
  MandateStatusShown,
  Metadata,
  SubscriptionEnd,
  SubscriptionPeriod,
  SubscriptionStatus,
} from '@jangada/contract';

/** A subscription as stored. Amounts in integer cents, days as YYYY-MM-DD. */
export type StoredSubscription = {
  readonly merchantId: number;
  readonly id: string;
  /** The account at which its mandate is, and its charges are made. */
  readonly connectionId: number;
  /** Our id of the mandate at the bank. */
  readonly contract: string;
  readonly payer: BilledPerson;
  /** The customer of the register whom it is for. */
  readonly customerId: string | null;
  readonly description: string;
  /** Null if the amount varies. */
  readonly amountCents: number | null;
  readonly minMaximumCents: number | null;
  readonly period: SubscriptionPeriod;
  readonly firstDay: string;
  readonly lastDay: string | null;
  readonly retryDays: readonly number[];
  readonly authorizedBy: Authorization;
  readonly payerAccount: PayerAccount | null;
  /** Of `pay` and `offer`: what is paid along with the permission, and the day on which `offer` falls due. */
  readonly firstCents: number | null;
  readonly firstDueDay: string | null;
  readonly firstChargeId: string | null;
  readonly externalId: string | null;
  readonly metadata: Metadata | null;
  readonly status: SubscriptionStatus;
  readonly endReason: SubscriptionEnd | null;
  readonly endedAt: Date | null;
  readonly nextNumber: number;
  readonly planAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** The payer's account, into whose app a request is pushed. */
export type PayerAccount = {
  readonly ispb: string;
  readonly branch: string | null;
  readonly number: string;
};

export type StoredMandate = {
  readonly merchantId: number;
  readonly subscriptionId: string;
  readonly connectionId: number;
  readonly locationId: number | null;
  readonly idRec: string | null;
  readonly brCode: string;
  readonly status: MandateStatusShown;
  readonly allowedBy: Authorization | null;
  readonly approvedAt: Date | null;
  readonly endedAt: Date | null;
  readonly endCode: string | null;
  readonly endText: string | null;
  readonly endedBy: string | null;
  readonly pushId: string | null;
  readonly cancelSince: Date | null;
  /** How often the bank was asked since something last changed. */
  readonly checks: number;
  readonly createdAt: Date;
};

export type CancelBecause = Extract<CycleReason, 'paid_otherwise' | 'by_merchant' | 'subscription_ended'>;

export type StoredCycle = {
  readonly merchantId: number;
  readonly subscriptionId: string;
  readonly number: number;
  readonly dueDay: string;
  readonly debitDay: string;
  readonly amountCents: number | null;
  readonly status: CycleStatus;
  readonly reason: CycleReason | null;
  readonly code: string | null;
  readonly text: string | null;
  readonly cancelBecause: CancelBecause | null;
  readonly chargeId: string | null;
  readonly paidAt: Date | null;
  readonly checks: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type StoredDebitAttempt = {
  readonly subscriptionId: string;
  readonly number: number;
  /** The endToEndId of a try that the bank shows, or the day of one that we asked for. */
  readonly id: string;
  readonly day: string;
  readonly isRetry: boolean;
  readonly status: 'asked' | 'requested' | 'scheduled' | 'paid' | 'refused' | 'cancelled' | 'expired';
  readonly code: string | null;
  readonly text: string | null;
};

/** The origin of charges that the gateway makes for a subscription: no request and no person does. */
export const MADE_WITH_SUBSCRIPTION = 'subscription';

const endedStatuses: ReadonlySet<CycleStatus> = new Set(['paid', 'given_up', 'cancelled']);

/** Whether a cycle has ended, with or without a payment. */
export function hasEnded({ status }: Pick<StoredCycle, 'status'>): boolean {
  return endedStatuses.has(status);
}
