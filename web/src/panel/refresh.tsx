import { errorText } from '../api/error-text.ts';
import { RefreshButton, toastError } from '../ui/index.ts';

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
