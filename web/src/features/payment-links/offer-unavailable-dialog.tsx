import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';

type OfferUnavailableDialogProps = {
  title: string;
  query: { error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  /** The text for an id that does not exist in this account. */
  notFoundText: string;
  onClose: () => void;
};

/**
 * The dialog shown when the URL has the id of a payment link or counter code that cannot be shown: it is still loading,
 * could not be loaded, or does not exist.
 */
export function OfferUnavailableDialog({ title, query, notFoundText, onClose }: OfferUnavailableDialogProps) {
  return (
    <Dialog open onClose={onClose} title={title} footer={<Button onClick={onClose}>Fechar</Button>}>
      <Unavailable query={query} notFoundText={notFoundText} />
    </Dialog>
  );
}

function Unavailable({ query, notFoundText }: Pick<OfferUnavailableDialogProps, 'query' | 'notFoundText'>) {
  if (query.error instanceof ApiError && query.error.status === 404)
    return <Notice tone="info">{notFoundText}</Notice>;
  if (query.isError)
    return (
      <Notice
        tone="error"
        action={
          <Button size="small" isSending={query.isFetching} onClick={() => query.refetch()}>
            Tentar Novamente
          </Button>
        }
      >
        {errorText(query.error, 'Não foi possível carregar. Tente de novo.')}
      </Notice>
    );
  return (
    <LoadingRegion>
      <Skeleton className="h-9 w-44" />
      <Skeleton className="mt-5 h-52 w-full" />
    </LoadingRegion>
  );
}
