import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { paths } from '../../app/paths.ts';
import { type UsersFilter, usersFilterFrom } from '../../panel/users/users-filter.ts';
import { UsersList } from '../../panel/users/users-list.tsx';
import { UserDialog } from './user-dialog.tsx';

/** Every account, and all that an administrator may change of one. What is shown stands in the address. */
export function AdminUsersPage() {
  const filter: UsersFilter = usersFilterFrom(useSearch({ strict: false }));
  const { id, ...query } = filter;
  const navigate = useNavigate();
  const show = useCallback(
    (next: UsersFilter, replace = false) => void navigate({ to: paths.adminUsers, search: next, replace }),
    [navigate],
  );
  return (
    <>
      <UsersList
        title="Usuários"
        sentence="Contas, tarifas e acesso de cada lojista."
        searched="nome, usuário, e-mail ou documento"
        openLabel="Editar"
        filter={filter}
        onFilter={show}
      />
      {id !== undefined && <UserDialog key={id} id={String(id)} onClose={() => show(query, true)} />}
    </>
  );
}
