import {
  type AdminUserModel,
  accountName,
  brlFromCents,
  type DocType,
  documentProblem,
  email,
  type Role,
  username,
} from '@jangada/contract';
import { formatDocument, normalizeDocument } from '@jangada/pix';
import type { UserChange } from './use-user-form.ts';

/** A user as the form holds them: numbers are kept as typed. */
export type UserDraft = {
  name: string;
  username: string;
  document: string;
  docType: DocType;
  email: string;
  role: Role;
  approved: boolean;
  apiActive: boolean;
  in: string;
  out: string;
  fixIn: string;
  fixOut: string;
  crypto: string;
  reserveEnabled: boolean;
  reservePercentage: string;
  reserveDays: string;
  /** The new balance; equal to the loaded one unless edited. */
  balanceCents: number | null;
  /** Why the balance changes. */
  reason: string;
};
export type DraftProblems = Partial<Record<keyof UserDraft, string>>;

export function draftOf(user: AdminUserModel): UserDraft {
  const { name, username, docType, email, role, approved, apiActive, balanceCents, taxes } = user;
  const { pix, crypto, reserve } = taxes;
  return {
    ...{
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
    },
    in: written(pix.in),
    out: written(pix.out),
    fixIn: sumWritten(pix.fixIn),
    fixOut: sumWritten(pix.fixOut),
    crypto: written(crypto),
    reserveEnabled: reserve.enabled,
    reservePercentage: written(reserve.percentage),
    reserveDays: String(reserve.liberationTime),
  };
}

/** A number in Brazilian notation: 1,5. */
function written(value: number): string {
  return String(value).replace('.', ',');
}

/** An amount in Brazilian notation: 1,50. Fractions of a cent, which only other providers have, are kept. */
function sumWritten(value: number): string {
  const [whole, decimals = ''] = written(value).split(',');
  return `${whole},${decimals.padEnd(2, '0')}`;
}

/** True when the balance was edited; only then it is sent. */
export function movesBalance({ balanceCents }: UserDraft, user: AdminUserModel): boolean {
  return balanceCents !== user.balanceCents;
}

/** True when identifying data changed, which requires a reason. */
export function identifiesAnew(draft: UserDraft, user: AdminUserModel): boolean {
  return draft.username.trim() !== user.username || isOtherDocument(draft, user);
}

export function isOtherDocument({ document, docType }: UserDraft, user: AdminUserModel): boolean {
  return docType !== user.docType || normalizeDocument(document) !== normalizeDocument(user.document);
}

const RESERVE_MAX_DAYS = 3650;

/** The errors of a draft, by field. */
export function problemsOf(draft: UserDraft, user: AdminUserModel): DraftProblems {
  const days = Number(draft.reserveDays);
  const daysFit = /^\d+$/.test(draft.reserveDays.trim()) && days <= RESERVE_MAX_DAYS;
  const moves = movesBalance(draft, user);
  const found: [keyof UserDraft, string | undefined][] = [
    ['name', messageOf(accountName.safeParse(draft.name))],
    [
      'username',
      draft.username.trim() === user.username ? undefined : messageOf(username.safeParse(draft.username)),
    ],
    ['document', isOtherDocument(draft, user) ? documentProblem(draft.docType, draft.document) : undefined],
    ['email', messageOf(email.safeParse(draft.email))],
    ['in', percentProblem(draft.in)],
    ['out', percentProblem(draft.out)],
    ['fixIn', numberProblem(draft.fixIn)],
    ['fixOut', numberProblem(draft.fixOut)],
    ['crypto', percentProblem(draft.crypto)],
    ['reservePercentage', percentProblem(draft.reservePercentage)],
    ['reserveDays', daysFit ? undefined : 'Informe um número inteiro de dias, de 0 a 3650.'],
    ['balanceCents', draft.balanceCents === null ? 'Informe o saldo.' : undefined],
    [
      'reason',
      isVersioned(user) && draft.reason.trim() === ''
        ? moves
          ? 'Informe o motivo do ajuste de saldo.'
          : identifiesAnew(draft, user)
            ? 'Informe o motivo da troca de usuário ou de documento.'
            : undefined
        : undefined,
    ],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== undefined));
}

type Parsed = { success: boolean; error?: { issues: readonly { message: string }[] } | undefined };

function messageOf({ error }: Parsed): string | undefined {
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
  const typed = text.trim().replace(',', '.');
  return typed === '' ? Number.NaN : Number(typed);
}

/** True when the provider guards against concurrent edits and books balance changes; others store users as sent. */
export function isVersioned({ version }: AdminUserModel): boolean {
  return version !== null;
}

/** The request body for a draft. */
export function changeOf(draft: UserDraft, user: AdminUserModel): UserChange {
  return isVersioned(user) ? bookedChange(draft, user) : wholeUser(draft, user);
}

/**
 * Everything that the provider returned for a user, with the edits applied. Our schemas do not know its extra fields.
 */
function wholeUser(draft: UserDraft, user: AdminUserModel): UserChange {
  const { version: _version, ...edited } = bookedChange(draft, user);
  const balance = brlFromCents(draft.balanceCents ?? user.balanceCents);
  const { apiActive } = draft;
  const named = 'api_active' in user.told ? { api_active: apiActive } : {};
  const { reason: _reason, balance_before: _before, ...fields } = edited;
  return { ...user.told, ...fields, ...named, balance } as UserChange;
}

/** The fields that may change; the balance only where it was edited, with the one that was seen. */
function bookedChange(draft: UserDraft, user: AdminUserModel): UserChange {
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
    ...(movesBalance(draft, user) && {
      balance: brlFromCents(balance),
      balance_before: brlFromCents(user.balanceCents),
    }),
    ...(draft.username.trim() !== user.username && { username: draft.username.trim() }),
    ...(isOtherDocument(draft, user) && {
      document: normalizeDocument(draft.document),
      docType: draft.docType,
    }),
    ...((movesBalance(draft, user) || identifiesAnew(draft, user)) && { reason: draft.reason.trim() }),
  };
}

/** True when the draft differs from the user as opened. */
export function isEdited(draft: UserDraft, user: AdminUserModel): boolean {
  return JSON.stringify({ ...draft, reason: '' }) !== JSON.stringify(draftOf(user));
}
