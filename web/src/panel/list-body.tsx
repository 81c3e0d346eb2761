import type { ReactNode } from 'react';
import { UnsupportedCallError } from '../api/api-error.ts';
import { errorText, failureText, requestIdOf } from '../api/error-text.ts';
import { Button, ErrorState, OutdatedResults, RefreshButton, toastError } from '../ui/index.ts';

type ListBodyProps = Omit<LoadFailureProps, 'query'> & {
  query: RetryableQuery & { data: unknown; isError: boolean; isPlaceholderData: boolean };
  /** The rows and the pagination, or the empty state. */
  children: ReactNode;
};

/**
 * The area below a list's filters. While the rows of another page or filter load, the earlier rows stay and are dimmed.
 * If the load fails and there are no rows to show, the failure is shown instead.
 */
export function ListBody({ query, place = 'list', children, ...failureProps }: ListBodyProps) {
  const hasFailed = query.data === undefined && query.isError;
  return (
    <OutdatedResults when={query.isPlaceholderData}>
      {hasFailed ? <LoadFailure query={query} place={place} {...failureProps} /> : children}
    </OutdatedResults>
  );
}

/**
 * The rows to show; undefined while they load. While another page or filter loads, the earlier rows are shown. An
 * earlier empty state is not, because the requested list may have rows.
 */
export function rowsOf<Row>(
  list: { isPlaceholderData: boolean },
  rows: Row[] | undefined,
): Row[] | undefined {
  return list.isPlaceholderData && rows?.length === 0 ? undefined : rows;
}

/** The style of a failure by its place: on a whole page, in a list, in a part of a page, or in a dialog. */
const stylesByPlace = {
  page: {},
  list: { className: 'border-t border-base-300' },
  part: { className: 'py-8!' },
  dialog: { level: 3 },
} as const;

type RetryableQuery = { error: unknown; isFetching: boolean; refetch: () => unknown };

type LoadFailureProps = {
  /** A failed query without earlier data to show. */
  query: RetryableQuery;
  /** The title, which says what could not be loaded: "Erro ao buscar o extrato". */
  title: string;
  /** A sentence on what is still safe despite the failure, shown when the server sends no message. */
  reassurance?: string;
  /** The message when the gateway behind the dashboard is another provider's, which does not implement the call. */
  notOffered?: string;
  place?: keyof typeof stylesByPlace;
};

/** Says what could not be loaded, and why, with a retry button. */
export function LoadFailure({
  query: { error, isFetching, refetch },
  title,
  reassurance = 'Nada mudou por isso.',
  notOffered = `O servidor não oferece isto. ${reassurance}`,
  place = 'page',
}: LoadFailureProps) {
  return (
    <ErrorState
      {...stylesByPlace[place]}
      title={title}
      message={error instanceof UnsupportedCallError ? notOffered : failureText(error, reassurance)}
      requestId={requestIdOf(error)}
      isRetrying={isFetching}
      onRetry={() => void refetch()}
    />
  );
}

type InfiniteQuery = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => unknown;
};

type LoadMoreProps = {
  query: InfiniteQuery;
  /** The error message when the server sends none. */
  failure: string;
};

/** The button below the loaded rows that loads more; nothing when all rows are loaded. */
export function LoadMore({ query, failure }: LoadMoreProps) {
  if (!query.hasNextPage) return null;
  return (
    <div className="flex flex-col items-center gap-3 py-5">
      {query.isFetchNextPageError && (
        <p role="alert" className="text-error">
          {errorText(query.error, failure)}
        </p>
      )}
      <Button
        isSending={query.isFetchingNextPage}
        sendingLabel="Carregando"
        onClick={() => query.fetchNextPage()}
      >
        Carregar mais
      </Button>
    </div>
  );
}

type RefetchResult = { error: unknown; data: unknown };

type RefreshProps = {
  query: { data: unknown; isFetching: boolean; refetch: () => Promise<RefetchResult> };
  /** The error message when the server sends none. */
  failure: string;
};

/**
 * The button *Atualizar*, which refetches the data of the page. If that fails, the existing data stays and a toast
 * shows the error; without data, the list shows the failure itself.
 */
export function RefreshQueryButton({ query, failure }: RefreshProps) {
  const refresh = async () => {
    const { error, data } = await query.refetch();
    if (error !== null && data !== undefined) toastError(errorText(error, failure));
  };
  return <RefreshButton isRefreshing={query.isFetching && query.data !== undefined} onRefresh={refresh} />;
}
