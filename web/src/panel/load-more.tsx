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
