import { supports } from '../api/provider.ts';
import { type FindRoute, lazyScreen, type ScreenRoute, screenUrl, urlOf } from '../navigation/index.ts';
import { isLookingIn, isWithoutAccount, may } from '../session/account.ts';
import { session } from '../session/session.ts';
import { toastError } from '../ui/index.ts';
import { extraScreenPaths } from './extra-screen-paths.ts';
import { checkRouteAccess, deniedText, type RouteAccess, returnUrlFrom } from './guards.ts';
import { PanelLayout } from './layouts/panel-layout.tsx';
import { paths } from './paths.ts';
import { screenPermissions } from './screen-permissions.ts';
import type { ScreenPath } from './screen-searches.ts';

/** Without `access`, everybody may open the route. */
type GuardedRoute = ScreenRoute & { readonly access?: RouteAccess };

/** The routes of the app. Their screens load on demand. */
const routes: Readonly<Record<Exclude<ScreenPath, typeof paths.home>, GuardedRoute>> = {
  [paths.login]: {
    title: 'Entrar',
    Screen: lazyScreen(() => import('./entrance-routes.tsx'), 'LoginRoute'),
    access: 'guest',
  },
  [paths.register]: {
    title: 'Criar conta',
    Screen: lazyScreen(() => import('./entrance-routes.tsx'), 'RegisterRoute'),
    access: 'guest',
  },
  [paths.recoverPassword]: {
    title: 'Recuperar senha',
    Screen: lazyScreen(() => import('../features/recovery/recover-password-page.tsx'), 'RecoverPasswordPage'),
  },
  [paths.resetPassword]: {
    title: 'Criar outra senha',
    Screen: lazyScreen(() => import('../features/recovery/reset-password-page.tsx'), 'ResetPasswordPage'),
  },
  [paths.confirmEmail]: {
    title: 'Confirmar e-mail',
    Screen: lazyScreen(() => import('../features/recovery/confirm-email-page.tsx'), 'ConfirmEmailPage'),
  },
  [paths.invitation]: {
    title: 'Convite',
    Screen: lazyScreen(() => import('../features/recovery/invitation-page.tsx'), 'InvitationPage'),
  },
  [paths.mailbox]: {
    title: 'Caixa de e-mails',
    Screen: lazyScreen(() => import('../features/mailbox/mailbox-page.tsx'), 'MailboxPage'),
  },
  [paths.dashboard]: {
    title: 'Início',
    Screen: lazyScreen(() => import('./dashboard-route.tsx'), 'DashboardRoute'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.wallet]: {
    title: 'Minha Carteira',
    Screen: lazyScreen(() => import('../features/wallet/wallet-page.tsx'), 'WalletPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.statement]: {
    title: 'Extrato',
    Screen: lazyScreen(() => import('../features/statement/statement-page.tsx'), 'StatementPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.apiKeys]: {
    title: 'Chaves de API',
    Screen: lazyScreen(() => import('../features/api-keys/api-keys-page.tsx'), 'ApiKeysPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.webhooks]: {
    title: 'Webhooks',
    Screen: lazyScreen(() => import('../features/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.webhookDeliveries]: {
    title: 'Entregas de webhooks',
    Screen: lazyScreen(() => import('../features/webhooks/deliveries-page.tsx'), 'DeliveriesPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.webhookDoctor]: {
    title: 'Doutor de webhooks',
    Screen: lazyScreen(() => import('../features/webhooks/doctor-page.tsx'), 'DoctorPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.apiDocs]: {
    title: 'Documentação API',
    Screen: lazyScreen(() => import('../features/api-docs/api-docs-page.tsx'), 'ApiDocsPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.transactions]: {
    title: 'Todas as Transações',
    Screen: lazyScreen(() => import('../features/transactions/transactions-page.tsx'), 'TransactionsPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.dueCharges]: {
    title: 'Cobranças',
    Screen: lazyScreen(() => import('./charges-route.tsx'), 'ChargesRoute'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.pixPayment]: {
    title: 'Criar Pagamento',
    Screen: lazyScreen(() => import('../features/pix-payment/pix-payment-page.tsx'), 'PixPaymentPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.paymentLinks]: {
    title: 'Links de pagamento',
    Screen: lazyScreen(() => import('../features/payment-links/payment-links-page.tsx'), 'PaymentLinksPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.counterCodes]: {
    title: 'QR Code do balcão',
    Screen: lazyScreen(() => import('../features/payment-links/counter-codes-page.tsx'), 'CounterCodesPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.subscriptions]: {
    title: 'Assinaturas',
    Screen: lazyScreen(() => import('../features/subscriptions/subscriptions-page.tsx'), 'SubscriptionsPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.newSubscription]: {
    title: 'Nova assinatura',
    Screen: lazyScreen(() => import('./new-subscription-route.tsx'), 'NewSubscriptionRoute'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.customers]: {
    title: 'Clientes',
    Screen: lazyScreen(() => import('../features/customers/customers-page.tsx'), 'CustomersPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.reminders]: {
    title: 'Lembretes',
    Screen: lazyScreen(() => import('../features/customers/reminders-page.tsx'), 'RemindersPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.disputes]: {
    title: 'Disputas',
    Screen: lazyScreen(() => import('../features/disputes/disputes-page.tsx'), 'DisputesPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.withdrawals]: {
    title: 'Solicitar Saque',
    Screen: lazyScreen(() => import('../features/withdrawals/withdrawals-page.tsx'), 'WithdrawalsPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.withdrawalHistory]: {
    title: 'Histórico de Saques',
    Screen: lazyScreen(
      () => import('../features/withdrawal-history/withdrawal-history-page.tsx'),
      'WithdrawalHistoryPage',
    ),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.apiWithdrawals]: {
    title: 'Saque pela API',
    Screen: lazyScreen(
      () => import('../features/api-withdrawals/api-withdrawals-page.tsx'),
      'ApiWithdrawalsPage',
    ),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.bank]: {
    title: 'Banco',
    Screen: lazyScreen(() => import('../features/bank/bank-page.tsx'), 'BankPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.bankConnect]: {
    title: 'Conectar banco',
    Screen: lazyScreen(() => import('../features/bank/connect-page.tsx'), 'ConnectPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.fees]: {
    title: 'Tarifas',
    Screen: lazyScreen(() => import('../features/fees/fees-page.tsx'), 'FeesPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.members]: {
    title: 'Membros',
    Screen: lazyScreen(() => import('../features/members/members-page.tsx'), 'MembersPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.approvals]: {
    title: 'Aprovações',
    Screen: lazyScreen(() => import('../features/approvals/approvals-page.tsx'), 'ApprovalsPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.profile]: {
    title: 'Perfil',
    Screen: lazyScreen(() => import('../features/profile/profile-page.tsx'), 'ProfilePage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.security]: {
    title: 'Segurança',
    Screen: lazyScreen(() => import('../features/security/security-page.tsx'), 'SecurityPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.notifications]: {
    title: 'Notificações',
    Screen: lazyScreen(() => import('../features/notifications/notifications-page.tsx'), 'NotificationsPage'),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.kycVerification]: {
    title: 'Verificação de identidade',
    Screen: lazyScreen(
      () => import('../features/kyc-verification/kyc-verification-page.tsx'),
      'KycVerificationPage',
    ),
    Frame: PanelLayout,
    access: 'user',
  },
  [paths.adminApprovals]: {
    title: 'Aprovações da operação',
    Screen: lazyScreen(() => import('../features/approvals/approvals-page.tsx'), 'AdminApprovalsPage'),
    Frame: PanelLayout,
    access: 'run-operations',
  },
  [paths.adminWithdrawals]: {
    title: 'Saques dos lojistas',
    Screen: lazyScreen(() => import('../features/admin/withdrawals-page.tsx'), 'AdminWithdrawalsPage'),
    Frame: PanelLayout,
    access: 'read-operations',
  },
  [paths.adminSuspense]: {
    title: 'Pix sem dono',
    Screen: lazyScreen(() => import('../features/admin/suspense-page.tsx'), 'SuspensePage'),
    Frame: PanelLayout,
    access: 'read-operations',
  },
  [paths.adminReconciliation]: {
    title: 'Conciliação',
    Screen: lazyScreen(() => import('../features/admin/reconciliation-page.tsx'), 'ReconciliationPage'),
    Frame: PanelLayout,
    access: 'read-operations',
  },
  [paths.adminDisputes]: {
    title: 'Disputas dos lojistas',
    Screen: lazyScreen(() => import('../features/admin/disputes-page.tsx'), 'AdminDisputesPage'),
    Frame: PanelLayout,
    access: 'read-operations',
  },
  [paths.adminConnections]: {
    title: 'Contas bancárias',
    Screen: lazyScreen(() => import('../features/admin/connections-page.tsx'), 'AdminConnectionsPage'),
    Frame: PanelLayout,
    access: 'read-operations',
  },
  [paths.adminFeeStatements]: {
    title: 'Faturas de tarifas',
    Screen: lazyScreen(() => import('../features/admin/fee-statements-page.tsx'), 'AdminFeeStatementsPage'),
    Frame: PanelLayout,
    access: 'read-operations',
  },
  [paths.adminHealth]: {
    title: 'Saúde do sistema',
    Screen: lazyScreen(() => import('../features/admin/health-page.tsx'), 'HealthPage'),
    Frame: PanelLayout,
    access: 'read-operations',
  },
  [paths.adminUsers]: {
    title: 'Usuários',
    Screen: lazyScreen(() => import('../features/admin-users/admin-users-page.tsx'), 'AdminUsersPage'),
    Frame: PanelLayout,
    access: 'change-users',
  },
  [paths.adminAuditLog]: {
    title: 'Registro de auditoria',
    Screen: lazyScreen(() => import('../features/admin-audit/admin-audit-page.tsx'), 'AdminAuditPage'),
    Frame: PanelLayout,
    access: 'read-audit-log',
  },
  [paths.support]: {
    title: 'Atendimento',
    Screen: lazyScreen(() => import('../features/support/support-page.tsx'), 'SupportPage'),
    Frame: PanelLayout,
    access: 'support',
  },
  [paths.adminKyc]: {
    title: 'Verificações KYC',
    Screen: lazyScreen(() => import('../features/admin-kyc/admin-kyc-page.tsx'), 'AdminKycPage'),
    Frame: PanelLayout,
    access: 'decide-kyc',
  },
};

const routesByPath = new Map<string, GuardedRoute>(Object.entries(routes));

/** The route of a path, whoever may open it. */
export function routeAt(pathname: string): ScreenRoute | undefined {
  return routesByPath.get(canonicalPath(pathname));
}

/**
 * Redirects users who may not open a route; the sign-in screen remembers the requested URL. Screens that the provider
 * (the gateway behind the dashboard) does not support are not found. Call it only once the session has loaded.
 */
export const findRoute: FindRoute = (address, { isPreload }) => {
  const path = canonicalPath(address.pathname);
  if (path === paths.home) return { redirectTo: paths.dashboard };
  const route = routesByPath.get(path);
  if (route?.access === undefined) return route;
  const outcome = checkRouteAccess(route.access, session.getState());
  if (outcome === 'open') {
    if (extraScreenPaths.has(path) && !supports('extraScreens')) return undefined;
    const Screen = screenFor(path, route.Screen);
    return Screen === route.Screen ? route : { ...route, Screen };
  }
  if (outcome === 'login')
    return { redirectTo: screenUrl(paths.login, { from: returnUrlFrom(urlOf(address)) }) };
  if (route.access !== 'guest' && !isPreload)
    toastError(deniedText(route.access, isLookingIn(session.getState())));
  return { redirectTo: paths.dashboard };
};

const AccountFrozen = lazyScreen(() => import('./layouts/account-frozen.tsx'), 'AccountFrozen');
const WithoutAccount = lazyScreen(() => import('./layouts/without-account.tsx'), 'WithoutAccount');
const RoleMissing = lazyScreen(() => import('./layouts/role-missing.tsx'), 'RoleMissing');
const TodaysChargesPage = lazyScreen(
  () => import('../features/dashboard/todays-charges-page.tsx'),
  'TodaysChargesPage',
);

/** The screens about the person alone, whatever happened to the account. */
const personalPaths: readonly string[] = [
  paths.profile,
  paths.security,
  paths.notifications,
  paths.kycVerification,
];

/** What is shown at a path: the screen, or what takes its place for this account and this role in it. */
function screenFor(path: string, Screen: ScreenRoute['Screen']): ScreenRoute['Screen'] {
  const isFrozen = session.getState().user?.account?.frozen === true;
  if (isFrozen && !personalPaths.includes(path)) return AccountFrozen;
  if (isWithoutAccount(session.getState()) && !personalPaths.includes(path)) return WithoutAccount;
  const permission = new Map(Object.entries(screenPermissions)).get(path);
  if (permission !== undefined && !may(permission)) return RoleMissing;
  // Whoever sees only their own charges of today has no search among all of them.
  return path === paths.transactions && !may('read-charges') ? TodaysChargesPage : Screen;
}

/** True for a page that stays when the session ends, because it is open to everybody. */
export function isOpenToAll(pathname: string): boolean {
  const route = routesByPath.get(canonicalPath(pathname));
  return route !== undefined && route.access === undefined;
}

/** The path as in `paths.ts`: people type capitals and a slash at the end, too. */
function canonicalPath(pathname: string): string {
  return pathname.toLowerCase().replace(/(?<=.)\/+$/, '');
}
