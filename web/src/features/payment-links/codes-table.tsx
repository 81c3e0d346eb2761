import type { CounterCode } from '@jangada/contract';
import { formatDate } from '../../format/date.ts';
import { formatCount } from '../../format/money.ts';
import { type Column, Table, useMediaQuery } from '../../ui/index.ts';
import { amountText, brlText, CounterCodeStateBadge } from './offer-words.tsx';

const columns: readonly Column<CounterCode>[] = [
  {
    key: 'name',
    head: 'Nome',
    cell: ({ name }) => (
      <span className="block py-2 font-medium whitespace-normal wrap-anywhere">{name}</span>
    ),
    width: 'w-[30%]',
    skeleton: 'w-32',
  },
  { key: 'amount', head: 'Valor', cell: ({ amount }) => amountText(amount), align: 'end' },
  {
    key: 'state',
    head: 'Estado',
    cell: (code) => <CounterCodeStateBadge code={code} />,
    width: 'w-[14%]',
    skeleton: 'h-5.5 w-20',
  },
  {
    key: 'payments',
    head: 'Pagamentos',
    cell: ({ payments }) => formatCount(payments),
    align: 'end',
    skeleton: 'w-12',
  },
  {
    key: 'received',
    head: 'Recebido',
    cell: ({ received }) => brlText(received),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'created',
    head: 'Criado em',
    cell: ({ created_at }) => formatDate(created_at),
    align: 'end',
    tone: 'muted',
  },
];

const AT_OPERATOR = 'Cai na conta do operador';

/** The name of a code that is paid into the operator's account, with that remark below. */
const nameAtOperator: Column<CounterCode> = {
  key: 'name',
  head: 'Nome',
  cell: ({ name }) => (
    <span className="block py-2 whitespace-normal wrap-anywhere">
      <span className="block font-medium">{name}</span>
      <span className="block text-xs text-muted">{AT_OPERATOR}</span>
    </span>
  ),
  width: 'w-[30%]',
};

function columnsFor(isWide: boolean, areAtOperator: boolean): readonly Column<CounterCode>[] {
  const shown = isWide ? columns : narrowColumns;
  return areAtOperator ? [nameAtOperator, ...shown.slice(1)] : shown;
}

/** The columns for windows narrower than 80rem: the date of creation is only in the code's detail. */
const narrowColumns = columns.filter(({ key }) => key !== 'created');

type CodesTableProps = {
  /** Undefined while loading. */
  codes: readonly CounterCode[] | undefined;
  /** Whether they are paid into the operator's account, while the merchant is paid into their own. */
  areAtOperator: boolean;
  onOpen: (code: CounterCode) => void;
};

/** The merchant's counter codes, the QR codes for printing. */
export function CodesTable({ codes, areAtOperator, onOpen }: CodesTableProps) {
  const isWide = useMediaQuery('(min-width: 80rem)');
  return (
    <Table
      label="QR Codes do balcão"
      columns={columnsFor(isWide, areAtOperator)}
      rows={codes}
      rowKey={({ id }) => id}
      skeletonRows={5}
      onOpen={onOpen}
      openLabel="Detalhes"
      narrowRowContent={(code) => ({
        start: <span className="font-medium wrap-anywhere">{code.name}</span>,
        startDetail: (
          <span className="grid justify-items-start gap-1">
            <CounterCodeStateBadge code={code} />
            {areAtOperator && <span>{AT_OPERATOR}</span>}
            <span>{paymentsText(code.payments)}</span>
          </span>
        ),
        end: amountText(code.amount),
        endDetail: code.payments === 0 ? undefined : `recebido ${brlText(code.received)}`,
      })}
    />
  );
}

function paymentsText(payments: number): string {
  if (payments === 0) return 'nenhum pagamento';
  return payments === 1 ? '1 pagamento' : `${formatCount(payments)} pagamentos`;
}
