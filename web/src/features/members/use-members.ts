import {
  type BodyInput,
  changeMember,
  inviteMember,
  listMembers,
  type ResponseOf,
  removeMember,
  withdrawInvitation,
} from '@jangada/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { updateCacheFrom } from '../../api/query.ts';

type MembersAnswer = ResponseOf<typeof listMembers>;
export type ListedMember = MembersAnswer['members'][number];
export type OpenInvitation = MembersAnswer['invitations'][number];

const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => call(listMembers, { signal }),
});

const updateMembers = <Result>(
  operation: Promise<Result>,
  change: (cached: MembersAnswer, result: Result) => MembersAnswer,
) => updateCacheFrom(membersQuery.queryKey, operation, change);

/** The members of the account and its open invitations, and what an owner does about them. */
export function useMembers() {
  return {
    query: useQuery(membersQuery),
    /** Takes the place of an earlier invitation to the same address. */
    invite: (body: BodyInput<typeof inviteMember>) =>
      updateMembers(call(inviteMember, { body }), (cached, { invitation }) => ({
        ...cached,
        invitations: [invitation, ...cached.invitations.filter(({ email }) => email !== invitation.email)],
      })),
    withdraw: (id: string) =>
      updateMembers(call(withdrawInvitation, { params: { id } }), (cached) => ({
        ...cached,
        invitations: cached.invitations.filter((invitation) => invitation.id !== id),
      })),
    change: (id: string, body: BodyInput<typeof changeMember>) =>
      updateMembers(call(changeMember, { params: { id }, body }), (cached, { member }) => ({
        ...cached,
        members: cached.members.map((other) => (other.id === id ? member : other)),
      })),
    remove: (id: string, keys: BodyInput<typeof removeMember>['keys']) =>
      updateMembers(call(removeMember, { params: { id }, body: { keys } }), (cached) => ({
        ...cached,
        members: cached.members.filter((member) => member.id !== id),
      })),
  };
}

export type Members = ReturnType<typeof useMembers>;
