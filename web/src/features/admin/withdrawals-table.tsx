import type { AdminWithdrawal } from '@jangada/contract';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { withdrawalBadge } from '../../format/withdrawal-status.ts';
import { displayPixKey, keyTypeName } from '../../panel/pix-key/pix-key.ts';
import { type Column, StatusBadge, Table } from '../../ui/index.ts';

const columns: readonly Column<AdminWithdrawal>[] = [
  {
    key: 'user',
    head: 'Lojista',
    cell: ({ user, created_at }) => (
      <span className="block py-3">
        <span className="block max-w-36 truncate lg:max-w-48 xl:max-w-72" title={user.name}>
          {user.name}
        </span>
        <span className="block text-xs text-muted">{formatDateTime(created_at)}</span>
      </span>
    ),
    tone: 'strong',
    skeleton: 'w-36',
  },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amount_cents }) => formatMoney(amount_cents),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'key',
    head: 'Chave PIX',
    cell: ({ pix_key, pix_key_type }) => (
      <span className="block py-3 lg:pl-6">
        <span className="block max-w-32 truncate lg:max-w-44 xl:max-w-72" title={pix_key}>
          {displayPixKey(pix_key_type, pix_key)}
        </span>
        <span className="block text-xs text-muted">{keyTypeName(pix_key_type)}</span>
      </span>
    ),
    width: 'lg:pl-10!',
    skeleton: 'w-32 lg:ml-6 lg:w-44',
  },
  {
    key: 'status',
    head: 'Status',
    cell: (withdrawal) => <AdminWithdrawalBadge withdrawal={withdrawal} />,
    skeleton: 'h-5.5 w-24',
  },
];

/**
 * The badge of a withdrawal: its status, unless it needs an administrator, because it is held or because the bank did
 * not report its outcome.
 */
export function AdminWithdrawalBadge({ withdrawal }: { withdrawal: AdminWithdrawal }) {
  if (withdrawal.held_because !== null) return <StatusBadge status="waiting">Segurado</StatusBadge>;
  if (withdrawal.in_doubt) return <StatusBadge status="processing">Em dúvida</StatusBadge>;
  const { glyph, label } = withdrawalBadge(withdrawal.status);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

type WithdrawalsTableProps = {
  /** Undefined while loading. */
  withdrawals: AdminWithdrawal[] | undefined;
  onOpen: (withdrawal: AdminWithdrawal) => void;
};

/** The table of merchants' withdrawals. */
export function AdminWithdrawalsTable({ withdrawals, onOpen }: WithdrawalsTableProps) {
  return (
    <Table
      label="Saques"
      columns={columns}
      rows={withdrawals}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(withdrawal) => ({
        start: <AdminWithdrawalBadge withdrawal={withdrawal} />,
        startDetail: formatDateTime(withdrawal.created_at),
        end: formatMoney(withdrawal.amount_cents),
        endDetail: <span className="block max-w-[11rem] truncate">{withdrawal.user.name}</span>,
      })}
    />
  );
}
