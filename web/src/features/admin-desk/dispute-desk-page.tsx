import type { AdminDispute } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ApiError } from '../../api/api-error.ts';
import { paths } from '../../app/paths.ts';
import { formatDate, formatTimeLeft } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
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
import { type DisputeDeskFilter, type DisputeView, disputeDeskFilterFrom } from './desk-filter.ts';
import { DeskPages } from './desk-pages.tsx';
import { allDisputesQuery, centsOf, deskDisputeQuery } from './desk-queries.ts';
import { DisputeDeskView } from './dispute-desk-view.tsx';

const FAILURE = 'Erro ao buscar disputas';
const MINUTE_MS = 60_000;

/** The operator's page of disputes: the disputes of all merchants, or the one dispute that the URL names. */
export function DisputeDeskPage() {
  const filter: DisputeDeskFilter = disputeDeskFilterFrom(useSearch({ strict: false }));
  const { id, user } = filter;
  return id === undefined || user === undefined ? (
    <DisputeList filter={filter} />
  ) : (
    <DisputePage userId={String(user)} id={id} />
  );
}

/** One dispute. `userId` is the number of its merchant, or 0 if the dispute belongs to no merchant. */
function DisputePage({ userId, id }: { userId: string; id: string }) {
  const dispute = useQuery(deskDisputeQuery(userId, id));
  const now = useNow(dispute.data?.status === 'open', MINUTE_MS);
  const isNotFound = dispute.error instanceof ApiError && dispute.error.status === 404;
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
      {dispute.data ? (
        <DisputeDeskView dispute={dispute.data} now={now} />
      ) : isNotFound ? (
        <EmptyState drawing="no-result" title="Disputa não encontrada.">
          Nenhuma disputa desse lojista tem este endereço.
        </EmptyState>
      ) : dispute.isError ? (
        <LoadFailure query={dispute} title="Erro ao buscar a disputa" />
      ) : (
        <LoadingRegion>
          <Skeleton className="h-9 w-44" />
          <Skeleton className="mt-5 h-64 w-full max-w-xl" />
        </LoadingRegion>
      )}
    </>
  );
}

const views = [
  { value: 'open', label: 'Abertas' },
  { value: 'closed', label: 'Encerradas' },
] as const satisfies readonly { value: DisputeView; label: string }[];

function DisputeList({ filter }: { filter: DisputeDeskFilter }) {
  const { view = 'open', page = 1 } = filter;
  const navigate = useNavigate();
  const list = useQuery(allDisputesQuery(view, page));
  const { data } = list;
  const disputes = rowsOf(list, data?.disputes);
  const now = useNow(view === 'open', MINUTE_MS);
  const applyFilter = (newFilter: DisputeDeskFilter) =>
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
            <DisputeDeskTable
              disputes={disputes}
              now={now}
              onOpen={({ id, user }) =>
                applyFilter(disputeDeskFilterFrom({ ...filter, id, user: user?.id ?? 0 }))
              }
            />
            {data && disputes && (
              <DeskPages
                noun="Disputas"
                list={data}
                rowCount={disputes.length}
                onPage={(newPage) => applyFilter(disputeDeskFilterFrom({ ...filter, page: newPage }))}
              />
            )}
          </>
        )}
      </ListBody>
    </>
  );
}

type DisputeDeskTableProps = {
  disputes: AdminDispute[] | undefined;
  now: number;
  onOpen: (dispute: AdminDispute) => void;
};

function DisputeDeskTable({ disputes, now, onOpen }: DisputeDeskTableProps) {
  const columns = columnsAt(now);
  return (
    <Table
      label="Disputas"
      columns={columns}
      rows={disputes}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      listRow={(dispute) => ({
        start: <DisputeBadge dispute={dispute} now={now} />,
        startDetail: deadlineOf(dispute, now),
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
      cell: (dispute) => <span className="whitespace-normal">{deadlineOf(dispute, now)}</span>,
      skeleton: 'w-24',
    },
  ];
}

/** The blocked amount, and below it the shortfall: the part of the disputed amount that the balance could not cover. */
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
export function DisputeBadge({ dispute, now }: { dispute: AdminDispute; now: number }) {
  const { status, defended_at: defendedAt, deadline } = dispute;
  const { glyph, label } = phaseBadges[phaseOf({ status, defendedAt, deadline }, now)];
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

function deadlineOf(dispute: AdminDispute, now: number): string {
  if (dispute.status !== 'open') return `encerrada em ${formatDate(dispute.resolved_at)}`;
  if (dispute.defended_at !== null) return `defendida em ${formatDate(dispute.defended_at)}`;
  return formatTimeLeft(dispute.deadline, now) ?? 'prazo encerrado';
}
