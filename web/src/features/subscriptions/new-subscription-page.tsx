import { useQuery } from '@tanstack/react-query';
import { paths } from '../../app/paths.ts';
import { Link, useSearch } from '../../navigation/index.ts';
import { NotApproved } from '../../panel/not-approved.tsx';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, LoadingRegion, PageHeader, Skeleton } from '../../ui/index.ts';
import { SubscriptionForm } from './subscription-form.tsx';
import { newSubscriptionSearchFrom } from './subscriptions-filter.ts';
import { chosenCustomerQuery } from './subscriptions-queries.ts';

/** The form for a new subscription, for accounts that may receive. */
export function NewSubscriptionPage() {
  const isApproved = useSession(isAccountApproved);
  return (
    <>
      <PageHeader
        title="Nova assinatura"
        sentence="O pagador autoriza uma vez, e o banco dele debita nas datas combinadas."
        actions={
          <Link to={paths.subscriptions} className={buttonClass()}>
            Todas as assinaturas
          </Link>
        }
      />
      {isApproved ? <FormForCustomer /> : <NotApproved drawing="nothing-yet" />}
    </>
  );
}

/** The form, already for the customer whom the URL names. One who is not found, or archived, leaves it empty. */
function FormForCustomer() {
  const { customer: id } = useSearch(newSubscriptionSearchFrom);
  const query = useQuery({ ...chosenCustomerQuery(id ?? ''), enabled: id !== undefined });
  if (id !== undefined && query.isPending)
    return (
      <LoadingRegion>
        <Skeleton className="h-60 w-full max-w-136" />
      </LoadingRegion>
    );
  const isActive = query.data !== undefined && query.data.archived_at === null;
  return <SubscriptionForm customer={isActive ? query.data : null} />;
}
