import { adminScreens } from './admin.ts';
import { adminBankScreens } from './admin-banks.ts';
import { adminMoneyScreens } from './admin-money.ts';
import { adminSystemScreens } from './admin-system.ts';
import { approvals } from './approvals.ts';
import { entrance } from './entrance.ts';
import { adminFees, merchantFees } from './fees.ts';
import { merchantAccount } from './merchant-account.ts';
import { merchantBank } from './merchant-bank.ts';
import { merchantBatches } from './merchant-batches.ts';
import { merchantControl } from './merchant-control.ts';
import { merchantCustomers } from './merchant-customers.ts';
import { merchantDue } from './merchant-due.ts';
import { merchantMembers } from './merchant-members.ts';
import { merchantMoney } from './merchant-money.ts';
import { merchantOffers } from './merchant-offers.ts';
import { merchantPerson } from './merchant-person.ts';
import { merchantSales } from './merchant-sales.ts';
import { merchantSubscriptionImport } from './merchant-subscription-import.ts';
import { merchantSubscriptions } from './merchant-subscriptions.ts';
import { merchantWithdrawals } from './merchant-withdrawals.ts';
import { bank, payers } from './payers.ts';
import type { Screen } from './screen.ts';

/** All screens and dialogs of the product, in each of their states. */
export const catalogue: readonly Screen[] = [
  ...entrance,
  ...merchantMoney,
  ...merchantWithdrawals,
  ...merchantSales,
  ...merchantDue,
  ...merchantBatches,
  ...merchantCustomers,
  ...merchantOffers,
  ...merchantSubscriptions,
  ...merchantSubscriptionImport,
  ...merchantAccount,
  ...merchantBank,
  ...merchantFees,
  ...merchantPerson,
  ...merchantMembers,
  ...merchantControl,
  ...approvals,
  ...payers,
  ...bank,
  ...adminScreens,
  ...adminMoneyScreens,
  ...adminBankScreens,
  ...adminFees,
  ...adminSystemScreens,
];
