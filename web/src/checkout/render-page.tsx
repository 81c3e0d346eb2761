import { font, script, stylesheet } from 'virtual:checkout-files';
import type { CheckoutEnvironment, CheckoutPage, PaymentState, RenderedPage } from '@jangada/contract';
import { FlaskConical } from 'lucide-react';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { formatMoney } from '../format/money.ts';
import { brandStyle } from './brand-style.ts';
import { CounterView } from './counter-view.tsx';
import { CustomerView } from './customer-view.tsx';
import { LinkView } from './link-view.tsx';
import { NoticeView, noticeTexts } from './notice-view.tsx';
import { PaymentView } from './payment-view.tsx';
import { ReceiptView } from './receipt-view.tsx';
import { RemindersView } from './reminders-view.tsx';
import { SubscriptionView } from './subscription-view.tsx';

/**
 * Renders a page for payers, on the server. The page is complete without a script, and contains its styles, so that
 * nothing delays its first paint. `bankUrl` is the URL of the sandbox bank if the gateway is in test mode, and null
 * otherwise. The styles are also returned, because the Content-Security-Policy of the page must list the hash of each.
 */
export function renderPage(page: CheckoutPage, { bankUrl }: CheckoutEnvironment): RenderedPage {
  const brand = 'payee' in page && page.payee.colour !== null ? brandStyle(page.payee.colour) : null;
  const styles = brand === null ? [stylesheet] : [stylesheet, brand];
  const html = renderToStaticMarkup(
    <HtmlDocument title={titleOf(page)} styles={styles}>
      {bankUrl !== null && <SandboxBanner bankUrl={bankUrl} page={page} />}
      {viewOf(page)}
    </HtmlDocument>,
  );
  return { html: `<!doctype html>${html}`, styles };
}

function HtmlDocument({
  title,
  styles,
  children,
}: {
  title: string;
  styles: readonly string[];
  children: ReactNode;
}) {
  return (
    <html lang="pt-BR">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {styles.map((style) => (
          // biome-ignore lint/security/noDangerouslySetInnerHtml: our own styles, and validated colours
          <style key={style} dangerouslySetInnerHTML={{ __html: style }} />
        ))}
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        <link
          rel="preload"
          as="font"
          type="font/woff2"
          crossOrigin=""
          fetchPriority="low"
          href={`/${font}`}
        />
        <script type="module" fetchPriority="low" src={`/${script}`} />
      </head>
      <body>{children}</body>
    </html>
  );
}

function viewOf(page: CheckoutPage): ReactNode {
  switch (page.kind) {
    case 'payment':
      return <PaymentView page={page} />;
    case 'receipt':
      return <ReceiptView page={page} />;
    case 'link':
      return <LinkView page={page} />;
    case 'counter':
      return <CounterView page={page} />;
    case 'subscription':
      return <SubscriptionView page={page} />;
    case 'customer':
      return <CustomerView page={page} />;
    case 'reminders':
      return <RemindersView page={page} />;
    case 'notice':
      return <NoticeView about={page.about} />;
  }
}

/** The Pix code that can be read on this page; empty on a page without one. */
function codeOf(page: CheckoutPage): string {
  const hasCode =
    page.kind === 'payment' || page.kind === 'subscription' || (page.kind === 'counter' && page.active);
  return hasCode ? page.code : '';
}

/** How the title of a payment begins. */
const titleStarts: Record<PaymentState, string> = {
  waiting: 'Pagar',
  paid: 'Pago',
  refunded: 'Devolvido',
  expired: 'Código expirado',
  cancelled: 'Cobrança cancelada',
  failed: 'Código não gerado',
};

/** The title in the browser's tab. The title of a payment begins with its state. */
function titleOf(page: CheckoutPage): string {
  switch (page.kind) {
    case 'payment':
      return `${titleStarts[page.state]} · ${formatMoney(page.amountCents)} · ${page.payee.name}`;
    case 'receipt':
      return `Comprovante · ${formatMoney(page.amountCents)} · ${page.payee.name}`;
    case 'link':
      return `${page.title} · ${page.payee.name}`;
    case 'counter':
      return `${page.name} · ${page.payee.name}`;
    case 'subscription':
      return `${page.description} · ${page.payee.name}`;
    case 'customer':
      return `Em aberto · ${page.payee.name}`;
    case 'reminders':
      return `Lembretes · ${page.payee.name}`;
    case 'notice':
      return noticeTexts[page.about].title;
  }
}

/** Says that no money here is real, and links to the sandbox bank, where the code can be paid with test money. */
function SandboxBanner({ bankUrl, page }: { bankUrl: string; page: CheckoutPage }) {
  const code = codeOf(page);
  const act = page.kind === 'subscription' && page.authorization !== 'pay' ? 'Autorizar' : 'Pagar';
  const url = code === '' ? bankUrl : `${bankUrl}/?codigo=${encodeURIComponent(code)}`;
  return (
    <aside
      aria-label="Ambiente de teste"
      className="flex flex-wrap items-center justify-center gap-x-2 gap-y-0.5 bg-primary-tint px-4 py-2 text-center text-xs text-primary"
    >
      <p>
        <FlaskConical
          className="mr-1.5 inline size-3.5 align-[-0.125rem]"
          strokeWidth={1.75}
          aria-hidden="true"
        />
        <strong className="font-strong">Ambiente de teste.</strong> Nenhum dinheiro é de verdade.
      </p>
      <a className="link max-md:basis-full print:hidden" href={url} target="_blank" rel="noopener noreferrer">
        {code === '' ? 'Abrir o Banco Sandbox' : `${act} no Banco Sandbox`}
      </a>
    </aside>
  );
}
