import type { AdminDispute } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../api/api-error.ts';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatDate, formatTimeLeft } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { phaseBadges, phaseOf } from '../../panel/dispute/dispute-parts.tsx';
import { ListBody, LoadFailure, RefreshQueryButton, rowsOf } from '../../panel/list-body.tsx';
import { useNow } from '../../panel/use-now.ts';
import {
  buttonClass,
  Code,
  type Column,
  EmptyState,
  LoadingRegion,
  PageHeader,
  SegmentedControl,
  Skeleton,
  StatusBadge,
  Table,
} from '../../ui/index.ts';
import { AdminPagination } from './admin-pagination.tsx';
import { adminDisputeQuery, adminDisputesQuery } from './admin-queries.ts';
import { AdminDisputeView } from './dispute-view.tsx';
import { type AdminDisputesFilter, adminDisputesFilterFrom, type DisputeView } from './list-filters.ts';

const FAILURE = 'Erro ao buscar disputas';
const MINUTE_MS = 60_000;

/**
 * The administrators' page of disputes: those of all merchants, or the one that the URL names. A dispute is a payer's
 * claim through the banks' special return mechanism (MED), for which the disputed amount is blocked in the merchant's
 * balance.
 */
export function AdminDisputesPage() {
  const filter = useSearch(adminDisputesFilterFrom);
  const { id, user } = filter;
  return id === undefined || user === undefined ? (
    <DisputeList filter={filter} />
  ) : (
    <DisputePage userId={String(user)} id={id} />
  );
}

/** One dispute. `userId` is the number of its merchant, or 0 if the disputed Pix belongs to no merchant. */
function DisputePage({ userId, id }: { userId: string; id: string }) {
  const dispute = useQuery(adminDisputeQuery(userId, id));
  const now = useNow(dispute.data?.status === 'open', MINUTE_MS);
  const isNotFound = dispute.error instanceof ApiError && dispute.error.status === 404;
  const content = () => {
    if (dispute.data) return <AdminDisputeView dispute={dispute.data} now={now} />;
    if (isNotFound)
      return (
        <EmptyState drawing="no-result" title="Disputa não encontrada.">
          Nenhuma disputa desse lojista tem este endereço.
        </EmptyState>
      );
    if (dispute.isError) return <LoadFailure query={dispute} title="Erro ao buscar a disputa" />;
    return (
      <LoadingRegion>
        <Skeleton className="h-9 w-44" />
        <Skeleton className="mt-5 h-64 w-full max-w-xl" />
      </LoadingRegion>
    );
  };
  return (
    <>
      <PageHeader
        title="Disputa"
        sentence="O que foi contestado no banco, e a defesa do lojista."
        actions={
          <Link to={paths.adminDisputes} className={buttonClass()}>
            Todas as disputas
          </Link>
        }
      />
      {content()}
    </>
  );
}

const views = [
  { value: 'open', label: 'Abertas' },
  { value: 'closed', label: 'Encerradas' },
] as const satisfies readonly { value: DisputeView; label: string }[];

function DisputeList({ filter }: { filter: AdminDisputesFilter }) {
  const { view = 'open', page = 1 } = filter;
  const navigate = useNavigate();
  const list = useQuery(adminDisputesQuery(view, page));
  const { data } = list;
  const disputes = rowsOf(list, data?.disputes);
  const now = useNow(view === 'open', MINUTE_MS);
  const applyFilter = (newFilter: AdminDisputesFilter) =>
    void navigate({ to: paths.adminDisputes, search: newFilter });
  return (
    <>
      <PageHeader
        title="Disputas dos lojistas"
        sentence="O que pagadores contestaram no banco, pelo prazo."
        actions={<RefreshQueryButton query={list} failure={FAILURE} />}
      />
      <div className="mb-3">
        <SegmentedControl
          label="Quais"
          segments={views}
          value={view}
          onChange={(newView) => applyFilter(newView === 'open' ? {} : { view: newView })}
        />
      </div>
      <ListBody query={list} title={FAILURE}>
        {disputes?.length === 0 ? (
          <EmptyState
            className="border-t border-base-300"
            drawing="all-done"
            title={view === 'open' ? 'Nenhuma disputa aberta' : 'Nenhuma disputa encerrada'}
          >
            {view === 'open'
              ? 'Se alguém contestar no banco um Pix de um lojista, ele aparece aqui, com o prazo.'
              : 'O que o banco decidir fica aqui.'}
          </EmptyState>
        ) : (
          <>
            <DisputesTable
              disputes={disputes}
              now={now}
              onOpen={({ id, user }) =>
                applyFilter(adminDisputesFilterFrom({ ...filter, id, user: user?.id ?? 0 }))
              }
            />
            {data && disputes && (
              <AdminPagination
                noun="Disputas"
                list={data}
                rowCount={disputes.length}
                onPage={(newPage) => applyFilter(adminDisputesFilterFrom({ ...filter, page: newPage }))}
              />
            )}
          </>
        )}
      </ListBody>
    </>
  );
}

type DisputesTableProps = {
  disputes: AdminDispute[] | undefined;
  now: number;
  onOpen: (dispute: AdminDispute) => void;
};

function DisputesTable({ disputes, now, onOpen }: DisputesTableProps) {
  const columns = columnsAt(now);
  return (
    <Table
      label="Disputas"
      columns={columns}
      rows={disputes}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(dispute) => ({
        start: <DisputeBadge dispute={dispute} now={now} />,
        startDetail: deadlineText(dispute, now),
        end: formatMoney(centsOf(dispute.amount)),
        endDetail: (
          <span className="block max-w-[11rem] truncate">{dispute.user?.name ?? 'Ninguém ainda'}</span>
        ),
      })}
    />
  );
}

function columnsAt(now: number): readonly Column<AdminDispute>[] {
  return [
    {
      key: 'user',
      head: 'Lojista',
      cell: ({ user, end_to_end_id }) => (
        <span className="block py-2">
          <span className="block max-w-40 truncate font-medium lg:max-w-52 xl:max-w-64" title={user?.name}>
            {user?.name ?? 'Ninguém ainda'}
          </span>
          <span className="block max-w-40 truncate lg:max-w-52 xl:max-w-64">
            <Code className="text-muted">{end_to_end_id}</Code>
          </span>
        </span>
      ),
      skeleton: 'w-36',
    },
    {
      key: 'amount',
      head: 'Contestado',
      cell: ({ amount }) => formatMoney(centsOf(amount)),
      align: 'end',
      tone: 'strong',
    },
    {
      key: 'blocked',
      head: 'Bloqueado',
      cell: (dispute) => <Blocked {...dispute} />,
      align: 'end',
      tone: 'muted',
    },
    {
      key: 'status',
      head: 'Status',
      cell: (dispute) => (
        <span className="lg:pl-6">
          <DisputeBadge dispute={dispute} now={now} />
        </span>
      ),
      width: 'lg:pl-10!',
      skeleton: 'h-5.5 w-24 lg:ml-6',
    },
    {
      key: 'deadline',
      head: 'Prazo',
      cell: (dispute) => <span className="whitespace-normal">{deadlineText(dispute, now)}</span>,
      skeleton: 'w-24',
    },
  ];
}

/** The blocked amount, and below it the shortfall: the part of the disputed amount that the balance did not cover. */
function Blocked({ status, blocked_amount, shortfall_amount }: AdminDispute) {
  if (status !== 'open' && blocked_amount === 0) return '—';
  return (
    <>
      {formatMoney(centsOf(blocked_amount))}
      {shortfall_amount > 0 && (
        <span className="block text-xs text-warning">faltam {formatMoney(centsOf(shortfall_amount))}</span>
      )}
    </>
  );
}

/** The badge that shows what an open dispute waits for, or how a closed dispute ended. */
function DisputeBadge({ dispute, now }: { dispute: AdminDispute; now: number }) {
  const { status, defended_at: defendedAt, deadline } = dispute;
  const { glyph, label } = phaseBadges[phaseOf({ status, defendedAt, deadline }, now)];
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

/** The time left to send a defence, or when the dispute was defended or closed. */
function deadlineText(dispute: AdminDispute, now: number): string {
  if (dispute.status !== 'open') return `encerrada em ${formatDate(dispute.resolved_at)}`;
  if (dispute.defended_at !== null) return `defendida em ${formatDate(dispute.defended_at)}`;
  return formatTimeLeft(dispute.deadline, now) ?? 'prazo encerrado';
}
