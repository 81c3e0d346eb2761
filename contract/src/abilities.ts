import type { Role } from './user.ts';

/** What somebody of the staff may do beyond their own account. */
export const abilities = [
  'read-users',
  /** Documents, e-mails and keys in full; without it they are masked. */
  'see-documents',
  'change-users',
  'decide-kyc',
  'read-transactions',
  /** What the operator watches: withdrawals, disputes, suspense, open items, reconciliation, health. */
  'read-operations',
  'run-operations',
  'read-audit-log',
] as const;
export type Ability = (typeof abilities)[number];

/** The one table of who may do what. Their own account belongs to everybody. */
export const abilitiesOf: Readonly<Record<Role, readonly Ability[]>> = {
  USER: [],
  SUPPORT: ['read-users', 'read-transactions'],
  ADMIN: abilities,
};

export function can(role: Role, ability: Ability): boolean {
  return abilitiesOf[role].includes(ability);
}
