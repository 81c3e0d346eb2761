import {
  type AdminUser,
  type adminUserTransactions,
  kycStatus,
  merchantKind,
  PAGE_SIZE,
  type QueryOf,
  type ResponseOf,
} from '@jangada/contract';
import { normalizeDocument } from '@jangada/pix';
import { readOnReplica } from '../db/read-replica.ts';
import type { Deps } from '../deps.ts';
import {
  enforceAttemptLimit,
  merchantKindOf,
  normalizeEmail,
  normalizeForSearch,
  parseAccountId,
  readAccount,
  userOf,
} from '../identity/index.ts';
import { hideCustomerDocument, listTransactions } from '../payments/index.ts';
import { Refusal } from '../refusal.ts';
import {
  type AccountSearch,
  type AdminAccountRow,
  countAccounts,
  findAccounts,
  findByExactEmailOrDocument,
  readAdminAccount,
  withCustomPlan,
} from './store.ts';

/**
 * The last page that can be opened. Matches beyond it are not counted either: to reach them, an administrator must
 * search more narrowly.
 */
const MAX_PAGES = 100;
/** How many words of a search text are used; further ones are ignored. */
const MAX_WORDS = 8;

/** The setting on which the kind of each merchant depends. */
export type KindSetting = { readonly config: Pick<Deps['config'], 'merchantAccounts'> };

/** Converts an account to the form in which administrators see it. */
function adminUserOf({ config }: KindSetting, row: AdminAccountRow): AdminUser {
  return {
    ...userOf(row),
    version: row.version,
    kyc: kycStatus.parse(row.kyc ?? 'none'),
    second_factor: row.second_factor,
    frozen_at: row.frozen_at?.toISOString() ?? null,
    frozen_because: row.frozen_because,
    closing_requested_at: row.closing_requested_at?.toISOString() ?? null,
    closing_reason: row.closing_reason,
    merchant_kind: merchantKindOf(config, merchantKind.parse(row.merchant_kind)),
    held_by: row.held_by_id === null ? null : { id: String(row.held_by_id), name: row.held_by_name ?? '' },
    identity_review_since: row.identity_review_since?.toISOString() ?? null,
  };
}

/**
 * A member of staff (role ADMIN or SUPPORT) who looks at accounts. Without `seesDocuments`, documents and e-mails are
 * masked, and a search must not give them away either.
 */
export type Viewer = { readonly userId: number; readonly seesDocuments: boolean };

/**
 * Finds the accounts in whose name, username, e-mail or document every word of the search occurs, ignoring case and
 * accents; an empty search finds all. Newest first. Words of one or two letters match only the beginning of a word.
 *
 * Viewers who may not see documents search only names and usernames. They find an account by e-mail or document only
 * with the complete value, and at most 30 times an hour, after which such a search is refused with RATE_LIMITED.
 *
 * `closing`: finds only accounts with a closing request that are not frozen, longest wait first. `page` counts from 1.
 * `total` is at most the number of accounts on the pages that can be opened.
 */
export async function findUsers(
  deps: Pick<Deps, 'db' | 'clock' | 'replica'> & KindSetting,
  {
    search = '',
    closing = false,
    page,
  }: { search?: string | undefined; closing?: boolean | undefined; page: number },
  { userId, seesDocuments }: Viewer,
): Promise<{ users: AdminUser[]; total: number; page: number; limit: number }> {
  const limit = PAGE_SIZE.adminUsers;
  const toVisibleUser = (row: AdminAccountRow) => visibleUser(adminUserOf(deps, row), seesDocuments);
  const exactMatches = seesDocuments || closing ? [] : await findExactMatches(deps, userId, search);
  if (exactMatches.length > 0)
    return { users: exactMatches.map(toVisibleUser), total: exactMatches.length, page, limit };
  const words = normalizeForSearch(search)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  const accountSearch: AccountSearch = { words, searchesNamesOnly: !seesDocuments, closing };
  // The replica may lag. Staff work through the list of closing requests, so it is read at the primary.
  const { replica, ...primary } = deps;
  return readOnReplica(closing ? primary : deps, ({ db }) =>
    withCustomPlan(db, async (tx) => {
      const rows = await findAccounts(tx, accountSearch, { limit, offset: (page - 1) * limit });
      const total = await countAccounts(tx, accountSearch, limit * MAX_PAGES);
      return { users: rows.map(toVisibleUser), total, page, limit };
    }),
  );
}

/** A CPF of 11 digits, or a CNPJ of 14 characters, of which the last two are digits. */
const completeDocument = /^(\d{11}|[A-Z\d]{12}\d{2})$/;

/**
 * Finds the account with exactly this e-mail or document. Returns an empty list at once if the search text is neither.
 * Each exact search counts towards the limit, because many of them could find out the masked part of a value.
 */
async function findExactMatches(
  deps: Pick<Deps, 'db' | 'clock'>,
  userId: number,
  search: string,
): Promise<AdminAccountRow[]> {
  const searched = { email: normalizeEmail(search.trim()), document: normalizeDocument(search) };
  if (!searched.email.includes('@') && !completeDocument.test(searched.document)) return [];
  await enforceAttemptLimit(deps, { key: `whole-search:${userId}`, limit: 30, windowSeconds: 3600 });
  return findByExactEmailOrDocument(deps.db, searched);
}

/** Reads an account as staff see it. Refused with USER_NOT_FOUND. */
export async function readUser(
  deps: Pick<Deps, 'db'> & KindSetting,
  id: string,
  { seesDocuments }: Pick<Viewer, 'seesDocuments'> = { seesDocuments: true },
): Promise<AdminUser> {
  const account = await readAdminAccount(deps.db, parseAccountId(id));
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  return visibleUser(adminUserOf(deps, account), seesDocuments);
}

/** The account as the viewer may see it. */
function visibleUser(user: AdminUser, seesDocuments: boolean): AdminUser {
  return seesDocuments ? user : maskUser(user);
}

/**
 * Masks an account for viewers who may not see documents. Enough stays visible to compare with what the owner states.
 */
function maskUser(user: AdminUser): AdminUser {
  const { document, email, apiKey } = user;
  return {
    ...user,
    document: maskDocument(document),
    email: maskEmail(email),
    apiKey: apiKey === '' ? '' : maskText,
  };
}

const maskText = '•••••••';

/** Shows only three characters from the middle, too few to guess the rest. */
function maskDocument(document: string): string {
  return `•••${document.slice(3, 6)}`.padEnd(document.length, '•');
}

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, 1)}${maskText}${email.slice(at)}`;
}

/**
 * Lists an account's charges, newest first, as its owner sees them but without the payment code, and with the documents
 * of customers masked.
 */
export async function listUserTransactions(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  userId: number,
  { before, search }: QueryOf<typeof adminUserTransactions>,
): Promise<ResponseOf<typeof adminUserTransactions>> {
  await readAccount(deps, userId);
  const page = { limit: PAGE_SIZE.adminTransactions, offset: 0 };
  const { data, next } = await listTransactions(deps, userId, { ...page, before, search });
  return { transactions: data.map(({ content, ...transaction }) => hideCustomerDocument(transaction)), next };
}
