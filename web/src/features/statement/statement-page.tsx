import { getStatement, parseStatement, type StatementAccount, statementKinds } from '@jangada/contract';
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { callRaw } from '../../api/client.ts';
import { errorText } from '../../api/error-text.ts';
import { profileQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { dayOf, shiftDay } from '../../format/date.ts';
import { useNavigate, useSearch } from '../../navigation/index.ts';
import { useMerchantBank } from '../../panel/bank/merchant-bank.ts';
import { ListBody, LoadMore, rowsOf } from '../../panel/list-body.tsx';
import { periodFrom } from '../../panel/period.ts';
import { PeriodField } from '../../panel/period-field.tsx';
import {
  Button,
  EmptyState,
  Notice,
  PageHeader,
  SegmentedControl,
  SelectField,
  toastError,
} from '../../ui/index.ts';
import { ExportButtons, useStatementExport } from './export-buttons.tsx';
import { StatementFigures } from './statement-figures.tsx';
import { type StatementFilter, statementFilterFrom } from './statement-filter.ts';
import { StatementTable } from './statement-table.tsx';
import { accountLabels, accountSentences, kindLabels, labelsBesideOwn } from './statement-words.ts';

/** The longest period, in days, that the gateway accepts for one statement. */
const MAX_STATEMENT_DAYS = 366;
const AT_OPERATOR_SENTENCE =
  'O que entrou e saiu do seu saldo na conta do operador, com o saldo depois de cada movimento.';
const FAILURE = 'Erro ao buscar o extrato';

/** Every movement of a balance, with the balance after each. The filter is kept in the URL. */
export function StatementPage() {
  const urlFilter = useSearch(statementFilterFrom);
  const { is_paid_into_own: isPaidIntoOwn, has_own_accounts } = useMerchantBank();
  const mainAccount: StatementAccount = isPaidIntoOwn ? 'own' : 'available';
  const account = urlFilter.account ?? mainAccount;
  const hasOwn = has_own_accounts || account === 'own';
  const usesOperator = useWasPaidByOperator(isPaidIntoOwn) || !isPaidIntoOwn;
  const { account: _account, ...unfiltered } = urlFilter;
  const filter = account === 'available' ? unfiltered : { ...unfiltered, account };
  const navigate = useNavigate();
  const statement = useInfiniteQuery(statementQuery(filter));
  const pages = statement.data?.pages;
  const newestPage = pages?.[0];
  const lines = rowsOf(
    statement,
    pages?.flatMap((page) => page.lines),
  );
  // Placeholder data belongs to an earlier filter, whose period would be wrong in the name of the exported file.
  const statementExport = useStatementExport(filter, statement.isPlaceholderData ? undefined : newestPage);

  /** Writes the filter into the URL, from which this page reads it. A failed export of the old filter is forgotten. */
  const setFilter = (next: StatementFilter) => {
    statementExport.reset();
    void navigate({ to: paths.statement, search: next });
  };
  const hasNewMovements =
    statement.isStale && !statement.isPlaceholderData && isPeriodRunning(newestPage?.to);
  // A single page is refetched as soon as money moves. Several pages can only be refetched one after the other, so the
  // user decides when, by pressing a button.
  const shouldRefetchNow =
    hasNewMovements && pages?.length === 1 && !statement.isFetching && !statement.isError;
  const { refetch } = statement;
  useEffect(() => {
    if (shouldRefetchNow) void refetch();
  }, [shouldRefetchNow, refetch]);

  const refresh = async () => {
    const { error } = await refetch();
    if (error !== null) toastError(errorText(error, FAILURE));
  };

  return (
    <>
      <PageHeader
        title="Extrato"
        sentence={hasOwn && account === 'available' ? AT_OPERATOR_SENTENCE : accountSentences[account]}
        actions={<ExportButtons statementExport={statementExport} />}
      />
      {statementExport.isError && (
        <Notice tone="error" className="mb-4">
          {errorText(statementExport.error, 'Erro ao exportar o extrato. Tente de novo.')}
        </Notice>
      )}
      <Filters
        account={account}
        mainAccount={mainAccount}
        accounts={accountsFor(hasOwn, usesOperator, account)}
        labels={hasOwn ? labelsBesideOwn : accountLabels}
        filter={urlFilter}
        onFilter={setFilter}
      />
      <ListBody query={statement} title={FAILURE} reassurance="Seu dinheiro está a salvo; nada foi perdido.">
        <StatementFigures statement={newestPage} hasKindFilter={filter.kind !== undefined} />
        {hasNewMovements && !shouldRefetchNow && !statement.isFetching && (
          <NewMovementsNotice onRefresh={refresh} />
        )}
        {lines?.length === 0 ? (
          <EmptyStatement filter={urlFilter} onFilter={setFilter} />
        ) : (
          <>
            <StatementTable lines={lines} account={account} />
            <LoadMore query={statement} failure={FAILURE} />
          </>
        )}
      </ListBody>
    </>
  );
}

/**
 * Whether a merchant who is paid into own accounts has or had money in the operator's account, as far as a statement goes
 * back. False until that is known.
 */
function useWasPaidByOperator(isPaidIntoOwn: boolean): boolean {
  const user = useQuery(profileQuery).data;
  const today = dayOf(new Date());
  const query = {
    account: 'available',
    from: shiftDay(today, 1 - MAX_STATEMENT_DAYS),
    to: today,
    limit: 1,
  } as const;
  const history = useQuery({
    queryKey: ['operator-history'],
    queryFn: async ({ signal }) => parseStatement(await callRaw(getStatement, { query, signal })),
    enabled: isPaidIntoOwn,
  }).data;
  return Boolean(user?.atOperatorCents || history?.openingCents || history?.lines.length);
}

/**
 * The balances to choose from, few enough for a phone: nothing is kept in reserve at own accounts, and others have none.
 * The one that is shown is always among them.
 */
function accountsFor(hasOwn: boolean, usesOperator: boolean, shown: StatementAccount): StatementAccount[] {
  const useful: StatementAccount[] = hasOwn
    ? ['own', ...(usesOperator || shown === 'available' ? ['available' as const] : []), 'blocked']
    : ['available', 'reserved', 'blocked'];
  return useful.includes(shown) ? useful : [...useful, shown];
}

type FiltersProps = {
  account: StatementAccount;
  mainAccount: StatementAccount;
  accounts: readonly StatementAccount[];
  labels: Readonly<Record<StatementAccount, string>>;
  filter: StatementFilter;
  onFilter: (next: StatementFilter) => void;
};

function Filters({ account, mainAccount, accounts, labels, filter, onFilter }: FiltersProps) {
  return (
    <div className="mb-4 grid gap-3 md:flex md:flex-wrap md:items-center md:justify-between">
      <SegmentedControl
        label="Saldo"
        segments={accounts.map((value) => ({ value, label: labels[value] }))}
        value={account}
        onChange={(value) => {
          const { account: _account, kind: _kind, ...period } = filter;
          onFilter(value === mainAccount ? period : { ...period, account: value });
        }}
      />
      <div className="grid grid-cols-2 gap-2 md:flex">
        <SelectField
          label="Tipo de movimento"
          labelHidden
          look="line"
          className="md:w-44"
          fieldClassName="md:h-9"
          options={[
            { value: '', label: 'Todos os tipos' },
            ...statementKinds.map((value) => ({ value, label: kindLabels[value] })),
          ]}
          value={filter.kind ?? ''}
          onChange={(event) => {
            const { kind: _kind, ...rest } = filter;
            onFilter(statementFilterFrom({ ...rest, kind: event.currentTarget.value }));
          }}
        />
        <PeriodField
          period={filter}
          emptyLabel="Últimos 30 dias"
          longest={{ days: MAX_STATEMENT_DAYS, problem: 'O período vai até um ano.' }}
          onPeriod={(period) => {
            const { from: _from, to: _to, ...rest } = filter;
            onFilter({ ...rest, ...periodFrom(period) });
          }}
        />
      </div>
    </div>
  );
}

function NewMovementsNotice({ onRefresh }: { onRefresh: () => Promise<void> }) {
  return (
    <Notice
      tone="info"
      className="mb-4"
      action={
        <Button size="small" onClick={onRefresh}>
          Atualizar
        </Button>
      }
    >
      Houve movimento na conta desde que o extrato foi aberto.
    </Notice>
  );
}

/** True when the last day of the period is not over, so that more movements may follow. */
function isPeriodRunning(to: string | undefined): boolean {
  return to !== undefined && to >= dayOf(new Date());
}

type EmptyStatementProps = { filter: StatementFilter; onFilter: (filter: StatementFilter) => void };

/** Shown when the statement has no lines: offers all kinds of movement, or else the longest period. */
function EmptyStatement({ filter, onFilter }: EmptyStatementProps) {
  const today = dayOf(new Date());
  const { account, kind, from } = filter;
  const accountFilter = account === undefined ? {} : { account };
  if (kind !== undefined) {
    return (
      <EmptyState
        drawing="no-result"
        title="Nada com esse filtro"
        action={
          <Button onClick={() => onFilter({ ...accountFilter, ...periodFrom(filter) })}>
            Todos os tipos
          </Button>
        }
      >
        Nenhum movimento deste tipo no período.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      drawing="nothing-yet"
      title="Nenhum movimento no período"
      action={
        from === undefined ? (
          <Button
            // Both ends belong to the period, hence the 1.
            onClick={() =>
              onFilter({ ...accountFilter, from: shiftDay(today, 1 - MAX_STATEMENT_DAYS), to: today })
            }
          >
            Ver o último ano
          </Button>
        ) : undefined
      }
    >
      Cada movimento deste saldo aparece aqui.
    </EmptyState>
  );
}

const LINES_PER_PAGE = 50;

/**
 * The statement, page by page, newest first. Loaded data does not become stale with time, only when money moves;
 * `isStale` is true then.
 */
const statementQuery = (filter: StatementFilter) =>
  infiniteQueryOptions({
    queryKey: ['statement', filter] as const,
    queryFn: async ({ signal, pageParam }) =>
      parseStatement(
        await callRaw(getStatement, {
          query: { ...filter, limit: LINES_PER_PAGE, before: pageParam },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    // Figures of one balance must never appear under the name of another balance.
    placeholderData: (previousData, previousQuery) =>
      previousQuery?.queryKey[1].account === filter.account ? previousData : undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
