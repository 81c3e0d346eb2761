import type { DisputeModel } from '@jangada/contract';
import { formatDate, formatTimeLeft } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { phaseBadges, phaseOf } from '../../panel/dispute/dispute-parts.tsx';
import { Code, type Column, StatusBadge, Table } from '../../ui/index.ts';

type DisputesTableProps = {
  /** Undefined while loading. */
  disputes: DisputeModel[] | undefined;
  now: number;
  onOpen: (dispute: DisputeModel) => void;
};

/**
 * The table of disputes, that is, of payers' claims at their banks: the disputed amount, the part of that amount which
 * is blocked in the merchant's balance, and the deadline for a defence.
 */
export function DisputesTable({ disputes, now, onOpen }: DisputesTableProps) {
  const columns: readonly Column<DisputeModel>[] = [
    {
      key: 'payment',
      head: 'Pagamento',
      cell: ({ paymentId, openedAt }) => (
        <span className="block py-2">
          {paymentId === null ? '—' : <Code>{shortId(paymentId)}</Code>}
          <span className="block text-xs whitespace-normal text-muted">aberta em {formatDate(openedAt)}</span>
        </span>
      ),
      skeleton: 'w-28',
    },
    {
      key: 'amount',
      head: 'Contestado',
      cell: ({ amountCents }) => formatMoney(amountCents),
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
      cell: (dispute) => <Status dispute={dispute} now={now} />,
      skeleton: 'h-5.5 w-24',
    },
    {
      key: 'deadline',
      head: 'Prazo',
      cell: (dispute) => <span className="whitespace-normal">{deadlineText(dispute, now)}</span>,
      skeleton: 'w-24',
    },
  ];
  return (
    <Table
      label="Disputas"
      columns={columns}
      rows={disputes}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      openLabel="Detalhes"
      narrowRowContent={(dispute) => ({
        start: <Status dispute={dispute} now={now} />,
        startDetail: deadlineText(dispute, now),
        end: formatMoney(dispute.amountCents),
        endDetail: blockedText(dispute),
      })}
    />
  );
}

function blockedText({ shortfallCents, blockedCents }: DisputeModel): string | undefined {
  if (shortfallCents > 0) return `faltam ${formatMoney(shortfallCents)}`;
  return blockedCents > 0 ? `bloqueado ${formatMoney(blockedCents)}` : undefined;
}

/**
 * The blocked amount, and below it the shortfall: the part of the disputed amount that could not be blocked because the
 * balance was too low.
 */
function Blocked({ status, blockedCents, shortfallCents }: DisputeModel) {
  if (status !== 'open' && blockedCents === 0) return '—';
  return (
    <>
      {formatMoney(blockedCents)}
      {shortfallCents > 0 && (
        <span className="block text-xs text-warning">faltam {formatMoney(shortfallCents)}</span>
      )}
    </>
  );
}

function Status({ dispute, now }: { dispute: DisputeModel; now: number }) {
  const { glyph, label } = phaseBadges[phaseOf(dispute, now)];
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

/** The time left to send a defence, or when the dispute was defended or closed. */
function deadlineText(dispute: DisputeModel, now: number): string {
  if (dispute.status !== 'open') return `encerrada em ${formatDate(dispute.resolvedAt)}`;
  if (dispute.defendedAt !== null) return `defendida em ${formatDate(dispute.defendedAt)}`;
  return formatTimeLeft(dispute.deadline, now) ?? 'prazo encerrado';
}
