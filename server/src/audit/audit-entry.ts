/** What an administrator did, or the platform itself (0), to an account; to the platform itself (0) what is nobody's. */
export type AuditEntry = {
  actor_id: number;
  action:
    | 'user updated'
    | 'user frozen'
    | 'user unfrozen'
    | 'balance adjusted'
    | 'administrator created'
    | 'second factor removed'
    | 'kyc picture seen'
    | 'kyc approved'
    | 'kyc rejected'
    | 'dispute file seen'
    | 'bank movement recorded'
    | 'payouts stopped'
    | 'payouts resumed'
    | 'withdrawal held'
    | 'withdrawal released'
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
