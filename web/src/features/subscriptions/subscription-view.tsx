import type { Subscription } from '@jangada/contract';
import { formatDocument } from '@jangada/pix';
import { useState } from 'react';
import { paths } from '../../app/paths.ts';
import { centsOf } from '../../format/cents-of.ts';
import { formatCalendarDay, formatDateAtTime, formatDateTime } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { shortId } from '../../format/short-id.ts';
import { asTitle, repetitionText } from '../../format/subscription-words.ts';
import { Link } from '../../navigation/index.ts';
import { ConfirmDialog } from '../../panel/confirm/confirm-dialog.tsx';
import { useMay } from '../../session/account.ts';
import {
  Button,
  Code,
  CopyButton,
  type Fact,
  Facts,
  LoadingRegion,
  Panel,
  Skeleton,
  SkeletonText,
  toast,
  useAnnouncement,
} from '../../ui/index.ts';
import { CyclesTimeline } from './cycles-timeline.tsx';
import { SendPanel } from './send-panel.tsx';
import { daysText } from './subscription-draft.ts';
import {
  allowedByTexts,
  authorizationChoices,
  explanationOf,
  subscriptionBadges,
} from './subscription-words.ts';
import { subscriptionActions } from './subscriptions-queries.ts';
import { amountText, SubscriptionBadge } from './subscriptions-table.tsx';

/** The life of one subscription: its state and what to do, the page to send, each cycle, and its terms. */
export function SubscriptionView({ subscription }: { subscription: Subscription }) {
  const { status } = subscription;
  const [firstStatus] = useState(status);
  useAnnouncement(status === firstStatus ? undefined : `Assinatura: ${subscriptionBadges[status].label}`);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <State subscription={subscription} />
        {status === 'waiting' && <SendPanel subscription={subscription} />}
        <CyclesTimeline subscription={subscription} />
      </div>
      <Panel well as="aside" label="Resumo">
        <h2 className="font-strong">Resumo</h2>
        <Facts bordered={false} className="mt-2" facts={factsOf(subscription)} />
        {status !== 'ended' && <CancelButton subscription={subscription} />}
      </Panel>
    </div>
  );
}

function State({ subscription }: { subscription: Subscription }) {
  const { what, advice } = explanationOf(subscription);
  return (
    <section aria-label="Situação">
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-1">
        <p className="text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {amountText(subscription)}
        </p>
        <SubscriptionBadge subscription={subscription} />
      </div>
      <p className="mt-1 text-muted">
        {asTitle(repetitionText(subscription.period, subscription.first_day))}
      </p>
      <p className="mt-4 text-base">{what}</p>
      {advice !== null && <p className="mt-1 text-muted">{advice}</p>}
    </section>
  );
}

function factsOf(subscription: Subscription): Fact[] {
  const {
    payer,
    customer_id: customerId,
    mandate,
    first_payment_id: firstPayment,
    retry_days: retryDays,
  } = subscription;
  return [
    {
      label: 'Quem paga',
      value:
        customerId === null ? (
          payer.name
        ) : (
          <Link to={paths.customers} search={{ id: customerId }} className="link">
            {payer.name}
          </Link>
        ),
    },
    { label: 'Documento', value: formatDocument(payer.document) },
    { label: 'Valor', value: amountText(subscription), strong: true },
    ...(subscription.min_maximum === null
      ? []
      : [{ label: 'Menor máximo', value: formatMoney(centsOf(subscription.min_maximum)) }]),
    { label: 'Primeira', value: formatCalendarDay(subscription.first_day) },
    {
      label: 'Última até',
      value: subscription.last_day === null ? 'Sem fim' : formatCalendarDay(subscription.last_day),
    },
    {
      label: 'Se falhar',
      value: retryDays.length === 0 ? 'Não tenta de novo' : `Tenta ${daysText(retryDays)} depois`,
    },
    ...(mandate.allowed_at === null
      ? [{ label: 'Como autoriza', value: authorizationChoices[subscription.authorization].label }]
      : [
          { label: 'Autorizada em', value: formatDateTime(mandate.allowed_at) },
          ...(mandate.allowed_by === null
            ? []
            : [{ label: 'Como', value: allowedByTexts[mandate.allowed_by] }]),
        ]),
    ...(subscription.ended_at === null
      ? []
      : [{ label: 'Encerrada em', value: formatDateTime(subscription.ended_at) }]),
    ...(firstPayment === null
      ? []
      : [
          {
            label: 'Primeiro pagamento',
            value: (
              <Link to={paths.transactions} search={{ id: firstPayment }} className="link font-mono text-xs">
                {shortId(firstPayment)}
              </Link>
            ),
          },
        ]),
    ...(mandate.id_rec === null
      ? []
      : [
          {
            label: 'No banco',
            value: (
              <>
                <Code className="break-all">{mandate.id_rec}</Code>
                <CopyButton
                  iconOnly
                  className="-mr-1.5"
                  text={mandate.id_rec}
                  label="Copiar número no banco"
                />
              </>
            ),
          },
        ]),
    ...(subscription.external_id === null
      ? []
      : [{ label: 'Sua referência', value: <Code className="break-all">{subscription.external_id}</Code> }]),
    { label: 'Criada em', value: formatDateAtTime(subscription.created_at) },
  ];
}

function CancelButton({ subscription }: { subscription: Subscription }) {
  const mayManage = useMay('manage-charges');
  const [isAsking, setIsAsking] = useState(false);
  if (!mayManage) return null;
  return (
    <>
      <Button variant="danger" block className="mt-4" onClick={() => setIsAsking(true)}>
        Cancelar assinatura
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Cancelar esta assinatura?"
        confirm="Cancelar assinatura"
        failure="Erro ao cancelar a assinatura. Tente novamente."
        onConfirm={async () => {
          await subscriptionActions.cancel(subscription.id);
          toast('Assinatura cancelada');
        }}
      >
        <p>{stillDebitedText(subscription)}</p>
        <p className="mt-2">
          A autorização acaba e não volta: para cobrar {subscription.payer.name} de novo, crie outra
          assinatura.
        </p>
      </ConfirmDialog>
    </>
  );
}

/** What may still be debited after the subscription is cancelled. */
function stillDebitedText({ status, next_cycle: next }: Subscription): string {
  if (status === 'waiting')
    return 'Nada foi autorizado, e nada será debitado. O código e a página deixam de valer.';
  const isAtBank = next !== null && ['sending', 'scheduled', 'retrying'].includes(next.status);
  if (!isAtBank) return 'Nada mais será debitado.';
  return `O banco já tem o débito de ${formatCalendarDay(next.debit_day)}. Até as 22 h da véspera ele é retirado com a assinatura; depois disso, ainda pode ser debitado.`;
}

const skeletonLabels = [
  'Quem paga',
  'Documento',
  'Valor',
  'Primeira',
  'Última até',
  'Se falhar',
  'Criada em',
];

export function SubscriptionSkeleton() {
  return (
    <LoadingRegion>
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_minmax(0,21rem)]">
        <div>
          <div className="flex items-end justify-between gap-4">
            <SkeletonText line="h-10" className="h-8 w-44" />
            <Skeleton className="h-5.5 w-24" />
          </div>
          <div className="mt-4">
            <SkeletonText line="h-6" className="h-3 w-full" />
            <SkeletonText line="h-5" className="h-3 w-2/3" />
          </div>
          <Skeleton className="mt-8 h-40 w-full" />
        </div>
        <Panel well as="aside" label="Resumo">
          <h2 className="font-strong">Resumo</h2>
          <Facts
            bordered={false}
            className="mt-2"
            facts={skeletonLabels.map((label) => ({ label, value: <Skeleton className="h-3 w-24" /> }))}
          />
        </Panel>
      </div>
    </LoadingRegion>
  );
}
