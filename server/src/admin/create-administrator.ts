import { insertAuditEntry } from '../audit/index.ts';
import type { KeyedTx } from '../db/transaction.ts';
import { createAccount, type NewAccount } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';

/**
 * Creates an administrator from outside the API, recorded in the audit log as an act of the platform. Refused with
 * USERNAME_TAKEN, EMAIL_TAKEN or DOCUMENT_TAKEN.
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
