import type { Bank } from '../bank.ts';
import type { PixParts } from '../records.ts';
import { type Html, html } from './html.ts';

/** What the bank's app shows on the phone that the page draws. */
export interface View {
  readonly title: string;
  readonly content: Html;
  /** Set if the view itself asks for a code, so that the header needs no link for that. */
  readonly asksForCode?: boolean;
}

export const CHECK_ICON = html`<svg class="glyph good" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="m7 12.5 3.4 3.4L17.2 9"/></svg>`;
export const CROSS_ICON = html`<svg class="glyph bad" viewBox="0 0 24 24" aria-hidden="true"><path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z"/><path d="m8.5 8.5 7 7m0-7-7 7"/></svg>`;
export const UNAVAILABLE_ICON = html`<svg class="glyph gone" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10" stroke-dasharray="4 3.2"/><path d="M8 12h8"/></svg>`;

/** The payee, and the merchant's text for the payer (`solicitacaoPagador` of the charge). */
export function payee(bank: Bank, request: string | undefined): Html {
  return html`<div class="payee"><span class="avatar" aria-hidden="true">${initialsOf(bank.account.name)}</span>
<p><strong>${bank.account.name}</strong>${request !== undefined && html`<span>${request}</span>`}</p></div>`;
}

/** A row of a `dl` with the class `facts`. */
export function fact(label: string, value: string, className = 'plain'): Html {
  return html`<div><dt>${label}</dt><dd class="${className}">${value}</dd></div>`;
}

/** The rows that explain the amount of a charge with a due date; none if the amount is the original one. */
export function amountFacts(parts: PixParts): readonly Html[] {
  const { originalCents, fineCents, interestCents, rebateCents, discountCents } = parts;
  const changes: [string, number][] = [
    ['Multa', fineCents],
    ['Juros', interestCents],
    ['Abatimento', -rebateCents],
    ['Desconto', -discountCents],
  ];
  const rows = changes.filter(([, cents]) => cents !== 0);
  if (rows.length === 0) return [];
  return [['Valor original', originalCents] as const, ...rows].map(([label, cents]) =>
    fact(label, formatMoney(cents)),
  );
}

const MONEY = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const MOMENT = new Intl.DateTimeFormat('pt-BR', {
  dateStyle: 'short',
  timeStyle: 'short',
  timeZone: 'America/Sao_Paulo',
});
const YEAR = new Intl.DateTimeFormat('pt-BR', { year: 'numeric', timeZone: 'America/Sao_Paulo' });

/** Formats an amount as `R$ 1.234,56`, with a no-break space. */
export function formatMoney(cents: number): string {
  return MONEY.format(cents / 100);
}

/** Formats a day such as `2026-11-21` as `21/11/2026`. */
export function formatDay(day: string): string {
  return day.split('-').reverse().join('/');
}

/** Formats a time as `21/11/2026 15:02`, in Brasília time. */
export function formatDateTime(moment: number): string {
  const parts = Object.fromEntries(MOMENT.formatToParts(moment).map(({ type, value }) => [type, value]));
  return `${parts['day']}/${parts['month']}/${YEAR.format(moment)} ${parts['hour']}:${parts['minute']}`;
}

/** Returns at most two initials of a name. Words without a capital letter, such as `da`, are skipped. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{Lu}/u.test(word));
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join('');
}
