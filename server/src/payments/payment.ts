import { type ChargeStatus, feeCents, type Metadata } from '@jangada/contract';
import { transitions } from '../db/transitions.ts';
import { type ChargeKind, HOUSE_CONNECTION } from '../psp/index.ts';

export { formatBrl } from '../format-brl.ts';

/**
 * The terms of an account: the gateway's fee, and the reserve (a share of each payment, withheld for some days). Rates
 * in hundredths of a percent, amounts in integer cents.
 */
export type MerchantTerms = {
  readonly inRate: number;
  readonly fixInCents: number;
  readonly reserveRate: number;
  readonly reserveDays: number;
};

/** A charge as stored. Amounts in integer cents. */
export type Charge = {
  readonly merchantId: number;
  readonly id: string;
  /** The account at which the bank knows the charge. Nobody else is asked about it. */
  readonly connectionId: number;
  /** Our identifier of the charge at the bank. */
  readonly txid: string;
  readonly status: ChargeStatus;
  readonly amountCents: number;
  readonly feeCents: number;
  readonly reserveCents: number;
  readonly reserveDays: number;
  readonly expiresAt: Date;
  readonly callbackUrl: string | null;
  /** The text that a payer scans or pastes; empty until the bank has created the charge. */
  readonly brCode: string;
  /** The nationwide identifier of the Pix that paid the charge. */
  readonly endToEndId: string | null;
  readonly paidAt: Date | null;
  readonly refundedCents: number;
  /** The integrator's own id for the charge. Not unique: an order that is charged again keeps its id. */
  readonly externalId: string | null;
  /** The integrator's own texts, by name. */
  readonly metadata: Metadata | null;
  readonly cancelledAt: Date | null;
  /** The calendar day on which it falls due; null if it has no due date. Its amount can then change until it is paid. */
  readonly dueDate: string | null;
  readonly createdAt: Date;
};

/** The fields of a charge that settlement needs. */
export type PayableCharge = Pick<
  Charge,
  | 'merchantId'
  | 'id'
  | 'connectionId'
  | 'txid'
  | 'status'
  | 'amountCents'
  | 'feeCents'
  | 'reserveCents'
  | 'reserveDays'
  | 'callbackUrl'
  | 'externalId'
  | 'metadata'
  | 'dueDate'
  | 'createdAt'
>;

export function isStatusChangeAllowed(from: ChargeStatus, to: ChargeStatus): boolean {
  return transitions.charges[from].includes(to);
}

/**
 * The status to show for a charge at `now`: a charge counts as expired from its expiry on, although the expired status
 * is stored only after a last look-up at the bank. A charge without a BR Code is still being created, and stays
 * pending.
 */
export function effectiveStatusAt(
  { status, expiresAt, brCode }: Pick<Charge, 'status' | 'expiresAt' | 'brCode'>,
  now: Date,
): ChargeStatus {
  return status === 'pending' && brCode !== '' && expiresAt <= now ? 'expired' : status;
}

/**
 * The fee of a charge of `amountCents`, and the reserve, which is a share of the amount less the fee. 0 reserve days
 * mean no reserve. The caller must refuse a charge whose fee reaches its amount.
 */
export function computeFeeAndReserve(
  amountCents: number,
  terms: MerchantTerms,
): { feeCents: number; reserveCents: number } {
  const fee = feeCents(amountCents, { rate: terms.inRate, fixedCents: terms.fixInCents });
  if (terms.reserveDays === 0) return { feeCents: fee, reserveCents: 0 };
  const netCents = Math.max(amountCents - fee, 0);
  return { feeCents: fee, reserveCents: feeCents(netCents, { rate: terms.reserveRate, fixedCents: 0 }) };
}

/** How banks keep a charge: those with a due date are kept apart. */
export function kindOf({ dueDate }: Pick<Charge, 'dueDate'>): ChargeKind {
  return dueDate === null ? 'immediate' : 'due';
}

/** The terms of a charge at an account. At one of the merchant's own nothing can be kept back. */
export function termsAt(connectionId: number, merchant: MerchantTerms): MerchantTerms {
  return connectionId === HOUSE_CONNECTION ? merchant : { ...merchant, reserveRate: 0, reserveDays: 0 };
}

/** Whether the fee of a charge is billed: at an account of the merchant's own nobody can keep it back. */
export function isFeeBilled({ connectionId }: Pick<Charge, 'connectionId'>): boolean {
  return connectionId !== HOUSE_CONNECTION;
}

/**
 * What a charge brings into the merchant's balance. The fee is kept back at the operator's own account only; at one of
 * the merchant's own it falls due.
 */
export function creditedCents({
  connectionId,
  amountCents,
  feeCents: fee,
}: Pick<Charge, 'connectionId' | 'amountCents' | 'feeCents'>): number {
  return connectionId === HOUSE_CONNECTION ? amountCents - fee : amountCents;
}

/**
 * The URL of a charge's public payment page. Anyone who has the URL may pay. It cannot be guessed, because its txid has
 * 102 random bits.
 */
export function checkoutUrl(publicUrl: string, { txid }: Pick<Charge, 'txid'>): string {
  return `${publicUrl}/pagar/${txid}`;
}

/** The URL of a charge's receipt; null before payment. */
export function receiptUrl(
  publicUrl: string,
  { txid, paidAt }: Pick<Charge, 'txid' | 'paidAt'>,
): string | null {
  return paidAt === null ? null : `${publicUrl}/comprovante/${txid}`;
}
