import { useCallback } from 'react';
import { useSupports } from '../../api/provider.ts';
import { paths } from '../../app/paths.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { type UsersFilter, usersFilterFrom } from '../../panel/users/users-filter.ts';
import { UsersList } from '../../panel/users/users-list.tsx';
import { UserDialog } from './user-dialog.tsx';

/**
 * The list of all accounts. Each row opens a dialog in which an administrator can change the account. The filter is
 * kept in the URL.
 */
export function AdminUsersPage() {
  const filter = useSearch(usersFilterFrom);
  const { id, ...listFilter } = filter;
  const hasClosureRequests = useSupports('closureRequests');
  const navigate = useNavigate();
  const applyFilter = useCallback(
    (newFilter: UsersFilter, replace = false) =>
      void navigate({ to: paths.adminUsers, search: newFilter, replace }),
    [navigate],
  );
  return (
    <>
      <UsersList
        title="Usuários"
        sentence="Contas, tarifas e acesso de cada lojista."
        searchedFields="nome, usuário, e-mail ou documento"
        openLabel="Editar"
        extraFilter={
          hasClosureRequests && (
            <label className="flex min-h-11 cursor-pointer items-center gap-2.5 md:min-h-9">
              <input
                type="checkbox"
                className="size-4.5 shrink-0 cursor-pointer accent-primary"
                checked={filter.closing === true}
                onChange={({ currentTarget: { checked } }) =>
                  applyFilter(usersFilterFrom({ ...listFilter, closing: checked, page: undefined }))
                }
              />
              Pedidos de encerramento
            </label>
          )
        }
        filter={filter}
        onFilter={applyFilter}
      />
      {id !== undefined && (
        <UserDialog key={id} id={String(id)} onClose={() => applyFilter(listFilter, true)} />
      )}
    </>
  );
}
