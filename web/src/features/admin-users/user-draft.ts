// The form that edits a user: its initial values, the errors in it, and the request that saves it. The provider, that
// is, the server behind the API, is our own gateway or another implementation of the API, which saves users in another
// way.

import {
  type AdminUserModel,
  accountName,
  brlFromCents,
  type DocType,
  documentProblem,
  email,
  type MerchantKind,
  type Role,
  username,
} from '@jangada/contract';
import { formatDocument, normalizeDocument } from '@jangada/pix';
import type { UserChange } from './use-user-form.ts';

/** The values of the form that edits a user. A number is kept as the typed text and converted when the form is sent. */
export type UserDraft = {
  name: string;
  username: string;
  document: string;
  docType: DocType;
  email: string;
  role: Role;
  approved: boolean;
  apiActive: boolean;
  /** The fees on received payments: a percentage, and a fixed amount in BRL. */
  in: string;
  fixIn: string;
  /** The fees on withdrawals: a percentage, and a fixed amount in BRL. */
  out: string;
  fixOut: string;
  /** The fee on cryptocurrency, a percentage. */
  crypto: string;
  reserveEnabled: boolean;
  reservePercentage: string;
  reserveDays: string;
  /** Null if the provider has merchants of one kind only. */
  merchantKind: MerchantKind | null;
  /** The balance to set. It equals the loaded balance unless it was edited, and is null while the field is empty. */
  balanceCents: number | null;
  /** Why the balance, the username or the document changes. */
  reason: string;
};

/** The error of each invalid field. */
export type DraftProblems = Partial<Record<keyof UserDraft, string>>;

/** The draft of a user who has not been edited yet. */
export function draftOf(user: AdminUserModel): UserDraft {
  const { name, username, docType, email, role, approved, apiActive, balanceCents, taxes } = user;
  const { pix, crypto, reserve } = taxes;
  return {
    name,
    username,
    document: formatDocument(user.document),
    docType,
    email,
    role,
    approved,
    apiActive,
    balanceCents,
    reason: '',
    in: formatNumber(pix.in),
    out: formatNumber(pix.out),
    fixIn: formatAmount(pix.fixIn),
    fixOut: formatAmount(pix.fixOut),
    crypto: formatNumber(crypto),
    reserveEnabled: reserve.enabled,
    reservePercentage: formatNumber(reserve.percentage),
    reserveDays: String(reserve.liberationTime),
    merchantKind: user.merchantKind,
  };
}

/** A number with the Brazilian decimal comma: 1,5. */
function formatNumber(value: number): string {
  return String(value).replace('.', ',');
}

/** An amount with the decimal comma: 1,50. A fraction of a cent, which only another provider sends, stays visible. */
function formatAmount(value: number): string {
  const [whole, decimals = ''] = formatNumber(value).split(',');
  return `${whole},${decimals.padEnd(2, '0')}`;
}

/** True when the balance was edited. Our own gateway receives the balance only if it was. */
export function changesBalance({ balanceCents }: UserDraft, user: AdminUserModel): boolean {
  return balanceCents !== user.balanceCents;
}

/** True when the username or the document was edited, which requires a reason. */
export function changesIdentity(draft: UserDraft, user: AdminUserModel): boolean {
  return draft.username.trim() !== user.username || changesDocument(draft, user);
}

/** True when the document or its type was edited. Punctuation does not count. */
export function changesDocument({ document, docType }: UserDraft, user: AdminUserModel): boolean {
  return docType !== user.docType || normalizeDocument(document) !== normalizeDocument(user.document);
}

const RESERVE_MAX_DAYS = 3650;

/** The errors of a draft, by field. */
export function problemsOf(draft: UserDraft, user: AdminUserModel): DraftProblems {
  const days = Number(draft.reserveDays);
  const areDaysValid = /^\d+$/.test(draft.reserveDays.trim()) && days <= RESERVE_MAX_DAYS;
  const problems: [keyof UserDraft, string | undefined][] = [
    ['name', messageOf(accountName.safeParse(draft.name))],
    [
      'username',
      draft.username.trim() === user.username ? undefined : messageOf(username.safeParse(draft.username)),
    ],
    ['document', changesDocument(draft, user) ? documentProblem(draft.docType, draft.document) : undefined],
    ['email', messageOf(email.safeParse(draft.email))],
    ['in', percentProblem(draft.in)],
    ['out', percentProblem(draft.out)],
    ['fixIn', numberProblem(draft.fixIn)],
    ['fixOut', numberProblem(draft.fixOut)],
    ['crypto', percentProblem(draft.crypto)],
    ['reservePercentage', percentProblem(draft.reservePercentage)],
    ['reserveDays', areDaysValid ? undefined : 'Informe um número inteiro de dias, de 0 a 3650.'],
    ['balanceCents', draft.balanceCents === null ? 'Informe o saldo.' : undefined],
    ['reason', reasonProblem(draft, user)],
  ];
  return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined));
}

function reasonProblem(draft: UserDraft, user: AdminUserModel): string | undefined {
  if (!isVersioned(user) || draft.reason.trim() !== '') return undefined;
  if (changesBalance(draft, user)) return 'Informe o motivo do ajuste de saldo.';
  if (changesIdentity(draft, user)) return 'Informe o motivo da troca de usuário ou de documento.';
  return undefined;
}

/** The result of checking a value with a schema. */
type ParseResult = { success: boolean; error?: { issues: readonly { message: string }[] } | undefined };

/** The first error that a schema reports; undefined for a valid value. */
function messageOf({ error }: ParseResult): string | undefined {
  return error?.issues[0]?.message;
}

function percentProblem(text: string): string | undefined {
  return numberOf(text) > 100 ? 'O percentual não pode passar de 100.' : numberProblem(text);
}

function numberProblem(text: string): string | undefined {
  const number = numberOf(text);
  if (Number.isNaN(number)) return 'Informe um número.';
  if (number < 0) return 'O valor não pode ser negativo.';
  return /[.,]\d{3,}$/.test(text.trim()) ? 'Use no máximo duas casas decimais.' : undefined;
}

function numberOf(text: string): number {
  const normalized = text.trim().replace(',', '.');
  return normalized === '' ? Number.NaN : Number(normalized);
}

/**
 * True when the provider is our own gateway, which numbers the versions of a user. It refuses to edit an older version,
 * and books a changed balance as an adjustment, for which it needs a reason. Another provider has no versions, and
 * stores the user as sent.
 */
export function isVersioned({ version }: AdminUserModel): boolean {
  return version !== null;
}

/** The request body that saves a draft. */
export function changeOf(draft: UserDraft, user: AdminUserModel): UserChange {
  return isVersioned(user) ? formFields(draft, user) : wholeUserWithEdits(draft, user);
}

/**
 * The whole user as another provider sent it, with the edits applied. Fields that our schemas do not know are sent back
 * unchanged, because the provider stores exactly what it receives. It therefore must not receive the three fields that
 * only our own gateway reads: the version, the reason and the balance before the edit.
 */
function wholeUserWithEdits(draft: UserDraft, user: AdminUserModel): UserChange {
  const { version: _version, reason: _reason, balance_before: _before, ...fields } = formFields(draft, user);
  const balance = brlFromCents(draft.balanceCents ?? user.balanceCents);
  // Some providers call the field `api_active`, others `apiActive`.
  const apiActiveField = 'api_active' in user.asReceived ? { api_active: draft.apiActive } : {};
  return { ...user.asReceived, ...fields, ...apiActiveField, balance } as UserChange;
}

/**
 * The fields of the form. Username, document and balance are included only if they were edited. An edited balance comes
 * with the balance that the administrator saw, so that the gateway can refuse it if money has moved since.
 */
function formFields(draft: UserDraft, user: AdminUserModel): UserChange {
  const balance = draft.balanceCents ?? user.balanceCents;
  return {
    version: user.version ?? 0,
    name: draft.name.trim(),
    email: draft.email.trim(),
    role: draft.role,
    approved: draft.approved,
    apiActive: draft.apiActive,
    taxes: {
      pix: {
        in: numberOf(draft.in),
        out: numberOf(draft.out),
        fixIn: numberOf(draft.fixIn),
        fixOut: numberOf(draft.fixOut),
      },
      crypto: numberOf(draft.crypto),
      reserve: {
        enabled: draft.reserveEnabled,
        percentage: numberOf(draft.reservePercentage),
        liberationTime: Number(draft.reserveDays),
      },
    },
    ...(draft.merchantKind !== null &&
      draft.merchantKind !== user.merchantKind && { merchant_kind: draft.merchantKind }),
    ...(changesBalance(draft, user) && {
      balance: brlFromCents(balance),
      balance_before: brlFromCents(user.balanceCents),
    }),
    ...(draft.username.trim() !== user.username && { username: draft.username.trim() }),
    ...(changesDocument(draft, user) && {
      document: normalizeDocument(draft.document),
      docType: draft.docType,
    }),
    ...((changesBalance(draft, user) || changesIdentity(draft, user)) && { reason: draft.reason.trim() }),
  };
}

/** True when the draft differs from the user that was opened. A reason alone does not count. */
export function isEdited(draft: UserDraft, user: AdminUserModel): boolean {
  return JSON.stringify({ ...draft, reason: '' }) !== JSON.stringify(draftOf(user));
}
