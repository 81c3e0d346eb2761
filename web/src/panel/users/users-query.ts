import {
  type AdminUserModel,
  adminGetUser,
  adminUserBasics,
  type PageModel,
  parseAdminUser,
  parseAdminUsers,
} from '@jangada/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callRaw } from '../../api/client.ts';
import type { UsersFilter } from './users-filter.ts';

/** A page of users; the previous page stays visible while another page or search loads. */
export const usersQuery = ({ closing, ...query }: Omit<UsersFilter, 'id'>) =>
  queryOptions({
    queryKey: ['admin-users', { closing, ...query }],
    queryFn: async ({ signal }) => {
      const apiQuery = { ...query, ...(closing && { closing: 'true' as const }) };
      const page = parseAdminUsers(await callRaw(adminUserBasics, { query: apiQuery, signal }));
      return filterBySearch(page, query.search);
    },
    placeholderData: keepPreviousData,
  });

/** Filters users in the browser, because some gateways ignore the search and return all users (`page.whole`). */
function filterBySearch(
  page: PageModel<AdminUserModel>,
  search: string | undefined,
): PageModel<AdminUserModel> {
  if (!page.whole || search === undefined) return page;
  const lowerSearch = search.toLocaleLowerCase('pt-BR');
  // Tax numbers are searched without their punctuation. That of a company (CNPJ) may contain letters.
  const documentSearch = /\d/.test(search)
    ? search.replace(/[.\-/\s]/g, '').toLocaleLowerCase('pt-BR')
    : null;
  const items = page.items.filter(
    ({ name, username, email, document }) =>
      [name, username, email].some((text) => text.toLocaleLowerCase('pt-BR').includes(lowerSearch)) ||
      (documentSearch !== null && document.toLocaleLowerCase('pt-BR').includes(documentSearch)),
  );
  return { ...page, items, total: items.length };
}

/** One user. The response is not cached, so that opening a user never shows outdated data. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin-user', id],
    queryFn: async ({ signal }) => userFrom(await callRaw(adminGetUser, { params: { id }, signal })),
    gcTime: 0,
  });

/** Reads a user from a response, which may hold the user itself or wrap it in `user`. */
function userFrom(response: unknown): AdminUserModel {
  const isWrapped = typeof response === 'object' && response !== null && 'user' in response;
  return parseAdminUser(isWrapped ? response.user : response);
}
