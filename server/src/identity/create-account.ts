import type { DocType, ErrorCode, Registration, Role, User } from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { inTransaction, type Tx, violatedConstraint } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { networkOf } from '../http/network-of.ts';
import { invariant } from '../invariant.ts';
import { Refusal } from '../refusal.ts';
import { normalizeEmail, normalizeName, searchText, userOf } from './account.ts';
import { type ClientInfo, openSession } from './open-session.ts';
import { hashPassword, signInHashQueue } from './password.ts';
import { refuseWeakPassword } from './refuse-weak-password.ts';
import { findAccount, insertUser } from './store.ts';
import { enforceAttemptLimit } from './throttle.ts';

export type NewAccount = {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  /** With or without punctuation; the check digits are already verified. */
  readonly document: string;
  readonly docType: DocType;
  readonly passwordHash: string;
  readonly role?: Role;
  /** Whether the account may receive money and use the API at once, without waiting for an administrator. */
  readonly approved?: boolean;
  /** Rate on incoming payments, in hundredths of a percent. */
  readonly inRate?: number;
};

/** The fixed fee on the withdrawals of a new account. */
const DEFAULT_FIX_OUT_CENTS = 150;

/** The refusal code for each unique index of the table `users`. */
const takenCodeByIndex: Readonly<Record<string, ErrorCode>> = {
  users_username: 'USERNAME_TAKEN',
  users_email: 'EMAIL_TAKEN',
  users_document: 'DOCUMENT_TAKEN',
};

/** Returns the refusal for a database error caused by a username, e-mail or document that another account has. */
export function uniqueViolationRefusal(error: unknown): Refusal | undefined {
  const code = takenCodeByIndex[violatedConstraint(error) ?? ''];
  return code === undefined ? undefined : new Refusal(code);
}

/** Creates an account and returns its id. Refused with USERNAME_TAKEN, EMAIL_TAKEN or DOCUMENT_TAKEN. */
export async function createAccount(tx: Tx, account: NewAccount): Promise<number> {
  const ownerFields = {
    username: account.username,
    name: normalizeName(account.name),
    email: normalizeEmail(account.email),
    document: normalizeDocument(account.document),
  };
  const approved = account.approved ?? false;
  try {
    return await insertUser(tx.db, {
      ...ownerFields,
      doc_type: account.docType,
      role: account.role ?? 'USER',
      approved,
      api_active: approved,
      in_rate: account.inRate ?? 0,
      fix_out_cents: DEFAULT_FIX_OUT_CENTS,
      password_hash: account.passwordHash,
      search_text: searchText(ownerFields),
      created_at: tx.now,
      updated_at: tx.now,
    });
  } catch (error) {
    throw uniqueViolationRefusal(error) ?? error;
  }
}

/**
 * Creates an account and signs it in. Every attempt counts against the visitor's network, because a response reveals
 * whether a username, e-mail or document is taken. Refused with USERNAME_TAKEN, EMAIL_TAKEN, DOCUMENT_TAKEN,
 * PASSWORD_COMMON, RATE_LIMITED or OVERLOADED.
 */
export async function registerAccount(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { password, doctype, ...registration }: Registration,
  visitor: ClientInfo,
): Promise<{ token: string; user: User }> {
  await enforceAttemptLimit(deps, {
    key: `register ${networkOf(visitor.address)}`,
    limit: deps.config.registrationsPerAddress,
    windowSeconds: 3600,
  });
  refuseWeakPassword(password, registration);
  const passwordHash = await hashPassword(password, signInHashQueue(visitor.address));
  const docType = doctype === 'cpf' ? 'CPF' : 'CNPJ';
  return inTransaction(deps, async (tx) => {
    const id = await createAccount(tx, { ...registration, docType, passwordHash });
    const account = await findAccount(tx.db, id);
    invariant(account !== undefined, 'a new account has its ledger accounts');
    return { token: await openSession(tx, id, visitor), user: userOf(account) };
  });
}
