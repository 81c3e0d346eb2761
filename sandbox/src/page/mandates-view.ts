import { DEFAULT_PAYER } from '../account.ts';
import type { Accounts } from '../accounts.ts';
import type { SandboxCobr, SandboxRec } from '../automatic/automatic-records.ts';
import { hasCobrEnded, openAttempt } from '../automatic/cobr.ts';
import { cancellationEnds, debitDayOf } from '../automatic/cobr-calendar.ts';
import type { MandateCode } from '../automatic/read-mandate-code.ts';
import { isSolicRecOpen } from '../automatic/solicrec.ts';
import type { Bank } from '../bank.ts';
import { type Html, html } from './html.ts';
import { fact, formatDateTime, formatDay, formatMoney, payee, UNAVAILABLE_ICON, type View } from './parts.ts';

const MAX_SHOWN = 50;

const PERIODS: Readonly<Record<SandboxRec['terms']['period'], string>> = {
  SEMANAL: 'Toda semana',
  MENSAL: 'Todo mês',
  TRIMESTRAL: 'A cada três meses',
  SEMESTRAL: 'A cada seis meses',
  ANUAL: 'Todo ano',
};

const REC_STATUSES: Readonly<Record<SandboxRec['status'], string>> = {
  CRIADA: 'Espera a sua resposta',
  APROVADA: 'Ativa',
  REJEITADA: 'Recusada',
  EXPIRADA: 'Terminou no prazo',
  CANCELADA: 'Cancelada',
};

const COBR_STATUSES: Readonly<Record<SandboxCobr['status'], string>> = {
  CRIADA: 'Ainda não enviada',
  ATIVA: 'Agendada',
  CONCLUIDA: 'Paga',
  EXPIRADA: 'Não paga',
  REJEITADA: 'Rejeitada',
  CANCELADA: 'Cancelada',
};

/** The funds that a payer can choose, with what they are by the hour. */
const FUNDS: readonly [string, string, object[]][] = [
  ['enough', 'Sempre há saldo', []],
  [
    'evening',
    'Só há saldo a partir das 18 h',
    [
      { fromHour: 0, amount: 0 },
      { fromHour: 18, amount: 9_999_999 },
    ],
  ],
  ['none', 'Nunca há saldo', [{ fromHour: 0, amount: 0 }]],
];

const ACCOUNTS = [
  ['open', 'Aberta'],
  ['blocked', 'Bloqueada'],
  ['closed', 'Encerrada'],
] as const;

/** The mandates of Pix Automático that somebody answered or has to answer, newest first. */
export function mandatesView(accounts: Accounts): View {
  const mandates = latestMandates(accounts);
  const content = html`<div class="flow">
<div class="heading"><h1>Pix Automático</h1>
<p class="muted">${mandates.length === MAX_SHOWN ? `As ${MAX_SHOWN} autorizações mais novas.` : 'Quem pode debitar desta conta.'}</p></div>
${mandates.length === 0 ? EMPTY : html`<ul class="payments">${mandates.map(mandateItem)}</ul>`}
</div>`;
  return { title: 'Pix Automático', content };
}

const EMPTY = html`<div class="refusal">${UNAVAILABLE_ICON}<p class="muted">Nenhuma autorização ainda. Leia um código que peça uma, ou espere por um pedido.</p></div>`;

function latestMandates(accounts: Accounts): { bank: Bank; rec: SandboxRec }[] {
  return accounts.all
    .flatMap((bank) =>
      [...bank.books.automatic.recs.values()]
        .filter((rec) => rec.journey !== undefined || hasOpenPush(bank, rec) || rec.end !== undefined)
        .map((rec) => ({ bank, rec })),
    )
    .sort((a, b) => b.rec.createdAt - a.rec.createdAt)
    .slice(0, MAX_SHOWN);
}

function hasOpenPush({ books }: Bank, { idRec, status }: SandboxRec): boolean {
  return status === 'CRIADA' && books.automatic.solicRecsOf(idRec).some(isSolicRecOpen);
}

function mandateItem({ bank, rec }: { bank: Bank; rec: SandboxRec }): Html {
  const { object, contract } = rec.terms;
  return html`<li><a href="/autorizacoes/${rec.idRec}"><p><strong>${bank.account.name}</strong><span>${object ?? contract}</span></p>
<p><span>${amountText(rec)}</span><span>${REC_STATUSES[rec.status]}</span></p></a></li>`;
}

/** What a code asks the payer to approve, alone or with the payment that approves it (journeys 2 and 3). */
export function approvalForm(code: string, { bank, rec, journey, payable }: MandateCode): Html {
  const amountCents = payable?.kind === 'charge' ? payable.charge.terms.amountCents : 0;
  const pays = journey === 'JORNADA_3';
  return html`<form class="flow" data-approve data-code="${code}">
<h1 class="asked"><span>${pays ? 'Você vai pagar agora e autorizar' : 'Você vai autorizar'}</span><strong>${pays ? formatMoney(amountCents) : amountText(rec)}</strong></h1>
${payee(bank, rec.terms.object)}
<dl class="facts">${mandateFacts(rec)}</dl>
${rec.terms.fixedCents === undefined && maximumField(rec)}
<div class="actions">
  <p class="notice" role="alert" data-approve-error></p>
  <button class="button primary" type="submit">${pays ? 'Pagar e autorizar' : 'Autorizar'}</button>
  <a class="button quiet" href="/">Agora não</a>
</div>
</form>`;
}

/** The offer of a mandate beside the payment of a charge that is due (journey 4). */
export function mandateOffer({ rec }: MandateCode): Html {
  return html`<fieldset class="choices" data-offer><legend>Pagar os próximos sem precisar de código?</legend>
<label><input type="checkbox" name="approve">Autorizar o Pix Automático: ${amountText(rec)}, ${PERIODS[rec.terms.period].toLowerCase()}</label>
</fieldset>
${rec.terms.fixedCents === undefined && maximumField(rec)}`;
}

function maximumField({ terms, payer }: SandboxRec): Html {
  const value = payer?.maxCents === undefined ? '' : formatMoney(payer.maxCents).slice('R$ '.length);
  const hint =
    terms.floorCents === undefined
      ? 'Em reais. Em branco, não há máximo.'
      : `Em reais, no mínimo ${formatMoney(terms.floorCents)}. Em branco, não há máximo.`;
  return html`<div class="field">
  <label for="maximum">O máximo por débito</label>
  <div class="money"><span class="unit" aria-hidden="true">R$</span><input id="maximum" name="maximum" inputmode="numeric" autocomplete="off" placeholder="sem máximo" value="${value}" aria-describedby="maximum-hint"></div>
  <p class="hint" id="maximum-hint">${hint}</p>
</div>`;
}

/** A mandate: what was agreed, its debits, and what the payer or the payer's bank can do about it. */
export function mandateView(bank: Bank, rec: SandboxRec, now: number): View {
  const charges = bank.books.automatic.cobrsOf(rec.idRec).toReversed().slice(0, MAX_SHOWN);
  const content = html`<div class="flow" data-mandate="${rec.idRec}">
<h1 class="asked"><span>${REC_STATUSES[rec.status]}</span><strong>${amountText(rec)}</strong></h1>
${payee(bank, rec.terms.object)}
<dl class="facts">${mandateFacts(rec)}
${rec.payer !== undefined && fact('Pagador', rec.payer.name)}
${rec.end !== undefined && fact('Por quê', `${rec.end.text} (${rec.end.code})`)}
${fact('Identificador', rec.idRec, 'mono')}</dl>
<p class="notice" role="alert" data-mandate-error></p>
${hasOpenPush(bank, rec) && pushForm(bank, rec)}
${rec.status === 'APROVADA' && settingsOf(rec)}
<h2>Débitos</h2>
${charges.length === 0 ? html`<p class="muted">Nenhum débito ainda.</p>` : html`<ul class="bank-accounts">${charges.map((cobr) => chargeItem(cobr, now))}</ul>`}
</div>`;
  return { title: 'Autorização', content };
}

function pushForm(bank: Bank, rec: SandboxRec): Html {
  return html`<form class="flow" data-answer>
<p>${bank.account.name} pede para debitar desta conta.</p>
${rec.terms.fixedCents === undefined && maximumField(rec)}
<div class="actions"><button class="button primary" type="submit">Aceitar</button>
<button class="button" type="button" data-reject>Recusar</button></div></form>`;
}

function settingsOf(rec: SandboxRec): Html {
  const { account } = rec.debits;
  const chosen = fundsOf(rec);
  return html`<form class="flow" data-settings>
${rec.terms.fixedCents === undefined && maximumField(rec)}
<div class="field"><label for="funds">Saldo para os débitos</label>
<select id="funds" name="funds">${FUNDS.map(([name, text, funds]) => html`<option value="${JSON.stringify(funds)}"${name === chosen && html` selected`}>${text}</option>`)}</select></div>
<div class="field"><label for="account">Conta do pagador</label>
<select id="account" name="account">${ACCOUNTS.map(([name, text]) => html`<option value="${name}"${name === account && html` selected`}>${text}</option>`)}</select></div>
<div class="actions">
<button class="button" type="submit">Salvar</button>
<button class="button quiet" type="button" data-cancel="USUARIO_PAGADOR">Cancelar a autorização</button></div></form>`;
}

function fundsOf({ debits: { funds } }: SandboxRec): string {
  if (funds.length === 0) return 'enough';
  return funds.at(-1)?.cents === 0 ? 'none' : 'evening';
}

function chargeItem(cobr: SandboxCobr, now: number): Html {
  const code = cobr.end?.code ?? cobr.attempts.at(-1)?.rejection?.code;
  const mayCancel = !hasCobrEnded(cobr) && now < cancellationEnds(cobr).payer;
  const isWaiting = cobr.status === 'ATIVA' && openAttempt(cobr) === undefined;
  const last = cobr.history.at(-1)?.at ?? cobr.createdAt;
  return html`<li><p><strong>${formatMoney(cobr.amountCents)}</strong> · ${isWaiting ? 'Espera uma nova tentativa' : COBR_STATUSES[cobr.status]}${code !== undefined && ` (${code})`}</p>
<dl class="facts">${fact('Dia do débito', formatDay(cobr.attempts.at(-1)?.day ?? debitDayOf(cobr)))}
${fact('Última mudança', formatDateTime(last))}</dl>
${mayCancel && html`<button class="button small" type="button" data-cancel-charge="${cobr.txid}">Cancelar este débito</button>`}</li>`;
}

function mandateFacts({ terms }: SandboxRec): readonly Html[] {
  const { contract, firstDay, lastDay, period, debtor, mayRetry } = terms;
  return [
    fact('Quando', PERIODS[period]),
    fact('A partir de', formatDay(firstDay)),
    fact('Até', lastDay === undefined ? 'Sem prazo' : formatDay(lastDay)),
    fact('Contrato', contract),
    ...(debtor.nome === DEFAULT_PAYER.name ? [] : [fact('Em nome de', debtor.nome)]),
    fact('Se faltar saldo', mayRetry ? 'Até três tentativas em sete dias' : 'Sem novas tentativas'),
  ];
}

function amountText({ terms, payer }: SandboxRec): string {
  if (terms.fixedCents !== undefined) return formatMoney(terms.fixedCents);
  return payer?.maxCents === undefined ? 'Valor variável' : `Até ${formatMoney(payer.maxCents)}`;
}
