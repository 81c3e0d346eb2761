import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';

type OfferNotThereProps = {
  title: string;
  query: { error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  /** Said where the account has nothing of this id. */
  unknown: string;
  onClose: () => void;
};

/** Stands where the address names something that is not loaded: on its way, failed, or not there. */
export function OfferNotThere({ title, query, unknown, onClose }: OfferNotThereProps) {
  const isUnknown = query.error instanceof ApiError && query.error.status === 404;
  return (
    <Dialog open onClose={onClose} title={title} footer={<Button onClick={onClose}>Fechar</Button>}>
      {isUnknown ? (
        <Notice tone="info">{unknown}</Notice>
      ) : query.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" sending={query.isFetching} onClick={() => query.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(query.error, 'Não foi possível carregar. Tente de novo.')}
        </Notice>
      ) : (
        <LoadingRegion>
          <Skeleton className="h-9 w-44" />
          <Skeleton className="mt-5 h-52 w-full" />
        </LoadingRegion>
      )}
    </Dialog>
  );
}
