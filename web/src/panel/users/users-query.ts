import {
  type AdminUserModel,
  adminGetUser,
  adminUserBasics,
  parseAdminUser,
  parseAdminUsers,
} from '@jangada/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { send } from '../../api/client.ts';
import type { UsersFilter } from './users-filter.ts';

/** A page of the users; while another page or search loads, the one before stays. */
export const usersQuery = ({ closing, ...query }: Omit<UsersFilter, 'id'>) =>
  queryOptions({
    queryKey: ['admin-users', { closing, ...query }],
    queryFn: async ({ signal }) => {
      const wanted = { ...query, ...(closing && { closing: 'true' as const }) };
      return parseAdminUsers(await send(adminUserBasics, { query: wanted, signal }));
    },
    placeholderData: keepPreviousData,
  });

/** One user as they are now: whoever opens them sees no older version. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-user', id],
    queryFn: async ({ signal }) => userFrom(await send(adminGetUser, { params: { id }, signal })),
    gcTime: 0,
  });

function userFrom(answer: unknown): AdminUserModel {
  const wrapped = typeof answer === 'object' && answer !== null && 'user' in answer;
  return parseAdminUser(wrapped ? answer.user : answer);
}
