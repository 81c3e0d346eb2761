// This list has a file of its own, so that a page that imports a single endpoint does not load all of them.
import { accountControlEndpoints } from './account-control-endpoints.ts';
import { accountEndpoints } from './account-endpoints.ts';
import { adminEndpoints } from './admin-endpoints.ts';
import { apiKeyEndpoints } from './api-key-endpoints.ts';
import { approvalEndpoints } from './approval-endpoints.ts';
import { brandEndpoints } from './brand-endpoints.ts';
import { chargeBatchEndpoints } from './charge-batch-endpoints.ts';
import { chargeEndpoints } from './charge-endpoints.ts';
import { connectionEndpoints } from './connection-endpoints.ts';
import { counterCodeEndpoints } from './counter-code-endpoints.ts';
import { customerEndpoints } from './customer-endpoints.ts';
import { disputeEndpoints } from './dispute-endpoints.ts';
import { dueChargeEndpoints } from './due-charge-endpoints.ts';
import {
  accountTaxes,
  apiKeyStatus,
  batch,
  confirmPassword,
  generateApiKey,
  getBalance,
  getChargeStats,
  getDailyStats,
  getWalletStats,
  health,
  healthLive,
  login,
  logout,
  profile,
  publicSettings,
  register,
  revealApiKey,
  revokeApiKey,
  rotateWebhookSecret,
  webhookSecret,
} from './endpoints.ts';
import { eventEndpoints } from './event-endpoints.ts';
import { feeStatementEndpoints } from './fee-statement-endpoints.ts';
import { kycEndpoints } from './kyc-endpoints.ts';
import { memberEndpoints } from './member-endpoints.ts';
import { notificationEndpoints } from './notification-endpoints.ts';
import { ownBank } from './own-bank.ts';
import { payerRuleEndpoints } from './payer-rule-endpoints.ts';
import { paymentLinkEndpoints } from './payment-link-endpoints.ts';
import { refundEndpoints } from './refund-endpoints.ts';
import { reminderEndpoints } from './reminder-endpoints.ts';
import { securityEndpoints } from './security-endpoints.ts';
import { statementEndpoints } from './statement-endpoints.ts';
import { subscriptionEndpoints } from './subscription-endpoints.ts';
import { webhookEndpoints } from './webhook-endpoints.ts';
import { withdrawalEndpoints } from './withdrawal-endpoints.ts';

/** Every endpoint. The server mounts these, the documentation describes them, and the tests cover them. */
export const endpoints = [
  login,
  register,
  logout,
  confirmPassword,
  profile,
  batch,
  accountTaxes,
  apiKeyStatus,
  generateApiKey,
  revealApiKey,
  revokeApiKey,
  ...apiKeyEndpoints,
  webhookSecret,
  rotateWebhookSecret,
  ...chargeEndpoints,
  ...chargeBatchEndpoints,
  ...dueChargeEndpoints,
  ...paymentLinkEndpoints,
  ...counterCodeEndpoints,
  ...payerRuleEndpoints,
  ...customerEndpoints,
  ...subscriptionEndpoints,
  ...reminderEndpoints,
  getWalletStats,
  getChargeStats,
  getDailyStats,
  getBalance,
  ...withdrawalEndpoints,
  ...refundEndpoints,
  ...disputeEndpoints,
  ...statementEndpoints,
  ...securityEndpoints,
  ...accountEndpoints,
  ...memberEndpoints,
  ...approvalEndpoints,
  ...accountControlEndpoints,
  ...brandEndpoints,
  ownBank,
  ...connectionEndpoints,
  ...feeStatementEndpoints,
  ...kycEndpoints,
  ...notificationEndpoints,
  ...eventEndpoints,
  ...webhookEndpoints,
  ...adminEndpoints,
  publicSettings,
  healthLive,
  health,
] as const;
