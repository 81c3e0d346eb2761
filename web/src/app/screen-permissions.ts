import type { Permission } from '@jangada/contract';
import { paths } from './paths.ts';
import type { ScreenPath } from './screen-searches.ts';

/**
 * The permission of a member's role that each screen of an account requires. A screen that is missing here shows
 * something to every role, or concerns the person alone.
 */
export const screenPermissions: Partial<Record<ScreenPath, Permission>> = {
  [paths.transactions]: 'see-charges',
  [paths.dueCharges]: 'read-charges',
  [paths.pixPayment]: 'create-charges',
  [paths.paymentLinks]: 'read-charges',
  [paths.counterCodes]: 'read-charges',
  [paths.subscriptions]: 'read-charges',
  [paths.newSubscription]: 'manage-charges',
  [paths.customers]: 'see-customers',
  [paths.reminders]: 'manage-customers',
  [paths.disputes]: 'read-money',
  [paths.withdrawals]: 'withdraw',
  [paths.withdrawalHistory]: 'read-money',
  [paths.apiWithdrawals]: 'read-money',
  [paths.wallet]: 'read-money',
  [paths.statement]: 'read-money',
  [paths.bank]: 'read-money',
  [paths.bankConnect]: 'manage-account',
  [paths.fees]: 'read-money',
  [paths.apiKeys]: 'manage-keys',
  [paths.webhooks]: 'manage-webhooks',
  [paths.webhookDeliveries]: 'manage-webhooks',
  [paths.webhookDoctor]: 'manage-webhooks',
  [paths.members]: 'manage-members',
  [paths.approvals]: 'see-approvals',
};
