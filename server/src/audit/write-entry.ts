import type { KeyedTx } from '../db/transaction.ts';
import type { NewAuditEntry } from './audit-entry.ts';
import { chainEntries } from './chain-entries.ts';
import { insertEntry } from './store.ts';

/**
 * Adds an entry to the audit log and answers its id. It is chained to the one before when the rest of the transaction is
 * written, so entries stand in the order of their commits, and no lock of the chain is held while others are taken.
 */
export async function insertAuditEntry(tx: KeyedTx, entry: NewAuditEntry): Promise<number> {
  const id = await insertEntry(tx, entry);
  tx.beforeCommit(() => chainEntries(tx, [id]));
  return id;
}
