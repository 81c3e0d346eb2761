import type { AllOrderHooks } from './approvals/index.ts';
import { refundApprovalHooks } from './refunds/index.ts';
import { withdrawalApprovalHooks } from './withdrawals/index.ts';

/** The orders to the bank that people approve. Approvals know them only by these hooks. */
export const orderHooks: AllOrderHooks = { withdrawal: withdrawalApprovalHooks, refund: refundApprovalHooks };
