import type { ApprovalRequest } from '@jangada/contract';
import { formatDate, formatTimeLeft } from '../../format/date.ts';
import { isWaiting } from '../../panel/approvals/approvals-queries.ts';
import { type Column, Glyph, StatusBadge, Table } from '../../ui/index.ts';
import { badgeOf } from './approval-words.ts';

type ApprovalsTableProps = {
  label: string;
  /** True for requests that ended, of which the table says when. */
  isEnded?: boolean;
  /** Undefined while loading. */
  requests: ApprovalRequest[] | undefined;
  now: number;
  onOpen: (request: ApprovalRequest) => void;
};

/** Requests for approval: what was asked for and by whom, how many approved, and until when they may. */
export function ApprovalsTable({ label, isEnded = false, requests, now, onOpen }: ApprovalsTableProps) {
  const columns: readonly Column<ApprovalRequest>[] = [
    {
      key: 'request',
      head: 'Pedido',
      cell: (request) => (
        <span className="block max-w-136 py-2 whitespace-normal">
          <span className="font-medium wrap-anywhere">{request.summary}</span>
          <span className="block text-xs text-muted">{makerText(request)}</span>
          <UnusualMark request={request} />
        </span>
      ),
      width: 'w-[46%]',
      skeleton: 'w-64',
    },
    {
      key: 'approvals',
      head: 'Aprovações',
      cell: (request) => countText(request),
      tone: 'muted',
      width: 'w-[12%]',
      skeleton: 'w-12',
    },
    {
      key: 'status',
      head: 'Status',
      cell: (request) => <Status request={request} now={now} />,
      width: 'w-[18%]',
      skeleton: 'h-5.5 w-28',
    },
    {
      key: 'deadline',
      head: isEnded ? 'Terminou em' : 'Prazo',
      cell: (request) => <span className="whitespace-normal">{deadlineText(request, now)}</span>,
      align: 'end',
      tone: 'muted',
      width: 'w-[14%]',
      skeleton: 'w-24',
    },
  ];
  return (
    <Table
      label={label}
      columns={columns}
      rows={requests}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      openLabel="Detalhes"
      narrowRowContent={(request) => ({
        start: <span className="wrap-anywhere">{request.summary}</span>,
        startDetail: makerText(request),
        end: <Status request={request} now={now} />,
        endDetail: isWaiting(request)
          ? `${countText(request)} · ${deadlineText(request, now)}`
          : `em ${deadlineText(request, now)}`,
      })}
    />
  );
}

function Status({ request, now }: { request: ApprovalRequest; now: number }) {
  const { glyph, label } = badgeOf(request, now);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

function UnusualMark({ request }: { request: ApprovalRequest }) {
  if (request.unusual.length === 0 || !isWaiting(request)) return null;
  return (
    <span className="mt-0.5 flex items-center gap-1 text-xs text-warning">
      <Glyph name="waiting" className="size-3.5" />
      Fora do comum
    </span>
  );
}

function makerText({ maker, is_maker, created_at }: ApprovalRequest): string {
  const person = is_maker ? 'você' : (maker?.name ?? 'uma chave de API');
  return `por ${person}, em ${formatDate(created_at)}`;
}

/** `1 de 2`. */
export function countText({ approvals, needed }: Pick<ApprovalRequest, 'approvals' | 'needed'>): string {
  // A first policy needs none: before it nobody could approve.
  if (needed === 0) return '—';
  return `${approvals.length} de ${Math.max(needed, approvals.length)}`;
}

function deadlineText(request: ApprovalRequest, now: number): string {
  if (request.ended_at !== null) return formatDate(request.ended_at);
  return formatTimeLeft(request.expires_at, now) ?? 'prazo encerrado';
}
