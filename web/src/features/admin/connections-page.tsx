import { type ConnectionState, connectionStates } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { paths } from '../../app/paths.ts';
import { formatCount } from '../../format/money.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { stateLabels } from '../../panel/bank/connection-words.ts';
import { ListBody, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { Button, EmptyState, PageHeader, SegmentedControl, SelectField } from '../../ui/index.ts';
import { AdminPagination } from './admin-pagination.tsx';
import { adminConnectionsQuery } from './admin-queries.ts';
import { AdminConnectionDetail } from './connection-detail.tsx';
import {
  type AdminConnectionsFilter,
  adminConnectionsFilterFrom,
  CONNECTION_SEARCH_MAX_LENGTH,
} from './connections-filter.ts';
import { AdminConnectionsTable } from './connections-table.tsx';

const FAILURE = 'Erro ao buscar as contas bancárias.';
const POLL_MS = 30_000;

/** The administrators' page of all accounts that merchants have connected at banks. */
export function AdminConnectionsPage() {
  const filter = useSearch(adminConnectionsFilterFrom);
  const { id: selectedId, page = 1, ...selection } = filter;
  const navigate = useNavigate();
  const list = useQuery({ ...adminConnectionsQuery(filter), refetchInterval: POLL_MS });
  const { data } = list;
  const rows = rowsOf(list, data?.connections);
  const selected = rows?.find(({ id }) => id === String(selectedId));
  const show = (search: AdminConnectionsFilter, replace = false) =>
    void navigate({ to: paths.adminConnections, search: adminConnectionsFilterFrom(search), replace });
  const isFiltered = Object.keys(selection).length > 0;
  return (
    <>
      <PageHeader
        title="Contas bancárias"
        sentence={sentenceOf(data?.broken)}
        actions={<RefreshQueryButton query={list} failure={FAILURE} />}
      />
      <Filters filter={selection} broken={data?.broken} onFilter={show} />
      <ListBody query={list} title={FAILURE}>
        {rows?.length === 0 ? (
          <EmptyState
            className="border-t border-base-300"
            drawing={isFiltered || page > 1 ? 'no-result' : 'nothing-yet'}
            title={isFiltered || page > 1 ? 'Nenhuma conta assim' : 'Nenhuma conta conectada'}
            action={
              isFiltered || page > 1 ? <Button onClick={() => show({})}>Limpar filtros</Button> : undefined
            }
          >
            {isFiltered || page > 1
              ? undefined
              : 'As contas que os lojistas conectarem aparecem aqui, com o que cada banco responde.'}
          </EmptyState>
        ) : (
          <>
            <AdminConnectionsTable connections={rows} onOpen={({ id }) => show({ ...filter, id })} />
            {data && rows && (
              <AdminPagination
                noun="Contas"
                list={data}
                rowCount={rows.length}
                onPage={(newPage) => show({ ...selection, page: newPage })}
              />
            )}
          </>
        )}
      </ListBody>
      {selected !== undefined && (
        <AdminConnectionDetail connection={selected} onClose={() => show({ ...selection, page })} />
      )}
    </>
  );
}

function sentenceOf(broken: number | undefined): string {
  if (broken === undefined || broken === 0) return 'As contas dos lojistas, nas quais o dinheiro cai direto.';
  return broken === 1
    ? 'Em 1 conta nada funciona agora.'
    : `Em ${formatCount(broken)} contas nada funciona agora.`;
}

type FiltersProps = {
  filter: AdminConnectionsFilter;
  broken: number | undefined;
  onFilter: (filter: AdminConnectionsFilter, replace?: boolean) => void;
};

function Filters({ filter, broken, onFilter }: FiltersProps) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 max-md:*:w-full">
      <SearchField
        label="Buscar por lojista, banco ou chave"
        placeholder="Lojista, banco ou chave"
        maxLength={CONNECTION_SEARCH_MAX_LENGTH}
        width="md:w-72"
        search={filter.search ?? ''}
        onSearch={(search) => onFilter({ ...filter, search }, true)}
      />
      <SelectField
        label="Estado"
        labelHidden
        look="line"
        fieldClassName="md:h-9"
        options={stateOptions}
        value={filter.state ?? ''}
        onChange={({ currentTarget }) => {
          const { state: _state, ...others } = filter;
          const state = connectionStates.find((candidate) => candidate === currentTarget.value);
          onFilter({ ...others, ...(state !== undefined && { state }) });
        }}
      />
      <SegmentedControl
        label="Quais"
        segments={[
          { value: 'all', label: 'Todas' },
          {
            value: 'broken',
            label: 'Com falha',
            count: broken === undefined ? undefined : formatCount(broken),
          },
        ]}
        value={filter.broken ? 'broken' : 'all'}
        onChange={(value) => {
          const { broken: _broken, ...others } = filter;
          onFilter({ ...others, ...(value === 'broken' && { broken: true as const }) });
        }}
      />
    </div>
  );
}

const stateOptions = [
  { value: '', label: 'Todos os estados' },
  ...connectionStates.map((state: ConnectionState) => ({ value: state, label: stateLabels[state] })),
];
