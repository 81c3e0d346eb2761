import {
  acceptInvitation as acceptEndpoint,
  changeMember as changeEndpoint,
  checkInvitation as checkEndpoint,
  enterAccount as enterEndpoint,
  inviteMember as inviteEndpoint,
  leaveAccount as leaveEndpoint,
  listAccounts as listAccountsEndpoint,
  listMembers as listMembersEndpoint,
  memberRoleTexts,
  removeMember as removeEndpoint,
  withdrawInvitation as withdrawEndpoint,
} from '@jangada/contract';
import { type AllOrderHooks, requireApproval } from '../approvals/index.ts';
import type { Deps } from '../deps.ts';
import { type Caller, type Route, route } from '../http/route.ts';
import { requireFactorOrPassword } from '../identity/index.ts';
import { acceptInvitation, checkInvitation } from './accept-invitation.ts';
import { enterAccount, listAccounts } from './accounts.ts';
import { changeMember } from './change-member.ts';
import { inviteMember, readMembers, withdrawInvitation } from './invite-member.ts';
import { movesMoney, type RequestedTerms } from './member.ts';
import { leaveAccount, removeMember } from './remove-member.ts';

const done = { success: true } as const;

export function memberRoutes(deps: Deps, hooks: AllOrderHooks): Route[] {
  return [
    route(listAccountsEndpoint, ({ caller }) => listAccounts(deps, caller)),
    route(enterEndpoint, async ({ caller, body }) => ({
      account: await enterAccount(deps, caller, body.account_id),
    })),
    route(leaveEndpoint, async ({ caller, body }) => {
      await leaveAccount(deps, hooks, caller, body.account_id);
      return done;
    }),
    route(checkEndpoint, ({ body }) => checkInvitation(deps, body.token)),
    route(acceptEndpoint, async ({ caller, body }) => ({
      account: await acceptInvitation(deps, caller, body.token),
    })),
    ...ownerRoutes(deps, hooks),
  ];
}

/** A role that moves money is given with other people's approval where the account's policy demands it. */
async function requireApprovedTerms(
  deps: Deps,
  { accountId, userId }: Caller,
  person: string,
  { role, refund_limit, withdrawal_limit }: RequestedTerms,
): Promise<void> {
  if (!movesMoney(role)) return;
  const order = { person, role: memberRoleTexts[role].label, refund_limit, withdrawal_limit };
  await requireApproval(deps, { merchantId: accountId, kind: 'member', madeBy: userId, order });
}

function ownerRoutes(deps: Deps, hooks: AllOrderHooks): Route[] {
  return [
    route(listMembersEndpoint, ({ caller }) => readMembers(deps, caller)),
    route(inviteEndpoint, async ({ caller, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      await requireApprovedTerms(deps, caller, body.email, body);
      return { invitation: await inviteMember(deps, caller, body) };
    }),
    route(withdrawEndpoint, async ({ caller, params }) => {
      await withdrawInvitation(deps, caller, params.id);
      return done;
    }),
    route(changeEndpoint, async ({ caller, params, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      await requireApprovedTerms(deps, caller, params.id, body);
      return { member: await changeMember(deps, hooks, caller, params.id, body) };
    }),
    route(removeEndpoint, async ({ caller, params, body, stepUp }) => {
      await requireFactorOrPassword(deps, caller, stepUp);
      const request = { requestedId: params.id, keys: body.keys };
      return { ...done, revoked_keys: await removeMember(deps, hooks, caller, request) };
    }),
  ];
}
