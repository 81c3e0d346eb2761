import { NotOffered } from '../api/api-error.ts';
import { failureText, requestIdOf } from '../api/error-text.ts';
import { ErrorState } from '../ui/index.ts';

/** Where it appears: filling a page, in a list below its hairline, in part of a panel, in a dialog. */
const places = {
  page: {},
  list: { className: 'border-t border-base-300' },
  part: { className: 'py-8!' },
  dialog: { level: 3 },
} as const;

type Asked = { error: unknown; isFetching: boolean; refetch: () => unknown };

export type LoadFailureProps = {
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
