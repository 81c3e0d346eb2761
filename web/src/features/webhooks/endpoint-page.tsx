import { WEBHOOK_LIMITS, type WebhookEndpoint } from '@jangada/contract';
import { Send } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { Link, useNavigate } from '../../navigation/index.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { SigningSecret } from '../../panel/secret/signing-secret.tsx';
import {
  Button,
  buttonClass,
  EmptyState,
  type Fact,
  Facts,
  LoadingRegion,
  Notice,
  PageHeader,
  Panel,
  SectionHeader,
  Skeleton,
  toast,
  toastError,
} from '../../ui/index.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { EndpointState } from './endpoints-table.tsx';
import { eventLabel } from './event-words.ts';
import { LatestDeliveries } from './latest-deliveries.tsx';
import { TestDialog } from './test-dialog.tsx';
import { endpointActions, endpointSecret } from './webhooks-queries.ts';

type EndpointPageProps = { endpoint: WebhookEndpoint | undefined; isLoading: boolean };

/** The page of one webhook endpoint: its state, secret, latest deliveries and actions. */
export function EndpointPage({ endpoint, isLoading }: EndpointPageProps) {
  if (endpoint !== undefined) return <LoadedEndpoint endpoint={endpoint} />;
  const header = <PageHeader title="Endereço de webhook" actions={<AllEndpointsLink />} />;
  return isLoading ? (
    <>
      {header}
      <LoadingRegion>
        <Skeleton className="h-10.5 w-full max-w-136" />
        <Skeleton className="mt-6 h-60 w-full max-w-136" />
      </LoadingRegion>
    </>
  ) : (
    <>
      {header}
      <EmptyState drawing="no-result" title="Endereço não encontrado">
        Ele foi removido, ou é de outra conta.
      </EmptyState>
    </>
  );
}

function AllEndpointsLink() {
  return (
    <Link to={paths.webhooks} className={buttonClass()}>
      Todos os endereços
    </Link>
  );
}

/** The open dialog. `test` shows the delivery of a test event, and `delivery` one chosen from the list. */
type OpenDialog =
  | { kind: 'change' | 'turn-off' | 'remove' }
  | { kind: 'test' | 'delivery'; deliveryId: string };

function LoadedEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const [openDialog, setOpenDialog] = useState<OpenDialog | null>(null);
  const { id, state } = endpoint;
  const { isBusy, sendTest, turnOn } = useEndpointActions(id, setOpenDialog);
  return (
    <>
      <PageHeader
        title="Endereço de webhook"
        sentence={<span className="break-all">{endpoint.url}</span>}
        actions={
          <>
            <AllEndpointsLink />
            {state === 'on' ? (
              <Button
                variant="primary"
                isSending={isBusy}
                icon={<Send className="size-4" strokeWidth={1.75} aria-hidden="true" />}
                onClick={sendTest}
              >
                Enviar teste
              </Button>
            ) : (
              <Button variant="primary" isSending={isBusy} sendingLabel="Ligando" onClick={turnOn}>
                Ligar
              </Button>
            )}
          </>
        }
      />
      <TroubleNotice endpoint={endpoint} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
          <LatestDeliveries
            endpointId={id}
            onOpen={(deliveryId) => setOpenDialog({ kind: 'delivery', deliveryId })}
          />
          <Secret id={id} />
        </div>
        <Summary endpoint={endpoint} onOpen={setOpenDialog} />
      </div>
      <Dialogs endpoint={endpoint} openDialog={openDialog} onOpen={setOpenDialog} />
    </>
  );
}

/** The actions that need no confirmation: sending a test event, and turning the endpoint on. */
function useEndpointActions(id: string, onOpen: (dialog: OpenDialog | null) => void) {
  const [isBusy, setIsBusy] = useState(false);
  const run = async (action: () => Promise<unknown>, failure: string) => {
    setIsBusy(true);
    try {
      await action();
    } catch (error) {
      toastError(errorText(error, failure));
    } finally {
      setIsBusy(false);
    }
  };
  const sendTest = () =>
    run(async () => {
      const delivery = await endpointActions.test(id);
      onOpen({ kind: 'test', deliveryId: delivery.id });
    }, 'Erro ao enviar o evento de teste. Tente novamente.');
  const turnOn = () =>
    run(async () => {
      await endpointActions.enable(id);
      toast('Endereço ligado');
    }, 'Erro ao ligar o endereço. Tente novamente.');

  return { isBusy, sendTest, turnOn };
}

type SummaryProps = { endpoint: WebhookEndpoint; onOpen: (dialog: OpenDialog | null) => void };

function Summary({ endpoint, onOpen }: SummaryProps) {
  return (
    <Panel well as="aside" label="Resumo">
      <h2 className="font-strong">Resumo</h2>
      <Facts bordered={false} className="mt-2" facts={factsOf(endpoint)} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="small" onClick={() => onOpen({ kind: 'change' })}>
          Alterar
        </Button>
        {endpoint.state === 'on' && (
          <Button size="small" onClick={() => onOpen({ kind: 'turn-off' })}>
            Desligar
          </Button>
        )}
        <Button size="small" variant="danger" onClick={() => onOpen({ kind: 'remove' })}>
          Remover
        </Button>
      </div>
    </Panel>
  );
}

/**
 * Why the endpoint is off, or since when it has been failing; nothing while it works. The reason `gone` means that the
 * merchant's server responded with status 410.
 */
function TroubleNotice({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, off_reason, off_at, failing_since, failures } = endpoint;
  const when = off_at === null ? '' : ` em ${formatDateAtTime(off_at)}`;
  const heldText = `O que acontece enquanto isso espera até ${WEBHOOK_LIMITS.heldDays} dias e é enviado quando você ligar.`;
  const notice = (tone: 'warning' | 'info', title: string, children: ReactNode) => (
    <Notice tone={tone} className="mb-6" title={title}>
      {children}
    </Notice>
  );
  if (state === 'off') {
    if (off_reason === 'gone')
      return notice(
        'warning',
        `Desligado${when}.`,
        `Seu servidor respondeu 410, que quer dizer “não envie mais”. ${heldText}`,
      );
    if (off_reason === 'failing')
      return notice(
        'warning',
        `Desligado${when}.`,
        `Nada foi aceito por ${WEBHOOK_LIMITS.offAfterDays} dias. Conserte o seu servidor e ligue de novo. ${heldText}`,
      );
    return notice('info', `Você o desligou${when}.`, heldText);
  }
  if (failing_since === null) return null;
  return notice(
    'warning',
    `Nada é aceito desde ${formatDateAtTime(failing_since)}.`,
    `${failures === 1 ? 'Foi 1 tentativa' : `Foram ${failures} tentativas`}. Abra a última entrega e veja o que o seu servidor respondeu. Depois de ${WEBHOOK_LIMITS.offAfterDays} dias assim, o endereço é desligado.`,
  );
}

function Secret({ id }: { id: string }) {
  return (
    <section aria-labelledby="secret">
      <SectionHeader id="secret" title="Segredo" />
      <p className="mt-1 text-muted">
        Assina o que vai a este endereço, e só a ele. Se a assinatura não confere,{' '}
        <Link to={paths.webhookDoctor} search={{ endpoint: id }} className="link">
          pergunte ao Doutor
        </Link>
        .
      </p>
      <div className="max-w-136">
        <SigningSecret read={() => endpointSecret.read(id)} rotate={() => endpointSecret.rotate(id)} />
      </div>
    </section>
  );
}

function factsOf(endpoint: WebhookEndpoint): Fact[] {
  const { description, events, last_delivered_at, created_at } = endpoint;
  return [
    { label: 'Estado', value: <EndpointState endpoint={endpoint} /> },
    ...(description === ''
      ? []
      : [{ label: 'Descrição', value: <span className="wrap-anywhere">{description}</span> }]),
    {
      label: 'Eventos',
      value:
        events.length === 0 ? (
          'Todos'
        ) : (
          <ul>
            {events.map((type) => (
              <li key={type}>{eventLabel(type)}</li>
            ))}
          </ul>
        ),
    },
    {
      label: 'Última entrega',
      value: last_delivered_at === null ? 'Nenhuma' : formatDateTime(last_delivered_at),
    },
    { label: 'Adicionado em', value: formatDateTime(created_at) },
  ];
}

type DialogsProps = {
  endpoint: WebhookEndpoint;
  openDialog: OpenDialog | null;
  onOpen: (dialog: OpenDialog | null) => void;
};

function Dialogs({ endpoint, openDialog, onOpen }: DialogsProps) {
  const navigate = useNavigate();
  const close = () => onOpen(null);
  switch (openDialog?.kind) {
    case 'change':
      return (
        <EndpointDialog
          endpoint={endpoint}
          onClose={close}
          onSend={async (body) => {
            await endpointActions.update(endpoint.id, body);
            close();
            toast('Endereço alterado');
          }}
        />
      );
    case 'turn-off':
      return (
        <ConfirmDialog
          open
          onClose={close}
          title="Desligar este endereço?"
          confirm="Desligar"
          onConfirm={() => endpointActions.disable(endpoint.id)}
          failure="Erro ao desligar o endereço. Tente novamente."
        >
          Nada é enviado até você ligar de novo. O que acontecer espera até {WEBHOOK_LIMITS.heldDays} dias.
        </ConfirmDialog>
      );
    case 'remove':
      return (
        <ConfirmDialog
          open
          onClose={close}
          title="Remover este endereço?"
          confirm="Remover"
          onConfirm={async () => {
            await endpointActions.remove(endpoint.id, () => navigate({ to: paths.webhooks, search: {} }));
            toast('Endereço removido');
          }}
          failure="Erro ao remover o endereço. Tente novamente."
        >
          <span className="break-all">{endpoint.url}</span> deixa de receber avisos, e o segredo se perde. O
          que esperava por ele não é enviado. O registro das entregas fica.
        </ConfirmDialog>
      );
    case 'test':
      return (
        <TestDialog
          id={openDialog.deliveryId}
          onClose={close}
          onDetail={() => onOpen({ kind: 'delivery', deliveryId: openDialog.deliveryId })}
        />
      );
    case 'delivery':
      return (
        <DeliveryDialog
          key={openDialog.deliveryId}
          id={openDialog.deliveryId}
          onClose={close}
          onResent={(newDeliveryId) => onOpen({ kind: 'delivery', deliveryId: newDeliveryId })}
        />
      );
    default:
      return null;
  }
}
