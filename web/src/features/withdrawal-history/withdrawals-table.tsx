import type { WithdrawalModel } from '@jangada/contract';
import { formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { withdrawalBadge } from '../../format/withdrawal-status.ts';
import { otherMakerName } from '../../panel/members/maker-text.ts';
import { displayPixKey, keyTypeName } from '../../panel/pix-key/pix-key.ts';
import { type Column, StatusBadge, Table } from '../../ui/index.ts';

const columns: readonly Column<WithdrawalModel>[] = [
  {
    key: 'date',
    head: 'Data',
    cell: ({ createdAt }) => formatDateTime(createdAt),
    width: 'w-[17%]',
    skeleton: 'w-32',
  },
  {
    key: 'amount',
    head: 'Valor',
    cell: ({ amountCents }) => formatMoney(amountCents),
    width: 'w-[16%]',
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'key',
    head: 'Chave PIX',
    cell: (withdrawal) => <KeyCell {...withdrawal} />,
    width: 'w-[37%] pl-10!',
    skeleton: 'ml-6 w-56',
  },
  {
    key: 'status',
    head: 'Status',
    cell: (withdrawal) => <WithdrawalBadge {...withdrawal} />,
    width: 'w-[18%]',
    skeleton: 'h-5.5 w-20',
  },
];

/** The badge of a withdrawal's status. */
export function WithdrawalBadge({
  status,
  awaitsApproval,
}: Pick<WithdrawalModel, 'status' | 'awaitsApproval'>) {
  const { glyph, label } = withdrawalBadge(status);
  return <StatusBadge status={glyph}>{awaitsApproval ? 'Espera aprovação' : label}</StatusBadge>;
}

/** The Pix key above its type, and above who asked for it if that was somebody else; a long key is cut off here, and shown in full in the detail. */
function KeyCell({ pixKey, keyType, madeBy }: WithdrawalModel) {
  return (
    <span className="block py-3 pl-6">
      <span className="block max-w-56 truncate lg:max-w-44 xl:max-w-80" title={pixKey}>
        {displayPixKey(keyType, pixKey)}
      </span>
      <span className="block max-w-56 truncate text-xs text-muted lg:max-w-44 xl:max-w-80">
        {[keyTypeName(keyType), ...otherMakerName(madeBy)].join(' · ')}
      </span>
    </span>
  );
}

type WithdrawalsTableProps = {
  /** Undefined while loading. */
  withdrawals: WithdrawalModel[] | undefined;
  onOpen: (withdrawal: WithdrawalModel) => void;
};

/** The merchant's withdrawals. */
export function WithdrawalsTable({ withdrawals, onOpen }: WithdrawalsTableProps) {
  return (
    <Table
      label="Saques"
      columns={columns}
      rows={withdrawals}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={({ status, awaitsApproval, amountCents, createdAt, pixKey, keyType, madeBy }) => ({
        start: <WithdrawalBadge status={status} awaitsApproval={awaitsApproval} />,
        startDetail: (
          <>
            {formatDateTime(createdAt)}
            <span className="block max-w-[9rem] truncate empty:hidden">{otherMakerName(madeBy)}</span>
          </>
        ),
        end: formatMoney(amountCents),
        endDetail: (
          <span className="block max-w-[11rem] truncate">
            {keyTypeName(keyType)} · {displayPixKey(keyType, pixKey)}
          </span>
        ),
      })}
    />
  );
}
