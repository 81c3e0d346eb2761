import {
  type AdminUserModel,
  adminUserTransactions,
  parseTaxes,
  parseTransactionFeed,
  type TransactionModel,
} from '@jangada/contract';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { callRaw } from '../../api/client.ts';
import { paths } from '../../app/paths.ts';
import { chargeBadge, wasCredited } from '../../format/charge-status.ts';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { formatFee, formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { ListBody, LoadFailure, LoadMore, rowsOf } from '../../panel/list-body.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { LookIn } from '../../panel/support/look-in.tsx';
import { formatUserDocument, roleLabels, UserStatusBadges } from '../../panel/users/user-display.tsx';
import { type UsersFilter, usersFilterFrom } from '../../panel/users/users-filter.ts';
import { UsersList } from '../../panel/users/users-list.tsx';
import { userQuery } from '../../panel/users/users-query.ts';
import {
  Button,
  Code,
  type Column,
  Dialog,
  Facts,
  LoadingRegion,
  Notice,
  SectionHeader,
  Skeleton,
  StatusBadge,
  Table,
} from '../../ui/index.ts';

/** The list of users for the support staff. Documents and e-mails are partly masked, and nothing can be changed. */
export function SupportPage() {
  const filter = useSearch(usersFilterFrom);
  const { id, ...listFilter } = filter;
  const navigate = useNavigate();
  /** Writes the filter into the URL, from which this page reads it. */
  const setFilter = useCallback(
    (next: UsersFilter, replace = false) => void navigate({ to: paths.support, search: next, replace }),
    [navigate],
  );
  return (
    <>
      <UsersList
        title="Atendimento"
        sentence="Contas e cobranças dos lojistas, só para consulta. E-mail e documento aparecem em parte."
        searchedFields="nome, usuário, ou e-mail ou documento inteiro"
        openLabel="Ver"
        filter={filter}
        onFilter={setFilter}
      />
      {id !== undefined && (
        <UserDialog key={id} id={String(id)} onClose={() => setFilter(listFilter, true)} />
      )}
    </>
  );
}

const NO_FEE = 'sem tarifa';

type UserDialogProps = { id: string; onClose: () => void };

/** One user with their charges, read-only. */
function UserDialog({ id, onClose }: UserDialogProps) {
  const query = useQuery(userQuery(id));
  return (
    <Dialog
      open
      onClose={onClose}
      title={query.data?.name ?? 'Usuário'}
      size="wide"
      footerStart={
        query.data !== undefined && query.data.frozenAt === null ? <LookIn user={query.data} /> : undefined
      }
      footer={<Button onClick={onClose}>Fechar</Button>}
    >
      {query.data !== undefined ? (
        <>
          <UserFacts user={query.data} />
          <UserTransactions userId={id} />
        </>
      ) : query.isError ? (
        <LoadFailure query={query} title="Erro ao carregar dados do usuário" place="dialog" />
      ) : (
        <LoadingRegion>
          <Skeleton className="h-40 w-full" />
          <Skeleton className="mt-6 h-60 w-full" />
        </LoadingRegion>
      )}
    </Dialog>
  );
}

function UserFacts({ user }: { user: AdminUserModel }) {
  const taxes = parseTaxes(user.taxes);
  return (
    <>
      {user.frozenAt !== null && (
        <Notice tone="warning" className="mb-4" title={`Congelado em ${formatDateAtTime(user.frozenAt)}.`}>
          {user.frozenBecause}
        </Notice>
      )}
      <div className="mb-3">
        <UserStatusBadges {...user} />
      </div>
      <div className="grid gap-x-10 md:grid-cols-2">
        <Facts
          facts={[
            { label: 'Usuário', value: <span className="break-all">{user.username}</span> },
            { label: 'E-mail', value: <span className="break-all">{user.email}</span> },
            { label: user.docType, value: formatUserDocument(user) },
            { label: 'Papel', value: roleLabels[user.role] },
          ]}
        />
        <Facts
          className="max-md:border-t-0"
          facts={[
            { label: 'Saldo', value: formatMoney(user.balanceCents), strong: true },
            { label: 'Tarifa de entrada', value: formatFee(taxes.in) ?? NO_FEE },
            { label: 'Tarifa de saída', value: formatFee(taxes.out) ?? NO_FEE },
            { label: 'Criado em', value: formatDateTime(user.createdAt) },
          ]}
        />
      </div>
    </>
  );
}

const columns: readonly Column<TransactionModel>[] = [
  { key: 'id', head: 'ID', cell: ({ id }) => <Code>{shortId(id)}</Code>, skeleton: 'w-16' },
  { key: 'date', head: 'Data', cell: ({ createdAt }) => formatDateTime(createdAt), skeleton: 'w-32' },
  {
    key: 'net',
    head: 'Valor líquido',
    cell: ({ status, creditedCents }) => formatMoney(wasCredited(status) ? creditedCents : null),
    align: 'end',
    tone: 'strong',
  },
  {
    key: 'gross',
    head: 'Valor bruto',
    cell: ({ amountCents }) => formatMoney(amountCents),
    align: 'end',
    tone: 'muted',
  },
  { key: 'status', head: 'Status', cell: ({ status }) => <Status status={status} />, skeleton: 'h-5.5 w-20' },
];

function Status({ status }: { status: string }) {
  const { glyph, label } = chargeBadge(status);
  return <StatusBadge status={glyph}>{label}</StatusBadge>;
}

const FAILURE = 'Erro ao buscar transações';

function UserTransactions({ userId }: { userId: string }) {
  const [search, setSearch] = useState('');
  const list = useInfiniteQuery(userTransactionsQuery(userId, search));
  const transactions = rowsOf(
    list,
    list.data?.pages.flatMap((page) => page.transactions),
  );
  return (
    <section className="mt-7" aria-label="Transações">
      <div className="mb-2 grid gap-2 md:flex md:items-center md:justify-between">
        <SectionHeader title="Transações" />
        <SearchField
          label="Buscar por ID, EndToEndId ou valor"
          maxLength={64}
          search={search}
          onSearch={setSearch}
        />
      </div>
      <ListBody query={list} title={FAILURE} place="dialog">
        {transactions?.length === 0 ? (
          <p className="border-t border-base-300 py-6 text-muted">
            {search === '' ? 'Nenhuma transação ainda.' : 'Nenhuma transação combina com a busca.'}
          </p>
        ) : (
          <>
            <Table
              label="Transações do usuário"
              columns={columns}
              rows={transactions}
              rowKey={({ id }) => id}
              skeletonRows={5}
              narrowRowContent={({ id, status, amountCents, creditedCents, createdAt }) => ({
                start: <Status status={status} />,
                startDetail: (
                  <>
                    {formatDateTime(createdAt)} · <span className="font-mono">{shortId(id)}</span>
                  </>
                ),
                end: formatMoney(amountCents),
                endDetail: wasCredited(status) ? `líquido ${formatMoney(creditedCents)}` : undefined,
              })}
            />
            <LoadMore query={list} failure={FAILURE} />
          </>
        )}
      </ListBody>
    </section>
  );
}

/**
 * The charges of a user, page by page, newest first. The call is not in the common specification of the API, so a
 * provider (the gateway behind the dashboard) may lack it.
 */
const userTransactionsQuery = (userId: string, search: string) =>
  infiniteQueryOptions({
    queryKey: ['user-transactions', userId, search],
    queryFn: async ({ signal, pageParam }) => {
      const query = { search: search || undefined, before: pageParam };
      return parseTransactionFeed(
        await callRaw(adminUserTransactions, { params: { userId }, query, signal }),
      );
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
