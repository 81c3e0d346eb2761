import type { TransactionModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { feedQuery } from '../../api/queries.ts';
import { Button, Dialog, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { TransactionDetail } from './transaction-detail.tsx';

type TransactionDialogProps = {
  id: string;
  /** The rows of the list, among which the transaction may be; undefined while they load. */
  listedTransactions: TransactionModel[] | undefined;
  onClose: () => void;
};

/**
 * The detail of the transaction whose id is in the URL. The transaction is taken from the loaded list, or fetched if
 * the list does not have it.
 */
export function TransactionDialog({ id, listedTransactions, onClose }: TransactionDialogProps) {
  const fromList = listedTransactions?.find((transaction) => transaction.id === id);
  const fetched = useQuery({ ...feedQuery({ search: id, limit: 1 }), enabled: fromList === undefined });
  const transaction = fromList ?? fetched.data?.transactions.find((found) => found.id === id);
  if (transaction) return <TransactionDetail transaction={transaction} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Transação" footer={<Button onClick={onClose}>Fechar</Button>}>
      {fetched.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" isSending={fetched.isFetching} onClick={() => fetched.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(fetched.error, 'Erro ao buscar transações')}
        </Notice>
      ) : fetched.isFetching ? (
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
