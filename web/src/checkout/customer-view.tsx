import type { CustomerPage } from '@jangada/contract';
import { formatCalendarDay, formatDate, formatDateTime } from '../format/date.ts';
import { formatMoney } from '../format/money.ts';
import { asTitle, repetitionText } from '../format/subscription-words.ts';
import { buttonClass } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { CardPage } from './card-page.tsx';

/** The page of a customer: everything that is open, each with the way to pay it, and what was paid in the last year. */
export function CustomerView({ page }: { page: CustomerPage }) {
  const { open, subscriptions, paid, payee, customerName } = page;
  return (
    <CardPage payee={payee}>
      <h1 className="text-lg font-strong wrap-anywhere" tabIndex={-1}>
        {customerName}
      </h1>
      {open.length === 0 ? (
        <div className="mt-6 grid justify-items-center text-center">
          <Drawing name="no-result" />
          <h2 className="mt-2 text-base font-strong">Nada em aberto</h2>
          <p className="mt-1 text-sm text-balance text-muted">
            Quando houver uma cobrança de {payee.name}, ela aparece aqui.
          </p>
        </div>
      ) : (
        <OpenCharges open={open} />
      )}
      {subscriptions.length > 0 && <Subscriptions subscriptions={subscriptions} />}
      {paid.length > 0 && <PaidCharges paid={paid} />}
    </CardPage>
  );
}

function OpenCharges({ open }: { open: CustomerPage['open'] }) {
  const totalCents = open.reduce((sum, { amountCents }) => sum + amountCents, 0);
  return (
    <section aria-labelledby="em-aberto">
      <h2 id="em-aberto" className="mt-4 text-sm text-muted">
        Em aberto hoje
      </h2>
      <p className="mt-1 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
        {formatMoney(totalCents)}
      </p>
      <ul className="mt-4 divide-y divide-base-300 border-y border-base-300">
        {open.map((charge, index) => (
          <li key={charge.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
            <div className="min-w-0">
              <p className="text-base font-strong whitespace-nowrap tabular-nums">
                {formatMoney(charge.amountCents)}
              </p>
              {charge.description !== null && (
                <p className="mt-0.5 text-sm wrap-anywhere">{charge.description}</p>
              )}
              <p className={`mt-0.5 text-xs ${charge.isOverdue ? 'text-error' : 'text-muted'}`}>
                {whenText(charge)}
              </p>
            </div>
            <a
              className={buttonClass({ variant: index === 0 ? 'primary' : 'line' })}
              href={`/pagar/${charge.id}`}
              aria-label={`Pagar ${formatMoney(charge.amountCents)}, ${whenText(charge).toLowerCase()}`}
            >
              Pagar
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function whenText({ dueDate, expiresAt, isOverdue }: CustomerPage['open'][number]): string {
  if (dueDate === null) return `Vale até ${formatDateTime(expiresAt)}`;
  return `${isOverdue ? 'Venceu em' : 'Vence em'} ${formatCalendarDay(dueDate)}`;
}

type CustomerSubscription = CustomerPage['subscriptions'][number];

function Subscriptions({ subscriptions }: { subscriptions: readonly CustomerSubscription[] }) {
  return (
    <section aria-labelledby="debitos" className="mt-6">
      <h2 id="debitos" className="text-sm text-muted">
        Débitos por Pix Automático
      </h2>
      <ul className="mt-2 divide-y divide-base-300 border-y border-base-300">
        {subscriptions.map((subscription) => (
          <li
            key={subscription.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3"
          >
            <div className="min-w-0">
              <p className="text-sm font-medium wrap-anywhere">{subscription.description}</p>
              <p className="mt-0.5 text-sm tabular-nums">{termsText(subscription)}</p>
              <p className="mt-0.5 text-xs text-muted">{stateText(subscription)}</p>
            </div>
            <a
              className={buttonClass({ variant: 'line' })}
              href={`/autorizar/${subscription.id}`}
              aria-label={`${actionText(subscription)} ${subscription.description}`}
            >
              {actionText(subscription)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

function termsText({ amountCents, period, firstDay }: CustomerSubscription): string {
  const repetition = repetitionText(period, firstDay);
  return amountCents === null
    ? asTitle(`${repetition}, valor variável`)
    : `${formatMoney(amountCents)} ${repetition}`;
}

function stateText({ state, nextDay }: CustomerSubscription): string {
  if (state === 'waiting') return 'Espera a sua autorização no banco';
  if (state !== 'allowed') return 'Sem autorização: o banco não debita mais';
  return nextDay === null ? 'Autorizado no seu banco' : `Próximo débito em ${formatCalendarDay(nextDay)}`;
}

function actionText({ state }: CustomerSubscription): string {
  return state === 'waiting' ? 'Autorizar' : 'Ver';
}

function PaidCharges({ paid }: { paid: CustomerPage['paid'] }) {
  return (
    <section aria-labelledby="pago" className="mt-6">
      <h2 id="pago" className="text-sm text-muted">
        Pago nos últimos 12 meses
      </h2>
      <ul className="mt-2 divide-y divide-base-300 border-t border-base-300 text-sm">
        {paid.map((charge) => (
          <li key={charge.id} className="flex items-baseline justify-between gap-4 py-2">
            <div className="min-w-0">
              <a className="link" href={`/comprovante/${charge.id}`}>
                {formatDate(charge.paidAt)}
                <span className="sr-only">: comprovante de {formatMoney(charge.amountCents)}</span>
              </a>
              {charge.description !== null && (
                <p className="text-xs text-muted wrap-anywhere">{charge.description}</p>
              )}
            </div>
            <div className="text-right">
              <p className="whitespace-nowrap tabular-nums">{formatMoney(charge.amountCents)}</p>
              {charge.refundedCents > 0 && (
                <p className="text-xs whitespace-nowrap text-muted tabular-nums">
                  devolvido: {formatMoney(charge.refundedCents)}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
