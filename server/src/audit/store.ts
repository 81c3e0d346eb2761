import type { Tx } from '../db/transaction.ts';

/** What an administrator did, or the platform itself (0), to an account; to the platform itself (0) what is nobody's. */
export type AuditEntry = {
  actor_id: number;
  action:
    | 'user updated'
    | 'balance adjusted'
    | 'administrator created'
    | 'bank movement recorded'
    | 'payouts stopped'
    | 'payouts resumed'
    | 'withdrawal resolved'
    | 'suspense proposed'
    | 'suspense assigned'
    | 'suspense returned'
    | 'refund resolved';
  subject_id: number;
  reason: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};

/** Adds an entry to the audit log and answers its id. */
export async function insertAuditEntry(tx: Tx, entry: AuditEntry): Promise<number> {
  const { id } = await tx.db
    .insertInto('audit_log')
    .values({
      ...entry,
      before: JSON.stringify(entry.before),
      after: JSON.stringify(entry.after),
      at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
