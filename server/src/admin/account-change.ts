import { type AdminUser, centsFromBrl, rateFromPercent, type Taxes } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { type ApprovalState, foldEmail, nextApprovalState, normalizeName } from '../identity/index.ts';
import { invariant } from '../invariant.ts';

/** The columns of an account that an administrator may change. */
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

/** The columns in which an account differs from what is wanted, as they are to be. */
export function changesTo(current: EditableAccount, wanted: EditedAccount): Partial<EditableAccount> {
  const document = wanted.document === undefined ? current.document : normalizeDocument(wanted.document);
  const doc_type = wanted.docType ?? current.doc_type;
  // The verification and the approval were of the previous document.
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

/** Integer cents of an amount in BRL that the contract let pass. */
export function cents(brl: number): number {
  const value = centsFromBrl(brl, Number.MAX_SAFE_INTEGER);
  invariant(value !== undefined, 'the contract lets only whole cents pass');
  return value;
}
