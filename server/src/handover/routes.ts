import {
  adminConfirmIdentity,
  confirmHandover as confirmEndpoint,
  endHandover as endEndpoint,
  getHandover,
  offerAccount as offerEndpoint,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { parseAccountId, requireFactor, requireFactorOrPassword } from '../identity/index.ts';
import { confirmIdentity } from './confirm-identity.ts';
import { confirmHandover, endHandover, offerAccount, readHandover } from './hand-over.ts';

const done = { success: true } as const;

export function handoverRoutes(deps: Deps): Route[] {
  return [
    route(getHandover, async ({ caller }) => ({ handover: await readHandover(deps, caller.accountId) })),
    route(offerEndpoint, async ({ caller, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      return { handover: await offerAccount(deps, caller, body.member_id) };
    }),
    route(confirmEndpoint, async ({ caller, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      await confirmHandover(deps, caller);
      return done;
    }),
    route(endEndpoint, async ({ caller }) => {
      await endHandover(deps, caller);
      return done;
    }),
    route(adminConfirmIdentity, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      const accountId = parseAccountId(params.userId);
      await confirmIdentity(deps, { actorId: caller.userId, accountId, reason: body.reason });
      return done;
    }),
  ];
}
