import { type AdminUser, centsFromBrl, rateFromPercent, type Taxes } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { type ApprovalState, foldEmail, nextApprovalState, normalizeName } from '../identity/index.ts';
import { invariant } from '../invariant.ts';

/** The account columns that an administrator may edit. */
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
};

export type EditedAccount = {
  readonly [field in
    | 'name'
    | 'username'
    | 'document'
    | 'docType'
    | 'email'
    | 'role'
    | 'approved'
    | 'apiActive'
    | 'taxes']?: AdminUser[field] | undefined;
};

/** Returns the columns that differ from the requested values, with their new values. */
export function changesTo(current: EditableAccount, wanted: EditedAccount): Partial<EditableAccount> {
  const document = wanted.document === undefined ? current.document : normalizeDocument(wanted.document);
  const doc_type = wanted.docType ?? current.doc_type;
  // Verification and approval applied to the previous document.
  const isOther = document !== current.document || doc_type !== current.doc_type;
  const next: EditableAccount = {
    ...current,
    document,
    doc_type,
    ...(wanted.username !== undefined && { username: wanted.username }),
    ...(wanted.name !== undefined && { name: normalizeName(wanted.name) }),
    ...(wanted.email !== undefined && { email: foldEmail(wanted.email) }),
    ...(wanted.role !== undefined && { role: wanted.role }),
    ...(wanted.taxes !== undefined && termsOf(wanted.taxes)),
    ...nextApprovalState(current, isOther ? { ...wanted, approved: false } : wanted),
  };
  const present = new Map<string, unknown>(Object.entries(current));
  return Object.fromEntries(Object.entries(next).filter(([column, value]) => present.get(column) !== value));
}

function termsOf({ pix, crypto, reserve }: Taxes) {
  return {
    in_rate: rate(pix.in),
    out_rate: rate(pix.out),
    fix_in_cents: cents(pix.fixIn),
    fix_out_cents: cents(pix.fixOut),
    crypto_rate: rate(crypto),
    reserve_enabled: reserve.enabled,
    reserve_rate: rate(reserve.percentage),
    reserve_days: reserve.liberationTime,
  };
}

function rate(percent: number): number {
  const value = rateFromPercent(percent);
  invariant(value !== undefined, 'the contract lets only whole hundredths of a percent pass');
  return value;
}

/** Converts an amount in BRL, validated by the contract, to integer cents. */
export function cents(brl: number): number {
  const value = centsFromBrl(brl, Number.MAX_SAFE_INTEGER);
  invariant(value !== undefined, 'the contract lets only whole cents pass');
  return value;
}
