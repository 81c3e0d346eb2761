import type { Customer } from '@jangada/contract';
import { formatDate } from '../../format/date.ts';
import { type Column, Table } from '../../ui/index.ts';

const columns: readonly Column<Customer>[] = [
  {
    key: 'name',
    head: 'Cliente',
    cell: ({ name, external_id }) => (
      <span className="block min-w-40 py-2 whitespace-normal">
        <span className="block font-medium wrap-anywhere">{name}</span>
        {external_id !== null && (
          <span className="block text-xs text-muted wrap-anywhere">{external_id}</span>
        )}
      </span>
    ),
    width: 'w-[36%]',
    skeleton: 'w-44',
  },
  { key: 'document', head: 'CPF ou CNPJ', cell: ({ document }) => document, skeleton: 'w-28' },
  {
    key: 'email',
    head: 'E-mail',
    cell: ({ email }) => <span className="block py-2 whitespace-normal wrap-anywhere">{email ?? '—'}</span>,
    skeleton: 'w-36',
  },
  {
    key: 'created',
    head: 'Desde',
    cell: ({ created_at }) => formatDate(created_at),
    align: 'end',
    tone: 'muted',
  },
];

type CustomersTableProps = {
  /** Undefined while loading. */
  customers: readonly Customer[] | undefined;
  onOpen: (customer: Customer) => void;
};

/** The merchant's customers. */
export function CustomersTable({ customers, onOpen }: CustomersTableProps) {
  return (
    <Table
      label="Clientes"
      columns={columns}
      rows={customers}
      rowKey={({ id }) => id}
      skeletonRows={5}
      onOpen={onOpen}
      openLabel="Detalhes"
      narrowRowContent={({ name, document, email }) => ({
        start: <span className="font-medium wrap-anywhere">{name}</span>,
        startDetail: email === null ? undefined : <span className="wrap-anywhere">{email}</span>,
        end: <span className="text-xs whitespace-nowrap text-muted">{document}</span>,
      })}
    />
  );
}
