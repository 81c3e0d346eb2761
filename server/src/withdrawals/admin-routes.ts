import {
  adminPayouts,
  adminResolveWithdrawal,
  adminResumePayouts,
  adminStopPayouts,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { Refusal } from '../refusal.ts';
import { readPayoutState } from './read-payout-state.ts';
import { resolveWithdrawal } from './resolve-withdrawal.ts';
import { resumePayouts, stopPayouts } from './switch-payouts.ts';

/** What the operator does about payouts. */
export function payoutRoutes(deps: Deps): Route[] {
  return [
    route(adminPayouts, () => readPayoutState(deps)),
    route(adminStopPayouts, async ({ caller, body }) => {
      await stopPayouts(deps, caller.userId, body.reason);
      return readPayoutState(deps);
    }),
    route(adminResumePayouts, async ({ caller, body }) => {
      await resumePayouts(deps, caller.userId, body.reason);
      return readPayoutState(deps);
    }),
    route(adminResolveWithdrawal, async ({ caller, params, body }) => {
      const merchantId = Number(params.userId);
      if (!Number.isSafeInteger(merchantId)) throw new Refusal('WITHDRAWAL_NOT_FOUND');
      await resolveWithdrawal(deps, caller.userId, { merchantId, id: params.id }, body);
      return { success: true as const };
    }),
  ];
}
