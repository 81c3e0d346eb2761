import type { AdminUserModel } from '@jangada/contract';
import { formatDate } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { type Column, Table, useMediaQuery } from '../../ui/index.ts';
import { Email, formatUserDocument, roleLabels, UserStatusBadges } from './user-display.tsx';

const columns: readonly Column<AdminUserModel>[] = [
  {
    key: 'username',
    head: 'Usuário',
    cell: ({ username, role }) => (
      <span className="block min-w-32 max-w-44 py-2.5 whitespace-normal">
        <span className="block font-medium [overflow-wrap:anywhere]">{username}</span>
        {role !== 'USER' && <span className="block text-xs text-muted">{roleLabels[role]}</span>}
      </span>
    ),
    skeleton: 'w-20',
  },
  {
    key: 'name',
    head: 'Nome e e-mail',
    cell: ({ name, email }) => (
      <span className="block min-w-48 py-2.5 whitespace-normal min-[85rem]:min-w-56">
        <span className="block wrap-anywhere">{name}</span>
        <span className="block text-xs text-muted">
          <Email address={email} />
        </span>
      </span>
    ),
    skeleton: 'w-44',
  },
  {
    key: 'document',
    head: 'Documento',
    cell: formatUserDocument,
    tone: 'muted',
    skeleton: 'w-32',
  },
  {
    key: 'balance',
    head: 'Saldo',
    cell: ({ balanceCents }) => formatMoney(balanceCents),
    align: 'end',
    tone: 'strong',
    skeleton: 'w-20',
  },
  {
    key: 'status',
    head: 'Situação',
    cell: (user) => <UserStatusBadges {...user} />,
    skeleton: 'h-5.5 w-40',
  },
  {
    key: 'created',
    head: 'Criado em',
    cell: ({ createdAt }) => formatDate(createdAt),
    align: 'end',
    tone: 'muted',
    skeleton: 'w-20',
  },
];

/** The columns that are shown only in a wide window. */
const wideColumns = ['document', 'created'];

type UsersTableProps = {
  /** Undefined while loading. */
  users: readonly AdminUserModel[] | undefined;
  /** The label of the button that opens a user. */
  openLabel: string;
  onOpen: (user: AdminUserModel) => void;
};

/** The users, with their balance and status. On narrow screens the table is a list of rows, each with four texts. */
export function UsersTable({ users, openLabel, onOpen }: UsersTableProps) {
  const isWide = useMediaQuery('(width >= 85rem)');
  return (
    <Table
      label="Usuários"
      columns={columns.filter(({ key }) => isWide || !wideColumns.includes(key))}
      rows={users}
      rowKey={({ id }) => id}
      openLabel={openLabel}
      onOpen={onOpen}
      narrowRowContent={(user) => ({
        start: <span className="font-medium wrap-anywhere">{user.name}</span>,
        startDetail: (
          <span className="grid gap-1.5">
            <span className="break-all">{user.username}</span>
            <UserStatusBadges {...user} />
          </span>
        ),
        end: formatMoney(user.balanceCents),
        endDetail: formatDate(user.createdAt),
      })}
    />
  );
}
