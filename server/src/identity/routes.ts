import {
  accountTaxes,
  confirmPassword as confirmEndpoint,
  login,
  logout,
  notificationTicket,
  profile,
  register,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { confirmPassword } from './confirm-password.ts';
import { issueLiveTicket } from './live-ticket.ts';
import { readAccount } from './read-account.ts';
import { registerAccount } from './register-account.ts';
import { securityRoutes } from './security-routes.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { taxesOf, userOf } from './user.ts';

export function identityRoutes(deps: Deps): Route[] {
  return [
    route(login, async (call) => {
      return signIn(deps, call.body, call);
    }),
    route(register, (call) => registerAccount(deps, call.body, call)),
    route(logout, async ({ caller }) => {
      await signOut(deps, caller);
      return { success: true as const };
    }),
    route(confirmEndpoint, async ({ caller, body }) => {
      await confirmPassword(deps, caller, body.password);
      return { success: true as const };
    }),
    route(profile, async ({ caller }) => ({ user: userOf(await readAccount(deps, caller.userId)) })),
    route(accountTaxes, async ({ caller }) => ({
      success: true as const,
      data: taxesOf(await readAccount(deps, caller.userId)),
    })),
    route(notificationTicket, async ({ caller }) => ({ ticket: await issueLiveTicket(deps, caller) })),
    ...securityRoutes(deps),
  ];
}
