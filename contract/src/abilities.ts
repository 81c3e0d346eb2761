import type { Role } from './user.ts';

/** The permissions of staff beyond their own account. */
export const abilities = [
  'read-users',
  /** See the documents, e-mail addresses and API keys of users, which other staff see masked. */
  'see-documents',
  'change-users',
  'decide-kyc',
  'read-transactions',
  /**
   * Read all that the operator monitors: withdrawals, disputes, suspense (received Pix that match no charge), open
   * items (discrepancies to be examined), reconciliation and health.
   */
  'read-operations',
  /** Act on what the operator monitors: hold withdrawals, stop payouts, assign or return suspense, close open items. */
  'run-operations',
  'read-audit-log',
  /** Look into an account, reading only, while one of its owners lets support do so. */
  'look-into-accounts',
] as const;
export type Ability = (typeof abilities)[number];

/** The abilities of each role. Permissions are defined only here. Nobody needs an ability for their own account. */
export const abilitiesByRole: Readonly<Record<Role, readonly Ability[]>> = {
  USER: [],
  SUPPORT: ['read-users', 'read-transactions', 'look-into-accounts'],
  ADMIN: abilities,
};

export function hasAbility(role: Role, ability: Ability): boolean {
  return abilitiesByRole[role].includes(ability);
}
