import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { Button, Dialog, Notice, Skeleton } from '../../ui/index.ts';
import { DeliveryOutcome, ReceiverResponse } from './delivery-outcome.tsx';
import { deliveryQuery } from './webhooks-queries.ts';

type TestDialogProps = {
  /** The id of the test's delivery. */
  id: string;
  onClose: () => void;
  onDetail: () => void;
};

/** Shows the outcome of a test event, which is polled until the receiver has responded. */
export function TestDialog({ id, onClose, onDetail }: TestDialogProps) {
  const delivery = useQuery(deliveryQuery(id));
  return (
    <Dialog
      open
      onClose={onClose}
      title="Evento de teste"
      footer={
        <>
          <Button onClick={onDetail}>Ver a entrega</Button>
          <Button variant="primary" onClick={onClose}>
            Fechar
          </Button>
        </>
      }
    >
      <div aria-live="polite" className="min-h-12">
        {delivery.data !== undefined ? (
          <>
            <DeliveryOutcome delivery={delivery.data} />
            <ReceiverResponse text={delivery.data.log.at(-1)?.answer ?? null} />
          </>
        ) : delivery.isError ? (
          <Notice tone="error">
            {errorText(delivery.error, 'O teste foi enviado, mas não foi possível ler o resultado.')}
          </Notice>
        ) : (
          <Skeleton className="h-5 w-2/3" />
        )}
      </div>
    </Dialog>
  );
}
