import { errorText } from '../api/error-text.ts';
import { RefreshButton, toastError } from '../ui/index.ts';

type Refetched = { error: unknown; data: unknown };

type RefreshProps = {
  of: { data: unknown; isFetching: boolean; refetch: () => Promise<Refetched> };
  /** Told where the server says nothing itself. */
  failure: string;
};

/** Asks for what the page shows anew. Where that fails, what stands is kept, and it is said; with nothing to keep, its place says so itself. */
export function Refresh({ of, failure }: RefreshProps) {
  const refresh = async () => {
    const { error, data } = await of.refetch();
    if (error !== null && data !== undefined) toastError(errorText(error, failure));
  };
  return <RefreshButton refreshing={of.isFetching && of.data !== undefined} onRefresh={refresh} />;
}
