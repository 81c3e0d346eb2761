import {
  adminHoldWithdrawal,
  adminPayouts,
  adminReleaseWithdrawal,
  adminResolveWithdrawal,
  adminResumePayouts,
  adminStopPayouts,
  adminWithdrawals,
  brlFromCents,
  type ResponseOf,
} from '@jangada/contract';
import { isBankInDoubtForDisplay } from '../bank-watch/index.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { accountId, requireFactor } from '../identity/index.ts';
import { listWithdrawalsForOperator, readWithdrawalForOperator } from './list-withdrawals-for-operator.ts';
import { readPayoutState } from './read-payout-state.ts';
import { resolveWithdrawal } from './resolve-withdrawal.ts';
import { resumePayouts, stopPayouts } from './stop-payouts.ts';
import { holdWithdrawal, releaseWithdrawal } from './switch-operator-hold.ts';
import type { Withdrawal } from './withdrawal.ts';

/** The operator's view and controls of payouts. */
export function payoutRoutes(deps: Deps): Route[] {
  return [
    route(adminPayouts, () => payoutState(deps)),
    route(adminStopPayouts, async ({ caller, body }) => {
      await stopPayouts(deps, caller.userId, body.reason);
      return payoutState(deps);
    }),
    route(adminResumePayouts, async ({ caller, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      await resumePayouts(deps, caller.userId, body.reason);
      return payoutState(deps);
    }),
    route(adminResolveWithdrawal, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      await resolveWithdrawal(deps, caller.userId, named(params), body);
      return { success: true as const };
    }),
    route(adminWithdrawals, ({ query }) => listWithdrawalsForOperator(deps, query)),
    route(adminHoldWithdrawal, async ({ caller, params, body }) => {
      await holdWithdrawal(deps, { ...named(params), actorId: caller.userId, reason: body.reason });
      return readWithdrawalForOperator(deps, named(params));
    }),
    route(adminReleaseWithdrawal, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      await releaseWithdrawal(deps, { ...named(params), actorId: caller.userId, reason: body.reason });
      return readWithdrawalForOperator(deps, named(params));
    }),
  ];
}

function named({ userId, id }: { userId: string; id: string }): Pick<Withdrawal, 'merchantId' | 'id'> {
  return { merchantId: accountId(userId, 'WITHDRAWAL_NOT_FOUND'), id };
}

async function payoutState(deps: Deps): Promise<ResponseOf<typeof adminPayouts>> {
  const state = await readPayoutState(deps.db);
  return {
    stopped_because: state.stoppedBecause,
    bank_in_doubt: await isBankInDoubtForDisplay(deps),
    waiting: state.waiting,
    in_doubt: state.inDoubt,
    bank_balance: state.balanceCents === null ? null : brlFromCents(state.balanceCents),
    needed: state.neededCents === null ? null : brlFromCents(state.neededCents),
    read_at: state.readAt?.toISOString() ?? null,
  };
}
