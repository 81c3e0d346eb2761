import type { ReactNode } from 'react';
import { NotOffered } from '../api/api-error.ts';
import { errorText, failureText, requestIdOf } from '../api/error-text.ts';
import { Button, ErrorState, RefreshButton, Superseded, toastError } from '../ui/index.ts';

type ListBodyProps = Omit<LoadFailureProps, 'of'> & {
  of: LoadFailureProps['of'] & { data: unknown; isError: boolean; isPlaceholderData: boolean };
  /** The rows and the pagination, or the empty state. */
  children: ReactNode;
};

/**
 * The area below a list's filters. Rows of an earlier page or filter are dimmed while the requested ones load; with
 * nothing to show, the failure is displayed instead.
 */
export function ListBody({ of, place = 'list', children, ...failure }: ListBodyProps) {
  return (
    <Superseded when={of.isPlaceholderData}>
      {of.data === undefined && of.isError ? <LoadFailure of={of} place={place} {...failure} /> : children}
    </Superseded>
  );
}

/**
 * The rows to show; undefined while they load. An empty earlier page or filter says nothing about the current one.
 */
export function rowsOf<Row>(
  list: { isPlaceholderData: boolean },
  rows: Row[] | undefined,
): Row[] | undefined {
  return list.isPlaceholderData && rows?.length === 0 ? undefined : rows;
}

/** Where it appears: filling a page, in a list below its hairline, in part of a panel, in a dialog. */
const places = {
  page: {},
  list: { className: 'border-t border-base-300' },
  part: { className: 'py-8!' },
  dialog: { level: 3 },
} as const;

type Asked = { error: unknown; isFetching: boolean; refetch: () => unknown };

type LoadFailureProps = {
  /** A failed query without earlier data to show. */
  of: Asked;
  /** What could not be loaded: "Erro ao buscar o extrato". */
  title: string;
  /** What still holds despite the failure, shown when the server sends no message. */
  meanwhile?: string;
  /** Shown when the provider lacks the call. */
  notOffered?: string;
  place?: keyof typeof places;
};

/** What could not be loaded, why, and a retry button. */
export function LoadFailure({
  of: { error, isFetching, refetch },
  title,
  meanwhile = 'Nada mudou por isso.',
  notOffered = `O servidor não oferece isto. ${meanwhile}`,
  place = 'page',
}: LoadFailureProps) {
  return (
    <ErrorState
      {...places[place]}
      title={title}
      message={error instanceof NotOffered ? notOffered : failureText(error, meanwhile)}
      requestId={requestIdOf(error)}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  );
}

type Loading = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  error: unknown;
  fetchNextPage: () => unknown;
};

type LoadMoreProps = {
  /** An infinite query. */
  of: Loading;
  /** The error message when the server sends none. */
  failure: string;
};

/** Below the loaded rows, while there are more. */
export function LoadMore({ of, failure }: LoadMoreProps) {
  if (!of.hasNextPage) return null;
  return (
    <div className="flex flex-col items-center gap-3 py-5">
      {of.isFetchNextPageError && (
        <p role="alert" className="text-error">
          {errorText(of.error, failure)}
        </p>
      )}
      <Button sending={of.isFetchingNextPage} sendingWord="Carregando" onClick={() => of.fetchNextPage()}>
        Carregar mais
      </Button>
    </div>
  );
}

type Refetched = { error: unknown; data: unknown };

type RefreshProps = {
  of: { data: unknown; isFetching: boolean; refetch: () => Promise<Refetched> };
  /** The error message when the server sends none. */
  failure: string;
};

/**
 * Refetches what the page shows. If that fails, the existing data stays and an error is shown; without data, the list
 * shows the failure itself.
 */
export function Refresh({ of, failure }: RefreshProps) {
  const refresh = async () => {
    const { error, data } = await of.refetch();
    if (error !== null && data !== undefined) toastError(errorText(error, failure));
  };
  return <RefreshButton refreshing={of.isFetching && of.data !== undefined} onRefresh={refresh} />;
}
