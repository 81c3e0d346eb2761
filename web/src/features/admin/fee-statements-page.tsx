import type { AdminFeeStatement, AdminFeeStatementsPage as StatementsPage } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCount, formatMoney } from '../../format/money.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { Button, EmptyState, PageHeader, SelectField } from '../../ui/index.ts';
import { AdminPagination } from './admin-pagination.tsx';
import { adminFeesQuery } from './admin-queries.ts';
import { FeeStatementDetail } from './fee-statement-detail.tsx';
import {
  type AdminFeesFilter,
  adminFeesFilterFrom,
  FEE_SEARCH_MAX_LENGTH,
  feeViews,
} from './fee-statements-filter.ts';
import { FeeStatementsTable } from './fee-statements-table.tsx';

const FAILURE = 'Erro ao buscar as faturas.';

/** The administrators' page of the fee statements of all merchants who are paid into accounts of their own. */
export function AdminFeeStatementsPage() {
  const filter = useSearch(adminFeesFilterFrom);
  const { page = 1, ...selection } = filter;
  const navigate = useNavigate();
  const list = useQuery(adminFeesQuery(filter));
  const { data } = list;
  const [selected, setSelected] = useState<AdminFeeStatement>();
  const rows = rowsOf(list, data?.statements);
  const show = (search: AdminFeesFilter, replace = false) =>
    void navigate({ to: paths.adminFeeStatements, search: adminFeesFilterFrom(search), replace });
  const isFiltered = Object.keys(selection).length > 0 || page > 1;
  return (
    <>
      <PageHeader
        title="Faturas de tarifas"
        sentence={sentenceOf(data)}
        actions={<RefreshQueryButton query={list} failure={FAILURE} />}
      />
      <Filters filter={selection} overdue={data?.overdue} onFilter={show} />
      <ListBody query={list} title={FAILURE}>
        {rows?.length === 0 ? (
          <EmptyState
            className="border-t border-base-300"
            drawing={isFiltered ? 'no-result' : 'nothing-yet'}
            title={isFiltered ? 'Nenhuma fatura assim' : 'Nenhuma fatura ainda'}
            action={isFiltered ? <Button onClick={() => show({})}>Limpar filtros</Button> : undefined}
          >
            {isFiltered
              ? undefined
              : 'No primeiro dia do mês, as tarifas de quem recebe em conta própria viram faturas.'}
          </EmptyState>
        ) : (
          <>
            <FeeStatementsTable statements={rows} onOpen={setSelected} />
            {data && rows && (
              <AdminPagination
                noun="Faturas"
                list={data}
                rowCount={rows.length}
                onPage={(newPage) => show({ ...selection, page: newPage })}
              />
            )}
          </>
        )}
      </ListBody>
      {selected !== undefined && (
        <FeeStatementDetail
          statement={rows?.find(({ id }) => id === selected.id) ?? selected}
          onClose={() => setSelected(undefined)}
        />
      )}
    </>
  );
}

function sentenceOf(data: StatementsPage | undefined): string {
  if (data === undefined || data.open_amount === 0)
    return 'O que devem os lojistas que recebem em conta própria.';
  const open = `${formatMoney(centsOf(data.open_amount))} em aberto`;
  if (data.overdue === 0) return `${open}, nada vencido.`;
  return data.overdue === 1
    ? `${open}, 1 fatura vencida.`
    : `${open}, ${formatCount(data.overdue)} faturas vencidas.`;
}

const viewLabels = { open: 'Em aberto', overdue: 'Vencidas', paid: 'Pagas' } as const;

type FiltersProps = {
  filter: AdminFeesFilter;
  overdue: number | undefined;
  onFilter: (filter: AdminFeesFilter, replace?: boolean) => void;
};

function Filters({ filter, overdue, onFilter }: FiltersProps) {
  const options = [
    { value: '', label: 'Todas as situações' },
    ...feeViews.map((value) => ({
      value,
      label:
        value === 'overdue' && overdue ? `${viewLabels[value]} (${formatCount(overdue)})` : viewLabels[value],
    })),
  ];
  return (
    <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2 max-md:*:w-full">
      <SearchField
        label="Buscar por lojista ou número"
        placeholder="Lojista ou número"
        maxLength={FEE_SEARCH_MAX_LENGTH}
        width="md:w-72"
        search={filter.search ?? ''}
        onSearch={(search) => onFilter({ ...filter, search }, true)}
      />
      <SelectField
        label="Situação"
        labelHidden
        look="line"
        fieldClassName="md:h-9"
        options={options}
        value={filter.status ?? ''}
        onChange={({ currentTarget }) => {
          const { status: _status, ...others } = filter;
          const status = feeViews.find((candidate) => candidate === currentTarget.value);
          onFilter({ ...others, ...(status !== undefined && { status }) });
        }}
      />
    </div>
  );
}
