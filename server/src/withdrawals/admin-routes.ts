import {
  adminPayouts,
  adminResolveWithdrawal,
  adminResumePayouts,
  adminStopPayouts,
  brlFromCents,
  type ResponseOf,
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
    route(adminPayouts, () => payoutState(deps)),
    route(adminStopPayouts, async ({ caller, body }) => {
      await stopPayouts(deps, caller.userId, body.reason);
      return payoutState(deps);
    }),
    route(adminResumePayouts, async ({ caller, body }) => {
      await resumePayouts(deps, caller.userId, body.reason);
      return payoutState(deps);
    }),
    route(adminResolveWithdrawal, async ({ caller, params, body }) => {
      const merchantId = Number(params.userId);
      if (!Number.isSafeInteger(merchantId)) throw new Refusal('WITHDRAWAL_NOT_FOUND');
      await resolveWithdrawal(deps, caller.userId, { merchantId, id: params.id }, body);
      return { success: true as const };
    }),
  ];
}

async function payoutState({ db }: Deps): Promise<ResponseOf<typeof adminPayouts>> {
  const state = await readPayoutState(db);
  return {
    stopped_because: state.stoppedBecause,
    waiting: state.waiting,
    in_doubt: state.inDoubt,
    bank_balance: state.balanceCents === null ? null : brlFromCents(state.balanceCents),
    needed: state.neededCents === null ? null : brlFromCents(state.neededCents),
    read_at: state.readAt?.toISOString() ?? null,
  };
}
