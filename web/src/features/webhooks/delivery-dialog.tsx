import type { WebhookAttempt, WebhookDeliveryDetail } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { formatDateTimeToSecond } from '../../format/date.ts';
import { shortId } from '../../format/short-id.ts';
import { Link } from '../../navigation/index.ts';
import { CopyableText } from '../../panel/copyable-text.tsx';
import {
  Button,
  Code,
  CodeWell,
  Dialog,
  type Fact,
  Facts,
  Glyph,
  LoadingRegion,
  Notice,
  SectionHeader,
  Skeleton,
  toast,
} from '../../ui/index.ts';
import { DeliveryState } from './deliveries-table.tsx';
import { DeliveryOutcome, durationText, ReceiverResponse } from './delivery-outcome.tsx';
import { headerLines, isResendable, outcomeText } from './delivery-words.ts';
import { eventLabel, subjectOf } from './event-words.ts';
import { deliveryQuery, resendActions } from './webhooks-queries.ts';

type DeliveryDialogProps = {
  id: string;
  onClose: () => void;
  /** Called after a resend, with the id of the new delivery. */
  onResent: (id: string) => void;
};

/**
 * The details of a webhook delivery: what was sent, and each attempt with its response. The delivery can be resent from
 * here.
 */
export function DeliveryDialog({ id, onClose, onResent }: DeliveryDialogProps) {
  const delivery = useQuery(deliveryQuery(id));
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<string>();
  const { data } = delivery;
  const resend = async () => {
    setIsSending(true);
    setError(undefined);
    try {
      const newDelivery = await resendActions.one(id);
      toast('A entrega está a caminho de novo');
      onResent(newDelivery.id);
    } catch (failure) {
      setError(errorText(failure, 'Erro ao reenviar. Tente novamente.'));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Entrega"
      size="wide"
      locked={isSending}
      footer={
        <>
          <Button onClick={onClose} disabled={isSending}>
            Fechar
          </Button>
          {data !== undefined && isResendable(data) && (
            <Button variant="primary" isSending={isSending} onClick={resend}>
              Reenviar
            </Button>
          )}
        </>
      }
    >
      {error !== undefined && (
        <Notice tone="error" className="mb-4">
          {error}
        </Notice>
      )}
      {data !== undefined ? (
        <Detail delivery={data} />
      ) : delivery.isError ? (
        <Notice
          tone="error"
          action={
            <Button size="small" isSending={delivery.isFetching} onClick={() => delivery.refetch()}>
              Tentar Novamente
            </Button>
          }
        >
          {errorText(delivery.error, 'Erro ao buscar a entrega.')}
        </Notice>
      ) : (
        <LoadingRegion>
          <Skeleton className="h-5.5 w-44" />
          <Skeleton className="mt-5 h-44 w-full" />
          <Skeleton className="mt-5 h-24 w-full" />
        </LoadingRegion>
      )}
    </Dialog>
  );
}

function Detail({ delivery }: { delivery: WebhookDeliveryDetail }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-base font-strong">{eventLabel(delivery.type)}</span>
        <DeliveryState delivery={delivery} />
      </p>
      <div aria-live="polite" className="mt-3">
        <DeliveryOutcome delivery={delivery} />
      </div>
      <Facts className="mt-5" facts={factsOf(delivery)} />
      {delivery.log.length > 0 && <Attempts attempts={delivery.log} />}
      <section aria-labelledby="delivery-body" className="mt-6">
        <SectionHeader id="delivery-body" title="Corpo enviado" />
        {delivery.body === null ? (
          <p className="text-muted">O evento tem mais de 30 dias, e o corpo não é mais guardado.</p>
        ) : (
          <>
            <CodeWell label="Corpo enviado">{delivery.body}</CodeWell>
            {delivery.log.length > 0 && (
              <p className="mt-3 text-muted">
                A assinatura não confere no seu servidor?{' '}
                <Link to={paths.webhookDoctor} search={{ delivery: delivery.id }} className="link">
                  Levar ao Doutor
                </Link>
              </p>
            )}
          </>
        )}
      </section>
    </>
  );
}

function factsOf({
  type,
  event_id,
  subject_id,
  endpoint_id,
  url,
  created_at,
  resent,
}: WebhookDeliveryDetail): Fact[] {
  const subject = subjectOf(type);
  return [
    { label: 'Tipo', value: <Code>{type}</Code> },
    { label: 'webhook-id', value: <CopyableText text={event_id} label="Copiar webhook-id" /> },
    { label: 'Enviada a', value: <span className="break-all">{url}</span> },
    // Without an endpoint, the URL is the callback that was given with one charge or withdrawal.
    ...(endpoint_id === null ? [{ label: 'Assinada com', value: 'Segredo da conta (callback)' }] : []),
    ...(subject === undefined
      ? []
      : [
          {
            label: subject.label,
            value: (
              <Link to={paths[subject.path]} search={{ id: subject_id }} className="link font-mono text-xs">
                {shortId(subject_id)}
              </Link>
            ),
          },
        ]),
    {
      label: resent ? 'Reenviada em' : 'Criada em',
      value: formatDateTimeToSecond(created_at),
    },
  ];
}

/** Lists the attempts, which come oldest first, from the newest to the oldest. The newest is expanded. */
function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const newestNumber = attempts.at(-1)?.number;
  return (
    <section aria-labelledby="delivery-attempts" className="mt-6">
      <SectionHeader id="delivery-attempts" title={attempts.length === 1 ? 'Tentativa' : 'Tentativas'} />
      <ol className="mt-1 divide-y divide-base-300 border-y border-base-300">
        {attempts.toReversed().map((attempt) => (
          <li key={attempt.number}>
            <Attempt attempt={attempt} isOpen={attempt.number === newestNumber} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Attempt({ attempt, isOpen }: { attempt: WebhookAttempt; isOpen: boolean }) {
  const { number, at, duration_ms, status, error, headers, answer } = attempt;
  const isAccepted = status !== null && status >= 200 && status < 300;
  return (
    <details open={isOpen} className="group">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center gap-x-3 gap-y-0.5 py-2 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-muted transition-[rotate] duration-120 group-open:rotate-90"
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <Glyph name={isAccepted ? 'done' : 'failed'} className="size-4 shrink-0" />
        <span className="font-medium">
          {number}ª: {outcomeText(status, error)}
        </span>
        <span className="text-muted tabular-nums">{durationText(duration_ms)}</span>
        <span className="ml-auto text-muted tabular-nums">{formatDateTimeToSecond(at)}</span>
      </summary>
      <div className="pb-4">
        <p className="mb-1 text-xs font-medium text-muted">Cabeçalhos enviados</p>
        <CodeWell label={`Cabeçalhos da ${number}ª tentativa`}>{headerLines(headers)}</CodeWell>
        <ReceiverResponse text={answer} />
      </div>
    </details>
  );
}
