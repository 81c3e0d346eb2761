import {
  adminAuditLog,
  adminFreezeUser,
  adminGetUser,
  adminUnfreezeUser,
  adminUpdateUser,
  adminUserBasics,
  adminUserTransactions,
  hasAbility,
} from '@jangada/contract';
import { listAuditLog } from '../audit/index.ts';
import { readOnReplica } from '../db/read-replica.ts';
import type { Deps } from '../deps.ts';
import { type Caller, type Route, route } from '../http/route.ts';
import { parseAccountId, requireFactor } from '../identity/index.ts';
import { findUsers, listUserTransactions, readUser, type Viewer } from './find-users.ts';
import { freezeUser, unfreezeUser } from './freeze-user.ts';
import { updateUser } from './update-user.ts';

export function adminRoutes(deps: Deps): Route[] {
  return [
    route(adminUserBasics, ({ caller, query }) => findUsers(deps, query, viewerOf(caller))),
    route(adminGetUser, async ({ caller, params }) => ({
      user: await readUser(deps, params.id, viewerOf(caller)),
    })),
    route(adminUpdateUser, async ({ caller, stepUp, params, body }) => ({
      user: await updateUser(deps, { caller, stepUp }, parseAccountId(params.id), body),
    })),
    route(adminUserTransactions, ({ params, query }) =>
      readOnReplica(deps, (replicaDeps) =>
        listUserTransactions(replicaDeps, parseAccountId(params.userId), query),
      ),
    ),
    route(adminFreezeUser, async ({ caller, params, body }) => ({
      user: await freezeUser(deps, {
        actorId: caller.userId,
        userId: parseAccountId(params.userId),
        ...body,
      }),
    })),
    route(adminUnfreezeUser, async ({ caller, stepUp, params, body }) => {
      await requireFactor(deps, caller, stepUp);
      const request = { actorId: caller.userId, userId: parseAccountId(params.userId), ...body };
      return { user: await unfreezeUser(deps, request) };
    }),
    route(adminAuditLog, ({ query }) =>
      readOnReplica(deps, (replicaDeps) => listAuditLog(replicaDeps, query)),
    ),
  ];
}

function viewerOf({ role, userId }: Caller): Viewer {
  return { userId, seesDocuments: hasAbility(role, 'see-documents') };
}
