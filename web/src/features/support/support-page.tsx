import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { paths } from '../../app/paths.ts';
import { type UsersFilter, usersFilterFrom } from '../../panel/users/users-filter.ts';
import { UsersList } from '../../panel/users/users-list.tsx';
import { SupportDialog } from './support-dialog.tsx';

/** Users as the support sees them: documents and e-mails in part, nothing to change. */
export function SupportPage() {
  const filter: UsersFilter = usersFilterFrom(useSearch({ strict: false }));
  const { id, ...query } = filter;
  const navigate = useNavigate();
  const show = useCallback(
    (next: UsersFilter, replace = false) => void navigate({ to: paths.support, search: next, replace }),
    [navigate],
  );
  return (
    <>
      <UsersList
        title="Atendimento"
        sentence="Contas e cobranças dos lojistas, só para consulta. E-mail e documento aparecem em parte."
        searched="nome, usuário, ou e-mail ou documento inteiro"
        openLabel="Ver"
        filter={filter}
        onFilter={show}
      />
      {id !== undefined && <SupportDialog key={id} id={String(id)} onClose={() => show(query, true)} />}
    </>
  );
}
