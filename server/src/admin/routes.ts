import { adminGetUser, adminUpdateUser, adminUserBasics } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { accountId, findUsers, readUser } from './find-users.ts';
import { updateUser } from './update-user.ts';

export function adminRoutes(deps: Deps): Route[] {
  return [
    route(adminUserBasics, ({ query }) => findUsers(deps, query)),
    route(adminGetUser, async ({ params }) => ({ user: await readUser(deps, params.id) })),
    route(adminUpdateUser, async ({ caller, params, body }) => ({
      user: await updateUser(deps, caller.userId, accountId(params.id), body),
    })),
  ];
}
