import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import {
  adminDisputesFilterFrom,
  adminWithdrawalsFilterFrom,
  pageFilterFrom,
  reconciliationFilterFrom,
} from '../features/admin/list-filters.ts';
import { pendingFilterFrom } from '../features/admin-kyc/pending-filter.ts';
import { disputeFilterFrom } from '../features/disputes/dispute-filter.ts';
import { offersFilterFrom } from '../features/payment-links/offers-filter.ts';
import { linkTokenFrom } from '../features/recovery/link-token.ts';
import { statementFilterFrom } from '../features/statement/statement-filter.ts';
import { feedFilterFrom } from '../features/transactions/feed-filter.ts';
import {
  deliveryFilterFrom,
  doctorSearchFrom,
  endpointSearchFrom,
} from '../features/webhooks/webhook-search.ts';
import { historyFilterFrom } from '../features/withdrawal-history/history-filter.ts';
import { auditFilterFrom } from '../panel/audit-filter.ts';
import { usersFilterFrom } from '../panel/users/users-filter.ts';
import { requireAccess, returnUrlFrom } from './guards.ts';
import { PanelLayout } from './layouts/panel-layout.tsx';
import { lazyScreen } from './lazy-screen.ts';
import { paths } from './paths.ts';
import { NotFoundPage, RootLayout, RouteFailure } from './root-layout.tsx';

// The routes of the app. Their screens load on demand, and `requireAccess` says who may open each.

const root = createRootRoute({ component: RootLayout, notFoundComponent: NotFoundPage });

const home = createRoute({
  getParentRoute: () => root,
  path: paths.home,
  beforeLoad: () => {
    throw redirect({ to: paths.dashboard });
  },
});

const login = createRoute({
  getParentRoute: () => root,
  path: paths.login,
  staticData: { title: 'Entrar' },
  validateSearch: (search): { from?: string | undefined } => ({ from: returnUrlFrom(search['from']) }),
  component: lazyScreen(() => import('./entrance-routes.tsx'), 'LoginRoute'),
  ...requireAccess('guest'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: paths.register,
  staticData: { title: 'Criar conta' },
  component: lazyScreen(() => import('./entrance-routes.tsx'), 'RegisterRoute'),
  ...requireAccess('guest'),
});

const recoverPassword = createRoute({
  getParentRoute: () => root,
  path: paths.recoverPassword,
  staticData: { title: 'Recuperar senha' },
  component: lazyScreen(
    () => import('../features/recovery/recover-password-page.tsx'),
    'RecoverPasswordPage',
  ),
});

const resetPassword = createRoute({
  getParentRoute: () => root,
  path: paths.resetPassword,
  staticData: { title: 'Criar outra senha' },
  validateSearch: linkTokenFrom,
  component: lazyScreen(() => import('../features/recovery/reset-password-page.tsx'), 'ResetPasswordPage'),
});

const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: paths.confirmEmail,
  staticData: { title: 'Confirmar e-mail' },
  validateSearch: linkTokenFrom,
  component: lazyScreen(() => import('../features/recovery/confirm-email-page.tsx'), 'ConfirmEmailPage'),
});

const mailbox = createRoute({
  getParentRoute: () => root,
  path: paths.mailbox,
  staticData: { title: 'Caixa de e-mails' },
  component: lazyScreen(() => import('../features/mailbox/mailbox-page.tsx'), 'MailboxPage'),
});

const panel = createRoute({
  getParentRoute: () => root,
  id: 'panel',
  component: PanelLayout,
  ...requireAccess('user'),
});

const dashboard = createRoute({
  getParentRoute: () => panel,
  path: paths.dashboard,
  staticData: { title: 'Início' },
  component: lazyScreen(() => import('./dashboard-route.tsx'), 'DashboardRoute'),
});

const wallet = createRoute({
  getParentRoute: () => panel,
  path: paths.wallet,
  staticData: { title: 'Minha Carteira' },
  component: lazyScreen(() => import('../features/wallet/wallet-page.tsx'), 'WalletPage'),
});

const statement = createRoute({
  getParentRoute: () => panel,
  path: paths.statement,
  staticData: { title: 'Extrato' },
  validateSearch: statementFilterFrom,
  component: lazyScreen(() => import('../features/statement/statement-page.tsx'), 'StatementPage'),
});

const apiKeys = createRoute({
  getParentRoute: () => panel,
  path: paths.apiKeys,
  staticData: { title: 'Chaves de API' },
  component: lazyScreen(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
});

const webhooks = createRoute({
  getParentRoute: () => panel,
  path: paths.webhooks,
  staticData: { title: 'Webhooks' },
  validateSearch: endpointSearchFrom,
  component: lazyScreen(() => import('../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});

const webhookDeliveries = createRoute({
  getParentRoute: () => panel,
  path: paths.webhookDeliveries,
  staticData: { title: 'Entregas de webhooks' },
  validateSearch: deliveryFilterFrom,
  component: lazyScreen(() => import('../features/webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
});

const webhookDoctor = createRoute({
  getParentRoute: () => panel,
  path: paths.webhookDoctor,
  staticData: { title: 'Doutor de webhooks' },
  validateSearch: doctorSearchFrom,
  component: lazyScreen(() => import('../features/webhooks/doctor-page.tsx'), 'DoctorPage'),
});

const apiDocs = createRoute({
  getParentRoute: () => panel,
  path: paths.apiDocs,
  staticData: { title: 'Documentação API' },
  component: lazyScreen(() => import('../features/api-docs/api-docs-page.tsx'), 'ApiDocsPage'),
});

const transactions = createRoute({
  getParentRoute: () => panel,
  path: paths.transactions,
  staticData: { title: 'Todas as Transações' },
  validateSearch: feedFilterFrom,
  component: lazyScreen(() => import('../features/transactions/transactions-page.tsx'), 'TransactionsPage'),
});

const pixPayment = createRoute({
  getParentRoute: () => panel,
  path: paths.pixPayment,
  staticData: { title: 'Criar Pagamento' },
  component: lazyScreen(() => import('../features/pix-payment/pix-payment-page.tsx'), 'PixPaymentPage'),
});

const paymentLinks = createRoute({
  getParentRoute: () => panel,
  path: paths.paymentLinks,
  staticData: { title: 'Links de pagamento' },
  validateSearch: offersFilterFrom,
  component: lazyScreen(() => import('../features/payment-links/payment-links-page.tsx'), 'PaymentLinksPage'),
});

const counterCodes = createRoute({
  getParentRoute: () => panel,
  path: paths.counterCodes,
  staticData: { title: 'QR Code do balcão' },
  validateSearch: offersFilterFrom,
  component: lazyScreen(() => import('../features/payment-links/counter-codes-page.tsx'), 'CounterCodesPage'),
});

const disputes = createRoute({
  getParentRoute: () => panel,
  path: paths.disputes,
  staticData: { title: 'Disputas' },
  validateSearch: disputeFilterFrom,
  component: lazyScreen(() => import('../features/disputes/disputes-page.tsx'), 'DisputesPage'),
});

const withdrawals = createRoute({
  getParentRoute: () => panel,
  path: paths.withdrawals,
  staticData: { title: 'Solicitar Saque' },
  component: lazyScreen(() => import('../features/withdrawals/withdrawals-page.tsx'), 'WithdrawalsPage'),
});

const withdrawalHistory = createRoute({
  getParentRoute: () => panel,
  path: paths.withdrawalHistory,
  staticData: { title: 'Histórico de Saques' },
  validateSearch: historyFilterFrom,
  component: lazyScreen(
    () => import('../features/withdrawal-history/withdrawal-history-page.tsx'),
    'WithdrawalHistoryPage',
  ),
});

const apiWithdrawals = createRoute({
  getParentRoute: () => panel,
  path: paths.apiWithdrawals,
  staticData: { title: 'Saque pela API' },
  component: lazyScreen(
    () => import('../features/api-withdrawals/api-withdrawals-page.tsx'),
    'ApiWithdrawalsPage',
  ),
});

const profile = createRoute({
  getParentRoute: () => panel,
  path: paths.profile,
  staticData: { title: 'Perfil' },
  component: lazyScreen(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
});

const security = createRoute({
  getParentRoute: () => panel,
  path: paths.security,
  staticData: { title: 'Segurança' },
  component: lazyScreen(() => import('../features/security/security-page.tsx'), 'SecurityPage'),
});

const notifications = createRoute({
  getParentRoute: () => panel,
  path: paths.notifications,
  staticData: { title: 'Notificações' },
  component: lazyScreen(
    () => import('../features/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
});

const kycVerification = createRoute({
  getParentRoute: () => panel,
  path: paths.kycVerification,
  staticData: { title: 'Verificação de identidade' },
  component: lazyScreen(
    () => import('../features/kyc-verification/kyc-verification-page.tsx'),
    'KycVerificationPage',
  ),
});

const adminWithdrawals = createRoute({
  getParentRoute: () => panel,
  path: paths.adminWithdrawals,
  staticData: { title: 'Saques dos lojistas' },
  validateSearch: adminWithdrawalsFilterFrom,
  component: lazyScreen(() => import('../features/admin/withdrawals-page.tsx'), 'AdminWithdrawalsPage'),
  ...requireAccess('read-operations'),
});

const adminSuspense = createRoute({
  getParentRoute: () => panel,
  path: paths.adminSuspense,
  staticData: { title: 'Pix sem dono' },
  validateSearch: pageFilterFrom,
  component: lazyScreen(() => import('../features/admin/suspense-page.tsx'), 'SuspensePage'),
  ...requireAccess('read-operations'),
});

const adminReconciliation = createRoute({
  getParentRoute: () => panel,
  path: paths.adminReconciliation,
  staticData: { title: 'Conciliação' },
  validateSearch: reconciliationFilterFrom,
  component: lazyScreen(() => import('../features/admin/reconciliation-page.tsx'), 'ReconciliationPage'),
  ...requireAccess('read-operations'),
});

const adminDisputes = createRoute({
  getParentRoute: () => panel,
  path: paths.adminDisputes,
  staticData: { title: 'Disputas dos lojistas' },
  validateSearch: adminDisputesFilterFrom,
  component: lazyScreen(() => import('../features/admin/disputes-page.tsx'), 'AdminDisputesPage'),
  ...requireAccess('read-operations'),
});

const adminHealth = createRoute({
  getParentRoute: () => panel,
  path: paths.adminHealth,
  staticData: { title: 'Saúde do sistema' },
  component: lazyScreen(() => import('../features/admin/health-page.tsx'), 'HealthPage'),
  ...requireAccess('read-operations'),
});

const adminUsers = createRoute({
  getParentRoute: () => panel,
  path: paths.adminUsers,
  staticData: { title: 'Usuários' },
  validateSearch: usersFilterFrom,
  component: lazyScreen(() => import('../features/admin-users/admin-users-page.tsx'), 'AdminUsersPage'),
  ...requireAccess('change-users'),
});

const adminAuditLog = createRoute({
  getParentRoute: () => panel,
  path: paths.adminAuditLog,
  staticData: { title: 'Registro de auditoria' },
  validateSearch: auditFilterFrom,
  component: lazyScreen(() => import('../features/admin-audit/admin-audit-page.tsx'), 'AdminAuditPage'),
  ...requireAccess('read-audit-log'),
});

const support = createRoute({
  getParentRoute: () => panel,
  path: paths.support,
  staticData: { title: 'Atendimento' },
  validateSearch: usersFilterFrom,
  component: lazyScreen(() => import('../features/support/support-page.tsx'), 'SupportPage'),
  ...requireAccess('support'),
});

const adminKyc = createRoute({
  getParentRoute: () => panel,
  path: paths.adminKyc,
  staticData: { title: 'Verificações KYC' },
  validateSearch: pendingFilterFrom,
  component: lazyScreen(() => import('../features/admin-kyc/admin-kyc-page.tsx'), 'AdminKycPage'),
  ...requireAccess('decide-kyc'),
});

const routeTree = root.addChildren([
  home,
  login,
  register,
  recoverPassword,
  resetPassword,
  confirmEmail,
  mailbox,
  panel.addChildren([
    dashboard,
    wallet,
    statement,
    apiKeys,
    apiDocs,
    webhooks,
    webhookDeliveries,
    webhookDoctor,
    transactions,
    pixPayment,
    paymentLinks,
    counterCodes,
    disputes,
    withdrawals,
    withdrawalHistory,
    apiWithdrawals,
    profile,
    security,
    notifications,
    kycVerification,
    adminUsers,
    adminKyc,
    adminAuditLog,
    support,
    adminWithdrawals,
    adminSuspense,
    adminReconciliation,
    adminDisputes,
    adminHealth,
  ]),
]);

export function createAppRouter() {
  return createRouter({
    routeTree,
    scrollRestoration: true,
    defaultPreload: 'intent',
    defaultErrorComponent: RouteFailure,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter;
  }
  interface StaticDataRouteOption {
    /** The screen's title in the browser tab. */
    title?: string;
  }
}
