import { font, script, stylesheet } from 'virtual:checkout-files';
import type { CheckoutPage, CheckoutSurroundings, DrawnPage } from '@jangada/contract';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { brandStyle } from './brand-style.ts';
import { CounterView } from './counter-view.tsx';
import { LinkView } from './link-view.tsx';
import { NoticeView } from './notice-view.tsx';
import { PaymentView } from './payment-view.tsx';
import { ReceiptView } from './receipt-view.tsx';
import { SandboxStrip } from './sandbox-strip.tsx';
import { titleOf } from './title-of.ts';

/**
 * Renders a page for payers: complete without a script, with inline styles, so that nothing blocks its first paint.
 */
export function renderPage(page: CheckoutPage, { bankUrl }: CheckoutSurroundings): DrawnPage {
  const brand = 'payee' in page && page.payee.colour !== null ? brandStyle(page.payee.colour) : null;
  const styles = brand === null ? [stylesheet] : [stylesheet, brand];
  const html = renderToStaticMarkup(
    <Shell title={titleOf(page)} styles={styles}>
      {bankUrl !== null && <SandboxStrip bankUrl={bankUrl} code={codeOf(page)} />}
      {viewOf(page)}
    </Shell>,
  );
  return { html: `<!doctype html>${html}`, styles };
}

function Shell({
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
          // biome-ignore lint/security/noDangerouslySetInnerHtml: of our own build, and colours that were parsed
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
    case 'notice':
      return <NoticeView about={page.about} />;
  }
}

function codeOf(page: CheckoutPage): string {
  return page.kind === 'payment' || (page.kind === 'counter' && page.active) ? page.code : '';
}
