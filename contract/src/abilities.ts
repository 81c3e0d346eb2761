import type { Role } from './user.ts';

/** What staff may do beyond their own account. */
export const abilities = [
  'read-users',
  /** Documents, e-mails and keys unmasked. */
  'see-documents',
  'change-users',
  'decide-kyc',
  'read-transactions',
  /** The operator's monitoring: withdrawals, disputes, suspense, open items, reconciliation, health. */
  'read-operations',
  'run-operations',
  'read-audit-log',
] as const;
export type Ability = (typeof abilities)[number];

/** The abilities of each role: the only table of permissions. Everybody may use their own account. */
export const abilitiesOf: Readonly<Record<Role, readonly Ability[]>> = {
  USER: [],
  SUPPORT: ['read-users', 'read-transactions'],
  ADMIN: abilities,
};

export function can(role: Role, ability: Ability): boolean {
  return abilitiesOf[role].includes(ability);
}
