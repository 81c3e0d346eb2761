import { enterAccount as enterEndpoint, listAccounts as listAccountsEndpoint } from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { enterAccount, listAccounts } from './accounts.ts';

export function memberRoutes(deps: Deps): Route[] {
  return [
    route(listAccountsEndpoint, async ({ caller }) => ({ accounts: await listAccounts(deps, caller) })),
    route(enterEndpoint, async ({ caller, body }) => ({
      account: await enterAccount(deps, caller, body.account_id),
    })),
  ];
}
