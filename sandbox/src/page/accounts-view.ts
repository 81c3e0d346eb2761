import { formatDocument } from '@jangada/pix';
import type { Accounts } from '../accounts.ts';
import type { Bank } from '../bank.ts';
import { clientSettingsOf } from '../client-settings.ts';
import { type Html, html } from './html.ts';
import { formatDateTime, formatMoney, type View } from './parts.ts';

/** The maximum number of accounts listed, besides the first and the chosen one. */
const MAX_LISTED = 50;

/** The CNPJ that the form suggests. It is valid, and several accounts may have it. */
const SUGGESTED_DOCUMENT = '11222333000181';

/**
 * The page of the bank's accounts: it opens further ones, and shows what the owner of each enters in Jangada. The
 * details of `chosen` are shown unfolded.
 */
export function accountsView(accounts: Accounts, chosen: Bank): View {
  const { all, first } = accounts;
  const newest = all.slice(1).reverse().slice(0, MAX_LISTED);
  const listed = [...new Set([first, chosen, ...newest])];
  const content = html`<div class="flow">
<div class="heading"><h1>Contas</h1>
<p class="muted">Cada conta deste banco tem chave, saldo e comportamento próprios.</p></div>
${openingForm(all.length, first.authority !== undefined)}
<ul class="bank-accounts">${listed.map((bank) => accountItem(bank, bank === first, bank === chosen))}</ul>
${listed.length < all.length && html`<p class="muted">As outras ${all.length - listed.length} contas, mais antigas, estão em <a class="link" href="/comportamento">Comportamento</a>.</p>`}
</div>`;
  return { title: 'Contas', content };
}

/** The form that opens an account; unfolded while there is only the first one. */
function openingForm(count: number, hasAuthority: boolean): Html {
  return html`<details class="opening"${count === 1 && html` open`}><summary>Abrir uma conta</summary>
<form data-open-account>
${textField('name', 'Nome do titular', `Loja de Teste ${count}`)}
${textField('document', 'CNPJ do titular', formatDocument(SUGGESTED_DOCUMENT))}
${textField('city', 'Cidade', 'Recife')}
<div class="field"><label for="key">Chave Pix</label><input id="key" name="key" autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="key-hint">
<p class="hint" id="key-hint">Em branco, o banco cria uma chave aleatória.</p></div>
${hasAuthority && CERTIFICATE_FIELD}
<p class="notice" role="alert" data-open-error></p>
<button class="button primary" type="submit">Abrir conta</button>
</form></details>`;
}

/** The values are the days for which the certificate is valid. */
const CERTIFICATE_FIELD = html`<div class="field"><label for="certificateDays">Certificado de cliente</label>
<select id="certificateDays" name="certificateDays" autocomplete="off">
<option value="" selected>Não pede</option>
<option value="365">Pede, e vale um ano</option>
<option value="1">Pede, e vence em um dia</option>
</select></div>`;

function textField(name: string, label: string, value: string): Html {
  return html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${value}" required autocomplete="off"></div>`;
}

function accountItem(bank: Bank, isFirst: boolean, isChosen: boolean): Html {
  const { id, account, books } = bank;
  return html`<li id="conta-${id}">
<div class="line"><h2>${account.name}</h2><strong class="sum">${formatMoney(books.balanceCents)}</strong></div>
<p class="mono">${account.key}</p>
<p class="muted">Conta ${id} · <a class="link" href="/comportamento?account=${id}" aria-label="Mudar o comportamento da conta ${id}">Mudar o comportamento</a></p>
${isFirst ? FIRST_ACCOUNT : accessDetails(bank, isChosen)}
</li>`;
}

const FIRST_ACCOUNT = html`<p class="muted">É a conta de quem opera a Jangada, que já está conectada.</p>`;

/** The data that the account's owner enters in Jangada. */
function accessDetails(bank: Bank, isOpen: boolean): Html {
  const { clientId, clientSecret, baseUrl, tokenUrl } = clientSettingsOf(bank);
  const { certificate, authority } = bank;
  const path = `/sandbox/accounts/${bank.id}/certificate`;
  return html`<details data-access${isOpen && html` open`}><summary>Conectar à Jangada</summary>
${certificate && authority === undefined && NOT_REACHED}
<p>Use estes dados na página <strong>Banco</strong> do painel da Jangada.</p>
<dl class="entries">
<div><dt>Banco</dt><dd><span>${certificate === undefined ? 'Banco Sandbox' : 'Banco Sandbox com certificado'}</span></dd></div>
${entry('Chave Pix', bank.account.key)}
${entry('Client ID', clientId)}
${entry('Client Secret', clientSecret)}
${certificate && download('Certificado', `Vence em ${formatDateTime(certificate.expiresAt)}`, path)}
</dl>
<p class="muted">Os endereços, se escolher <strong>Outro banco com API Pix</strong>:</p>
<dl class="entries">
${entry('Endereço da API Pix', baseUrl)}
${entry('Endereço do token', tokenUrl)}
${certificate && authority && download('Autoridade do banco', 'Assina o certificado que o banco mostra', '/sandbox/authority')}
</dl>
<p class="saved" role="status" data-copied></p>
</details>`;
}

/** A value to copy. The button appears only with the script that makes it work. */
function entry(label: string, value: string): Html {
  return html`<div><dt>${label}</dt><dd><span class="mono" data-value>${value}</span><button class="button small" type="button" aria-label="Copiar ${label}" data-copy="${label}" hidden>Copiar</button></dd></div>`;
}

function download(label: string, text: string, path: string): Html {
  return html`<div><dt>${label}</dt><dd><span>${text}</span><a class="button small" href="${path}" aria-label="Baixar ${label}" download>Baixar</a></dd></div>`;
}

const NOT_REACHED = html`<p class="error">Esta conta pede certificado, e o banco foi iniciado sem SANDBOX_MTLS_PORT: ela não responde.</p>`;
