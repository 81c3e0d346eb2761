import {
  type AdminUser,
  centsFromBrl,
  type MerchantKind,
  rateFromPercent,
  type Taxes,
} from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { type ApprovalState, nextApprovalState, normalizeEmail, normalizeName } from '../identity/index.ts';
import { invariant } from '../invariant.ts';

/** The account columns that an administrator may edit. Rates are in hundredths of a percent. */
export type EditableAccount = ApprovalState & {
  readonly name: string;
  readonly username: string;
  readonly document: string;
  readonly doc_type: string;
  readonly email: string;
  readonly role: string;
  readonly in_rate: number;
  readonly out_rate: number;
  readonly fix_in_cents: number;
  readonly fix_out_cents: number;
  readonly crypto_rate: number;
  readonly reserve_enabled: boolean;
  readonly reserve_rate: number;
  readonly reserve_days: number;
  readonly merchant_kind: MerchantKind;
};

/** The values that an administrator sent. A field that was not sent keeps its value. */
export type AccountEdit = {
  readonly [field in
    | 'name'
    | 'username'
    | 'document'
    | 'docType'
    | 'email'
    | 'role'
    | 'approved'
    | 'apiActive'
    | 'taxes'
    | 'merchant_kind']?: AdminUser[field] | undefined;
};

/** Returns the columns that an administrator's edit changes, with their new values. */
export function computeChanges(current: EditableAccount, edit: AccountEdit): Partial<EditableAccount> {
  const document = edit.document === undefined ? current.document : normalizeDocument(edit.document);
  const doc_type = edit.docType ?? current.doc_type;
  const isDocumentChanged = document !== current.document || doc_type !== current.doc_type;
  const next: EditableAccount = {
    ...current,
    document,
    doc_type,
    ...(edit.username !== undefined && { username: edit.username }),
    ...(edit.name !== undefined && { name: normalizeName(edit.name) }),
    ...(edit.email !== undefined && { email: normalizeEmail(edit.email) }),
    ...(edit.role !== undefined && { role: edit.role }),
    ...(edit.taxes !== undefined && feeTermsOf(edit.taxes)),
    ...(edit.merchant_kind !== undefined && { merchant_kind: edit.merchant_kind }),
    // A new document withdraws the approval, because the approval was given for the previous document.
    ...nextApprovalState(current, isDocumentChanged ? { ...edit, approved: false } : edit),
  };
  const currentValues = new Map<string, unknown>(Object.entries(current));
  return Object.fromEntries(
    Object.entries(next).filter(([column, value]) => currentValues.get(column) !== value),
  );
}

/** Converts fees and reserve from the API's form to columns. */
function feeTermsOf({ pix, crypto, reserve }: Taxes) {
  return {
    in_rate: rateFromValidatedPercent(pix.in),
    out_rate: rateFromValidatedPercent(pix.out),
    fix_in_cents: centsFromValidatedBrl(pix.fixIn),
    fix_out_cents: centsFromValidatedBrl(pix.fixOut),
    crypto_rate: rateFromValidatedPercent(crypto),
    reserve_enabled: reserve.enabled,
    reserve_rate: rateFromValidatedPercent(reserve.percentage),
    reserve_days: reserve.liberationTime,
  };
}

/** Converts a percentage that the contract's schema has validated to hundredths of a percent. */
function rateFromValidatedPercent(percent: number): number {
  const value = rateFromPercent(percent);
  invariant(value !== undefined, 'the contract lets only whole hundredths of a percent pass');
  return value;
}

/** Converts an amount in BRL that the contract's schema has validated to integer cents. */
export function centsFromValidatedBrl(brl: number): number {
  const value = centsFromBrl(brl, Number.MAX_SAFE_INTEGER);
  invariant(value !== undefined, 'the contract lets only whole cents pass');
  return value;
}
