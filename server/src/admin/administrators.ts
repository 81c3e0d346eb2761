import { insertAuditEntry } from '../audit/index.ts';
import type { TxWithSecrets } from '../db/transaction.ts';
import { createAccount, type NewAccount } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import type { LockedAccount } from './store.ts';

/**
 * Creates an administrator. Called by the command line only, never through the API, so the audit log records the
 * creation as an act of the platform. Refused with USERNAME_TAKEN, EMAIL_TAKEN or DOCUMENT_TAKEN.
 */
export async function createAdministrator(
  tx: TxWithSecrets,
  account: Omit<NewAccount, 'role' | 'approved'>,
): Promise<number> {
  const id = await createAccount(tx, { ...account, role: 'ADMIN', approved: true });
  const { username, email } = account;
  const entry = { actor_id: PLATFORM, subject_id: id, reason: null, before: {}, after: { username, email } };
  await insertAuditEntry(tx, { ...entry, action: 'administrator created' });
  return id;
}

/** Returns the administrators who may act: a frozen one may not until another administrator unfreezes them. */
export function filterActiveAdministrators(accounts: readonly LockedAccount[]): readonly LockedAccount[] {
  return accounts.filter(({ role, frozen_at }) => role === 'ADMIN' && frozen_at === null);
}

/**
 * Returns the root of an administrator's chain of promotions: the administrator, created outside the API, with whom it
 * began.
 */
export function promotionRootOf(accounts: readonly LockedAccount[], administratorId: number): number {
  return accounts.find(({ id }) => id === administratorId)?.admin_root ?? administratorId;
}
