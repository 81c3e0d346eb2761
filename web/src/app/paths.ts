/** The URL paths of the screens, defined in one place. */
export const paths = {
  home: '/',
  login: '/login',
  register: '/register',
  recoverPassword: '/recuperar-senha',
  resetPassword: '/redefinir-senha',
  confirmEmail: '/confirmar-email',
  mailbox: '/mailbox',
  dashboard: '/dashboard',
  wallet: '/wallet',
  statement: '/statement',
  apiKeys: '/api-keys',
  apiDocs: '/pix-api-docs',
  webhooks: '/webhooks',
  webhookDeliveries: '/webhooks/deliveries',
  webhookDoctor: '/webhooks/doctor',
  transactions: '/transactions',
  pixPayment: '/pix-payment',
  paymentLinks: '/payment-links',
  counterCodes: '/payment-links/counter-codes',
  withdrawals: '/withdrawals',
  withdrawalHistory: '/withdrawal-history',
  apiWithdrawals: '/api-withdrawals',
  disputes: '/disputes',
  notifications: '/notifications',
  profile: '/profile',
  security: '/profile/security',
  kycVerification: '/kyc-verification',
  adminKyc: '/admin/kyc-management',
  adminUsers: '/admin/user-management',
  adminAuditLog: '/admin/audit-log',
  support: '/support',
  adminWithdrawals: '/admin/withdrawals',
  adminSuspense: '/admin/suspense',
  adminReconciliation: '/admin/reconciliation',
  adminDisputes: '/admin/disputes',
  adminHealth: '/admin/health',
} as const;

/**
 * Screens that need calls beyond the common specification. They are absent when the provider, the gateway
 * behind the dashboard, implements only the specification.
 */
export const extraScreenPaths: ReadonlySet<string> = new Set([
  paths.statement,
  paths.webhooks,
  paths.webhookDeliveries,
  paths.webhookDoctor,
  paths.paymentLinks,
  paths.counterCodes,
  paths.apiWithdrawals,
  paths.disputes,
  paths.notifications,
  paths.security,
  paths.adminAuditLog,
  paths.support,
  paths.adminWithdrawals,
  paths.adminSuspense,
  paths.adminReconciliation,
  paths.adminDisputes,
  paths.adminHealth,
]);

/** A standalone page, prerendered at build time; not a route of the app. */
export const DOCS_PAGE = '/docs';
