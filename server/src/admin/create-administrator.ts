import { insertAuditEntry } from '../audit/index.ts';
import type { KeyedTx } from '../db/transaction.ts';
import { createAccount, type NewAccount } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';

/**
 * Makes an administrator from outside the API, and says so in the audit log: the platform did it.
 * Refused with USERNAME_TAKEN, EMAIL_TAKEN or DOCUMENT_TAKEN.
 */
export async function createAdministrator(
  tx: KeyedTx,
  account: Omit<NewAccount, 'role' | 'approved'>,
): Promise<number> {
  const id = await createAccount(tx, { ...account, role: 'ADMIN', approved: true });
  const { username, email } = account;
  const entry = { actor_id: PLATFORM, subject_id: id, reason: null, before: {}, after: { username, email } };
  await insertAuditEntry(tx, { ...entry, action: 'administrator created' });
  return id;
}
