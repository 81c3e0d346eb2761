import type { ModuleLoop } from '../deps.ts';
import { workOnEachAlone } from '../work-alone.ts';
import { expireRequest } from './decide-request.ts';
import { endRequestsOfFormerMakers } from './former-makers.ts';
import type { AllOrderHooks } from './order-hooks.ts';
import { selectExpired } from './store.ts';

/*
 * Approvals: what leaves an account, and what opens a way for money, waits until other people have approved it. The part
 * that speaks to the bank proves the approvals itself before it sends (docs/approvals.md).
 */
export { type ApprovalWait, askForApproval, checkApproval, refuseLeavingTooFew } from './check-order.ts';
export { compareWithEarlier } from './compare-exports.ts';
export { forgetDestination, isApprovedDestination } from './destinations.ts';
export type { Order } from './document.ts';
export { lockRequestsBy } from './former-makers.ts';
export type { MoneyOrder } from './money-order.ts';
export type { AllOrderHooks, OrderEnd, OrderHooks } from './order-hooks.ts';
export { mayNeedApproval, requireApproval, requireOperatorApproval } from './require-approval.ts';
export { findPeopleOfPolicy, lockPolicyToReset, resetPolicy } from './reset-policy.ts';
export { approvalRoutes } from './routes.ts';
export {
  readApprovalsExport,
  type VerifiedItem,
  type VerifyOptions,
  verifyApprovalsExport,
} from './verify-export.ts';

export function approvalLoops(hooks: AllOrderHooks): readonly ModuleLoop[] {
  return [
    {
      name: 'approvals',
      everyMs: 5000,
      async work(deps) {
        const expired = await selectExpired(deps.db, deps.clock.now());
        const ended = await workOnEachAlone(deps.log, expired, {
          work: (key) => expireRequest(deps, hooks, key),
          describe: (key) => ({ expiredApproval: key }),
        });
        return ended + (await endRequestsOfFormerMakers(deps, hooks));
      },
    },
  ];
}
