import { paths } from '../../app/paths.ts';
import { Link } from '../../navigation/index.ts';
import { NotApproved } from '../../panel/not-approved.tsx';
import { isAccountApproved } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, PageHeader } from '../../ui/index.ts';
import { SubscriptionForm } from './subscription-form.tsx';

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
      {isApproved ? <SubscriptionForm /> : <NotApproved drawing="nothing-yet" />}
    </>
  );
}
