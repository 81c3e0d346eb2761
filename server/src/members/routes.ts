import {
  acceptInvitation as acceptEndpoint,
  changeMember as changeEndpoint,
  checkInvitation as checkEndpoint,
  enterAccount as enterEndpoint,
  inviteMember as inviteEndpoint,
  leaveAccount as leaveEndpoint,
  listAccounts as listAccountsEndpoint,
  listMembers as listMembersEndpoint,
  removeMember as removeEndpoint,
  withdrawInvitation as withdrawEndpoint,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { type Route, route } from '../http/route.ts';
import { requireFactorOrPassword } from '../identity/index.ts';
import { acceptInvitation, checkInvitation } from './accept-invitation.ts';
import { enterAccount, listAccounts } from './accounts.ts';
import { changeMember } from './change-member.ts';
import { inviteMember, readMembers, withdrawInvitation } from './invite-member.ts';
import { leaveAccount, removeMember } from './remove-member.ts';

const done = { success: true } as const;

export function memberRoutes(deps: Deps): Route[] {
  return [
    route(listAccountsEndpoint, async ({ caller }) => ({ accounts: await listAccounts(deps, caller) })),
    route(enterEndpoint, async ({ caller, body }) => ({
      account: await enterAccount(deps, caller, body.account_id),
    })),
    route(leaveEndpoint, async ({ caller, body }) => {
      await leaveAccount(deps, caller, body.account_id);
      return done;
    }),
    route(checkEndpoint, ({ body }) => checkInvitation(deps, body.token)),
    route(acceptEndpoint, async ({ caller, body }) => ({
      account: await acceptInvitation(deps, caller, body.token),
    })),
    ...ownerRoutes(deps),
  ];
}

function ownerRoutes(deps: Deps): Route[] {
  return [
    route(listMembersEndpoint, ({ caller }) => readMembers(deps, caller)),
    route(inviteEndpoint, async ({ caller, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      return { invitation: await inviteMember(deps, caller, body) };
    }),
    route(withdrawEndpoint, async ({ caller, params }) => {
      await withdrawInvitation(deps, caller, params.id);
      return done;
    }),
    route(changeEndpoint, async ({ caller, params, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      return { member: await changeMember(deps, caller, params.id, body) };
    }),
    route(removeEndpoint, async ({ caller, params, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      return { ...done, revoked_keys: await removeMember(deps, caller, params.id, body.keys) };
    }),
  ];
}
