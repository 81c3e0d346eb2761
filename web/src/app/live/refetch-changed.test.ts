import { expect, test } from 'vitest';
import { queryClient } from '../../api/query.ts';
import { readLiveMessage } from './live-messages.ts';
import { type ChangedKind, refetchChanged } from './refetch-changed.ts';

/** The queries of which nothing old is left after a message of the live channel. */
function refetchedBy(of: ChangedKind): string[] {
  const keys = ['approvals', 'approval', 'approval-policy', 'api-withdrawals', 'members', 'account-handover'];
  const all = [...keys, 'support-access', 'accounts', 'subscriptions', 'feed'];
  for (const key of all) queryClient.setQueryData([key, 'shown before'], {});
  const message = readLiveMessage(JSON.stringify({ type: 'change', of }));
  if (message?.type === 'change') refetchChanged(message.of);
  return all.filter((key) => queryClient.getQueryData([key, 'shown before']) === undefined);
}

test('a change on another screen is fetched again where it is shown', () => {
  expect(refetchedBy('approvals')).toEqual(['approvals', 'approval', 'approval-policy', 'api-withdrawals']);
  expect(refetchedBy('members')).toEqual([
    'approval-policy',
    'members',
    'account-handover',
    'support-access',
    'accounts',
  ]);
  expect(refetchedBy('destinations')).toEqual(['api-withdrawals']);
  expect(refetchedBy('subscriptions')).toEqual(['subscriptions']);
});

test('a change of a kind that this version does not know is ignored', () => {
  expect(readLiveMessage('{"type":"change","of":"weather"}')).toBeUndefined();
});
