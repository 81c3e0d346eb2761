import type { SubscriptionPage } from '@jangada/contract';
import { CalendarDays, CircleCheck, Copy, Repeat2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayOf, formatCalendarDay, formatDate } from '../format/date.ts';
import { formatMoney } from '../format/money.ts';
import {
  asTitle,
  cycleName,
  repetitionText,
  shortMonthText,
  termText,
} from '../format/subscription-words.ts';
import { buttonClass } from '../ui/button.tsx';
import { Drawing } from '../ui/drawing.tsx';
import { CodeWell } from '../ui/facts.tsx';
import { CardPage, MessageCard, PageFooter, WaterFooter } from './card-page.tsx';
import { PayeeHeader } from './payee-header.tsx';
import { QrCode } from './qr-code.tsx';
import { ReceiptFacts } from './receipt-facts.tsx';

/**
 * The page of one subscription, where its payer allows the debits, and later sees them and how they are stopped. The
 * page's script loads the page again when the permission changes.
 */
export function SubscriptionView({ page }: { page: SubscriptionPage }) {
  if (page.state === 'waiting') return <WaitingView page={page} />;
  if (page.state === 'allowed') return <AllowedView page={page} />;
  return <OverView page={page} />;
}

/** The attributes of `main` by which the page's script polls the state of the permission. */
function scriptDataAttributes({ id, state, now }: SubscriptionPage) {
  return {
    'data-id': id,
    'data-state': state,
    'data-now': now,
    'data-status-path': `/autorizar/${id}/status`,
  } as const;
}

const todayOf = ({ now }: SubscriptionPage) => dayOf(new Date(now));

/** What is asked for: on wide screens on the left, with the code on the right; on phones above the code. */
function WaitingView({ page }: { page: SubscriptionPage }) {
  return (
    <main
      {...scriptDataAttributes(page)}
      className="page md:grid md:grid-cols-2 md:grid-rows-[auto_1fr_auto]"
    >
      <section className="pane-start bg-base-200 py-5 md:pt-14 md:pb-6">
        <PayeeHeader payee={page.payee} className="mb-8 md:mb-14" />
        <h1 className="text-sm text-muted" tabIndex={-1}>
          {page.payee.name} pede a sua autorização para cobrar
        </h1>
        <Amount page={page} />
        <Repetition page={page} />
        <FirstPayment page={page} />
        <PayerFacts page={page} />
      </section>
      <section className="pane-end py-5 md:row-span-3 md:grid md:content-center">
        <div className="mx-auto w-full md:max-w-88">
          <WayToAllow page={page} />
        </div>
      </section>
      <section className="pane-start pb-6 md:bg-base-200">
        {page.authorization === 'push' ? <StepsInApp page={page} /> : <StepsByCode page={page} />}
      </section>
      <div className="pane-start pb-6 md:bg-base-200 md:pb-14">
        <WaterFooter className="max-md:hidden" />
        <PageFooter className="md:hidden" />
      </div>
    </main>
  );
}

function Amount({ page: { amountCents, minMaximumCents, description } }: { page: SubscriptionPage }) {
  return (
    <>
      <p className="mt-1 text-xl font-strong whitespace-nowrap tabular-nums max-[23rem]:text-lg max-[18rem]:text-base">
        {amountCents === null ? 'Valor variável' : formatMoney(amountCents)}
      </p>
      <p className="mt-2 text-base wrap-anywhere">{description}</p>
      {amountCents === null && (
        <p className="mt-2 text-sm text-muted">
          O valor de cada cobrança pode mudar. No aplicativo do banco você escolhe o máximo que aceita pagar
          por vez
          {minMaximumCents === null ? '' : `, de pelo menos ${formatMoney(minMaximumCents)}`}.
        </p>
      )}
    </>
  );
}

function Repetition({ page: { period, firstDay, lastDay } }: { page: SubscriptionPage }) {
  const shortMonth = shortMonthText(period, firstDay);
  return (
    <>
      <p className="mt-4 flex items-start gap-2 text-base text-muted">
        <Repeat2 className="mt-0.5 size-5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
        <span>
          <strong className="font-strong text-base-content">
            {asTitle(repetitionText(period, firstDay))}
          </strong>
          , {termText(firstDay, lastDay)}
        </span>
      </p>
      <p className="mt-2 text-sm text-muted">
        {shortMonth} Quando a data cai em fim de semana ou feriado, o débito fica para o próximo dia útil.
      </p>
    </>
  );
}

/** What is paid along with the permission. */
function FirstPayment({ page: { authorization, firstPayment } }: { page: SubscriptionPage }) {
  if (firstPayment === null) return null;
  const amount = (
    <strong className="font-strong whitespace-nowrap text-base-content">
      {formatMoney(firstPayment.amountCents)}
    </strong>
  );
  return (
    <p className="mt-4 flex items-start gap-2 text-base text-muted">
      <CalendarDays className="mt-0.5 size-5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
      <span>
        {authorization === 'offer' ? (
          <>
            O código é de uma cobrança de {amount}
            {firstPayment.dueDate !== null && `, que vence em ${formatCalendarDay(firstPayment.dueDate)}`}. Ao
            pagá-la, o seu banco oferece o débito das próximas: aceite se quiser.
          </>
        ) : (
          <>Com este código você paga {amount} agora e autoriza as próximas cobranças.</>
        )}
      </span>
    </p>
  );
}

function PayerFacts({ page: { payer } }: { page: SubscriptionPage }) {
  return (
    <ReceiptFacts
      className="max-w-md"
      facts={[
        ['Em nome de', payer.name],
        ['Documento', payer.document],
      ]}
    />
  );
}

function WayToAllow({ page }: { page: SubscriptionPage }) {
  if (page.authorization === 'push')
    return (
      <div className="grid justify-items-center gap-2 py-8 text-center">
        <p className="text-base">O pedido aparece no aplicativo do seu banco.</p>
        <p className="text-sm text-balance text-muted">
          Procure por Pix Automático, no menu do Pix. Se não aparecer, fale com {page.payee.name}.
        </p>
        <Status page={page} />
      </div>
    );
  if (page.code === '')
    return (
      <div className="grid justify-items-center gap-4 py-8 text-center">
        <p className="text-base">O código ainda está sendo gerado.</p>
        <a className={buttonClass()} href={`/autorizar/${page.id}`}>
          Atualizar a página
        </a>
      </div>
    );
  return (
    <div className="flex flex-col">
      <QrCode code={page.code} className="mx-auto w-full max-md:order-3 max-md:mt-6 max-md:max-w-70" />
      <div className="md:mt-6">
        {/* Without the page's script this is a link to the code. The script replaces it with a button that copies. */}
        <a
          href="#codigo"
          data-copy
          className={`${buttonClass({ variant: 'primary', size: 'large', block: true })} main-button`}
        >
          <Copy className="size-5" strokeWidth={1.75} aria-hidden="true" />
          <span data-copy-words>Copiar código</span>
        </a>
        <p role="status" className="sr-only" data-copy-voice />
      </div>
      <Status page={page} />
      <div className="mt-6 max-md:order-4" id="codigo">
        <p className="mb-1.5 text-xs font-medium text-muted">Pix Copia e Cola</p>
        <div data-code>
          <CodeWell label="Código Pix Copia e Cola">{page.code}</CodeWell>
        </div>
      </div>
    </div>
  );
}

function Status({ page }: { page: SubscriptionPage }) {
  return (
    <div className="mt-3 flex flex-wrap items-center justify-center gap-x-2.5 gap-y-1 text-sm text-muted">
      <span className="waiting-dot" aria-hidden="true" />
      <p role="status" data-status>
        Aguardando a autorização
      </p>
      <a className="link" href={`/autorizar/${page.id}`} data-check>
        Já autorizei, verificar
      </a>
    </div>
  );
}

const stepsClass =
  'steps grid gap-5 text-base text-muted max-md:border-t max-md:border-base-300 max-md:pt-6 md:mt-4';

function StepsByCode({ page }: { page: SubscriptionPage }) {
  return (
    <ol className={stepsClass}>
      <li>
        <p>
          <strong>Copie o código</strong> ou aponte a câmera para o QR Code.
        </p>
      </li>
      <li>
        <p>
          <strong>Abra o aplicativo do seu banco</strong> e escolha Pix Copia e Cola. O banco mostra que é um
          Pix Automático.
        </p>
      </li>
      <li>
        <p>
          <strong>Confira quem cobra, o valor e a data</strong> e autorize com a sua senha.{' '}
          <Reassurance page={page} />
        </p>
      </li>
    </ol>
  );
}

function StepsInApp({ page }: { page: SubscriptionPage }) {
  return (
    <ol className={stepsClass}>
      <li>
        <p>
          <strong>Abra o aplicativo do seu banco</strong> e entre em Pix Automático.
        </p>
      </li>
      <li>
        <p>
          <strong>Abra o pedido de {page.payee.name}</strong> e confira o valor e a data.
        </p>
      </li>
      <li>
        <p>
          <strong>Autorize com a sua senha.</strong> <Reassurance page={page} />
        </p>
      </li>
    </ol>
  );
}

function Reassurance({ page: { nameInCode, institution } }: { page: SubscriptionPage }): ReactNode {
  return (
    <>
      Esta página avisa sozinha, e você pode cancelar no seu banco quando quiser.
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
    </>
  );
}

/** What the payer allowed, the next debit, the last payments, and how to stop. */
function AllowedView({ page }: { page: SubscriptionPage }) {
  const { payee, nextDebit, allowedAt } = page;
  return (
    <CardPage payee={payee} {...scriptDataAttributes(page)}>
      <p className="flex items-center gap-2 text-sm font-strong text-success">
        <CircleCheck className="size-5 shrink-0" strokeWidth={1.75} aria-hidden="true" />
        Débito autorizado
      </p>
      <h1 className="mt-3 text-lg font-strong text-balance wrap-anywhere" tabIndex={-1}>
        {page.description}
      </h1>
      <Unpaid page={page} />
      <ReceiptFacts
        facts={[
          ['Valor', page.amountCents === null ? 'Variável' : formatMoney(page.amountCents)],
          ['Quando', asTitle(repetitionText(page.period, page.firstDay))],
          ['Próximo débito', nextDebitText(page)],
          ['Valor do próximo', nextDebit?.amountCents == null ? null : formatMoney(nextDebit.amountCents)],
          ['Última cobrança até', page.lastDay === null ? null : formatCalendarDay(page.lastDay)],
          ['Autorizado em', allowedAt === null ? null : formatDate(allowedAt)],
          ['Em nome de', page.payer.name],
          ['Documento', page.payer.document],
        ]}
      />
      <p className="mt-4 text-sm text-muted">
        Deixe saldo na conta na véspera. Em fim de semana ou feriado, o débito fica para o próximo dia útil.
      </p>
      <Payments page={page} />
      <HowToCancel page={page} />
    </CardPage>
  );
}

/** Cycles are planned a moment after the permission, so until then only the first day is known. */
function nextDebitText(page: SubscriptionPage): string {
  const { nextDebit, firstDay } = page;
  if (nextDebit !== null) return formatCalendarDay(nextDebit.day);
  return firstDay < todayOf(page) ? 'Nenhum' : `A partir de ${formatCalendarDay(firstDay)}`;
}

/** A cycle whose debit failed: when the bank tries again, or where it is paid by a code. */
function Unpaid({ page }: { page: SubscriptionPage }) {
  const { unpaid } = page;
  if (unpaid === null) return null;
  const name = cycleName(page.period, unpaid.dueDay, todayOf(page));
  return (
    <div className="mt-4 rounded-box border border-base-300 bg-base-200 p-5 text-sm">
      <p className="font-strong">A {name} não foi debitada</p>
      <p className="mt-1 text-muted">
        {unpaid.nextTryDay !== null
          ? `O seu banco tenta de novo em ${formatCalendarDay(unpaid.nextTryDay)}. Confira o saldo e o limite do Pix Automático.`
          : 'O seu banco não tenta mais.'}
        {unpaid.payUrl === null &&
          unpaid.nextTryDay === null &&
          ` Combine com ${page.payee.name} como pagar.`}
      </p>
      {unpaid.payUrl !== null && (
        <a
          href={unpaid.payUrl}
          className={`${buttonClass({ variant: 'primary', size: 'large', block: true })} main-button mt-3`}
        >
          {unpaid.amountCents === null ? 'Pagar agora' : `Pagar ${formatMoney(unpaid.amountCents)} agora`}
        </a>
      )}
    </div>
  );
}

function Payments({ page }: { page: SubscriptionPage }) {
  if (page.payments.length === 0) return null;
  return (
    <section className="mt-6">
      <h2 className="text-sm font-strong">Últimos pagamentos</h2>
      <ul className="mt-1 divide-y divide-base-300 text-sm">
        {page.payments.map(({ dueDay, day, amountCents }) => (
          <li key={dueDay} className="flex flex-wrap items-baseline justify-between gap-x-4 py-2">
            <span>
              {asTitle(cycleName(page.period, dueDay, todayOf(page)))}
              <span className="block text-xs text-muted tabular-nums">Pago em {formatCalendarDay(day)}</span>
            </span>
            <span className="ml-auto font-strong whitespace-nowrap tabular-nums">
              {formatMoney(amountCents)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function HowToCancel({ page }: { page: SubscriptionPage }) {
  return (
    <section className="mt-6 border-t border-base-300 text-sm text-muted">
      <h2 className="mt-4 font-strong text-base-content">Como cancelar no seu banco</h2>
      <p className="mt-1">
        No aplicativo do banco, entre em Pix, depois em Pix Automático, escolha {page.payee.name} e toque em
        Cancelar. Até as 23h59 da véspera você também pode cancelar só o próximo débito.
      </p>
      <p className="mt-2">
        Cancelar lá encerra os débitos, mas não o seu contrato: avise também {page.payee.name}.
      </p>
    </section>
  );
}

/** The page when the permission was not given, or has ended. */
function OverView({ page }: { page: SubscriptionPage }) {
  const { title, sentence } = messageOf(page);
  return (
    <CardPage payee={page.payee} {...scriptDataAttributes(page)}>
      <MessageCard
        drawing={<Drawing name={page.state === 'ended' ? 'all-done' : 'failed-to-load'} />}
        title={title}
      >
        {sentence}
      </MessageCard>
      <ReceiptFacts
        facts={[
          ['Assinatura', page.description],
          ['Autorizado em', page.allowedAt === null ? null : formatDate(page.allowedAt)],
          ['Encerrado em', page.endedAt === null ? null : formatDate(page.endedAt)],
        ]}
      />
      <Unpaid page={page} />
      <Payments page={page} />
    </CardPage>
  );
}

function messageOf({ state, payee, allowedAt, endedBy }: SubscriptionPage): {
  title: string;
  sentence: string;
} {
  if (state === 'rejected')
    return {
      title: 'Você não autorizou os débitos',
      sentence: `Nada será debitado. Se mudar de ideia, peça um pedido novo a ${payee.name}.`,
    };
  if (state === 'expired')
    return {
      title: 'O prazo para autorizar passou',
      sentence: `Nada será debitado. Peça um pedido novo a ${payee.name}.`,
    };
  if (state === 'ended')
    return {
      title: 'Esta assinatura chegou ao fim',
      sentence: 'Não há mais débitos. Você não precisa fazer nada no seu banco.',
    };
  if (allowedAt === null)
    return {
      title: 'Este pedido foi cancelado',
      sentence: `${payee.name} não espera mais a sua autorização. Não use o código antigo.`,
    };
  if (endedBy === 'payer')
    return {
      title: 'Você cancelou os débitos',
      sentence: `Nada mais será debitado. Se ainda usa o serviço, combine com ${payee.name} como pagar.`,
    };
  return {
    title: 'Os débitos foram cancelados',
    sentence: `${endedBy === 'bank' ? 'O banco' : payee.name} cancelou a autorização. Nada mais será debitado.`,
  };
}
