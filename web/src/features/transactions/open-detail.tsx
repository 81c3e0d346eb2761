import type { TransactionModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { feedQuery } from '../../api/queries.ts';
import { Button, Dialog, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { TransactionDetail } from './transaction-detail.tsx';

type OpenDetailProps = {
  id: string;
  /** The rows of the list, among which the transaction may be; undefined while they load. */
  listed: TransactionModel[] | undefined;
  onClose: () => void;
};

/** The detail of the transaction that the address names, taken from the list or else fetched. */
export function OpenDetail({ id, listed, onClose }: OpenDetailProps) {
  const fromList = listed?.find((transaction) => transaction.id === id);
  const search = useQuery({ ...feedQuery({ search: id, limit: 1 }), enabled: fromList === undefined });
  const transaction = fromList ?? search.data?.transactions.find((found) => found.id === id);
  if (transaction) return <TransactionDetail transaction={transaction} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Transação" footer={<Button onClick={onClose}>Fechar</Button>}>
      {search.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" isSending={search.isFetching} onClick={() => search.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(search.error, 'Erro ao buscar transações')}
        </Notice>
      ) : search.isFetching ? (
        <LoadingRegion>
          <Skeleton className="h-9 w-44" />
          <Skeleton className="mt-5 h-52 w-full" />
        </LoadingRegion>
      ) : (
        <Notice tone="info">Esta transação não foi encontrada na sua conta.</Notice>
      )}
    </Dialog>
  );
}
