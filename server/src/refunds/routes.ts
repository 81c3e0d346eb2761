import {
  acceptHeldPix as acceptHeldPixEndpoint,
  adminAssignSuspense,
  adminResolveRefund,
  adminReturnSuspense,
  adminSuspense,
  giveBackHeldPix as giveBackHeldPixEndpoint,
  listHeldPix,
  listRefunds,
  refundPayment,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Caller, type Route, route } from '../http/route.ts';
import { parseAccountId, requireFactor } from '../identity/index.ts';
import { PLATFORM } from '../ledger/index.ts';
import { acceptHeldPix, giveBackHeldPix, type HeldPixDecider } from './decide-held-pix.ts';
import { decideSuspense } from './decide-suspense.ts';
import { listHeldPixOf, toHeldPixResponse } from './list-held-pix.ts';
import { listRefundsOf } from './list-refunds.ts';
import { listSuspense, suspensePixFrom } from './list-suspense.ts';
import { toRefundResponse } from './refund.ts';
import { requestRefund } from './request-refund.ts';
import { resolveRefund } from './resolve-refund.ts';

/**
 * The endpoints of refunds, and of Pix in suspense (money that matched no charge). Each is declared in the contract and
 * handled by one operation of this module.
 */
export function refundRoutes(deps: Deps): Route[] {
  return [
    route(refundPayment, async ({ params, body, caller, idempotency }) => {
      const request = {
        merchantId: caller.accountId,
        chargeId: params.id,
        externalId: body.id,
        amount: body.amount,
        reason: body.reason ?? '',
        ...(caller.authMethod === 'apiKey'
          ? { origin: 'api' as const }
          : { origin: 'panel' as const, requestedBy: caller.userId }),
      };
      return toRefundResponse(await requestRefund(deps, request, idempotency));
    }),
    route(adminSuspense, ({ query }) => listSuspense(deps, query.page)),
    route(adminAssignSuspense, async ({ params, body, caller, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const merchantId = parseAccountId(body.userId);
      const { reason } = body;
      const decision = { action: 'assign', merchantId, reason, actorId: caller.userId, ...params } as const;
      return suspensePixFrom(await decideSuspense(deps, decision));
    }),
    route(adminReturnSuspense, async ({ params, body, caller, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const { reason } = body;
      const decision = {
        action: 'return',
        merchantId: null,
        reason,
        actorId: caller.userId,
        ...params,
      } as const;
      return suspensePixFrom(await decideSuspense(deps, decision));
    }),
    route(adminResolveRefund, async ({ params, body, caller, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      // A Pix that no merchant owns belongs to the platform.
      const isPlatform = params.userId === String(PLATFORM);
      const merchantId = isPlatform ? PLATFORM : parseAccountId(params.userId, 'REFUND_NOT_FOUND');
      await resolveRefund(deps, caller.userId, { merchantId, id: params.id }, body);
      return { success: true as const };
    }),
    route(listHeldPix, ({ query, caller }) => listHeldPixOf(deps, caller.accountId, query)),
    route(acceptHeldPixEndpoint, async ({ params, caller }) =>
      toHeldPixResponse(deps, await acceptHeldPix(deps, deciderOf(caller, params.id))),
    ),
    route(giveBackHeldPixEndpoint, async ({ params, caller }) =>
      toHeldPixResponse(deps, await giveBackHeldPix(deps, deciderOf(caller, params.id))),
    ),
    route(listRefunds, ({ params, caller }) =>
      listRefundsOf(deps, caller.accountId, params.id, { namesMakers: caller.authMethod === 'session' }),
    ),
  ];
}

function deciderOf({ accountId, authMethod, userId }: Caller, id: string): HeldPixDecider {
  return { merchantId: accountId, id, userId: authMethod === 'apiKey' ? null : userId };
}
