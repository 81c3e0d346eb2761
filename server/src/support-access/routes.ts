import {
  adminLookIn,
  allowSupport as allowEndpoint,
  getSupportAccess,
  revokeSupport as revokeEndpoint,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { parseAccountId, requireFactor, requireFactorOrPassword } from '../identity/index.ts';
import { allowSupport, readSupportAccess, revokeSupport } from './allow-support.ts';
import { lookIn } from './look-in.ts';

export function supportAccessRoutes(deps: Deps): Route[] {
  return [
    route(getSupportAccess, ({ caller }) => readSupportAccess(deps, caller.accountId)),
    route(allowEndpoint, async ({ caller, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      await allowSupport(deps, caller, body.hours);
      return readSupportAccess(deps, caller.accountId);
    }),
    route(revokeEndpoint, async ({ caller }) => {
      await revokeSupport(deps, caller);
      return readSupportAccess(deps, caller.accountId);
    }),
    route(adminLookIn, async ({ caller, params, body, stepUp }) => {
      await requireFactor(deps, caller, stepUp);
      return lookIn(deps, caller, { accountId: parseAccountId(params.userId), reason: body.reason });
    }),
  ];
}
