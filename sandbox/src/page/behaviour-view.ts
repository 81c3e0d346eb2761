import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import {
  type Behaviour,
  NORMAL_BEHAVIOUR,
  SPECIAL_PAYEE_KEYS,
  SPECIAL_PAYOUT_AMOUNTS,
  SPECIAL_REFUND_AMOUNTS,
} from '../behaviour.ts';
import { type Html, html } from './html.ts';
import { AMOUNT_LIST, amountList } from './layout.ts';
import { fact, formatDateTime, formatMoney, type View } from './parts.ts';

/** The labels of the values that one setting of the bank's behaviour can have. */
type Choice<K extends keyof Behaviour> = Record<Behaviour[K] & string, string>;

const NOTIFICATIONS: Choice<'notifications'> = {
  normal: 'Avisa na hora, uma vez',
  duplicated: 'Avisa duas vezes',
  late: 'Avisa com atraso',
  'out-of-order': 'Avisa fora de ordem',
  never: 'Não avisa nunca',
};

const CHARGES: Choice<'charges'> = {
  normal: 'Responde na hora',
  slow: 'Responde devagar',
  down: 'Fora do ar (503)',
  hang: 'Não cria e não responde',
  'accepted-then-timeout': 'Cria, mas não responde',
};

const CONFIRMATIONS: Choice<'confirmations'> = {
  normal: 'Responde na hora',
  slow: 'Responde devagar',
  down: 'Fora do ar (503)',
  hang: 'Não responde',
  'not-found-first': 'Na primeira vez não acha',
};

const PAYOUTS: Choice<'payouts'> = {
  normal: 'Envia na hora',
  refused: 'Aceita, e o outro banco recusa',
  'refused-in-call': 'Nega na hora',
  slow: 'Demora a terminar',
  'accepted-then-timeout': 'Envia, mas não responde',
  'lost-then-timeout': 'Perde o pedido e não responde',
  returned: 'Envia, e o dinheiro volta depois',
  down: 'Fora do ar (503)',
  'wrong-notification': 'Recusa, mas avisa que enviou',
};

const REFUNDS: Choice<'refunds'> = {
  normal: 'Devolve na hora',
  refused: 'Aceita, e o outro banco recusa',
  'refused-in-call': 'Nega na hora',
  slow: 'Demora a terminar',
  'accepted-then-timeout': 'Devolve, mas não responde',
  down: 'Fora do ar (503)',
};

const VALUE_PARTS: Choice<'valueParts'> = {
  normal: 'Explica certo',
  'left-out': 'Não explica',
  wrong: 'Explica, mas a soma não fecha',
};

const SHOP_SYSTEM: Choice<'shopSystem'> = {
  normal: 'Recebe webhooks',
  down: 'Fora do ar (503)',
};

/**
 * The page that shows and changes how the bank behaves for an account, and the bank's clock, and lists the special
 * amounts and keys.
 */
export function behaviourView(accounts: Accounts, bank: Bank): View {
  const { behaviour, clock } = bank.books;
  const content = html`<div class="flow" data-behaviour data-account="${bank.id}" data-normal="${JSON.stringify(NORMAL_BEHAVIOUR)}">
<div class="heading"><h1>Comportamento</h1>
<p class="muted">O que você escolher vale na hora, para tudo o que vier.</p></div>
${accounts.all.length > 1 && accountChooser(accounts, bank)}
<h2>Avisar</h2>
${selectField('notifications', 'Avisos', NOTIFICATIONS, behaviour.notifications)}
${numberField('lateSeconds', 'Atraso do aviso, em segundos', behaviour.lateSeconds)}
${numberField('batchSize', 'Novidades por aviso, no máximo', behaviour.batchSize)}
<h2>Receber</h2>
${selectField('charges', 'Criação de cobranças', CHARGES, behaviour.charges)}
${selectField('valueParts', 'Multa, juros e descontos no Pix', VALUE_PARTS, behaviour.valueParts)}
<h2>Enviar e devolver</h2>
${selectField('payouts', 'Envio de Pix', PAYOUTS, behaviour.payouts)}
${numberField('payoutReturnSeconds', 'Até um envio voltar, em segundos', behaviour.payoutReturnSeconds)}
${selectField('refunds', 'Devoluções', REFUNDS, behaviour.refunds)}
<h2>Consultar</h2>
${selectField('confirmations', 'Consultas', CONFIRMATIONS, behaviour.confirmations)}
${numberField('slowSeconds', 'Demora do que é devagar, em segundos', behaviour.slowSeconds)}
${bank === accounts.first && shopSystemFields(bank)}
<p class="saved" role="status" data-saved></p>
<button class="button" type="button" data-reset>Voltar ao normal</button>
<h2>Relógio do banco</h2>
<p>A Jangada segue este relógio. Quando ele avança muito, sessões terminam, e o que só sai de dia, como lembretes, pode ficar para o dia seguinte.</p>
<p class="clock" data-clock>${formatDateTime(clock.now())}</p>
<div class="row">
  <button class="button" type="button" data-advance="60">+ 1 minuto</button>
  <button class="button" type="button" data-advance="3600">+ 1 hora</button>
  <button class="button" type="button" data-advance="86400">+ 1 dia</button>
  <button class="button" type="button" data-advance="604800">+ 1 semana</button>
</div>
<div class="narrow">${collapsible('Valores de cobrança que dão problema', AMOUNT_LIST)}</div>
${collapsible('Valores de envio que dão problema', amountList(SPECIAL_PAYOUT_AMOUNTS))}
${collapsible('Valores de devolução que dão problema', amountList(SPECIAL_REFUND_AMOUNTS))}
${collapsible('Chaves de quem recebe que dão problema', KEY_LIST)}
</div>`;
  return { title: 'Comportamento', content };
}

/** Says which account is shown, and leads to the others. */
function accountChooser(accounts: Accounts, { id: shownId, account, books }: Bank): Html {
  const options = accounts.all.map(
    ({ id, account: { name } }) =>
      html`<option value="${id}"${id === shownId && html` selected`}>${id} – ${name}</option>`,
  );
  return html`<form class="accounts" action="/comportamento" method="get">
<div class="field"><label for="account">Conta</label><select id="account" name="account" autocomplete="off">${options}</select></div>
<button class="button" type="submit">Ver esta conta</button>
</form>
<dl class="facts">
${fact('Titular', account.name)}
${fact('Chave Pix', account.key, 'mono')}
${fact('Saldo', formatMoney(books.balanceCents))}
</dl>
<p><a class="link" href="/contas?account=${shownId}#conta-${shownId}">Ver os dados desta conta</a></p>`;
}

/** The behaviour of the example shop's system, of which there is one, set with the first account's behaviour. */
function shopSystemFields({ books }: Bank): Html {
  return html`<h2>Sistema da loja</h2>
${selectField('shopSystem', 'Receber webhooks', SHOP_SYSTEM, books.behaviour.shopSystem)}
<p><a class="link" href="/loja/webhooks">Ver o que o sistema da loja recebeu</a></p>`;
}

const KEY_LIST = html`<dl class="keys">${SPECIAL_PAYEE_KEYS.map(
  ({ key, text }) => html`<div><dt class="mono">${key}</dt><dd>${text}</dd></div>`,
)}</dl>`;

function collapsible(title: string, content: Html): Html {
  return html`<details><summary>${title}</summary>${content}</details>`;
}

function selectField(
  name: string,
  label: string,
  choices: Readonly<Record<string, string>>,
  chosen: string,
): Html {
  const options = Object.entries(choices).map(
    ([value, text]) => html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  );
  return html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}" autocomplete="off">${options}</select></div>`;
}

function numberField(name: string, label: string, value: number): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="number" min="0" step="1" value="${value}" autocomplete="off"></div>`;
}
