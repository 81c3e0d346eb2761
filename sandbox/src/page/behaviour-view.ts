import type { Behaviour } from '../behaviour.ts';
import type { Bank } from '../site.ts';
import { formatDateTime } from './format.ts';
import { type Html, html } from './html.ts';
import { AMOUNT_LIST } from './layout.ts';
import type { View } from './view.ts';

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

/** How the bank behaves, to change at once; its clock; the special amounts. */
export function behaviourView(bank: Bank): View {
  const { behaviour, clock } = bank.books;
  const content = html`<div class="flow" data-behaviour>
<div class="heading"><h1>Comportamento</h1>
<p class="muted">O que você escolher vale na hora, para todas as cobranças.</p></div>
${select('notifications', 'Avisos de pagamento', NOTIFICATIONS, behaviour.notifications)}
${number('lateSeconds', 'Atraso do aviso, em segundos', behaviour.lateSeconds)}
${number('batchSize', 'Pagamentos por aviso, no máximo', behaviour.batchSize)}
${select('charges', 'Criação de cobranças', CHARGES, behaviour.charges)}
${select('confirmations', 'Consulta de pagamentos', CONFIRMATIONS, behaviour.confirmations)}
${number('slowSeconds', 'Demora ao responder devagar, em segundos', behaviour.slowSeconds)}
<p class="saved" role="status" data-saved></p>
<button class="button" type="button" data-reset>Voltar ao normal</button>
<h2>Relógio do banco</h2>
<p class="clock" data-clock>${formatDateTime(clock.now())}</p>
<div class="row">
  <button class="button" type="button" data-advance="60">+ 1 minuto</button>
  <button class="button" type="button" data-advance="3600">+ 1 hora</button>
  <button class="button" type="button" data-advance="86400">+ 1 dia</button>
</div>
<div class="narrow"><h2>Valores que provocam problemas</h2>${AMOUNT_LIST}</div>
</div>`;
  return { title: 'Comportamento', content };
}

function select(
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

function number(name: string, label: string, value: number): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="number" min="0" step="1" value="${value}" autocomplete="off"></div>`;
}
