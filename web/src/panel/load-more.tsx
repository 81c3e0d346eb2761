import { errorText } from '../api/error-text.ts';
import { Button } from '../ui/index.ts';

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
  /** Shown where the server says nothing itself. */
  failure: string;
};

/** At the end of what was loaded, while there is more. */
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
