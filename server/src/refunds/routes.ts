import { listRefunds, refundPayment } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { listRefundsOf } from './list-refunds.ts';
import { refundFrom } from './refund.ts';
import { requestRefund } from './request-refund.ts';

export function refundRoutes(deps: Deps): Route[] {
  return [
    route(refundPayment, async ({ params, body, caller, idempotency }) => {
      const wanted = {
        merchantId: caller.userId,
        chargeId: params.id,
        callerId: body.id,
        amount: body.amount,
        reason: body.reason ?? '',
        origin: caller.by === 'apiKey' ? ('api' as const) : ('panel' as const),
      };
      return refundFrom(await requestRefund(deps, wanted, idempotency));
    }),
    route(listRefunds, ({ params, caller }) => listRefundsOf(deps, caller.userId, params.id)),
  ];
}
