import { ApiError } from '../../api/api-error.ts';
import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { buttonClass, EmptyState, PageHeader } from '../../ui/index.ts';
import { SubscriptionSkeleton, SubscriptionView } from './subscription-view.tsx';
import { useSubscription } from './subscriptions-queries.ts';

/** The life of the subscription whose id is in the URL. */
export function SubscriptionPage({ id }: { id: string }) {
  const subscription = useSubscription(id);
  const isNotFound = subscription.error instanceof ApiError && subscription.error.status === 404;
  const content = () => {
    if (subscription.data) return <SubscriptionView subscription={subscription.data} />;
    if (isNotFound)
      return (
        <EmptyState drawing="no-result" title="Assinatura não encontrada.">
          Nenhuma assinatura da sua conta tem este endereço.
        </EmptyState>
      );
    if (subscription.isError)
      return (
        <LoadFailure
          query={subscription}
          title="Erro ao buscar a assinatura"
          reassurance="Os débitos combinados seguem."
        />
      );
    return <SubscriptionSkeleton />;
  };
  return (
    <>
      <PageHeader
        title="Assinatura"
        sentence={
          subscription.data === undefined
            ? 'O que foi autorizado, e cada cobrança.'
            : `${subscription.data.payer.name}, ${subscription.data.description}`
        }
        actions={
          <Link to={paths.subscriptions} className={buttonClass()}>
            Todas as assinaturas
          </Link>
        }
      />
      {content()}
    </>
  );
}
