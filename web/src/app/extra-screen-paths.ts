import { paths } from './paths.ts';

/**
 * Screens that need calls beyond the common specification. They are absent when the provider, the gateway
 * behind the dashboard, implements only the specification.
 */
export const extraScreenPaths: ReadonlySet<string> = new Set([
  paths.dueCharges,
  paths.statement,
  paths.webhooks,
  paths.webhookDeliveries,
  paths.webhookDoctor,
  paths.paymentLinks,
  paths.counterCodes,
  paths.subscriptions,
  paths.newSubscription,
  paths.customers,
  paths.reminders,
  paths.apiWithdrawals,
  paths.bank,
  paths.bankConnect,
  paths.fees,
  paths.disputes,
  paths.members,
  paths.approvals,
  paths.adminApprovals,
  paths.invitation,
  paths.notifications,
  paths.security,
  paths.adminAuditLog,
  paths.support,
  paths.adminWithdrawals,
  paths.adminSuspense,
  paths.adminReconciliation,
  paths.adminConnections,
  paths.adminFeeStatements,
  paths.adminDisputes,
  paths.adminHealth,
]);
