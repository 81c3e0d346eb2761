import type { PageModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { formatCount } from '../../format/money.ts';
import { Button, EmptyState, PageHeader, Pagination } from '../../ui/index.ts';
import { ListBody, RefreshQueryButton, rowsOf } from '../list-body.tsx';
import { SearchField } from '../search-field.tsx';
import { pageCountOf } from '../url-params.ts';
import { LAST_USERS_PAGE, SEARCH_MAX_LENGTH, type UsersFilter, usersFilterFrom } from './users-filter.ts';
import { usersQuery } from './users-query.ts';
import { UsersTable } from './users-table.tsx';

const FAILURE = 'Erro ao carregar usuários';

type UsersListProps = {
  title: string;
  sentence: string;
  /** The fields that the search covers, in words: "nome, usuário ou e-mail". */
  searchedFields: string;
  /** The label of the button that opens a user. */
  openLabel: string;
  /** A further filter control, shown beside the search. */
  extraFilter?: ReactNode;
  filter: UsersFilter;
  /** Changes the filter in the URL. With `replace`, the browser's history gets no new entry. */
  onFilter: (filter: UsersFilter, replace?: boolean) => void;
};

/** All accounts, newest first, or only those that match the search. */
export function UsersList(props: UsersListProps) {
  const { title, sentence, searchedFields, openLabel, extraFilter, filter, onFilter } = props;
  const { id: _id, ...listFilter } = filter;
  const page = filter.page ?? 1;
  const list = useQuery(usersQuery(listFilter));
  const users = rowsOf(list, list.data?.items);
  const pageCount = list.data === undefined ? 1 : pageCountOf(list.data, LAST_USERS_PAGE);
  const isBeyondEnd = !list.isPlaceholderData && users?.length === 0 && page > pageCount;
  // A page that no longer exists, as in an old link, is replaced with the last page.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed filter alone must not change the page
  useEffect(() => {
    if (isBeyondEnd) onFilter(usersFilterFrom({ ...filter, page: pageCount }), true);
  }, [isBeyondEnd]);

  return (
    <>
      <PageHeader
        title={title}
        sentence={sentence}
        actions={<RefreshQueryButton query={list} failure={FAILURE} />}
      />
      <div className="mb-3 flex flex-wrap items-center gap-x-6 gap-y-2 *:first:grow md:*:first:grow-0">
        <SearchField
          label={`Buscar por ${searchedFields}`}
          placeholder={searchedFields.charAt(0).toLocaleUpperCase('pt-BR') + searchedFields.slice(1)}
          maxLength={SEARCH_MAX_LENGTH}
          width="md:w-90"
          search={filter.search ?? ''}
          // The filter keeps the id, so that a user who was opened before the search started stays open.
          onSearch={(search) => onFilter(usersFilterFrom({ ...filter, search, page: undefined }), true)}
        />
        {extraFilter}
      </div>
      <ListBody query={list} title={FAILURE} reassurance="Nada foi alterado.">
        {users?.length === 0 && !isBeyondEnd ? (
          <EmptyState
            className="border-t border-base-300"
            drawing="no-result"
            title="Nenhum usuário encontrado"
            action={
              <Button onClick={() => onFilter({})}>{filter.search ? 'Limpar busca' : 'Ver todos'}</Button>
            }
          >
            {filter.search
              ? `Nada combina com “${filter.search}”. Confira o que foi digitado, ou busque por menos.`
              : 'Ninguém pediu o encerramento da conta.'}
          </EmptyState>
        ) : (
          <>
            <UsersTable
              users={users}
              openLabel={openLabel}
              onOpen={({ id }) => onFilter(usersFilterFrom({ ...filter, id }))}
            />
            {list.data && users && (
              <Pagination
                page={page}
                pageCount={pageCount}
                onPage={(next) => onFilter(usersFilterFrom({ ...listFilter, page: next }))}
                summary={`Usuários ${rangeOf(page, list.data)}`}
                shortSummary={rangeOf(page, list.data)}
              />
            )}
          </>
        )}
      </ListBody>
    </>
  );
}

/** `1–100 de 1.405`. */
function rangeOf(page: number, { items, total, limit }: PageModel<unknown>): string {
  const first = (page - 1) * limit + 1;
  return `${formatCount(first)}–${formatCount(first + items.length - 1)} de ${formatCount(total)}`;
}
