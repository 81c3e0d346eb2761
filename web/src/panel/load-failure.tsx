import { NotOffered } from '../api/api-error.ts';
import { failureText, requestIdOf } from '../api/error-text.ts';
import { ErrorState } from '../ui/index.ts';

/** Where it stands: for a whole page, for a list under its hairline, in a part of a panel, in a dialog. */
const places = {
  page: {},
  list: { className: 'border-t border-base-300' },
  part: { className: 'py-8!' },
  dialog: { level: 3 },
} as const;

type Asked = { error: unknown; isFetching: boolean; refetch: () => unknown };

export type LoadFailureProps = {
  /** A query that has failed, with nothing to show from before. */
  of: Asked;
  /** What could not be loaded: "Erro ao buscar o extrato". */
  title: string;
  /** What holds all the same, told where the server says nothing itself. */
  meanwhile?: string;
  /** Shown where the provider does not know the call. */
  notOffered?: string;
  place?: keyof typeof places;
};

/** What could not be loaded, why, and the way to ask for it again. */
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
