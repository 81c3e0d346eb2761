import type { AdminConnection } from '@jangada/contract';
import { formatDate, formatRelative } from '../../format/date.ts';
import { ConnectionBadge } from '../../panel/bank/connection-badge.tsx';
import { bankAndKey, certificateWarning, connectionTitle } from '../../panel/bank/connection-words.ts';
import { useNow } from '../../panel/use-now.ts';
import { type Column, Table } from '../../ui/index.ts';

const MINUTE_MS = 60_000;

type AdminConnectionsTableProps = {
  /** Undefined while loading. */
  connections: AdminConnection[] | undefined;
  onOpen: (connection: AdminConnection) => void;
};

/** The table of merchants' own bank accounts. */
export function AdminConnectionsTable({ connections, onOpen }: AdminConnectionsTableProps) {
  const now = useNow(true, MINUTE_MS);
  return (
    <Table
      label="Contas bancárias"
      columns={columnsAt(now)}
      rows={connections}
      rowKey={({ id }) => id}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(connection) => ({
        start: <span className="font-medium">{connection.merchant.name}</span>,
        startDetail: connectionTitle(connection),
        end: <ConnectionBadge connection={connection} />,
        endDetail: sinceOf(connection),
      })}
    />
  );
}

/** Since when nothing works there. */
function sinceOf({ broken, state }: AdminConnection): string | undefined {
  return broken === null || state === 'retired' ? undefined : `desde ${formatDate(broken.since)}`;
}

function columnsAt(now: number): readonly Column<AdminConnection>[] {
  return [
    {
      key: 'merchant',
      head: 'Lojista',
      cell: ({ merchant }) => (
        <span className="block py-3">
          <span className="block max-w-36 truncate lg:max-w-56" title={merchant.name}>
            {merchant.name}
          </span>
          <span className="block max-w-36 truncate text-xs font-normal text-muted lg:max-w-56">
            {merchant.username}
          </span>
        </span>
      ),
      tone: 'strong',
      skeleton: 'w-36',
    },
    {
      key: 'account',
      head: 'Conta',
      cell: (connection) => (
        <span className="block py-3">
          <span className="block max-w-32 truncate lg:max-w-52" title={connectionTitle(connection)}>
            {connectionTitle(connection)}
          </span>
          <span className="block max-w-32 truncate text-xs text-muted lg:max-w-52">
            {bankAndKey(connection)}
          </span>
        </span>
      ),
      skeleton: 'w-32',
    },
    {
      key: 'state',
      head: 'Estado',
      cell: (connection) => (
        <span className="block py-2">
          <ConnectionBadge connection={connection} />
          {sinceOf(connection) !== undefined && (
            <span className="mt-1 block text-xs text-muted">{sinceOf(connection)}</span>
          )}
        </span>
      ),
      skeleton: 'h-5.5 w-20',
    },
    {
      key: 'answer',
      head: 'Última resposta',
      cell: ({ last_answer_at }) =>
        last_answer_at === null ? '—' : formatRelative(last_answer_at, new Date(now)),
      tone: 'muted',
      skeleton: 'w-24',
    },
    {
      key: 'certificate',
      head: 'Certificado',
      cell: (connection) => {
        const expiry = connection.certificate?.expires_at ?? null;
        const isUrgent = certificateWarning(connection, now) !== undefined;
        return (
          <span className={isUrgent ? 'font-medium text-warning' : 'text-muted'}>
            {expiry === null ? '—' : `até ${formatDate(expiry)}`}
          </span>
        );
      },
      skeleton: 'w-24',
    },
  ];
}
