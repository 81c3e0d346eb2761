import type { AuditAction } from '@jangada/contract';

/** What an administrator did, or the platform itself (0), to an account; to the platform itself (0) what is nobody's. */
export type NewAuditEntry = {
  actor_id: number;
  action: AuditAction;
  subject_id: number;
  reason: string | null;
  before: Record<string, unknown>;
  after: Record<string, unknown>;
};
