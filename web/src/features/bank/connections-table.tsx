import type { BankConnection } from '@jangada/contract';
import { formatDate, formatRelative } from '../../format/date.ts';
import { ConnectionBadge } from '../../panel/bank/connection-badge.tsx';
import {
  bankAndKey,
  certificateWarning,
  connectionTitle,
  shortCertificateWarning,
} from '../../panel/bank/connection-words.ts';
import { useNow } from '../../panel/use-now.ts';
import { type Column, Table } from '../../ui/index.ts';

const MINUTE_MS = 60_000;

type ConnectionsTableProps = {
  /** Undefined while loading. */
  connections: BankConnection[] | undefined;
  onOpen: (connection: BankConnection) => void;
};

/** The merchant's accounts, in the order in which they are tried for a charge. */
export function ConnectionsTable({ connections, onOpen }: ConnectionsTableProps) {
  const now = useNow(true, MINUTE_MS);
  return (
    <Table
      label="Contas bancárias"
      columns={columnsAt(now)}
      rows={connections}
      rowKey={({ id }) => id}
      skeletonRows={2}
      openLabel="Detalhes"
      onOpen={onOpen}
      narrowRowContent={(connection) => ({
        start: <span className="font-medium">{connectionTitle(connection)}</span>,
        startDetail: connection.pix_key,
        end: <ConnectionBadge connection={connection} />,
        endDetail: troubleOf(connection, now),
      })}
    />
  );
}

/** Since when it is broken, or when its certificate expires, if that is soon. */
function troubleOf(connection: BankConnection, now: number): string | undefined {
  if (connection.state === 'retired') return undefined;
  if (connection.broken !== null) return `desde ${formatDate(connection.broken.since)}`;
  return shortCertificateWarning(connection, now);
}

function columnsAt(now: number): readonly Column<BankConnection>[] {
  return [
    {
      key: 'account',
      head: 'Conta',
      cell: (connection) => (
        <span className="block py-3">
          <span className="block max-w-44 truncate lg:max-w-72" title={connectionTitle(connection)}>
            {connectionTitle(connection)}
          </span>
          <span className="block max-w-44 truncate text-xs font-normal text-muted lg:max-w-72">
            {bankAndKey(connection)}
          </span>
        </span>
      ),
      tone: 'strong',
      skeleton: 'w-40',
    },
    {
      key: 'state',
      head: 'Estado',
      cell: (connection) => (
        <span className="block py-2">
          <ConnectionBadge connection={connection} />
          {connection.broken !== null && connection.state !== 'retired' && (
            <span className="mt-1 block text-xs text-muted">desde {formatDate(connection.broken.since)}</span>
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
        const warning = certificateWarning(connection, now);
        if (warning !== undefined) return <span className="font-medium text-warning">{warning}</span>;
        const expiry = connection.certificate?.expires_at ?? null;
        return <span className="text-muted">{expiry === null ? '—' : `até ${formatDate(expiry)}`}</span>;
      },
      skeleton: 'w-28',
    },
  ];
}
