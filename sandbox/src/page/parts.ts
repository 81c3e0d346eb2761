import type { Bank } from '../site.ts';
import { initialsOf } from './format.ts';
import { type Html, html } from './html.ts';

export const CHECK = html`<svg class="glyph good" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="m7 12.5 3.4 3.4L17.2 9"/></svg>`;
export const CROSS = html`<svg class="glyph bad" viewBox="0 0 24 24" aria-hidden="true"><path d="M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z"/><path d="m8.5 8.5 7 7m0-7-7 7"/></svg>`;
export const GONE = html`<svg class="glyph gone" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="10" stroke-dasharray="4 3.2"/><path d="M8 12h8"/></svg>`;

/** The payee, and what the payment is for. */
export function payee(bank: Bank, request: string | undefined): Html {
  return html`<div class="payee"><span class="avatar" aria-hidden="true">${initialsOf(bank.account.name)}</span>
<p><strong>${bank.account.name}</strong>${request !== undefined && html`<span>${request}</span>`}</p></div>`;
}

/** A row of a `dl` with the class `facts`. */
export function fact(label: string, value: string, look = 'plain'): Html {
  return html`<div><dt>${label}</dt><dd class="${look}">${value}</dd></div>`;
}
