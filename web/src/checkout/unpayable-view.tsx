import type { PaymentPage } from '@jangada/contract';
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayOf, formatDate, formatTime } from '../format/date.ts';
import { formatMoney } from '../format/money.ts';
import { buttonClass } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { CardPage, MessageCard, scriptDataAttributes } from './card-page.tsx';

/**
 * The page of a charge that was refunded, or that can no longer be paid because it expired, was cancelled or failed. It
 * also tells payers who have already paid what happens to their money.
 */
export function UnpayableView({ page }: { page: PaymentPage }) {
  const { title, sentence, action } = messageOf(page);
  return (
    <CardPage payee={page.payee} {...scriptDataAttributes(page)}>
      <MessageCard
        drawing={<Drawing name={page.state === 'refunded' ? 'all-done' : 'failed-to-load'} />}
        title={title}
        action={action}
      >
        {sentence}
      </MessageCard>
    </CardPage>
  );
}

function messageOf(page: PaymentPage): { title: string; sentence: ReactNode; action: ReactNode } {
  const { payee, state } = page;
  const amount = (
    <strong className="font-strong whitespace-nowrap text-base-content">
      {formatMoney(page.amountCents)}
    </strong>
  );
  const checkLink = <CheckLink id={page.id} />;
  if (state === 'refunded')
    return {
      title: 'Pagamento devolvido',
      sentence: (
        <>
          {payee.name} devolveu {amount}. O valor volta para a conta de onde o Pix saiu.
        </>
      ),
      action: (
        <a className={buttonClass({ size: 'large' })} href={`/comprovante/${page.id}`}>
          Ver comprovante
        </a>
      ),
    };
  if (state === 'cancelled')
    return {
      title: 'Esta cobrança foi cancelada',
      sentence: (
        <>
          {payee.name} cancelou a cobrança de {amount}. Não pague este código. Se você já pagou, o valor será
          reconhecido.
        </>
      ),
      action: checkLink,
    };
  if (state === 'failed')
    return {
      title: 'O código não foi gerado',
      sentence: (
        <>
          O banco não gerou o código da cobrança de {amount}. Peça outro a {payee.name}.
        </>
      ),
      action: newCodeLink(page),
    };
  return {
    title: 'Este código expirou',
    sentence: (
      <>
        A cobrança de {amount} venceu {expiryText(page)}. Se você já pagou, o valor será reconhecido. Senão,{' '}
        {page.linkUrl === null ? `peça outro código a ${payee.name}.` : 'gere outro código.'}
      </>
    ),
    action: (
      <>
        {newCodeLink(page)}
        {checkLink}
      </>
    ),
  };
}

/**
 * A link to the payment link that created the charge, where the payer gets another code; null if no payment link
 * created it.
 */
function newCodeLink({ linkUrl }: PaymentPage): ReactNode {
  if (linkUrl === null) return null;
  return (
    <a className={`${buttonClass({ variant: 'primary', size: 'large' })} main-button`} href={linkUrl}>
      Gerar outro código
    </a>
  );
}

function CheckLink({ id }: { id: string }) {
  return (
    <a className={buttonClass({ size: 'large' })} href={`/pagar/${id}`}>
      <RefreshCw className="size-4.5" strokeWidth={1.75} aria-hidden="true" />
      Já paguei, verificar
    </a>
  );
}

/** When the charge expired: `às 13:56`, or `em 21/11/2026 às 13:56` if that was on another day. */
function expiryText({ expiresAt, now }: PaymentPage): string {
  const time = `às ${formatTime(expiresAt)}`;
  const wasToday = dayOf(new Date(expiresAt)) === dayOf(new Date(now));
  return wasToday ? time : `em ${formatDate(expiresAt)} ${time}`;
}
