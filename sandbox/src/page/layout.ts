import { DEFAULT_PAYER } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import { SPECIAL_AMOUNTS } from '../behaviour.ts';
import { type Html, html } from './html.ts';
import { formatMoney, type View } from './parts.ts';

const LOGO = html`<svg class="logo" viewBox="0 0 28 28" aria-hidden="true">
  <rect class="logo-ground" width="28" height="28" rx="7"/>
  <circle class="logo-sun" cx="18.8" cy="9.2" r="3.1"/>
  <path class="logo-dune" d="M0 18.5c3.2-2.6 6.4-3.4 9.6-1.2 3 2.1 5 4.4 8.4 3 3-1.2 5.4-4.6 10-5V21a7 7 0 0 1-7 7H7a7 7 0 0 1-7-7z"/>
</svg>`;

const SCAN_ICON = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M3 7V5a2 2 0 0 1 2-2h2M17 3h2a2 2 0 0 1 2 2v2M21 17v2a2 2 0 0 1-2 2h-2M7 21H5a2 2 0 0 1-2-2v-2M7 12h10"/></svg>`;

const LIST_ICON = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M8 6h13M8 12h13M8 18h13M3.5 6h.01M3.5 12h.01M3.5 18h.01"/></svg>`;

/** The special charge amounts and their effects. */
export const AMOUNT_LIST: Html = amountList(SPECIAL_AMOUNTS);

/** A list of amounts and their effects. */
export function amountList(amounts: readonly { cents: number; text: string }[]): Html {
  return html`<dl class="amounts">${amounts.map(
    ({ cents, text }) => html`<div><dt>${formatMoney(cents)}</dt><dd>${text}</dd></div>`,
  )}</dl>`;
}

const HISTORY_LINK = html`<a class="button small" href="/pagamentos">${LIST_ICON}Pagamentos</a>`;
const READ_ANOTHER_LINK = html`<a class="button small" href="/">${SCAN_ICON}Ler outro</a>`;

/** A complete page: the bank's app on a phone, with the explanation beside it on a wide screen. */
export function layout(accounts: Accounts, { title, content, asksForCode }: View): string {
  return html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Banco Sandbox</title>
<link rel="icon" href="/assets/favicon.svg" type="image/svg+xml">
<link rel="preload" href="/assets/geist.woff2" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="/assets/bank.css">
<script src="/assets/bank.js" type="module"></script>
</head>
<body>
<div class="desk">
${explanation()}
<div class="phone">
<header class="top">
  <div class="line"><a class="brand" href="/">${LOGO}Banco Sandbox</a><span class="tag">Dinheiro de teste</span></div>
  <div class="line">
    <p class="account"><span>Conta de ${DEFAULT_PAYER.name}</span><strong>${formatMoney(accounts.payerCents)}</strong></p>
    ${asksForCode === true ? HISTORY_LINK : READ_ANOTHER_LINK}
  </div>
</header>
<main class="screen">${content}</main>
</div>
</div>
</body>
</html>
`.toString();
}

function explanation(): Html {
  return html`<aside class="beside" aria-label="Sobre o Banco Sandbox">
<p class="brand large">${LOGO}Banco Sandbox</p>
<p class="headline">Um banco para errar à vontade</p>
<p class="lead">Pague as cobranças da Jangada com dinheiro de teste, do jeito que um cliente pagaria.</p>
<h2>Valores que provocam problemas</h2>
${AMOUNT_LIST}
<p><a class="link" href="/autorizacoes">Ver o Pix Automático</a></p>
<p><a class="link" href="/contas">Ver e abrir contas</a></p>
<p><a class="link" href="/comportamento">Mudar o comportamento do banco</a></p>
<p><a class="link" href="/loja/webhooks">Ver os webhooks que a loja recebeu</a></p>
</aside>`;
}
