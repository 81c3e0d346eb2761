import { useCallback } from 'react';
import { paths } from '../../app/paths.ts';
import { firstName } from '../../format/person-name.ts';
import { Link, useNavigate } from '../../navigation/index.ts';
import { SearchField } from '../../panel/search-field.tsx';
import { SEARCH_MAX_LENGTH, usersFilterFrom } from '../../panel/users/users-filter.ts';
import { useSession } from '../../session/session.ts';
import { PageHeader, Panel } from '../../ui/index.ts';

/** The support's start page: a search for a user. */
export function SupportStartPage() {
  const name = useSession(({ user }) => user?.name ?? '');
  const navigate = useNavigate();
  const openSearch = useCallback(
    (text: string) => {
      if (text !== '') void navigate({ to: paths.support, search: usersFilterFrom({ search: text }) });
    },
    [navigate],
  );
  return (
    <>
      <PageHeader
        title={`Olá, ${firstName(name)}`}
        sentence="Contas e cobranças dos lojistas, só para consulta."
      />
      <Panel>
        <p className="mb-3 font-strong">Quem você procura?</p>
        <SearchField
          label="Buscar um usuário"
          placeholder="Nome, usuário, ou e-mail ou documento inteiro"
          maxLength={SEARCH_MAX_LENGTH}
          width="md:w-96"
          search=""
          onSearch={openSearch}
        />
        <Link to={paths.support} className="link mt-4 inline-block">
          Ver todos os usuários
        </Link>
      </Panel>
    </>
  );
}
