import type { AdminConnectionsFilter } from '../features/admin/connections-filter.ts';
import type { AdminFeesFilter } from '../features/admin/fee-statements-filter.ts';
import type {
  AdminDisputesFilter,
  AdminWithdrawalsFilter,
  PageFilter,
  ReconciliationFilter,
} from '../features/admin/list-filters.ts';
import type { PendingFilter } from '../features/admin-kyc/pending-filter.ts';
import type { ApprovalSearch } from '../features/approvals/approval-search.ts';
import type { CustomersFilter } from '../features/customers/customers-filter.ts';
import type { DisputeFilter } from '../features/disputes/dispute-filter.ts';
import type { FeesFilter } from '../features/fees/fees-filter.ts';
import type { OffersFilter } from '../features/payment-links/offers-filter.ts';
import type { StatementFilter } from '../features/statement/statement-filter.ts';
import type {
  NewSubscriptionSearch,
  SubscriptionsFilter,
} from '../features/subscriptions/subscriptions-filter.ts';
import type { DueChargesFilter } from '../features/transactions/due-charges-filter.ts';
import type { FeedFilter } from '../features/transactions/feed-filter.ts';
import type { DeliveryFilter } from '../features/webhooks/webhook-search.ts';
import type { HistoryFilter } from '../features/withdrawal-history/history-filter.ts';
import type { AuditFilter } from '../panel/audit-filter.ts';
import type { ChargesSearch } from '../panel/charge/charges-search.ts';
import type { UrlId } from '../panel/url-params.ts';
import type { UsersFilter } from '../panel/users/users-filter.ts';
import type { paths } from './paths.ts';

export type ScreenPath = (typeof paths)[keyof typeof paths];

/** The search parameters of the screens that have some. Each screen parses its own, with `useSearch`. */
type SearchByPath = {
  [paths.login]: { from?: string | undefined };
  [paths.register]: { from?: string };
  [paths.invitation]: { token?: string };
  [paths.resetPassword]: { token?: string };
  [paths.confirmEmail]: { token?: string };
  [paths.statement]: StatementFilter;
  [paths.webhooks]: { id?: string };
  [paths.webhookDeliveries]: DeliveryFilter;
  [paths.webhookDoctor]: { endpoint?: string; delivery?: string };
  [paths.transactions]: FeedFilter;
  [paths.dueCharges]: DueChargesFilter | ChargesSearch;
  [paths.pixPayment]: { id?: string };
  [paths.paymentLinks]: OffersFilter;
  [paths.counterCodes]: OffersFilter;
  [paths.subscriptions]: SubscriptionsFilter;
  [paths.newSubscription]: NewSubscriptionSearch;
  [paths.customers]: CustomersFilter;
  [paths.bank]: { id?: UrlId };
  [paths.bankConnect]: { bank?: string };
  [paths.fees]: FeesFilter;
  [paths.disputes]: DisputeFilter;
  [paths.withdrawalHistory]: HistoryFilter;
  [paths.approvals]: ApprovalSearch;
  [paths.adminApprovals]: ApprovalSearch;
  [paths.adminWithdrawals]: AdminWithdrawalsFilter;
  [paths.adminSuspense]: PageFilter;
  [paths.adminReconciliation]: ReconciliationFilter;
  [paths.adminConnections]: AdminConnectionsFilter;
  [paths.adminFeeStatements]: AdminFeesFilter;
  [paths.adminDisputes]: AdminDisputesFilter;
  [paths.adminUsers]: UsersFilter;
  [paths.adminAuditLog]: AuditFilter;
  [paths.support]: UsersFilter;
  [paths.adminKyc]: PendingFilter;
};

export type SearchOf<Path extends ScreenPath> = Path extends keyof SearchByPath
  ? SearchByPath[Path]
  : Record<string, never>;

/** A screen to open, with its search parameters. */
export type ScreenTarget<Path extends ScreenPath = ScreenPath> = Path extends ScreenPath
  ? { readonly to: Path; readonly search?: SearchOf<Path> }
  : never;
