import { formatDocument } from '@jangada/pix';
import { INSTITUTION } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import { requireApprovable } from '../automatic/authorise-by-code.ts';
import { type MandateCode, readMandateCode } from '../automatic/read-mandate-code.ts';
import { bankDayFrom, dayAt } from '../bank-days.ts';
import { amountOn, lastPayableDay } from '../cobv-amount.ts';
import { checkPayable, type Payable, readCode } from '../read-code.ts';
import type { SandboxCobv } from '../records.ts';
import { type RefusalCode, SandboxRefusal } from '../refusal.ts';
import { type Html, html } from './html.ts';
import { approvalForm, mandateOffer } from './mandates-view.ts';
import {
  amountFacts,
  CHECK_ICON,
  CROSS_ICON,
  fact,
  formatDateTime,
  formatDay,
  formatMoney,
  payee,
  UNAVAILABLE_ICON,
  type View,
} from './parts.ts';

const PICTURE_ICON = html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><rect x="3" y="3" width="7" height="7" rx="1"/><rect x="14" y="3" width="7" height="7" rx="1"/><rect x="3" y="14" width="7" height="7" rx="1"/><path d="M14 14h3v3M21 14v3h-1M14 20.5h3M20.5 20.5v.5"/></svg>`;

const REFUSAL_TITLES: Partial<Record<RefusalCode, string>> = {
  INVALID_CODE: 'Código inválido',
  UNSUPPORTED_CODE: 'Código não aceito',
  FOREIGN_CODE: 'Código de outro banco',
  KEY_NOT_FOUND: 'Chave não encontrada',
  CHARGE_NOT_FOUND: 'Cobrança não encontrada',
  CHARGE_PAID: 'Cobrança já paga',
  CHARGE_EXPIRED: 'Cobrança expirada',
  CHARGE_REMOVED: 'Cobrança cancelada',
  MANDATE_ENDED: 'Autorização encerrada',
  NOT_FOUND: 'Não encontrado',
  INTERNAL_ERROR: 'Algo deu errado',
};

/** Refusals because something no longer exists. The page shows them with another symbol than errors. */
const UNAVAILABLE_CODES: ReadonlySet<RefusalCode> = new Set([
  'CHARGE_EXPIRED',
  'CHARGE_REMOVED',
  'MANDATE_ENDED',
  'NOT_FOUND',
]);

/** The page where a code is pasted or scanned from a picture. */
export function codeView(): View {
  const content = html`<form class="flow" action="/" method="get" data-code-form>
<div class="heading"><h1>Pagar com Pix</h1>
<p class="muted">Cole o código Pix copia e cola ou escolha uma foto do QR Code.</p></div>
<div class="field">
  <label for="codigo">Código Pix</label>
  <textarea id="codigo" name="codigo" rows="6" required autocomplete="off" spellcheck="false" autocapitalize="off" aria-describedby="code-error"></textarea>
  <p class="error" id="code-error" role="alert" data-code-error></p>
</div>
<div class="actions">
  <button class="button primary" type="submit">Continuar</button>
  <label class="button">${PICTURE_ICON}Ler uma foto<input class="unseen" type="file" accept="image/*" data-picture></label>
  <p class="narrow"><a class="link" href="/autorizacoes">Ver o Pix Automático</a></p>
  <p class="narrow"><a class="link" href="/contas">Ver e abrir contas</a></p>
  <p class="narrow"><a class="link" href="/comportamento">Mudar o comportamento do banco</a></p>
</div>
</form>`;
  return { title: 'Pagar com Pix', content, asksForCode: true };
}

/**
 * The payee and amount of a code (BR Code, the text that a payer pastes or scans) with the button to pay it, or the
 * reason why it cannot be paid.
 */
export function payView(accounts: Accounts, code: string): View {
  try {
    const now = accounts.clock.now();
    const mandate = readMandateCode(accounts, code);
    const payable = mandate === undefined ? readCode(accounts, code) : mandate.payable;
    if (payable !== undefined) checkPayable(payable, now);
    if (mandate === undefined || (payable !== undefined && mandate.journey === 'JORNADA_4')) {
      return {
        title: 'Pagar',
        content: paymentForm(code, payable ?? readCode(accounts, code), now, mandate),
      };
    }
    requireApprovable(mandate.rec);
    return { title: 'Autorizar', content: approvalForm(code, mandate) };
  } catch (error) {
    if (error instanceof SandboxRefusal) return refusalView(error);
    throw error;
  }
}

/** A refusal, with advice on what to do. */
export function refusalView(refusal: SandboxRefusal): View {
  const title = REFUSAL_TITLES[refusal.code] ?? 'Não foi possível';
  const glyph = glyphOf(refusal.code);
  const content = html`<div class="flow">
<div class="refusal">${glyph}<h1>${title}</h1><p class="muted">${refusal.message}</p></div>
<div class="actions"><a class="button primary" href="/">${refusal.code === 'NOT_FOUND' ? 'Pagar com Pix' : 'Ler outro código'}</a></div>
</div>`;
  return { title, content };
}

function glyphOf(code: RefusalCode): Html {
  if (code === 'CHARGE_PAID') return CHECK_ICON;
  return UNAVAILABLE_CODES.has(code) ? UNAVAILABLE_ICON : CROSS_ICON;
}

function paymentForm(code: string, payable: Payable, now: number, offer?: MandateCode): Html {
  const { bank } = payable;
  const terms = payable.kind === 'key' ? undefined : payable.charge.terms;
  const amountCents = amountToPay(payable, now);
  const isFixed = amountCents !== undefined && !(payable.kind === 'charge' && payable.charge.terms.alterable);
  return html`<form class="flow" data-pay data-code="${code}">
${isFixed ? fixedAmount(amountCents) : amountField(amountCents)}
${payee(bank, terms?.payerRequest ?? (payable.kind === 'key' ? payable.info : undefined))}
<dl class="facts">
${fact('CNPJ', formatDocument(bank.account.document))}
${fact('Instituição', INSTITUTION)}
${fact('Código', payable.kind === 'key' ? 'QR Code estático' : 'QR Code dinâmico')}
${payable.kind === 'charge' && fact('Válido até', formatDateTime(payable.charge.createdAt + payable.charge.terms.expirySeconds * 1000))}
${payable.kind === 'cobv' && dueFacts(payable.charge, now)}
${txidFact(payable)}
${(terms?.additionalInfo ?? []).map(({ nome, valor }) => fact(nome, valor))}
</dl>
${offer?.rec.status === 'CRIADA' && mandateOffer(offer)}
<div class="actions">
  <p class="notice" role="alert" data-pay-error></p>
  <button class="button primary" type="submit">Pagar ${isFixed && html`<span class="sum">${formatMoney(amountCents)}</span>`}</button>
  <a class="button quiet" href="/">Cancelar</a>
</div>
</form>`;
}

/**
 * Returns the amount in the code or of the charge. If that of an immediate charge is zero, the payer chooses it, as with
 * a static code without an amount.
 */
function amountToPay(payable: Payable, now: number): number | undefined {
  if (payable.kind === 'key') return payable.amountCents;
  if (payable.kind === 'cobv') return amountOn(payable.charge.terms, dayAt(now)).finalCents;
  return payable.charge.terms.amountCents || undefined;
}

/** When a charge is due, who is to pay it, and what was added to its amount and taken off it. */
function dueFacts({ terms }: SandboxCobv, now: number): readonly Html[] {
  return [
    fact('Pagador', terms.debtor.nome),
    fact('Vencimento', formatDay(bankDayFrom(terms.dueDate))),
    fact('Pague até', formatDay(lastPayableDay(terms))),
    ...amountFacts(amountOn(terms, dayAt(now))),
  ];
}

function fixedAmount(cents: number): Html {
  return html`<h1 class="asked"><span>Você vai pagar</span><strong>${formatMoney(cents)}</strong></h1>`;
}

function amountField(cents: number | undefined): Html {
  // The page shows the currency symbol beside the field, so the field's value is without it.
  const value = cents === undefined ? '' : formatMoney(cents).slice('R$ '.length);
  return html`<div class="field">
  <h1><label for="amount">Quanto você quer pagar?</label></h1>
  <div class="money"><span class="unit" aria-hidden="true">R$</span><input id="amount" name="amount" inputmode="numeric" autocomplete="off" placeholder="0,00" value="${value}" data-amount aria-describedby="amount-hint amount-error"></div>
  <p class="hint" id="amount-hint">Em reais</p>
  <p class="error" id="amount-error" role="alert" data-amount-error></p>
</div>`;
}

function txidFact(payable: Payable): Html | undefined {
  const txid = payable.kind === 'key' ? payable.txid : payable.charge.txid;
  return txid === undefined ? undefined : fact('Identificador', txid, 'mono');
}
