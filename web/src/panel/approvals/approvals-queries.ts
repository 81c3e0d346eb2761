import {
  type ApprovalKind,
  type ApprovalPolicy,
  type ApprovalRequest,
  getApproval,
  getApprovalPolicy,
  listApprovals,
  type ResponseOf,
} from '@jangada/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { profileQuery } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';

/** Whose approvals: those of the account, or those of the gateway's operator. */
export type ApprovalsOf = 'account' | 'operator';

export type ApprovalPerson = ResponseOf<typeof getApprovalPolicy>['approvers'][number];
export type ApprovalPolicyState = {
  readonly policy: ApprovalPolicy;
  readonly approvers: readonly ApprovalPerson[];
};

/** The requests for approval that wait, and the last that ended. */
export const approvalsQuery = (of: ApprovalsOf) =>
  queryOptions({
    queryKey: ['approvals', of],
    queryFn: ({ signal }) => call(listApprovals, { query: { of }, signal }),
  });

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approval', id],
    queryFn: async ({ signal }) => (await call(getApproval, { params: { id }, signal })).approval,
  });

/** The policy of approvals, and who approves. */
export const approvalPolicyQuery = (of: ApprovalsOf) =>
  queryOptions({
    queryKey: ['approval-policy', of],
    queryFn: ({ signal }) => call(getApprovalPolicy, { query: { of }, signal }),
  });

/** To be called when a request was made, decided or ended: refetches what screens show, and drops the rest. */
export function refetchApprovals(): void {
  for (const queryKey of [['approvals'], ['approval'], ['approval-policy']]) {
    queryClient.removeQueries({ queryKey, type: 'inactive' });
    void queryClient.invalidateQueries({ queryKey });
  }
  void queryClient.invalidateQueries(profileQuery);
}

/** Whether a request has not ended. */
export function isWaiting({ status }: Pick<ApprovalRequest, 'status'>): boolean {
  return status === 'open' || status === 'approved';
}

/** The kinds that the gateway carries out by itself once they are approved. */
const carriedOutAlone: readonly ApprovalKind[] = ['withdrawal', 'refund', 'approver', 'policy'];

export function isCarriedOutAlone(kind: ApprovalKind): boolean {
  return carriedOutAlone.includes(kind);
}

/** True for an approved request that only its maker can carry out, by asking for the same again. */
export function waitsForMaker({ status, is_maker, kind }: ApprovalRequest): boolean {
  return status === 'approved' && is_maker && !isCarriedOutAlone(kind);
}
