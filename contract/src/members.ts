import * as z from 'zod/mini';
import type { LiveMessage } from './live.ts';
import type { Scope } from './scopes.ts';

/** The roles of the people who act for an account. An account always has an owner. */
export const memberRoles = ['owner', 'finance', 'operator', 'cashier', 'accountant', 'developer'] as const;
export const memberRole = z.enum(memberRoles);
export type MemberRole = z.infer<typeof memberRole>;

/**
 * The permissions, with the roles that have each. This is the only place that says what a role may do: each
 * endpoint for merchants names the permission that it requires.
 */
export const permissions = {
  /** See what the account is called, its fees and how its pages look. */
  'see-account': memberRoles,
  'create-charges': ['owner', 'operator', 'cashier'],
  /** List and look up charges. A cashier sees only those that they created today. */
  'see-charges': ['owner', 'finance', 'operator', 'cashier', 'accountant'],
  /** Read all about all charges: their feed, timelines, refunds, links, counter codes and figures. */
  'read-charges': ['owner', 'finance', 'operator', 'accountant'],
  /** Cancel charges; make and change payment links and counter codes. */
  'manage-charges': ['owner', 'operator'],
  /** Find customers and see what they owe. Without `see-customer-documents` their documents and addresses are masked. */
  'see-customers': ['owner', 'finance', 'operator', 'cashier', 'accountant'],
  'see-customer-documents': ['owner', 'finance', 'operator', 'accountant'],
  /** Enter, change and archive customers, and decide how they are reminded. */
  'manage-customers': ['owner', 'operator'],
  refund: ['owner', 'finance', 'operator'],
  /** Read balances, statement, reserves, withdrawals, disputes, fee statements and accounts at banks. */
  'read-money': ['owner', 'finance', 'accountant'],
  withdraw: ['owner', 'finance'],
  /** Decide to which Pix keys an API key withdraws, and whether it does. */
  'manage-destinations': ['owner', 'finance'],
  'defend-disputes': ['owner', 'finance'],
  'pay-fees': ['owner', 'finance'],
  /** List, make, change and revoke keys of systems. Only an owner handles one that moves money. */
  'manage-keys': ['owner', 'developer'],
  /** See, make and revoke the account's readable key, which has every scope. */
  'manage-main-key': ['owner'],
  'manage-webhooks': ['owner', 'developer'],
  /** Change the withdrawal PIN, the look of the pages and the accounts at banks. */
  'manage-account': ['owner'],
  'manage-members': ['owner'],
  /** See the requests that wait for approval. Whoever does not approve sees only their own. */
  'see-approvals': memberRoles,
  approve: ['owner', 'finance'],
  /** Decide what needs approval. */
  'manage-approvals': ['owner'],
  'read-approvals-export': ['owner', 'finance', 'accountant'],
} as const satisfies Readonly<Record<string, readonly MemberRole[]>>;
export type Permission = keyof typeof permissions;

/**
 * The requirement of an endpoint for merchants: a permission of the caller's role in the account, or `own` if it concerns
 * only the person, whatever the account for which their session acts.
 */
export type RequiredPermission = Permission | 'own';

export function rolesWith(permission: Permission): readonly MemberRole[] {
  return permissions[permission];
}

/** Whether a role has a permission; somebody without a role has only what concerns themself. */
export function mayDo(role: MemberRole | undefined, permission: RequiredPermission): boolean {
  return permission === 'own' || (role !== undefined && rolesWith(permission).includes(role));
}

/** The scopes with which an API key moves money out of the account: only an owner gives them, or handles such a key. */
export const moneyScopes: readonly Scope[] = ['refunds', 'withdrawals'];

/** The permission that a member needs in order to receive a live message; `own` if it goes only to the person meant. */
const liveMessagePermissions: Readonly<Record<LiveMessage['type'], RequiredPermission>> = {
  notification: 'own',
  unread: 'own',
  account: 'see-account',
  change: 'see-account',
  charge: 'read-charges',
  balance: 'read-money',
  withdrawal: 'read-money',
  dispute: 'read-money',
  fee_statement: 'read-money',
};

/** The permission that a live message of this type requires. Only the person meant gets one of an unknown type. */
export function livePermissionOf(type: string): RequiredPermission {
  return new Map<string, RequiredPermission>(Object.entries(liveMessagePermissions)).get(type) ?? 'own';
}
