import {
  approvalOptions,
  approve,
  askToApprove as askEndpoint,
  cancelApproval,
  exportApprovals as exportEndpoint,
  getApproval,
  getApprovalPolicy,
  listApprovals,
  rejectApproval,
  retractApproval as retractEndpoint,
  setApprovalPolicy,
} from '@jangada/contract';
import type { Deps } from '../deps.ts';
import { FileResponse } from '../http/file-response.ts';
import { type Caller, type Route, route } from '../http/route.ts';
import { PLATFORM } from '../ledger/index.ts';
import { Refusal } from '../refusal.ts';
import {
  approveRequest,
  cancelRequest,
  findVisibleRequest,
  mayRunOperations,
  readApprovalOptions,
  rejectRequest,
  retractApproval,
} from './decide-request.ts';
import { exportApprovals } from './export-approvals.ts';
import { listRequests, showRequest } from './list-requests.ts';
import type { AllOrderHooks } from './order-hooks.ts';
import { askToApprove, type PolicyBegun, readPolicyForPeople, setPolicy } from './policy.ts';

export function approvalRoutes(deps: Deps, hooks: AllOrderHooks, onPolicyBegun: PolicyBegun): Route[] {
  return [
    route(listApprovals, ({ caller, query }) => listRequests(deps, accountOf(deps, caller, query), caller)),
    route(getApproval, async ({ caller, params }) => ({
      approval: await showRequest(deps, caller, await findVisibleRequest(deps, caller, params.id)),
    })),
    route(approvalOptions, ({ caller, params }) => readApprovalOptions(deps, caller, params.id)),
    route(approve, async ({ caller, params, body }) => {
      const request = await approveRequest(deps, hooks, { caller, id: params.id, submitted: body });
      return { approval: await showRequest(deps, caller, request) };
    }),
    route(retractEndpoint, async ({ caller, params }) => ({
      approval: await showRequest(deps, caller, await retractApproval(deps, hooks, caller, params.id)),
    })),
    route(rejectApproval, async ({ caller, params, body }) => {
      const request = await rejectRequest(deps, hooks, { caller, id: params.id, reason: body.reason });
      return { approval: await showRequest(deps, caller, request) };
    }),
    route(cancelApproval, async ({ caller, params }) => ({
      approval: await showRequest(deps, caller, await cancelRequest(deps, hooks, caller, params.id)),
    })),
    route(getApprovalPolicy, ({ caller, query }) =>
      readPolicyForPeople(deps, accountOf(deps, caller, query), caller),
    ),
    route(setApprovalPolicy, ({ caller, stepUp, body }) =>
      setPolicy(deps, { caller, stepUp, onPolicyBegun }, accountOf(deps, caller, body), body),
    ),
    route(askEndpoint, async ({ caller, stepUp, body }) => ({
      approver: await askToApprove(deps, { caller, stepUp }, accountOf(deps, caller, body)),
    })),
    route(exportEndpoint, async ({ caller, query }) => {
      if (caller.supportUntil !== undefined) throw new Refusal('FORBIDDEN');
      const content = await exportApprovals(deps.db, accountOf(deps, caller, query));
      return new FileResponse({
        contentType: 'application/json',
        fileName: 'jangada-aprovacoes.json',
        content: Buffer.from(`${JSON.stringify(content, null, 1)}\n`),
      });
    }),
  ];
}

/** The account that is meant: the one for which the caller acts, or the operator's. */
function accountOf(deps: Deps, caller: Caller, { of }: { readonly of: 'account' | 'operator' }): number {
  if (of === 'account') return caller.accountId;
  if (!mayRunOperations(deps, caller)) throw new Refusal('FORBIDDEN');
  return PLATFORM;
}
