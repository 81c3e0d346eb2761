import type { listDueCharges, ResponseOf } from '@jangada/contract';
import { centsOf } from '../../format/cents-of.ts';
import { chargeBadge } from '../../format/charge-status.ts';
import { formatCalendarDay, formatDate } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { type Column, StatusBadge, Table } from '../../ui/index.ts';

export type DueChargeRow = ResponseOf<typeof listDueCharges>['data'][number];

type Badge = ReturnType<typeof chargeBadge>;

const badgesByDueState: Record<NonNullable<DueChargeRow['due_state']>, Badge> = {
  upcoming: { glyph: 'waiting', label: 'A vencer' },
  today: { glyph: 'waiting', label: 'Vence hoje' },
  overdue: { glyph: 'failed', label: 'Vencida' },
};

/** The words for a charge, which is feminine, where those for a transaction are not. */
const endLabels: Partial<Record<DueChargeRow['status'], string>> = {
  pending: 'Em aberto',
  paid: 'Paga',
  expired: 'Expirada',
  refunded: 'Estornada',
};

const columns: readonly Column<DueChargeRow>[] = [
  { key: 'payer', head: 'Cliente', cell: (charge) => <PayerCell {...charge} />, width: 'w-[34%]' },
  { key: 'due', head: 'Vencimento', cell: dueText, width: 'w-[15%]', skeleton: 'w-24' },
  {
    key: 'amount',
    head: 'Valor',
    cell: (charge) => <AmountCell {...charge} />,
    width: 'w-[20%]',
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'state',
    head: 'Situação',
    cell: (charge) => <State {...charge} />,
    width: 'w-[17%]',
    skeleton: 'h-5.5 w-20',
  },
];

type DueChargesTableProps = {
  /** Undefined while loading. */
  charges: readonly DueChargeRow[] | undefined;
  onOpen: (charge: DueChargeRow) => void;
};

/** The table of charges that have a due date or name whom they are for. */
export function DueChargesTable({ charges, onOpen }: DueChargesTableProps) {
  return (
    <Table
      label="Cobranças"
      columns={columns}
      rows={charges}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(charge) => ({
        start: <bdi className="line-clamp-1 wrap-anywhere">{charge.billed_to?.name ?? 'Sem nome'}</bdi>,
        startDetail: [
          charge.due_date === null
            ? `Criada em ${formatDate(charge.created_at)}`
            : `Vencimento ${dueText(charge)}`,
          amountNote(charge),
        ]
          .filter(Boolean)
          .join(' · '),
        end: formatMoney(centsOf(charge.amount)),
        endDetail: <State {...charge} />,
      })}
    />
  );
}

function dueText({ due_date }: DueChargeRow): string {
  return due_date === null ? 'Sem data' : formatCalendarDay(due_date);
}

function PayerCell({ billed_to, description, external_id }: DueChargeRow) {
  const detail = [billed_to?.document, external_id ?? description].filter(Boolean).join(' · ');
  return (
    <span className="block max-w-72">
      <bdi className="block truncate font-medium">{billed_to?.name ?? 'Sem nome'}</bdi>
      <span className="block truncate text-xs text-muted">{detail}</span>
    </span>
  );
}

function AmountCell(charge: DueChargeRow) {
  const note = amountNote(charge);
  return (
    <>
      {formatMoney(centsOf(charge.amount))}
      {note !== undefined && <span className="block text-xs font-normal text-muted">{note}</span>}
    </>
  );
}

/** What the payer owes today if that is not the original amount, or what was refunded of a paid charge. */
function amountNote({ amount, amount_today, refunded_amount, status }: DueChargeRow): string | undefined {
  if (amount_today !== null && amount_today !== amount) return `hoje ${formatMoney(centsOf(amount_today))}`;
  return status === 'paid' && refunded_amount > 0
    ? `${formatMoney(centsOf(refunded_amount))} devolvido`
    : undefined;
}

function State({ status, due_state, cancelled_at }: DueChargeRow) {
  const { glyph, label } = badgeOf({ status, due_state, cancelled_at });
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

/** The state of a charge in a word or two. */
export function stateLabelOf(charge: DueChargeRow): string {
  return badgeOf(charge).label;
}

function badgeOf({
  status,
  due_state,
  cancelled_at,
}: Pick<DueChargeRow, 'status' | 'due_state' | 'cancelled_at'>): Badge {
  if (due_state !== null) return badgesByDueState[due_state];
  const { glyph, label } = chargeBadge(status);
  const isCancelled = status === 'expired' && cancelled_at !== null;
  return { glyph, label: isCancelled ? 'Cancelada' : (endLabels[status] ?? label) };
}
