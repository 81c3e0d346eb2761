import { errorText, requestIdOf } from '../../api/error-text.ts';
import { ErrorState } from '../../ui/index.ts';

type LoadFailureProps = {
  title: string;
  query: { error: unknown; isFetching: boolean; refetch: () => unknown };
};

/** A list of the desk that could not be loaded. */
export function LoadFailure({ title, query }: LoadFailureProps) {
  return (
    <ErrorState
      className="border-t border-base-300"
      title={title}
      message={errorText(query.error, 'O servidor não respondeu. Nada mudou por isso.')}
      requestId={requestIdOf(query.error)}
      retrying={query.isFetching}
      onRetry={() => void query.refetch()}
    />
  );
}
