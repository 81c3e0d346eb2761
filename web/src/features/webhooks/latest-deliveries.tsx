import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { Button, SectionHeader } from '../../ui/index.ts';
import { DeliveriesTable } from './deliveries-table.tsx';
import { latestDeliveriesQuery } from './webhooks-queries.ts';

type LatestDeliveriesProps = {
  endpointId: string;
  /** Called with the id of the delivery that the merchant opens. */
  onOpen: (deliveryId: string) => void;
};

/** The latest deliveries to one webhook endpoint. */
export function LatestDeliveries({ endpointId, onOpen }: LatestDeliveriesProps) {
  const latest = useQuery(latestDeliveriesQuery(endpointId));
  const deliveries = latest.data?.deliveries;
  return (
    <section aria-labelledby="latest">
      <SectionHeader
        id="latest"
        title="Últimas entregas"
        aside={
          deliveries !== undefined &&
          deliveries.length > 0 && (
            <Link to={paths.webhookDeliveries} search={{ endpoint: endpointId }} className="link">
              Ver todas
            </Link>
          )
        }
      />
      {deliveries === undefined && latest.isError ? (
        <div role="alert" className="mt-2 flex flex-wrap items-center gap-3">
          <p className="text-error">{errorText(latest.error, 'Erro ao buscar as entregas.')}</p>
          <Button size="small" isSending={latest.isFetching} onClick={() => latest.refetch()}>
            Tentar Novamente
          </Button>
        </div>
      ) : deliveries?.length === 0 ? (
        <p className="mt-1 text-muted">
          Nada foi enviado ainda. Envie um teste: ele vai assinado como os outros, e a resposta do seu
          servidor aparece aqui.
        </p>
      ) : (
        <div className="mt-2">
          <DeliveriesTable
            label="Últimas entregas"
            deliveries={deliveries}
            skeletonRows={3}
            hidesUrl
            onOpen={({ id }) => onOpen(id)}
          />
        </div>
      )}
    </section>
  );
}
