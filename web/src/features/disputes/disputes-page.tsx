import { type DisputeStatus, disputeStatuses } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { disputesQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatCount } from '../../format/money.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, LoadFailure, rowsOf } from '../../panel/list-body.tsx';
import { pageCountOf } from '../../panel/url-params.ts';
import { useNow } from '../../panel/use-now.ts';
import {
  Button,
  buttonClass,
  EmptyState,
  PageHeader,
  Pagination,
  SegmentedControl,
  SelectField,
  useIsNarrow,
} from '../../ui/index.ts';
import { type DisputeFilter, disputeFilterFrom } from './dispute-filter.ts';
import { DisputeSkeleton, DisputeView } from './dispute-view.tsx';
import { DisputesTable } from './disputes-table.tsx';
import { HowDisputesWork } from './how-disputes-work.tsx';
import { disputeQuery } from './use-defence.ts';

const MINUTE_MS = 60_000;
const PAGE_SIZE = 10;
const FAILURE_REASSURANCE = 'Nada mudou nas suas disputas por isso.';

/**
 * The merchant's disputes, that is, payers' claims through the banks' special return mechanism (MED), or the one
 * dispute that the URL names.
 */
export function DisputesPage() {
  const filter = useSearch(disputeFilterFrom);
  return filter.id === undefined ? <DisputeList filter={filter} /> : <DisputePage id={filter.id} />;
}

function DisputePage({ id }: { id: string }) {
  const dispute = useQuery(disputeQuery(id));
  const now = useNow(dispute.data?.status === 'open', MINUTE_MS);
  const isNotFound = dispute.error instanceof ApiError && dispute.error.status === 404;
  const content = () => {
    if (dispute.data) return <DisputeView key={id} dispute={dispute.data} now={now} />;
    if (isNotFound)
      return (
        <EmptyState drawing="no-result" title="Disputa não encontrada.">
          Nenhuma disputa da sua conta tem este endereço.
        </EmptyState>
      );
    if (dispute.isError)
      return (
        <LoadFailure query={dispute} title="Erro ao buscar a disputa" reassurance={FAILURE_REASSURANCE} />
      );
    return <DisputeSkeleton />;
  };
  return (
    <>
      <PageHeader
        title="Disputa"
        sentence="O que foi contestado no banco, e o seu lado."
        actions={
          <Link to={paths.disputes} className={buttonClass()}>
            Todas as disputas
          </Link>
        }
      />
      {content()}
    </>
  );
}

const statusLabels: Record<DisputeStatus, string> = {
  open: 'Abertas',
  lost: 'Perdidas',
  won: 'Ganhas',
  cancelled: 'Canceladas',
};

function DisputeList({ filter }: { filter: DisputeFilter }) {
  const navigate = useNavigate();
  const { status, page = 1 } = filter;
  const disputes = useQuery(disputesQuery({ page, pageSize: PAGE_SIZE, ...(status && { status }) }));
  const { data } = disputes;
  const rows = rowsOf(disputes, data?.disputes);
  // Only open disputes show the time left until a deadline, so the clock runs only while there are open disputes.
  const now = useNow((data?.open ?? 0) > 0, MINUTE_MS);
  const applyFilter = (newFilter: DisputeFilter) => void navigate({ to: paths.disputes, search: newFilter });
  const pageCount = pageCountOf({ total: data?.total ?? 0, limit: PAGE_SIZE });
  const firstRow = (page - 1) * PAGE_SIZE + 1;
  const rowRange = `${firstRow}–${firstRow + (rows?.length ?? 0) - 1} de ${formatCount(data?.total ?? 0)}`;
  return (
    <>
      <PageHeader title="Disputas" sentence="Pagamentos que alguém contestou no banco." />
      <StatusFilter
        status={status}
        openCount={data?.open}
        onStatus={(newStatus) => applyFilter(newStatus ? { status: newStatus } : {})}
      />
      <ListBody query={disputes} title="Erro ao buscar disputas" reassurance={FAILURE_REASSURANCE}>
        {rows?.length === 0 ? (
          <div className="border-t border-base-300">
            {status !== undefined || page > 1 ? (
              <EmptyState
                drawing="no-result"
                title="Nada com esse filtro"
                action={<Button onClick={() => applyFilter({})}>Todas as disputas</Button>}
              >
                Nenhuma disputa {status === undefined ? 'nesta página' : statusAdjectives[status]}.
              </EmptyState>
            ) : (
              <EmptyState drawing="all-done" title="Nenhuma disputa">
                Se alguém contestar no banco um Pix seu, ele aparece aqui, com o prazo da sua defesa.
              </EmptyState>
            )}
          </div>
        ) : (
          <>
            <DisputesTable disputes={rows} now={now} onOpen={({ id }) => applyFilter({ id })} />
            {data && rows && pageCount > 1 && (
              <Pagination
                page={page}
                pageCount={pageCount}
                onPage={(newPage) => applyFilter(disputeFilterFrom({ ...filter, page: newPage }))}
                summary={`Disputas ${rowRange}`}
                shortSummary={rowRange}
              />
            )}
          </>
        )}
      </ListBody>
      <HowDisputesWork className="mt-10" />
    </>
  );
}

/** The adjective that describes a single dispute with this status. */
const statusAdjectives: Record<DisputeStatus, string> = {
  open: 'aberta',
  lost: 'perdida',
  won: 'ganha',
  cancelled: 'cancelada',
};

type StatusFilterProps = {
  status: DisputeStatus | undefined;
  /** The number of open disputes; undefined while loading. */
  openCount: number | undefined;
  onStatus: (status: DisputeStatus | undefined) => void;
};

/**
 * The choice of a status. Its five values fit side by side only on wide screens; narrow screens show a select field.
 */
function StatusFilter({ status, openCount, onStatus }: StatusFilterProps) {
  const isNarrow = useIsNarrow();
  const choices = [
    { value: 'all', label: 'Todas' },
    ...disputeStatuses.map((value) => ({ value, label: statusLabels[value] })),
  ];
  const selectStatus = (value: string) => onStatus(disputeStatuses.find((candidate) => candidate === value));
  return (
    <div className="mb-3">
      {isNarrow ? (
        <SelectField
          label="Status"
          labelHidden
          look="line"
          options={choices}
          value={status ?? 'all'}
          onChange={(event) => selectStatus(event.currentTarget.value)}
        />
      ) : (
        <SegmentedControl
          label="Status"
          segments={choices.map((segment) => ({
            ...segment,
            count: segment.value === 'open' && openCount ? formatCount(openCount) : undefined,
          }))}
          value={status ?? 'all'}
          onChange={selectStatus}
        />
      )}
    </div>
  );
}
