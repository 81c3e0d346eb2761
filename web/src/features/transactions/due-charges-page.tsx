import { DUE_CHARGES_MAX_DAYS, listDueCharges } from '@jangada/contract';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback } from 'react';
import { call } from '../../api/client.ts';
import { paths } from '../../app/paths.ts';
import { shiftDay } from '../../format/date.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { ChargesHeader } from '../../panel/charge/charges-header.tsx';
import { ListBody, LoadMore, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { periodInWords } from '../../panel/period.ts';
import { firstOfMonth, PeriodField, type PeriodPreset } from '../../panel/period-field.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { Button, buttonClass, EmptyState, SelectField } from '../../ui/index.ts';
import { DueChargesFigures } from './due-charges-figures.tsx';
import { type DueChargesFilter, dueChargesFilterFrom, dueChargesQueryOf } from './due-charges-filter.ts';
import { DueChargesTable } from './due-charges-table.tsx';
import { ExportDueCharges } from './export-due-charges.tsx';
import { TransactionDialog } from './transaction-dialog.tsx';

const FAILURE = 'Erro ao buscar as cobranças';

/** The charges that have a due date or name whom they are for. The filter is kept in the URL. */
export function DueChargesPage() {
  const filter = useSearch(dueChargesFilterFrom);
  const navigate = useNavigate();
  const isApproved = useSession(isAccountApproved);
  const mayCreate = useMay('create-charges');
  const { id, ...listFilter } = filter;
  const list = useInfiniteQuery(dueChargesQuery(listFilter));
  const pages = list.data?.pages;
  const charges = rowsOf(
    list,
    pages?.flatMap((page) => page.data),
  );
  /** Writes the filter into the URL, from which this page reads it. */
  const setFilter = useCallback(
    (next: DueChargesFilter, { replace = false } = {}) =>
      navigate({ to: paths.dueCharges, search: next, replace }),
    [navigate],
  );
  return (
    <>
      <ChargesHeader
        tab={undefined}
        sentence="O que vence, o que venceu e o que foi pago, pelo nome de quem paga."
        actions={
          <>
            <RefreshQueryButton query={list} failure={FAILURE} />
            {charges !== undefined && charges.length > 0 && <ExportDueCharges filter={listFilter} />}
            {isApproved && mayCreate && (
              <Link to={paths.pixPayment} className={buttonClass({ variant: 'primary' })}>
                <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
                Criar Pagamento
              </Link>
            )}
          </>
        }
      />
      <Filters filter={listFilter} onFilter={setFilter} />
      <ListBody query={list} title={FAILURE} reassurance="Seus dados estão a salvo; nada foi perdido.">
        <DueChargesFigures list={pages?.[0]} isUndated={filter.view === 'undated'} />
        {charges?.length === 0 ? (
          <NothingFound filter={listFilter} onFilter={setFilter} />
        ) : (
          <>
            <DueChargesTable charges={charges} onOpen={(charge) => setFilter({ ...filter, id: charge.id })} />
            <LoadMore query={list} failure={FAILURE} />
          </>
        )}
      </ListBody>
      {id !== undefined && (
        <TransactionDialog
          id={id}
          listedTransactions={undefined}
          onClose={() => setFilter(listFilter, { replace: true })}
        />
      )}
    </>
  );
}

const viewOptions: readonly { value: NonNullable<DueChargesFilter['view']> | 'open'; label: string }[] = [
  { value: 'open', label: 'Em aberto' },
  { value: 'upcoming', label: 'A vencer' },
  { value: 'today', label: 'Vencem hoje' },
  { value: 'overdue', label: 'Vencidas' },
  { value: 'paid', label: 'Pagas' },
  { value: 'ended', label: 'Encerradas' },
  { value: 'all', label: 'Todas' },
  { value: 'undated', label: 'Sem vencimento' },
];

/** What is about to fall due comes first. */
const duePresets: readonly PeriodPreset[] = [
  { label: 'Hoje', period: (today) => ({ from: today, to: today }) },
  { label: 'Próximos 7 dias', period: (today) => ({ from: today, to: shiftDay(today, 6) }) },
  { label: 'Próximos 30 dias', period: (today) => ({ from: today, to: shiftDay(today, 29) }) },
  {
    label: 'Este mês',
    period: (today) => ({ from: firstOfMonth(today), to: shiftDay(firstOfNextMonth(today), -1) }),
  },
  {
    label: 'Mês que vem',
    period: (today) => {
      const from = firstOfNextMonth(today);
      return { from, to: shiftDay(firstOfNextMonth(from), -1) };
    },
  },
  { label: 'Últimos 90 dias', period: (today) => ({ from: shiftDay(today, -89), to: today }) },
];

function firstOfNextMonth(day: string): string {
  return firstOfMonth(shiftDay(firstOfMonth(day), 31));
}

type FiltersProps = {
  filter: DueChargesFilter;
  /** With `replace`, the change adds no entry to the browser's history. */
  onFilter: (next: DueChargesFilter, options?: { replace: boolean }) => void;
};

function Filters({ filter, onFilter }: FiltersProps) {
  return (
    <div className="mb-4 grid grid-cols-2 gap-2 md:flex md:flex-wrap md:items-center">
      <SelectField
        label="Situação"
        labelHidden
        look="line"
        className="md:w-52"
        fieldClassName="md:h-9"
        options={viewOptions}
        value={filter.view ?? 'open'}
        onChange={(event) => {
          const { view: _view, ...rest } = filter;
          onFilter(dueChargesFilterFrom({ ...rest, view: event.currentTarget.value }));
        }}
      />
      <PeriodField
        period={filter}
        emptyLabel="Perto de hoje"
        futurePresets={duePresets}
        longest={{ days: DUE_CHARGES_MAX_DAYS, problem: 'O período vai até um ano.' }}
        onPeriod={(period) => {
          const { from: _from, to: _to, ...rest } = filter;
          onFilter({ ...rest, ...period });
        }}
      />
      <div className="max-md:col-span-2 md:ml-auto">
        <SearchField
          label="Buscar por nome, CPF, CNPJ ou referência"
          placeholder="Nome, CPF, CNPJ ou referência"
          maxLength={100}
          width="md:w-72"
          search={filter.search ?? ''}
          onSearch={(search) => onFilter(dueChargesFilterFrom({ ...filter, search }), { replace: true })}
        />
      </div>
    </div>
  );
}

/** Shown when the filter matches nothing: offers a year around today, or else to clear the filter. */
function NothingFound({ filter, onFilter }: FiltersProps) {
  const { from, to, search, view } = filter;
  const hasPeriod = from !== undefined || to !== undefined;
  if (!hasPeriod && search === undefined && view === undefined)
    return (
      <EmptyState drawing="nothing-yet" title="Nada em aberto por aqui">
        As cobranças que vencem nos próximos 30 dias, ou venceram nos últimos 30, aparecem nesta lista. Crie
        uma em Criar Pagamento, com vencimento e o nome de quem paga.
      </EmptyState>
    );
  return (
    <EmptyState
      drawing="no-result"
      title="Nada com esse filtro"
      action={<Button onClick={() => onFilter({})}>Limpar filtros</Button>}
    >
      Nenhuma cobrança
      {search !== undefined && (
        <>
          {' '}
          com <bdi className="text-base-content">{search}</bdi>
        </>
      )}
      {hasPeriod
        ? ` no período ${periodInWords({ ...(from && { from }), ...(to && { to }) })}`
        : ' com vencimento a até 30 dias de hoje'}
      .
    </EmptyState>
  );
}

/** The list, page by page. The sums come with the first page. */
const dueChargesQuery = (filter: DueChargesFilter) =>
  infiniteQueryOptions({
    queryKey: ['due-charges', filter] as const,
    queryFn: ({ signal, pageParam }) =>
      call(listDueCharges, { query: { ...dueChargesQueryOf(filter), before: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Rows of one view would look like rows of another one.
    placeholderData: (previousData, previousQuery) =>
      previousQuery?.queryKey[1].view === filter.view ? previousData : undefined,
  });
