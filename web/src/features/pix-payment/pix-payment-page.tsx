import { errors } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { apiKeyQuery } from '../../api/queries.ts';
import { paths } from '../../app/paths.ts';
import { Link, useNavigate, useSearch } from '../../navigation/index.ts';
import { LoadFailure } from '../../panel/list-body.tsx';
import { NotApproved } from '../../panel/not-approved.tsx';
import { isAccountApproved, useMay } from '../../session/account.ts';
import { useSession } from '../../session/session.ts';
import { buttonClass, EmptyState, LoadingRegion, PageHeader, Skeleton } from '../../ui/index.ts';
import { ChargeResult } from './charge-result.tsx';
import { PaymentForm } from './payment-form.tsx';

/**
 * The screen *Criar Pagamento*: the form for a new charge or, if the URL has the id of a charge, that charge. The id is
 * in the URL so that the charge is still shown after a reload.
 */
export function PixPaymentPage() {
  const { id } = useSearch(shownChargeFrom);
  const navigate = useNavigate();
  const showCharge = (newId: string) => navigate({ to: paths.pixPayment, search: { id: newId } });
  if (id !== undefined) return <ChargeResult key={id} id={id} onCreated={showCharge} />;
  return (
    <>
      <PageHeader title="Criar Pagamento" sentence="Uma cobrança Pix com QR Code e código copia e cola." />
      <FormOrPrompt onCreated={showCharge} />
    </>
  );
}

/**
 * The form or, while the account cannot create charges, a prompt that says what to do first. A charge needs an approved
 * account with an active API key.
 */
function FormOrPrompt({ onCreated }: { onCreated: (id: string) => void }) {
  const isApproved = useSession(isAccountApproved);
  const keepsKeys = useMay('manage-main-key');
  const apiKey = useQuery({ ...apiKeyQuery, enabled: keepsKeys });
  if (!isApproved) return <NotApproved drawing="nothing-yet" />;
  // Whoever may not see the key cannot mend it either: a refusal of the charge says what is missing.
  if (!keepsKeys) return <PaymentForm onCreated={onCreated} />;
  if (apiKey.data === undefined && apiKey.isError)
    return (
      <LoadFailure
        query={apiKey}
        title="Failed to load API key status"
        reassurance="Tente de novo em instantes."
      />
    );
  if (apiKey.data === undefined) return <FormSkeleton />;
  if (!apiKey.data.hasKey || !apiKey.data.active)
    return (
      <EmptyState
        drawing="nothing-yet"
        title={apiKey.data.hasKey ? 'Chave inativa' : 'Falta uma chave de API'}
        action={
          <Link to={paths.apiKeys} className={buttonClass({ variant: 'primary' })}>
            Ir para Chaves de API
          </Link>
        }
      >
        {apiKey.data.hasKey ? errors.API_KEY_INACTIVE.message : errors.API_KEY_REQUIRED.message}
      </EmptyState>
    );
  return <PaymentForm onCreated={onCreated} />;
}

function FormSkeleton() {
  return (
    <LoadingRegion>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,34rem)_minmax(0,21rem)]">
        <div className="grid grid-cols-1 gap-6">
          <Skeleton className="mt-6.5 h-14 w-full" />
          <Skeleton className="mt-6.5 h-11 w-80 max-w-full" />
          <Skeleton className="mt-4 h-12 w-full" />
        </div>
        <Skeleton className="h-46 w-full rounded-box" />
      </div>
    </LoadingRegion>
  );
}

/** Reads the id of the shown charge from the URL. An invalid id is dropped, and the form opens. */
function shownChargeFrom(urlParams: Record<string, unknown>): { id?: string } {
  const id = urlParams['id'];
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? { id } : {};
}
