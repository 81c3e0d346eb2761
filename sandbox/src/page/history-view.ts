import { isAppCustomer } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import type { Pix, SandboxDispute } from '../records.ts';
import { refundableCents } from '../request-refund.ts';
import { type Html, html } from './html.ts';
import { formatDateTime, formatMoney, payee, UNAVAILABLE_ICON, type View } from './parts.ts';
import { latestDispute, payerRequestOf } from './receipt-view.ts';

/** The maximum number of payments shown. */
const MAX_SHOWN = 50;

/** The reasons that a payer can choose, with their labels. */
const DISPUTE_REASONS: readonly [string, string][] = [
  ['golpe', 'Caí em um golpe'],
  ['acesso fraudulento', 'Não fui eu que paguei'],
  ['coerção', 'Paguei sob ameaça'],
  ['outro', 'Foi outra coisa'],
];

/** The label on a payment with a dispute, by the dispute's status. */
const DISPUTE_MARKS: Readonly<Record<SandboxDispute['status'], string>> = {
  ABERTA: 'Em contestação',
  EM_DEFESA: 'Em contestação',
  ACEITA: 'Contestação aceita',
  REJEITADA: 'Contestação negada',
  CANCELADA_EFI: 'Contestação cancelada',
};

/** The payments of the app's customer, newest first. */
export function historyView(accounts: Accounts): View {
  const payments = latestPayments(accounts);
  const content = html`<div class="flow">
<div class="heading"><h1>Meus pagamentos</h1>
${payments.length === MAX_SHOWN && html`<p class="muted">Os ${MAX_SHOWN} mais novos.</p>`}</div>
${payments.length === 0 ? EMPTY_HISTORY : html`<ul class="payments">${payments.map(({ bank, pix }) => paymentItem(bank, pix))}</ul>`}
</div>`;
  return { title: 'Meus pagamentos', content };
}

/** The form to contest a payment. */
export function contestView(bank: Bank, pix: Pix): View {
  const content = html`<form class="flow" data-contest="${pix.endToEndId}">
<h1 class="asked"><span>Você vai contestar</span><strong>${formatMoney(refundableCents(bank, pix))}</strong></h1>
${payee(bank, payerRequestOf(bank, pix))}
<fieldset class="choices"><legend>O que aconteceu?</legend>${DISPUTE_REASONS.map(
    ([value, text], index) =>
      html`<label><input type="radio" name="reason" value="${value}"${index === 0 && html` checked`}>${text}</label>`,
  )}</fieldset>
<div class="field">
  <label for="comment">Conte mais, se quiser</label>
  <textarea id="comment" name="comment" rows="3" maxlength="500" autocomplete="off"></textarea>
</div>
<div class="actions">
  <p class="notice" role="alert" data-contest-error></p>
  <button class="button primary" type="submit">Contestar</button>
  <a class="button quiet" href="/comprovante/${pix.endToEndId}">Voltar</a>
</div>
</form>`;
  return { title: 'Contestar', content };
}

const EMPTY_HISTORY = html`<div class="refusal">${UNAVAILABLE_ICON}<p class="muted">Você ainda não pagou nada. O que você pagar aparece aqui.</p>
<a class="button" href="/">Pagar com Pix</a></div>`;

/** Returns the latest payments to any account, each with the account that received it, newest first. */
function latestPayments(accounts: Accounts): { bank: Bank; pix: Pix }[] {
  return accounts.all
    .flatMap((bank) => latestPaymentsTo(bank).map((pix) => ({ bank, pix })))
    .sort((one, other) => other.pix.at - one.pix.at)
    .slice(0, MAX_SHOWN);
}

function latestPaymentsTo(bank: Bank): Pix[] {
  const payments: Pix[] = [];
  const { pixOrder } = bank.books;
  for (let index = pixOrder.length - 1; index >= 0 && payments.length < MAX_SHOWN; index -= 1) {
    const pix = pixOrder[index];
    if (pix !== undefined && isAppCustomer(pix.payer)) payments.push(pix);
  }
  return payments;
}

function paymentItem(bank: Bank, pix: Pix): Html {
  const marks = marksOf(bank, pix);
  return html`<li><a href="/comprovante/${pix.endToEndId}">
<p><strong>${payerRequestOf(bank, pix) ?? bank.account.name}</strong><span>${formatDateTime(pix.at)}</span></p>
<p><strong class="sum">${formatMoney(pix.amountCents)}</strong>${marks.map((mark) => html`<span>${mark}</span>`)}</p>
</a></li>`;
}

/** Returns the labels on a payment: the state of its latest dispute, and what was refunded. */
function marksOf(bank: Bank, pix: Pix): string[] {
  const marks: string[] = [];
  const dispute = latestDispute(bank, pix);
  if (dispute !== undefined) marks.push(DISPUTE_MARKS[dispute.status]);
  const completedRefunds = (bank.books.refundsByPix.get(pix.endToEndId) ?? []).filter(
    ({ status }) => status === 'DEVOLVIDO',
  );
  const returnedCents = completedRefunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
  if (returnedCents > 0 && returnedCents === pix.amountCents) marks.push('Devolvido');
  else if (returnedCents > 0) marks.push(`Devolvido ${formatMoney(returnedCents)}`);
  return marks;
}
