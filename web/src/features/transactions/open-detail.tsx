import type { TransactionModel } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { feedQuery } from '../../api/queries.ts';
import { Button, Dialog, LoadingRegion, Notice, Skeleton } from '../../ui/index.ts';
import { TransactionDetail } from './transaction-detail.tsx';

type OpenDetailProps = {
  id: string;
  /** The rows on the page, where the transaction may already be. */
  listed: TransactionModel[] | undefined;
  onClose: () => void;
};

/** The detail that the address names: from the list, else asked for. */
export function OpenDetail({ id, listed, onClose }: OpenDetailProps) {
  const known = listed?.find((transaction) => transaction.id === id);
  const asked = useQuery({ ...feedQuery({ search: id, limit: 1 }), enabled: known === undefined });
  const found = known ?? asked.data?.transactions.find((transaction) => transaction.id === id);
  if (found) return <TransactionDetail transaction={found} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Transação" footer={<Button onClick={onClose}>Fechar</Button>}>
      {asked.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" sending={asked.isFetching} onClick={() => asked.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(asked.error, 'Erro ao buscar transações')}
        </Notice>
      ) : asked.isFetching ? (
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
