import type { LiveMessage } from '@jangada/contract';
import { queryClient } from '../../api/query.ts';
import { refetchApprovals } from '../../panel/approvals/approvals-queries.ts';

export type ChangedKind = Extract<LiveMessage, { type: 'change' }>['of'];

const shownWith: Readonly<Record<ChangedKind, readonly string[]>> = {
  // A destination is shown as it waits and once it is approved.
  approvals: ['api-withdrawals'],
  // The policy of approvals names the members who approve.
  members: ['members', 'account-handover', 'support-access', 'accounts', 'approval-policy'],
  destinations: ['api-withdrawals'],
  subscriptions: ['subscriptions'],
};

/** Refetches what screens show of something that somebody changed, perhaps on another screen, and drops the rest. */
export function refetchChanged(kind: ChangedKind): void {
  if (kind === 'approvals') refetchApprovals();
  for (const key of shownWith[kind]) {
    queryClient.removeQueries({ queryKey: [key], type: 'inactive' });
    void queryClient.invalidateQueries({ queryKey: [key] });
  }
}
