import type { AdminUser, adminUpdateUser, BodyOf } from '@jangada/contract';
import { insertAuditEntry } from '../audit/index.ts';
import { inTransaction, type KeyedTx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { searchText, takenRefusal } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { cents, changesTo, type Profile } from './account-change.ts';
import { adjustBalance } from './adjust-balance.ts';
import { administratorsOf } from './administrators.ts';
import { readUser } from './find-users.ts';
import { type LockedAccount, lockAccountAndAdministrators, updateProfile } from './store.ts';
import { tellUser } from './tell-user.ts';

export type UserUpdate = BodyOf<typeof adminUpdateUser>;

/**
 * Changes an account as an administrator wants it: the fields of the allow-list that differ, and the balance by an
 * adjustment, all in one transaction with the entries of the audit log. `version` is the one that was opened.
 * Refused as the endpoint says, and with FORBIDDEN when the caller is no administrator any more.
 */
export async function updateUser(
  deps: Pick<Deps, 'db' | 'clock' | 'config' | 'outbox' | 'secrets'>,
  actorId: number,
  userId: number,
  wanted: UserUpdate,
): Promise<AdminUser> {
  await inTransaction(deps, async (tx) => {
    const accounts = await lockAccountAndAdministrators(tx.db, userId);
    const account = accounts.find(({ id }) => id === userId);
    if (account === undefined) throw new Refusal('USER_NOT_FOUND');
    if (account.version !== wanted.version) throw new Refusal('STALE_VERSION');
    const changes = changesTo(profileOf(account), wanted);
    refuseRoleChange(account, changes, actorId, accounts);
    await writeChanges(tx, actorId, account, changes, wanted.reason);
    const { balance, balance_before } = wanted;
    if (balance === undefined || balance_before === undefined || balance === balance_before) return;
    const range = { fromCents: cents(balance_before), toCents: cents(balance) };
    const adjustment = { actorId, userId, ...range, reason: wanted.reason };
    await adjustBalance(tx, adjustment, deps.config.limits.adjustmentDay);
  });
  deps.outbox.wake();
  return readUser(deps, String(userId));
}

function profileOf(account: LockedAccount): Profile {
  const { id, username, document, version, frozen_at, frozen_because, ...profile } = account;
  return profile;
}

/** Nobody changes their own role, one administrator stays, and who is none any more changes nothing. */
function refuseRoleChange(
  account: LockedAccount,
  changes: Partial<Profile>,
  actorId: number,
  accounts: readonly LockedAccount[],
): void {
  const administrators = administratorsOf(accounts);
  if (changes.role !== undefined) {
    if (account.id === actorId) throw new Refusal('OWN_ACCOUNT');
    const isOnly = administrators.length === 1 && administrators[0]?.id === account.id;
    if (isOnly) throw new Refusal('LAST_ADMIN');
  }
  if (!administrators.some(({ id }) => id === actorId)) throw new Refusal('FORBIDDEN');
}

/** Nothing is written, and the version stays, when nothing differs. */
async function writeChanges(
  tx: KeyedTx,
  actorId: number,
  account: LockedAccount,
  changes: Partial<Profile>,
  reason: string | undefined,
): Promise<void> {
  const columns = Object.keys(changes);
  if (columns.length === 0) return;
  const search_text = searchText({ ...account, ...changes });
  try {
    await updateProfile(tx.db, account.id, { ...changes, search_text }, tx.now);
  } catch (error) {
    throw takenRefusal(error) ?? error;
  }
  const before = Object.fromEntries(Object.entries(account).filter(([column]) => columns.includes(column)));
  await insertAuditEntry(tx, {
    actor_id: actorId,
    action: 'user updated',
    subject_id: account.id,
    reason: reason?.trim() || null,
    before,
    after: changes,
  });
  await tellUser(tx, account, changes);
}
