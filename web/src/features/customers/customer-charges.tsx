import { centsFromBrl, type Subscription, type Transaction } from '@jangada/contract';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../api/error-text.ts';
import { paths } from '../../app/paths.ts';
import { formatCalendarDay, formatDate } from '../../format/date.ts';
import { formatMoney } from '../../format/money.ts';
import { periodTexts } from '../../format/subscription-words.ts';
import { Link } from '../../navigation/index.ts';
import { useMay } from '../../session/account.ts';
import { customerChargesQuery, customerSubscriptionsQuery } from './customers-queries.ts';

type CustomerProps = { id: string; isArchived: boolean };

/** The newest open and paid charges of a customer, and their subscriptions, each linked to its own screen. */
export function CustomerCharges({ id, isArchived }: CustomerProps) {
  return (
    <>
      <Charges id={id} status="pending" title="Em aberto" none="Nada em aberto." />
      <Subscriptions id={id} isArchived={isArchived} />
      <Charges id={id} status="paid" title="Pago" none="Nada pago ainda." />
    </>
  );
}

type ChargesProps = { id: string; status: 'pending' | 'paid'; title: string; none: string };

function Charges({ id, status, title, none }: ChargesProps) {
  const query = useQuery(customerChargesQuery(id, status));
  const charges = query.data?.data;
  const heading = `customer-${status}`;
  return (
    <section className="mt-5" aria-labelledby={heading}>
      <h4 id={heading} className="text-xs font-medium text-muted">
        {title}
      </h4>
      {charges === undefined && query.isError && (
        <p className="mt-1 text-sm text-error">{errorText(query.error, 'Erro ao buscar as cobranças.')}</p>
      )}
      {charges?.length === 0 && <p className="mt-1 text-sm text-muted">{none}</p>}
      <ul className="mt-1 divide-y divide-base-300">
        {charges?.map((charge) => (
          <li key={charge.id} className="flex min-h-11 items-center justify-between gap-4 md:min-h-9">
            <Link to={paths.transactions} search={{ id: charge.id }} className="link tabular-nums">
              {formatMoney(centsFromBrl(charge.due?.amount_today ?? charge.amount))}
            </Link>
            <span className="text-right text-xs text-muted">{whenText(charge)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Subscriptions({ id, isArchived }: CustomerProps) {
  const query = useQuery(customerSubscriptionsQuery(id));
  const subscriptions = query.data?.data;
  const mayCreate = useMay('manage-charges') && !isArchived;
  return (
    <section className="mt-5" aria-labelledby="customer-subscriptions">
      <h4 id="customer-subscriptions" className="text-xs font-medium text-muted">
        Assinaturas
      </h4>
      {subscriptions === undefined && query.isError && (
        <p className="mt-1 text-sm text-error">{errorText(query.error, 'Erro ao buscar as assinaturas.')}</p>
      )}
      {subscriptions?.length === 0 && (
        <p className="mt-1 text-sm text-muted">
          Nenhuma.{' '}
          {mayCreate && (
            <Link to={paths.newSubscription} search={{ customer: id }} className="link">
              Criar assinatura
            </Link>
          )}
        </p>
      )}
      <ul className="mt-1 divide-y divide-base-300">
        {subscriptions?.map((subscription) => (
          <li key={subscription.id} className="flex min-h-11 items-center justify-between gap-4 md:min-h-9">
            <Link to={paths.subscriptions} search={{ id: subscription.id }} className="link wrap-anywhere">
              {subscription.description}
            </Link>
            <span className="text-right text-xs text-muted">{subscriptionText(subscription)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const stateTexts: Readonly<Record<Subscription['status'], string>> = {
  waiting: 'espera autorização',
  active: 'em dia',
  past_due: 'com cobrança não paga',
  ended: 'encerrada',
};

function subscriptionText({ amount, period, status }: Subscription): string {
  const sum = amount === null ? 'valor variável' : formatMoney(centsFromBrl(amount));
  return `${sum} ${periodTexts[period]}, ${stateTexts[status]}`;
}

function whenText({ paid_at, due, expires_at }: Transaction): string {
  if (paid_at !== null) return `pago em ${formatDate(paid_at)}`;
  return due === undefined
    ? `vale até ${formatDate(expires_at)}`
    : `vencimento em ${formatCalendarDay(due.due_date)}`;
}
