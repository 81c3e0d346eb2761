import {
  type Customer,
  type CustomerAddress,
  type CustomerTotals,
  centsFromBrl,
  type getCustomer,
  type ResponseOf,
} from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { formatDate, formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { CopyLink } from '../../panel/charge/link-buttons.tsx';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { useMay } from '../../session/account.ts';
import {
  Button,
  buttonClass,
  Dialog,
  type Fact,
  Facts,
  LoadingRegion,
  Notice,
  Skeleton,
  toast,
  toastError,
} from '../../ui/index.ts';
import { CustomerCharges } from './customer-charges.tsx';
import { customerActions, customerQuery } from './customers-queries.ts';

type ShownCustomer = ResponseOf<typeof getCustomer>;

type CustomerDialogProps = { id: string; onEdit: (customer: Customer) => void; onClose: () => void };

/** The detail of the customer whose id is in the URL. */
export function CustomerDialog({ id, onEdit, onClose }: CustomerDialogProps) {
  const query = useQuery(customerQuery(id));
  if (query.data !== undefined)
    return <CustomerDetail customer={query.data} onEdit={onEdit} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title="Cliente" footer={<Button onClick={onClose}>Fechar</Button>}>
      {query.error instanceof ApiError && query.error.status === 404 ? (
        <Notice tone="info">Este cliente não foi encontrado na sua conta.</Notice>
      ) : query.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" isSending={query.isFetching} onClick={() => query.refetch()}>
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

type Question = 'archive' | 'renew';
type DetailProps = {
  customer: ShownCustomer;
  onEdit: (customer: Customer) => void;
  onClose: () => void;
};

function CustomerDetail({ customer, onEdit, onClose }: DetailProps) {
  const mayManage = useMay('manage-customers');
  const maySeeCharges = useMay('read-charges');
  const [question, setQuestion] = useState<Question>();
  const [isRestoring, setIsRestoring] = useState(false);
  const isArchived = customer.archived_at !== null;
  const restore = async () => {
    setIsRestoring(true);
    try {
      await customerActions.setArchived(customer, false);
      toast('Cliente reativado');
    } catch (error) {
      toastError(errorText(error, 'Não foi possível reativar. Tente novamente.'));
    } finally {
      setIsRestoring(false);
    }
  };
  if (question !== undefined)
    return <ConfirmQuestion question={question} customer={customer} onClose={() => setQuestion(undefined)} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title="Cliente"
      locked={isRestoring}
      footerStart={
        !mayManage ? undefined : isArchived ? (
          <Button isSending={isRestoring} sendingLabel="Reativando" onClick={restore}>
            Reativar
          </Button>
        ) : (
          <Button variant="danger" onClick={() => setQuestion('archive')}>
            Arquivar
          </Button>
        )
      }
      footer={
        <>
          <Button className={mayManage ? 'max-md:hidden' : undefined} onClick={onClose}>
            Fechar
          </Button>
          {mayManage && <Button onClick={() => onEdit(customer)}>Editar</Button>}
        </>
      }
    >
      <h3 className="text-base font-strong wrap-anywhere">{customer.name}</h3>
      {isArchived && (
        <Notice tone="info" className="mt-3">
          Arquivado em {formatDate(customer.archived_at ?? '')}: não recebe novas cobranças nem lembretes, e a
          página dele está fechada.
        </Notice>
      )}
      {customer.totals !== null && <Totals totals={customer.totals} />}
      {customer.page_url !== null && !isArchived && (
        <CustomerPageLink
          url={customer.page_url}
          onRenew={mayManage ? () => setQuestion('renew') : undefined}
        />
      )}
      <Facts className="mt-4" bordered={false} facts={factsOf(customer)} />
      {maySeeCharges && <CustomerCharges id={customer.id} isArchived={isArchived} />}
    </Dialog>
  );
}

function Totals({ totals: { open, overdue, paid } }: { totals: CustomerTotals }) {
  const figures = [
    { label: 'Em aberto', sum: open },
    { label: 'Vencido', sum: overdue },
    { label: 'Pago', sum: paid },
  ];
  return (
    <dl className="mt-3 grid grid-cols-3 gap-3 rounded-box bg-base-200 p-4 max-[22rem]:grid-cols-1">
      {figures.map(({ label, sum }) => (
        <div key={label}>
          <dt className="text-xs text-muted">{label}</dt>
          <dd
            className={`font-strong whitespace-nowrap tabular-nums max-md:text-sm ${
              label === 'Vencido' && sum.count > 0 ? 'text-error' : ''
            }`}
          >
            {formatMoney(centsFromBrl(sum.amount))}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The address of the customer's own page, to be copied and sent. */
function CustomerPageLink({ url, onRenew }: { url: string; onRenew: (() => void) | undefined }) {
  return (
    <section className="mt-4" aria-labelledby="customer-page">
      <h4 id="customer-page" className="text-xs font-medium text-muted">
        Página do cliente
      </h4>
      <p className="mt-1 text-xs break-all select-all">{url.replace(/^https?:\/\//, '')}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <CopyLink url={url} />
        <a href={url} target="_blank" rel="noopener" className={buttonClass()}>
          <ExternalLink className="size-4" strokeWidth={1.75} aria-hidden="true" />
          Abrir
        </a>
        {onRenew !== undefined && (
          <Button variant="quiet" onClick={onRenew}>
            Trocar endereço
          </Button>
        )}
      </div>
    </section>
  );
}

function addressText({ street, city, state, zip_code: zipCode }: CustomerAddress): string {
  return `${street}, ${city}, ${state}, ${zipCode.replace(/^(\d{5})(\d{3})$/, '$1-$2')}`;
}

function factsOf(customer: ShownCustomer): Fact[] {
  const { document, email, phone, address, note, external_id, reminders_stopped_at, made_by } = customer;
  const optional: readonly (readonly [label: string, value: string | null | undefined])[] = [
    ['E-mail', email],
    ['Telefone', phone?.replace(/^\+55(\d{2})(\d{4,5})(\d{4})$/, '($1) $2-$3')],
    ['Endereço', address && addressText(address)],
    ['Observação', note],
    ['Código no seu sistema', external_id],
    ['Lembretes', reminders_stopped_at && `Parados pelo cliente em ${formatDate(reminders_stopped_at)}`],
    ['Cadastrado por', made_by?.name],
  ];
  return [
    { label: 'CPF ou CNPJ', value: document },
    ...optional.flatMap(([label, value]) => (value == null ? [] : [{ label, value }])),
    { label: 'Desde', value: formatDateTime(customer.created_at) },
  ];
}

function ConfirmQuestion({
  question,
  customer,
  onClose,
}: {
  question: Question;
  customer: Customer;
  onClose: () => void;
}) {
  if (question === 'archive')
    return (
      <ConfirmDialog
        open
        onClose={onClose}
        title={`Arquivar “${customer.name}”?`}
        confirm="Arquivar"
        onConfirm={async () => {
          await customerActions.setArchived(customer, true);
          toast('Cliente arquivado');
        }}
        failure="Erro ao arquivar o cliente. Tente novamente."
      >
        O que está em aberto continua podendo ser pago. A página do cliente fecha, os lembretes param, e não
        será possível fazer novas cobranças para ele, até você o reativar.
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title="Trocar o endereço da página?"
      confirm="Trocar"
      onConfirm={async () => {
        await customerActions.renewPage(customer);
        toast('Endereço trocado');
      }}
      failure="Erro ao trocar o endereço. Tente novamente."
    >
      O endereço atual deixa de funcionar na hora. Envie o novo ao cliente.
    </ConfirmDialog>
  );
}
