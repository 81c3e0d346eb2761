import type { FeedCounts, FeedModel, TransactionModel } from '@jangada/contract';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { lastVisitShownBy, withLastVisit } from '../../api/last-visit.ts';
import { useSupports } from '../../api/provider.ts';
import { feedQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { formatCount } from '../../format/money.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { LastVisitSentence } from '../../panel/last-visit-sentence.tsx';
import { ListBody, rowsOf } from '../../panel/list-body.tsx';
import { PeriodField } from '../../panel/period-field.tsx';
import { SearchField } from '../../panel/search-field.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, EmptyState, PageHeader, Pagination, SegmentedControl } from '../../ui/index.ts';
import {
  type FeedFilter,
  feedFilterFrom,
  feedQueryOf,
  hasPeriodOrSearch,
  pageCountOf,
  rangeOf,
  replacementPage,
  summaryOf,
} from './feed-filter.ts';
import { NoResult } from './no-result.tsx';
import { TransactionDialog } from './transaction-dialog.tsx';
import { TransactionsTable } from './transactions-table.tsx';

/** All charges, ten per page. The filter is kept in the URL. */
export function TransactionsPage() {
  const filter = useSearch(feedFilterFrom);
  const navigate = useNavigate();
  const isApproved = useSession(isAccountApproved);
  const mayCreate = useMay('create-charges');
  const query = feedQuery(feedQueryOf(filter));
  const feed = useQuery(isFiltered(filter) ? query : withLastVisit(query));

  /** Writes the filter into the URL, from which this page reads it. */
  const setFilter = useCallback(
    (next: FeedFilter, { replace = false } = {}) =>
      navigate({ to: paths.transactions, search: next, replace }),
    [navigate],
  );
  const lastPage = feed.isPlaceholderData ? undefined : feed.data && replacementPage(filter, feed.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reacts to a page beyond the end, not to a changed filter
  useEffect(() => {
    if (lastPage !== undefined)
      void setFilter(feedFilterFrom({ ...filter, page: lastPage }), { replace: true });
  }, [lastPage]);
  const { counts = null } = feed.data ?? {};
  const transactions = rowsOf(feed, feed.data?.transactions);

  return (
    <>
      <PageHeader
        title="Todas as Transações"
        sentence={
          <LastVisitSentence since={lastVisitShownBy(feed)}>
            Cada cobrança do painel, da API e dos links, e cada Pix do balcão.
          </LastVisitSentence>
        }
        actions={
          isApproved && mayCreate ? (
            <Link to={paths.pixPayment} className={buttonClass({ variant: 'primary' })}>
              <Plus className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
              Criar Pagamento
            </Link>
          ) : undefined
        }
      />
      <Filters filter={filter} counts={counts} onFilter={setFilter} />
      <ListBody
        query={feed}
        title="Erro ao buscar transações"
        reassurance="Seus dados estão a salvo; nada foi perdido."
      >
        <FoundTransactions
          filter={filter}
          transactions={transactions}
          lastPage={lastPage}
          onFilter={setFilter}
          feed={feed}
        />
      </ListBody>
      {filter.id !== undefined && (
        <TransactionDialog
          id={filter.id}
          listedTransactions={transactions}
          onClose={() => {
            const { id: _id, ...listFilter } = filter;
            setFilter(listFilter, { replace: true });
          }}
        />
      )}
    </>
  );
}

type FiltersProps = {
  filter: FeedFilter;
  counts: FeedCounts | null;
  /** With `replace`, the change adds no entry to the browser's history. */
  onFilter: (next: FeedFilter, options?: { replace: boolean }) => void;
};

function Filters({ filter, counts, onFilter }: FiltersProps) {
  /** The filter with one change. The changed list starts on its first page, without an open detail. */
  const changedFilter = (change: Partial<FeedFilter>) => {
    const { page: _page, id: _id, ...rest } = { ...filter, ...change };
    return feedFilterFrom(rest);
  };
  // A provider (the gateway behind the dashboard) other than our own filters by status only.
  const hasSearch = useSupports('transactionSearch');
  const shownCounts = hasPeriodOrSearch(filter) ? null : counts;
  return (
    <div className="mb-3 grid gap-3 md:flex md:flex-wrap md:items-center md:justify-between">
      <SegmentedControl
        label="Status"
        segments={[
          { value: 'all', label: 'Todas', count: shownCounts ? formatCount(shownCounts.all) : undefined },
          { value: 'paid', label: 'Pagas', count: shownCounts ? formatCount(shownCounts.paid) : undefined },
          {
            value: 'pending',
            label: 'Pendentes',
            count: shownCounts ? formatCount(shownCounts.pending) : undefined,
          },
        ]}
        value={filter.status ?? 'all'}
        onChange={(value) => {
          const { status: _status, page: _page, id: _id, ...rest } = filter;
          onFilter(value === 'all' ? rest : feedFilterFrom({ ...rest, status: value }));
        }}
      />
      {hasSearch && (
        <div className="grid grid-cols-2 gap-2 md:flex">
          <PeriodField
            period={filter}
            onPeriod={(period) => {
              const { from: _from, to: _to, page: _page, id: _id, ...rest } = filter;
              onFilter({ ...rest, ...period });
            }}
          />
          <SearchField
            label="Buscar por ID, EndToEndId, valor ou referência"
            maxLength={64}
            search={filter.search ?? ''}
            onSearch={(search) => onFilter(changedFilter({ search }), { replace: true })}
          />
        </div>
      )}
    </div>
  );
}

/** True unless the list begins with the newest of all charges. */
function isFiltered(filter: FeedFilter): boolean {
  return filter.status !== undefined || hasPeriodOrSearch(filter) || filter.page !== undefined;
}

type FoundTransactionsProps = {
  filter: FeedFilter;
  transactions: TransactionModel[] | undefined;
  lastPage: number | undefined;
  onFilter: (next: FeedFilter) => void;
  feed: UseQueryResult<FeedModel>;
};

function FoundTransactions({ filter, transactions, lastPage, onFilter, feed }: FoundTransactionsProps) {
  if (transactions?.length === 0 && lastPage === undefined)
    return (
      <div className="border-t border-base-300">
        {isFiltered(filter) ? (
          <NoResult filter={filter} onClear={() => onFilter({})} />
        ) : (
          <EmptyState drawing="nothing-yet" title="Nenhuma transação ainda">
            As cobranças que você criar, aqui ou pela API, aparecem nesta lista.
          </EmptyState>
        )}
      </div>
    );
  return (
    <>
      <TransactionsTable transactions={transactions} onOpen={({ id }) => onFilter({ ...filter, id })} />
      {feed.data && transactions && (
        <Pagination
          page={filter.page ?? 1}
          pageCount={pageCountOf(feed.data.total)}
          onPage={(page) => onFilter(feedFilterFrom({ ...filter, id: undefined, page }))}
          summary={summaryOf(filter, transactions.length, feed.data)}
          shortSummary={rangeOf(filter, transactions.length, feed.data)}
        />
      )}
    </>
  );
}
