import {
  apiGetWithdrawal,
  apiListWithdrawals,
  apiWithdraw,
  checkWithdrawalPin,
  getApiWithdrawals,
  getWithdrawal,
  listWithdrawals,
  outFees,
  removeDestination,
  saveDestination,
  setApiWithdrawals,
  setWithdrawalPin,
  withdraw,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { requireFactor } from '../identity/index.ts';
import { Refusal } from '../refusal.ts';
import { payoutRoutes } from './admin-routes.ts';
import { listWithdrawalsForApi } from './list-withdrawals-for-api.ts';
import { listWithdrawalsForPanel as list } from './list-withdrawals-for-panel.ts';
import { readApiWithdrawals } from './read-api-withdrawals.ts';
import { readOutFees } from './read-out-fees.ts';
import { readPinState } from './read-pin-state.ts';
import { removeDestination as remove } from './remove-destination.ts';
import { saveDestination as save } from './save-destination.ts';
import { setApiWithdrawals as setApi } from './set-api-withdrawals.ts';
import { setPin } from './set-pin.ts';
import { findWithdrawal } from './store.ts';
import { withdrawByApi, withdraw as withdrawInPanel } from './withdraw.ts';
import { publicStatusOf, toPublicWithdrawal, toWithdrawalDetail, type Withdrawal } from './withdrawal.ts';

export function withdrawalRoutes(deps: Deps): Route[] {
  return [
    route(checkWithdrawalPin, ({ caller }) => readPinState(deps, caller.userId)),
    route(setWithdrawalPin, async ({ caller, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      return setPin(deps, caller, body);
    }),
    route(outFees, ({ caller }) => readOutFees(deps, caller.userId)),
    route(withdraw, async ({ caller, body, stepUp, idempotency }) => {
      const made = await withdrawInPanel(deps, { caller, stepUp }, body, idempotency);
      return { success: true as const, message: requestedText, withdrawal: toWithdrawalDetail(made) };
    }),
    route(apiWithdraw, async ({ caller, body, idempotency }) => {
      const made = await orNotProcessed(deps, withdrawByApi(deps, caller.userId, body, idempotency));
      return {
        message: requestedText,
        withdrawal_id: made.id,
        amount: made.amountCents,
        fee: made.feeCents,
        status: publicStatusOf(made),
      };
    }),
    route(apiListWithdrawals, ({ caller, query }) => listWithdrawalsForApi(deps, caller.userId, query)),
    route(apiGetWithdrawal, async ({ caller, params }) =>
      toPublicWithdrawal(await findOwn(deps, caller.userId, params.id)),
    ),
    route(listWithdrawals, ({ caller, query }) => list(deps, caller.userId, query)),
    route(getWithdrawal, async ({ caller, params }) =>
      toWithdrawalDetail(await findOwn(deps, caller.userId, params.id)),
    ),
    route(getApiWithdrawals, ({ caller }) => readApiWithdrawals(deps, caller.userId)),
    route(setApiWithdrawals, async ({ caller, body, stepUp }) => {
      if (body.enabled) await requireFactor(deps, caller, stepUp);
      return setApi(deps, caller, body);
    }),
    route(saveDestination, async ({ caller, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      return save(deps, caller, body);
    }),
    route(removeDestination, ({ caller, body }) => remove(deps, caller.userId, body.pixKey)),
    ...payoutRoutes(deps),
  ];
}

async function findOwn({ db }: Deps, merchantId: number, id: string): Promise<Withdrawal> {
  const found = await findWithdrawal(db, merchantId, id);
  if (found === undefined) throw new Refusal('WITHDRAWAL_NOT_FOUND');
  return found;
}

const requestedText = 'Saque solicitado com sucesso.';

/** An internal failure gets the error code that integrators know for it. */
async function orNotProcessed<T>({ log }: Deps, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    log.error({ err: error }, 'a withdrawal was not processed');
    throw new Refusal('WITHDRAWAL_PROCESSING_ERROR', { retryAfterSeconds: 5 });
  }
}
