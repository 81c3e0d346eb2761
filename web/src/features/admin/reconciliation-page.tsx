import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDateTime } from '../../format/date.ts';
import { formatChange, formatCount, formatMoney } from '../../format/money.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import {
  Button,
  classNames,
  FigureCell,
  PageHeader,
  Panel,
  RefreshButton,
  SegmentedControl,
  SelectField,
  SkeletonText,
  useIsNarrow,
} from '../../ui/index.ts';
import { movementsQuery, openItemsQuery, reconciliationQuery, refetchAdminLists } from './admin-queries.ts';
import { DaysList } from './days-list.tsx';
import { ItemsList } from './items-list.tsx';
import { type ReconciliationView, reconciliationFilterFrom, reconciliationViews } from './list-filters.ts';
import { MovementDialog } from './movement-dialog.tsx';
import { MovementsList } from './movements-list.tsx';

/**
 * The reconciliation, which compares the bank's records with our books. Its four views are the open items, that is,
 * discrepancies that an administrator must examine; the closed items; the days that were compared; and the movements of
 * the bank account other than Pix.
 */
export function ReconciliationPage() {
  const { view = 'items', page = 1 } = useSearch(reconciliationFilterFrom);
  const navigate = useNavigate();
  const reconciliation = useQuery(reconciliationQuery);
  const [isMovementDialogOpen, setMovementDialogOpen] = useState(false);
  const showView = (newView: ReconciliationView, newPage = 1) =>
    void navigate({
      to: paths.adminReconciliation,
      search: reconciliationFilterFrom({ view: newView, page: newPage }),
    });
  const showPage = (newPage: number) => showView(view, newPage);
  const content = () => {
    if (view === 'movements') return <MovementsList page={page} onPage={showPage} />;
    if (view !== 'days')
      return <ItemsList key={view} isClosed={view === 'closed'} page={page} onPage={showPage} />;
    if (reconciliation.data === undefined && reconciliation.isError)
      return <LoadFailure place="list" query={reconciliation} title="Erro ao buscar os dias comparados." />;
    return <DaysList days={reconciliation.data?.days} />;
  };
  return (
    <>
      <PageHeader
        title="Conciliação"
        sentence="O que o banco diz, ao lado do que os livros dizem."
        actions={
          <>
            <RefreshButton
              isRefreshing={reconciliation.isFetching}
              onRefresh={() => void refetchAdminLists()}
            />
            <Button
              variant="primary"
              icon={<Plus className="size-4" strokeWidth={1.75} aria-hidden="true" />}
              onClick={() => setMovementDialogOpen(true)}
            >
              Registrar movimento
            </Button>
          </>
        }
      />
      <Figures />
      <div className="mb-3">
        <ViewChoice view={view} onView={(newView) => showView(newView)} />
      </div>
      {content()}
      {isMovementDialogOpen && <MovementDialog onClose={() => setMovementDialogOpen(false)} />}
    </>
  );
}

/** The state of the reconciliation in four figures. They come from three queries, each of which may fail on its own. */
function Figures() {
  const queries = {
    reconciliation: useQuery(reconciliationQuery),
    items: useQuery(openItemsQuery(false, 1)),
    movements: useQuery(movementsQuery(1)),
  };
  const reconciliation = queries.reconciliation.data;
  const items = queries.items.data;
  const movements = queries.movements.data;
  const figureSkeleton = <SkeletonText line="h-6 md:h-7" className="h-5 w-28" />;
  const contextSkeleton = <SkeletonText line="h-4" className="h-3 w-24" />;
  const balance = reconciliation?.balance;
  // The days come newest first.
  const [newestDay] = reconciliation?.days ?? [];
  const cells = [
    {
      query: queries.reconciliation,
      label: 'Diferença de saldo',
      figure: reconciliation && differenceText(balance?.difference),
      context:
        reconciliation &&
        (balance == null ? 'ainda não comparado' : `comparado em ${formatDateTime(balance.compared_at)}`),
    },
    {
      query: queries.items,
      label: 'Itens em aberto',
      figure: items && formatCount(items.total),
      context: items && (items.total === 0 ? 'nada a conferir' : 'esperam por você'),
    },
    {
      query: queries.reconciliation,
      label: 'Último dia comparado',
      figure: reconciliation && (newestDay === undefined ? '—' : formatCalendarDay(newestDay.day)),
      context: reconciliation && dayContext(newestDay),
    },
    {
      query: queries.movements,
      label: 'Tarifas ganhas',
      figure: movements && formatMoney(centsOf(movements.fees_balance)),
      context:
        movements &&
        (movements.fees_balance < 0 ? 'saiu mais do que foi ganho' : 'ganhas e ainda não retiradas'),
    },
  ];
  return (
    <Panel flush className="mb-6" label="Resumo">
      <div
        className={classNames(
          'grid divide-base-300 *:border-base-300 max-md:divide-y md:grid-cols-2 lg:grid-cols-4 lg:divide-x',
          'md:max-lg:*:nth-[n+3]:border-t md:max-lg:*:odd:border-r',
        )}
      >
        {cells.map(({ query, label, figure, context }) => (
          <FigureCell
            key={label}
            row
            label={label}
            figure={figure ?? (query.isError ? '—' : figureSkeleton)}
            context={context ?? (query.isError ? 'não foi possível carregar' : contextSkeleton)}
          />
        ))}
      </div>
    </Panel>
  );
}

function differenceText(difference: number | null | undefined): string {
  return difference == null ? '—' : formatChange(centsOf(difference));
}

function dayContext(day: { differences: number } | undefined): string {
  if (day === undefined) return 'nenhum ainda';
  if (day.differences === 0) return 'sem diferenças';
  return day.differences === 1 ? '1 diferença' : `${formatCount(day.differences)} diferenças`;
}

const viewNames: Readonly<Record<ReconciliationView, string>> = {
  items: 'Em aberto',
  closed: 'Encerrados',
  days: 'Dias',
  movements: 'Movimentos do banco',
};

type ViewChoiceProps = { view: ReconciliationView; onView: (view: ReconciliationView) => void };

function ViewChoice({ view, onView }: ViewChoiceProps) {
  const segments = reconciliationViews.map((value) => ({ value, label: viewNames[value] }));
  if (!useIsNarrow())
    return <SegmentedControl label="O que ver" segments={segments} value={view} onChange={onView} />;
  return (
    <SelectField
      label="O que ver"
      labelHidden
      look="line"
      options={segments}
      value={view}
      onChange={({ currentTarget }) => {
        const chosenView = reconciliationViews.find((value) => value === currentTarget.value);
        if (chosenView !== undefined) onView(chosenView);
      }}
    />
  );
}
