import type { WithdrawalStatus } from '@jangada/contract';
import { ArrowUpRight } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { pageCountOf } from '../../panel/url-params.ts';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  PageHeader,
  SegmentedControl,
  SelectField,
  useIsNarrow,
} from '../../ui/index.ts';
import { type HistoryFilter, historyFilterFrom, replacementPage } from './history-filter.ts';
import { PreviousNextButtons } from './previous-next-buttons.tsx';
import { useWithdrawals } from './use-withdrawals.ts';
import { WithdrawalDetail } from './withdrawal-detail.tsx';
import { WithdrawalsTable } from './withdrawals-table.tsx';

const FAILURE = 'Erro ao buscar saques.';

/** All withdrawals, ten per page. The filter is kept in the URL. */
export function WithdrawalHistoryPage() {
  const filter = useSearch(historyFilterFrom);
  const navigate = useNavigate();
  const isAccountReady = useSession(isAccountApproved);
  const mayWithdraw = useMay('withdraw');
  const isApproved = isAccountReady && mayWithdraw;
  const list = useWithdrawals(filter);

  /** Writes the filter into the URL, from which this page reads it. */
  const setFilter = useCallback(
    (next: HistoryFilter, { replace = false } = {}) =>
      navigate({ to: paths.withdrawalHistory, search: next, replace }),
    [navigate],
  );
  const lastPage = list.isPlaceholderData ? undefined : list.data && replacementPage(filter, list.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reacts to a page beyond the end, not to a changed filter
  useEffect(() => {
    if (lastPage !== undefined)
      void setFilter(historyFilterFrom({ ...filter, page: lastPage }), { replace: true });
  }, [lastPage]);
  const withdrawals = rowsOf(list, list.data?.withdrawals);

  return (
    <>
      <HistoryHeader list={list} isApproved={isApproved} />
      <div className="mb-3">
        <StatusFilter
          value={filter.status ?? 'all'}
          onChange={(status) => setFilter(status === 'all' ? {} : { status })}
        />
      </div>
      <ListBody query={list} title={FAILURE} reassurance="Seus saques continuam como estavam.">
        {withdrawals?.length === 0 && lastPage === undefined ? (
          <NoWithdrawal filter={filter} canWithdraw={isApproved} onClear={() => setFilter({})} />
        ) : (
          <>
            <WithdrawalsTable withdrawals={withdrawals} onOpen={({ id }) => setFilter({ ...filter, id })} />
            {list.data && withdrawals && (
              <PreviousNextButtons
                page={filter.page ?? 1}
                pageCount={pageCountOf(list.data)}
                onPage={(page) => setFilter(historyFilterFrom({ ...filter, id: undefined, page }))}
              />
            )}
          </>
        )}
      </ListBody>
      {filter.id !== undefined && (
        <WithdrawalDetail
          key={filter.id}
          id={filter.id}
          listedWithdrawal={withdrawals?.find(({ id }) => id === filter.id)}
          onClose={() => {
            const { id: _id, ...listFilter } = filter;
            setFilter(listFilter, { replace: true });
          }}
        />
      )}
    </>
  );
}

function HistoryHeader({
  list,
  isApproved,
}: {
  list: ReturnType<typeof useWithdrawals>;
  isApproved: boolean;
}) {
  return (
    <PageHeader
      title="Histórico de Saques"
      sentence="Para onde foi cada saque, e quando."
      actions={
        <>
          <RefreshQueryButton query={list} failure={FAILURE} />
          {isApproved && (
            <Link to={paths.withdrawals} className={buttonClass({ variant: 'primary' })}>
              <ArrowUpRight className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
              Sacar
            </Link>
          )}
        </>
      }
    />
  );
}

type FilterValue = WithdrawalStatus | 'all';

const statusOptions = [
  { value: 'all', label: 'Todos' },
  { value: 'pending', label: 'Pendente' },
  { value: 'processing', label: 'Processando' },
  { value: 'completed', label: 'Concluído' },
  { value: 'failed', label: 'Falhou' },
] as const satisfies readonly { value: FilterValue; label: string }[];

type StatusFilterProps = { value: FilterValue; onChange: (value: FilterValue) => void };

/**
 * The choice of a status. Its five values fit side by side only on wide screens; on narrow ones they are in a select.
 */
function StatusFilter({ value, onChange }: StatusFilterProps) {
  if (!useIsNarrow())
    return <SegmentedControl label="Status" segments={statusOptions} value={value} onChange={onChange} />;
  return (
    <SelectField
      label="Status"
      labelHidden
      look="line"
      options={statusOptions}
      value={value}
      onChange={({ currentTarget }) => {
        const option = statusOptions.find((candidate) => candidate.value === currentTarget.value);
        if (option !== undefined) onChange(option.value);
      }}
    />
  );
}

type NoWithdrawalProps = { filter: HistoryFilter; canWithdraw: boolean; onClear: () => void };

function NoWithdrawal({ filter, canWithdraw, onClear }: NoWithdrawalProps) {
  const isFiltered = filter.status !== undefined;
  const clearButton = <Button onClick={onClear}>Limpar filtro</Button>;
  const withdrawLink = canWithdraw && (
    <Link to={paths.withdrawals} className={buttonClass({ variant: 'primary' })}>
      <ArrowUpRight className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      Solicitar Saque
    </Link>
  );
  return (
    <EmptyState
      className="border-t border-base-300"
      drawing={isFiltered ? 'no-result' : 'no-withdrawals'}
      title="Nenhum saque encontrado"
      action={isFiltered ? clearButton : withdrawLink}
    >
      {isFiltered
        ? 'Nenhum saque está com esse status agora.'
        : 'Seu saldo espera em terra. Quando sacar, o caminho do dinheiro fica registrado aqui.'}
    </EmptyState>
  );
}
