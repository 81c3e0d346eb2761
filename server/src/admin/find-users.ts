import { type AdminUser, kycStatus, PAGE_SIZE } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { foldForSearch, userOf } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { type AdminAccountRow, countAccounts, findAccounts, readAdminAccount } from './store.ts';

/** Pages end there, and so does counting: an administrator searches instead. */
const MAX_PAGES = 100;
const MAX_WORDS = 8;

/** An account as the administration sees it. */
export function adminUserOf(row: AdminAccountRow): AdminUser {
  return {
    ...userOf(row),
    version: row.version,
    kyc: kycStatus.parse(row.kyc ?? 'none'),
    second_factor: row.second_factor,
    frozen_at: row.frozen_at?.toISOString() ?? null,
    frozen_because: row.frozen_because,
    closing_requested_at: row.closing_requested_at?.toISOString() ?? null,
  };
}

/**
 * The newest accounts, or those in whose name, username, e-mail or document every word of the search occurs, without
 * regard to case and accents. `page` counts from 1; `total` is counted to as many as there are pages for.
 */
export async function findUsers(
  { db }: Pick<Deps, 'db'>,
  { search = '', page }: { search?: string | undefined; page: number },
): Promise<{ users: AdminUser[]; total: number; page: number; limit: number }> {
  const limit = PAGE_SIZE.adminUsers;
  const words = foldForSearch(search)
    .split(' ')
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);
  const [rows, total] = await Promise.all([
    findAccounts(db, words, { limit, offset: (page - 1) * limit }),
    countAccounts(db, words, limit * MAX_PAGES),
  ]);
  return { users: rows.map(adminUserOf), total, page, limit };
}

/** Refused with USER_NOT_FOUND. */
export async function readUser(deps: Pick<Deps, 'db'>, id: string): Promise<AdminUser> {
  const account = await readAdminAccount(deps.db, accountId(id));
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  return adminUserOf(account);
}

/** The number of an account in a path; what is none names nobody. */
export function accountId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new Refusal('USER_NOT_FOUND');
  return Number(text);
}
