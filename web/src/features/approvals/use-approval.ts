import {
  type ApprovalDetail,
  approve,
  askToApprove,
  cancelApproval,
  rejectApproval,
  retractApproval,
} from '@jangada/contract';
import { call } from '../../api/client.ts';
import { refetchMoney } from '../../api/queries.ts';
import { queryClient } from '../../api/query.ts';
import {
  type ApprovalsOf,
  approvalQuery,
  refetchApprovals,
} from '../../panel/approvals/approvals-queries.ts';
import type { FactorInput } from '../../panel/factor/factor-form.tsx';

/** What somebody does about one request. Each operation shows the request as it is afterwards. */
export function approvalActions(id: string) {
  const params = { id };
  const show = async (operation: Promise<{ approval: ApprovalDetail }>) => {
    try {
      const { approval } = await operation;
      queryClient.setQueryData(approvalQuery(id).queryKey, approval);
      return approval;
    } finally {
      // Its outcome may be unknown, or somebody else decided first.
      refetchApprovals();
      void refetchMoney();
    }
  };
  return {
    approve: (factor: FactorInput) => show(call(approve, { params, body: factor })),
    reject: (reason: string) => show(call(rejectApproval, { params, body: { reason } })),
    retract: () => show(call(retractApproval, { params })),
    cancel: () => show(call(cancelApproval, { params })),
  };
}

/** Asks that the person's approvals count, which the others approve. */
export async function askThatApprovalsCount(of: ApprovalsOf): Promise<void> {
  try {
    await call(askToApprove, { body: { of } });
  } finally {
    refetchApprovals();
  }
}
