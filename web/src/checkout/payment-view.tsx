import type { PayerDue, PaymentPage } from '@jangada/contract';
import { CalendarDays, Copy, Timer } from 'lucide-react';
import { dayOf, formatCalendarDay, formatDate, formatTime } from '../format/date.ts';
import { formatMoney } from '../format/money.ts';
import { buttonClass } from '../ui/button.tsx';
import { CodeWell } from '../ui/facts.tsx';
import { PageFooter, scriptDataAttributes, WaterFooter } from './card-page.tsx';
import { dueFacts } from './due-facts.ts';
import { PaidView } from './paid-view.tsx';
import { PayeeHeader } from './payee-header.tsx';
import { QrCode } from './qr-code.tsx';
import { ReceiptFacts } from './receipt-facts.tsx';
import { UnpayableView } from './unpayable-view.tsx';

/**
 * The payment page of one charge. The page's script keeps the page up to date; without scripts, a link loads the page
 * again.
 */
export function PaymentView({ page }: { page: PaymentPage }) {
  if (page.state === 'waiting') return <WaitingView page={page} />;
  if (page.state === 'paid') return <PaidView page={page} />;
  return <UnpayableView page={page} />;
}

/**
 * The page of a charge that can be paid. On wide screens the purchase is on the left and the code on the right. On
 * phones the code is below the amount.
 */
function WaitingView({ page }: { page: PaymentPage }) {
  const { payee, amountCents, description, code, due } = page;
  return (
    <main
      {...scriptDataAttributes(page)}
      className="page md:grid md:grid-cols-2 md:grid-rows-[auto_1fr_auto]"
    >
      <section className="pane-start bg-base-200 py-5 md:pt-14 md:pb-6">
        <PayeeHeader payee={payee} className="mb-8 md:mb-14" />
        <h1 className="sr-only" tabIndex={-1}>
          Pagamento a {payee.name}
        </h1>
        <p className="text-sm text-muted">{due === null ? 'Valor a pagar' : 'Valor a pagar hoje'}</p>
        <p className="mt-1 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
          {formatMoney(amountCents)}
        </p>
        {description !== null && <p className="mt-2 text-base wrap-anywhere">{description}</p>}
        {due === null ? <Deadline page={page} /> : <DueDate due={due} amountCents={amountCents} />}
      </section>
      <section className="pane-end py-5 md:row-span-3 md:grid md:content-center">
        <div className="mx-auto w-full md:max-w-88">
          {code === '' ? <NoCodeYet page={page} /> : <CodeToPay page={page} />}
        </div>
      </section>
      <section className="pane-start pb-6 md:bg-base-200">
        <Steps page={page} />
      </section>
      <div className="pane-start pb-6 md:bg-base-200 md:pb-14">
        <WaterFooter className="max-md:hidden" />
        <PageFooter className="md:hidden" />
      </div>
    </main>
  );
}

/** When it falls due, until when it can still be paid, and how the amount of today is made up. */
function DueDate({ due, amountCents }: { due: PayerDue; amountCents: number }) {
  return (
    <>
      <p className="mt-4 flex items-center gap-2 text-base text-muted">
        <CalendarDays className="size-5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
        <span>
          {due.isLate ? 'Venceu em ' : 'Vence em '}
          <strong className="font-strong text-base-content tabular-nums">
            {formatCalendarDay(due.dueDate)}
          </strong>
          {due.lastDay !== due.dueDate && `, com prazo até ${formatCalendarDay(due.lastDay)}`}
        </span>
      </p>
      {due.originalCents !== amountCents && <ReceiptFacts facts={dueFacts(due)} className="max-w-md" />}
      <p className="mt-3 text-sm text-muted">
        Antes de você confirmar, o aplicativo do seu banco mostra o valor exato do dia.
      </p>
    </>
  );
}

/**
 * The deadline as a time of day. The page's script turns the deadline into a countdown, and screen readers announce the
 * time left now and then.
 */
function Deadline({ page: { expiresAt, now } }: { page: PaymentPage }) {
  const time = formatTime(expiresAt);
  const isToday = dayOf(new Date(expiresAt)) === dayOf(new Date(now));
  return (
    <>
      <p className="mt-4 flex items-center gap-2 text-base text-muted">
        <Timer className="size-5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
        <span data-deadline>
          <span data-deadline-words>Pague até</span>{' '}
          <time dateTime={expiresAt} className="font-strong text-base-content tabular-nums">
            {isToday ? `as ${time}` : `${formatDate(expiresAt)} às ${time}`}
          </time>
        </span>
      </p>
      <p role="status" className="sr-only" data-deadline-voice />
    </>
  );
}

/** The QR code, the button that copies the Pix code, and the code itself (Pix copia e cola) to copy by hand. */
function CodeToPay({ page }: { page: PaymentPage }) {
  return (
    <div className="flex flex-col">
      <QrCode code={page.code} className="mx-auto w-full max-md:order-3 max-md:mt-6 max-md:max-w-70" />
      <div className="md:mt-6">
        {/* Without the page's script this is a link to the code. The script replaces the link with a button that
            copies the code. */}
        <a
          href="#codigo"
          data-copy
          className={`${buttonClass({ variant: 'primary', size: 'large', block: true })} main-button`}
        >
          <Copy className="size-5" strokeWidth={1.75} aria-hidden="true" />
          <span data-copy-words>Copiar código Pix</span>
        </a>
        <p role="status" className="sr-only" data-copy-voice />
      </div>
      <Status id={page.id} />
      <div className="mt-6 max-md:order-4" id="codigo">
        <p className="mb-1.5 text-xs font-medium text-muted">Pix Copia e Cola</p>
        <div data-code>
          <CodeWell label="Código Pix Copia e Cola">{page.code}</CodeWell>
        </div>
      </div>
    </div>
  );
}

function Status({ id }: { id: string }) {
  return (
    <div className="mt-3 flex flex-wrap items-center justify-center gap-x-2.5 gap-y-1 text-sm text-muted">
      <span className="waiting-dot" aria-hidden="true" />
      <p role="status" data-status>
        Aguardando o pagamento
      </p>
      <a className="link" href={`/pagar/${id}`} data-check>
        Verificar pagamento
      </a>
    </div>
  );
}

/** Shown until the bank has created the charge and its code. */
function NoCodeYet({ page }: { page: PaymentPage }) {
  return (
    <div className="grid justify-items-center gap-4 py-8 text-center">
      <p className="text-base">O código Pix ainda está sendo gerado.</p>
      <a className={buttonClass()} href={`/pagar/${page.id}`}>
        Atualizar a página
      </a>
    </div>
  );
}

/**
 * How to pay, step by step. `nameInCode` is the name that the payer's bank may show for the payee, if it differs from
 * the name on this page. It is announced, so that the payer is not alarmed.
 */
function Steps({ page: { nameInCode, institution } }: { page: PaymentPage }) {
  return (
    <ol className="steps grid gap-5 text-base text-muted max-md:border-t max-md:border-base-300 max-md:pt-6 md:mt-4">
      <li>
        <p>
          <strong>Copie o código Pix</strong> ou aponte a câmera para o QR Code.
        </p>
      </li>
      <li>
        <p>
          <strong>Abra o aplicativo do seu banco</strong> e escolha Pix Copia e Cola.
        </p>
      </li>
      <li>
        <p>
          <strong>Confira o nome e o valor</strong> e confirme. Esta página avisa sozinha.
          {nameInCode !== null && (
            <>
              {' '}
              No banco, o nome pode aparecer como <span className="wrap-anywhere">{nameInCode}</span>.
            </>
          )}
          {institution !== null && (
            <>
              {' '}
              A conta que recebe é mantida por <span className="wrap-anywhere">{institution}</span>.
            </>
          )}
        </p>
      </li>
    </ol>
  );
}
