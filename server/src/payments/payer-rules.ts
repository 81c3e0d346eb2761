import type { HeldPixReason, NewPayment, PayerRule, PayerRules } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { addMs } from '../clock.ts';
import type { BankReceivedPix } from '../psp/index.ts';
import { LOCAL_HOLIDAY_DAYS } from './accept-due-amount.ts';
import type { PayableCharge } from './payment.ts';

const dayMs = 86_400_000;

export const noRules: PayerRules = { other_payer: null, late: null, doubled: null };

/** The rules of a new charge; undefined if it has none, so that it needs no row for them. */
export function rulesOfCharge(requested: NewPayment['payer_rules']): PayerRules | undefined {
  const rules: PayerRules = {
    other_payer: requested?.other_payer ?? null,
    late: requested?.late ?? null,
    doubled: requested?.doubled ?? null,
  };
  return Object.values(rules).every((rule) => rule === null) ? undefined : rules;
}

/** The rules by which a Pix for a charge is judged: those of the charge win over those of its account. */
export function mergeRules(ofCharge: PayerRules | null, ofAccount: PayerRules): PayerRules {
  return {
    other_payer: ofCharge?.other_payer ?? ofAccount.other_payer,
    late: ofCharge?.late ?? ofAccount.late,
    doubled: ofCharge?.doubled ?? ofAccount.doubled,
  };
}

/** What a rule asks about the charge that a Pix names. */
export type RuleFacts = {
  readonly rules: PayerRules;
  /** The document of the person whom the charge is for, with letters and digits only. */
  readonly payerDocument: string | null;
  readonly expiresAt: Date;
  readonly hasDueDate: boolean;
  readonly isCancelled: boolean;
};

/** What is done with a Pix instead of crediting it. */
export type Holding = { readonly why: HeldPixReason; readonly rule: Exclude<PayerRule, 'accept'> };

/** Returns what the rules do with a Pix that would be credited to its charge; undefined if they let it pay. */
export function holdingOf(
  charge: Pick<PayableCharge, 'status'>,
  pix: Pick<BankReceivedPix, 'paidAt' | 'payer'>,
  { rules, payerDocument, ...terms }: RuleFacts,
): Holding | undefined {
  const isOther = payerDocument !== null && isAnotherDocument(payerDocument, pix.payer?.document);
  if (isOther && rules.other_payer !== null && rules.other_payer !== 'accept')
    return { why: 'other-payer', rule: rules.other_payer };
  if (isLate(charge, pix, terms) && rules.late !== null && rules.late !== 'accept')
    return { why: 'late', rule: rules.late };
  return undefined;
}

/**
 * Whether a charge was paid after its end. Holidays of the payer's town may move the last day of a charge with a due date,
 * and only the bank knows them. It takes nothing after that day, so what it took soon after the day that we know was in
 * time.
 */
function isLate(
  { status }: Pick<PayableCharge, 'status'>,
  { paidAt }: Pick<BankReceivedPix, 'paidAt'>,
  { expiresAt, hasDueDate, isCancelled }: Pick<RuleFacts, 'expiresAt' | 'hasDueDate' | 'isCancelled'>,
): boolean {
  const mayEndLater = hasDueDate && !isCancelled && (status === 'pending' || status === 'expired');
  if (mayEndLater) return paidAt >= addMs(expiresAt, LOCAL_HOLIDAY_DAYS * dayMs);
  return status !== 'pending' || paidAt > expiresAt;
}

/**
 * Whether a document that the bank tells is certainly not this one. Banks may mask a CPF, as `***.456.789-**`: then the
 * digits that are shown are compared. A document that is missing, or shows nothing to compare, is not another.
 */
export function isAnotherDocument(expected: string, told: string | undefined): boolean {
  const shown = normalizeDocument(told ?? '').replace(/[•#]/g, '*');
  const isWhole = shown.length === 11 || shown.length === 14;
  if (!isWhole || !/[0-9A-Z]/.test(shown)) return false;
  if (shown.length !== expected.length) return true;
  return [...shown].some((character, index) => character !== '*' && character !== expected[index]);
}
