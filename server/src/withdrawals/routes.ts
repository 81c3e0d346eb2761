import {
  adminHoldWithdrawal,
  adminPayouts,
  adminReleaseWithdrawal,
  adminResolveWithdrawal,
  adminResumePayouts,
  adminStopPayouts,
  adminWithdrawals,
  apiGetWithdrawal,
  apiListWithdrawals,
  apiWithdraw,
  brlFromCents,
  checkWithdrawalPin,
  getApiWithdrawals,
  getWithdrawal,
  listWithdrawals,
  outFees,
  type ResponseOf,
  removeDestination,
  saveDestination,
  setApiWithdrawals,
  setWithdrawalPin,
  withdraw,
  withdrawalSources,
} from '@jangada/contract';
import { requireOperatorApproval } from '../approvals/index.ts';
import { isBankBalanceUnknownForDisplay } from '../bank-watch/index.ts';
import { readAccountNames } from '../connections/index.ts';
import { isDatabaseOutage } from '../db/outage.ts';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { parseAccountId, readMaker, requireFactor } from '../identity/index.ts';
import { atHouse } from '../psp/index.ts';
import { Refusal } from '../refusal.ts';
import { holdWithdrawal, releaseWithdrawal, resolveWithdrawal } from './administer-withdrawals.ts';
import {
  confirmAndSaveDestination,
  readApiWithdrawalSettings,
  removeDestination as removeSavedDestination,
  setApiWithdrawals as switchApiWithdrawals,
} from './destinations.ts';
import {
  listWithdrawalsForApi,
  listWithdrawalsForOperator,
  listWithdrawalsForPanel,
  readWithdrawalForOperator,
} from './list-withdrawals.ts';
import { readWithdrawalTerms } from './read-withdrawal-terms.ts';
import { withdrawByApi, withdraw as withdrawInPanel } from './request-withdrawal.ts';
import { readPinState, setPin } from './set-pin.ts';
import { readPayoutState, resumePayouts, stopPayouts } from './stop-and-resume-payouts.ts';
import { findWithdrawal } from './store.ts';
import { publicStatusOf, toPublicWithdrawal, toWithdrawalDetail, type Withdrawal } from './withdrawal.ts';
import { readWithdrawalSources } from './withdrawal-sources.ts';

/** The endpoints of withdrawals. Each is declared in the contract and handled by one operation of this module. */
export function withdrawalRoutes(deps: Deps): Route[] {
  return [
    route(checkWithdrawalPin, ({ caller }) =>
      readPinState(deps, { merchantId: caller.accountId, userId: caller.userId }),
    ),
    route(setWithdrawalPin, async ({ caller, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      return setPin(deps, caller, body);
    }),
    route(outFees, ({ caller }) => readWithdrawalTerms(deps, caller)),
    route(withdrawalSources, ({ caller }) => readWithdrawalSources(deps, caller.accountId)),
    route(withdraw, async ({ caller, body, stepUp, idempotency }) => {
      const withdrawal = await withdrawInPanel(deps, { caller, stepUp }, body, idempotency);
      const detail = toWithdrawalDetail(withdrawal, await readMaker(deps.db, withdrawal));
      return { success: true as const, message: requestedText, withdrawal: detail };
    }),
    route(apiWithdraw, async ({ caller, body, idempotency }) => {
      const withdrawal = await withProcessingError(
        deps,
        withdrawByApi(deps, caller.accountId, body, idempotency),
      );
      return {
        message: requestedText,
        withdrawal_id: withdrawal.id,
        amount: withdrawal.amountCents,
        fee: withdrawal.feeCents,
        status: publicStatusOf(withdrawal),
      };
    }),
    route(apiListWithdrawals, ({ caller, query }) => listWithdrawalsForApi(deps, caller.accountId, query)),
    route(apiGetWithdrawal, async ({ caller, params }) =>
      toPublicWithdrawal(await findOwnWithdrawal(deps, caller.accountId, params.id)),
    ),
    route(listWithdrawals, ({ caller, query }) => listWithdrawalsForPanel(deps, caller.accountId, query)),
    route(getWithdrawal, async ({ caller, params }) => {
      const withdrawal = await findOwnWithdrawal(deps, caller.accountId, params.id);
      const { merchantId, connectionId } = withdrawal;
      const [names, maker] = await Promise.all([
        readAccountNames(deps.db, merchantId, [connectionId]),
        readMaker(deps.db, withdrawal),
      ]);
      return toWithdrawalDetail(withdrawal, maker, names.get(connectionId));
    }),
    route(getApiWithdrawals, ({ caller }) => readApiWithdrawalSettings(deps, caller.accountId)),
    route(setApiWithdrawals, async ({ caller, body, stepUp }) => {
      if (body.enabled) await requireFactor(deps, caller, stepUp);
      return switchApiWithdrawals(deps, caller, body);
    }),
    route(saveDestination, async ({ caller, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      return confirmAndSaveDestination(deps, caller, body);
    }),
    route(removeDestination, ({ caller, body }) =>
      removeSavedDestination(deps, caller.accountId, body.pixKey),
    ),
    ...payoutRoutes(deps),
  ];
}

async function findOwnWithdrawal({ db }: Deps, merchantId: number, id: string): Promise<Withdrawal> {
  const withdrawal = await findWithdrawal(db, merchantId, id);
  if (withdrawal === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
  return withdrawal;
}

const requestedText = 'Saque solicitado com sucesso.';

/** Awaits `work`. Logs an internal failure and throws the error code that the API documents for it. */
async function withProcessingError<T>({ log }: Deps, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal || isDatabaseOutage(error)) throw error;
    log.error({ err: error }, 'a withdrawal was not processed');
    throw new Refusal('WITHDRAWAL_PROCESSING_ERROR', { retryAfterSeconds: 5 });
  }
}

/** The operator's endpoints: the state of payouts, and actions on all payouts or on one withdrawal. */
function payoutRoutes(deps: Deps): Route[] {
  return [
    route(adminPayouts, () => readPayoutStateResponse(deps)),
    route(adminStopPayouts, async ({ caller, body }) => {
      await stopPayouts(deps, caller.userId, body.reason);
      return readPayoutStateResponse(deps);
    }),
    route(adminResumePayouts, async ({ caller, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      await requireOperatorApproval(deps, caller.userId, 'payouts', {
        action: 'Retomar os envios',
        reason: body.reason,
      });
      await resumePayouts(deps, caller.userId, body.reason);
      return readPayoutStateResponse(deps);
    }),
    route(adminResolveWithdrawal, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      await resolveWithdrawal(deps, caller.userId, keyFrom(params), body);
      return { success: true as const };
    }),
    route(adminWithdrawals, ({ query }) => listWithdrawalsForOperator(deps, query)),
    route(adminHoldWithdrawal, async ({ caller, params, body }) => {
      await holdWithdrawal(deps, { ...keyFrom(params), actorId: caller.userId, reason: body.reason });
      return readWithdrawalForOperator(deps, keyFrom(params));
    }),
    route(adminReleaseWithdrawal, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const { amount_cents, pix_key } = await readWithdrawalForOperator(deps, keyFrom(params));
      const order = { user: params.userId, id: params.id, amount_cents, pix_key, reason: body.reason };
      await requireOperatorApproval(deps, caller.userId, 'held-withdrawal', order);
      await releaseWithdrawal(deps, { ...keyFrom(params), actorId: caller.userId, reason: body.reason });
      return readWithdrawalForOperator(deps, keyFrom(params));
    }),
  ];
}

function keyFrom({ userId, id }: { userId: string; id: string }): Pick<Withdrawal, 'merchantId' | 'id'> {
  return { merchantId: parseAccountId(userId, 'WITHDRAWAL_NOT_FOUND'), id };
}

async function readPayoutStateResponse(deps: Deps): Promise<ResponseOf<typeof adminPayouts>> {
  const state = await readPayoutState(deps.db);
  return {
    stopped_because: state.stoppedBecause,
    bank_in_doubt: await isBankBalanceUnknownForDisplay(atHouse(deps)),
    waiting: state.waiting,
    in_doubt: state.inDoubt,
    bank_balance: state.balanceCents === null ? null : brlFromCents(state.balanceCents),
    needed: state.neededCents === null ? null : brlFromCents(state.neededCents),
    read_at: state.readAt?.toISOString() ?? null,
  };
}
