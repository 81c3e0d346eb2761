import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';
import { type AccountRow, findAccount } from './store.ts';

/** Returns an account with its balance. Refused with USER_NOT_FOUND, also for the platform's own row. */
export async function readAccount({ db }: Pick<Deps, 'db'>, id: number): Promise<AccountRow> {
  const account = id > 0 ? await findAccount(db, id) : undefined;
  if (account === undefined) throw new Refusal('USER_NOT_FOUND');
  return account;
}
