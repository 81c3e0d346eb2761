import {
  type Ability,
  type ActingAccount,
  brlFromCents,
  docType,
  hasAbility,
  mayDo,
  percentFromRate,
  role,
  type Taxes,
  type User,
} from '@jangada/contract';
import { formatDocument, normalizeDocument } from '@jangada/pix';
import type { Db } from '../db/pool.ts';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { Caller } from '../http/route.ts';
import { readMerchantBalances } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import { maySeeOwnMoney } from './holder.ts';
import { type AccountRow, countWaitingApprovals, findAccount, isMemberElsewhere } from './store.ts';

/** Normalizes a full name for storage: NFC, single spaces. */
export function normalizeName(name: string): string {
  return name.normalize('NFC').trim().replace(/\s+/g, ' ');
}

/** Normalizes an e-mail for storage and comparison: NFC, lower case. */
export function normalizeEmail(email: string): string {
  return email.normalize('NFC').toLowerCase();
}

/** Normalizes text for search: lower case, no accents, single spaces, no control characters. */
export function normalizeForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

type SearchableFields = { name: string; username: string; email: string; document: string };

/**
 * Returns the text in which the search for accounts looks. It contains the document with and without punctuation,
 * because people type either form.
 */
export function searchText({ name, username, email, document }: SearchableFields): string {
  const plainDocument = normalizeDocument(document);
  const texts = [name, username, email, plainDocument, formatDocument(plainDocument)];
  return normalizeForSearch(texts.join(' '));
}

type NotFoundCode = 'USER_NOT_FOUND' | 'WITHDRAWAL_NOT_FOUND' | 'REFUND_NOT_FOUND' | 'DISPUTE_NOT_FOUND';

/**
 * Parses an account id from a path or body. Text that is not an id is refused with `notFoundCode`, because no account
 * can match it.
 */
export function parseAccountId(text: string, notFoundCode: NotFoundCode = 'USER_NOT_FOUND'): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal(notFoundCode);
  return Number(text);
}

/**
 * An account's approval and API status. `api_held` is true if an administrator switched the API off: approving the
 * account then does not switch it on.
 */
export type ApprovalState = {
  readonly approved: boolean;
  readonly api_active: boolean;
  readonly api_held: boolean;
};

/**
 * Returns the approval and API status after a change. Approving an account switches its API on, unless an administrator
 * switched it off; revoking the approval switches the API off. A requested `apiActive` that equals the current value is
 * not a request to switch the API, because the administrator's form sends all fields.
 */
export function nextApprovalState(
  current: ApprovalState,
  requested: { readonly approved?: boolean | undefined; readonly apiActive?: boolean | undefined },
): ApprovalState {
  const { api_active, api_held } = current;
  const approved = requested.approved ?? current.approved;
  const isApiSwitched = requested.apiActive !== undefined && requested.apiActive !== api_active;
  if (!isApiSwitched && approved === current.approved) return { approved, api_active, api_held };
  const apiHeld = isApiSwitched ? !requested.apiActive : api_held;
  return { approved, api_active: approved && !apiHeld, api_held: apiHeld };
}

/** Returns an account with its balance. Refused with USER_NOT_FOUND, also for account 0, which is the platform. */
export async function readAccount({ db }: Pick<Deps, 'db'>, id: number): Promise<AccountRow> {
  const account = id > 0 ? await findAccount(db, id) : undefined;
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  return account;
}

/** Maps an account to the API's form. */
export function userOf(row: AccountRow): User {
  return {
    id: String(row.id),
    name: row.name,
    username: row.username,
    email: row.email,
    avatar: row.avatar,
    approved: row.approved,
    role: role.parse(row.role),
    balance: brlFromCents(row.available_cents),
    apiActive: row.api_active,
    apiKey: row.masked_key ?? '',
    document: row.document,
    docType: docType.parse(row.doc_type),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    push_id: row.push_ids[0] ?? null,
    push_ids: row.push_ids,
    taxes: taxesOf(row),
  };
}

/**
 * The account as its owner sees it. The balance is all that is theirs, at the operator's account and at their own. Who
 * handed the account over sees the money only as far as their role in it allows.
 */
export async function readOwnUser(deps: Pick<Deps, 'db'>, id: number): Promise<User> {
  const [account, { house, own }, maySeeMoney] = await Promise.all([
    readAccount(deps, id),
    readMerchantBalances(deps.db, id),
    maySeeOwnMoney(deps.db, id),
  ]);
  if (!maySeeMoney) return userOf({ ...account, available_cents: 0, masked_key: null });
  if (own === undefined) return userOf(account);
  return {
    ...userOf({ ...account, available_cents: house.available + own.available }),
    at_operator: brlFromCents(house.available),
    at_own_bank: brlFromCents(own.available),
  };
}

/**
 * The account for which the caller acts. Undefined for a person who is a member of no other than their own, for whom
 * nothing differs from the specification; null for one who was removed from their only account.
 */
export async function readActingAccount(
  { db }: Pick<Deps, 'db'>,
  { userId, accountId, memberRole, isAccountFrozen, supportUntil }: Caller,
): Promise<ActingAccount | null | undefined> {
  if (memberRole === undefined) return null;
  if (accountId === userId && !(await isMemberElsewhere(db, userId))) return undefined;
  const { name, approved, api_active } = await readAccount({ db }, accountId);
  const account = {
    id: String(accountId),
    name,
    role: memberRole,
    own: accountId === userId,
    frozen: isAccountFrozen,
    approved,
    apiActive: api_active,
    ...(supportUntil !== undefined && { supportUntil: supportUntil.toISOString() }),
  };
  if (isAccountFrozen || !mayDo(memberRole, 'read-money')) return { ...account, balance: null };
  return { ...account, ...balanceFields(await readMerchantBalances(db, accountId)) };
}

/** How many requests wait for the caller's approval; undefined where approvals are of no use. */
export function countApprovalsFor(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, accountId, memberRole, isAccountFrozen }: Caller,
): Promise<number | undefined> {
  return countWaitingApprovals(
    db,
    { accountId, userId, mayApprove: mayDo(memberRole, 'approve') && !isAccountFrozen },
    clock.now(),
  );
}

function balanceFields({ house, own }: Awaited<ReturnType<typeof readMerchantBalances>>) {
  const atOperator = brlFromCents(house.available);
  if (own === undefined) return { balance: atOperator };
  return {
    balance: brlFromCents(house.available + own.available),
    at_operator: atOperator,
    at_own_bank: brlFromCents(own.available),
  };
}

/** Maps an account's fees to the API's form. */
export function taxesOf(row: AccountRow): Taxes {
  return {
    pix: {
      in: percentFromRate(row.in_rate),
      out: percentFromRate(row.out_rate),
      fixIn: brlFromCents(row.fix_in_cents),
      fixOut: brlFromCents(row.fix_out_cents),
    },
    crypto: percentFromRate(row.crypto_rate),
    reserve: {
      enabled: row.reserve_enabled,
      percentage: percentFromRate(row.reserve_rate),
      liberationTime: row.reserve_days,
    },
  };
}

/**
 * Refuses with FORBIDDEN a staff member who lost this ability, or was frozen, after the call arrived. Locks the
 * member's row until commit, so that a concurrent freeze or change of role waits. Must be called before any other row
 * is locked.
 */
export async function recheckAbility({ db }: Tx, userId: number, ability: Ability): Promise<void> {
  const actor = await db
    .selectFrom('users')
    .select(['role', 'frozen_at'])
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
  if (actor === undefined || actor.frozen_at !== null || !hasAbility(role.parse(actor.role), ability))
    throw new Refusal('FORBIDDEN');
}

/**
 * Prevents administrators from deciding about their own money. Refused with OWN_ACCOUNT for their own account, for one of
 * which they are a member, and for an account that shares their promotion root (the administrator with whom both chains
 * of promotions began), because somebody whom you promoted does not review you independently.
 */
export async function refuseOwnAccount(tx: Tx, actorId: number, userId: number): Promise<void> {
  await refuseMember(tx, actorId, userId);
  if (await sharePromotionRoot(tx, actorId, userId))
    throw new Refusal('OWN_ACCOUNT', { message: sharedRootMessage });
}

/**
 * Prevents administrators from deciding anything about their own account, or about one of which they are a member.
 * @throws {Refusal} OWN_ACCOUNT
 */
export async function refuseMember(tx: Tx, actorId: number, userId: number): Promise<void> {
  if (actorId === userId || (await isMemberOf(tx.db, actorId, userId))) throw new Refusal('OWN_ACCOUNT');
}

export async function isMemberOf(db: Db | Tx['db'], userId: number, accountId: number): Promise<boolean> {
  const membership = await db
    .selectFrom('members')
    .select('role')
    .where('merchant_id', '=', accountId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return membership !== undefined;
}

/**
 * Returns whether two administrators share a promotion root: the administrator with whom a chain of promotions began.
 * The root may be one of the two. The column `admin_root` is null for the root itself.
 */
export async function sharePromotionRoot({ db }: Tx, userId: number, otherUserId: number): Promise<boolean> {
  const accounts = await db
    .selectFrom('users')
    .select(({ fn }) => fn.coalesce('admin_root', 'id').as('root'))
    .where('id', 'in', [userId, otherUserId])
    .execute();
  return accounts.length === 2 && accounts[0]?.root === accounts[1]?.root;
}

const sharedRootMessage =
  'Esta conta e a sua receberam o papel de administrador da mesma pessoa, ou uma da outra. Quem decide aqui é um administrador criado à parte, pela linha de comando (admin:create).';
