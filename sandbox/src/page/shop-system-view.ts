import type { Bank, ReceivedWebhook } from '../bank.ts';
import { type Html, html } from './html.ts';
import { formatDateTime, UNAVAILABLE_ICON, type View } from './parts.ts';

/** The webhooks that the example shop's system received, newest first, each as it arrived. */
export function shopSystemView({ receivedWebhooks }: Bank): View {
  const content = html`<div class="flow">
<div class="heading"><h1>Sistema da loja</h1>
<p class="muted">Um sistema de exemplo que recebe webhooks. Aqui está o que chegou desde que o banco foi iniciado. Em
<a class="link" href="/comportamento">Comportamento</a>, você o tira do ar.</p></div>
${receivedWebhooks.length === 0 ? EMPTY_LIST : html`<ul class="webhooks">${receivedWebhooks.map(webhookItem)}</ul>`}
</div>`;
  return { title: 'Sistema da loja', content };
}

const EMPTY_LIST = html`<div class="refusal">${UNAVAILABLE_ICON}<p class="muted">Nenhum webhook chegou ainda. Pague uma cobrança e volte aqui.</p>
<a class="button" href="/">Pagar com Pix</a></div>`;

function webhookItem({ at, id, signature, body, isAccepted }: ReceivedWebhook): Html {
  return html`<li><details>
<summary><span><strong>${eventTypeOf(body)}</strong><span>${formatDateTime(at)}</span></span>${!isAccepted && html`<span class="tag">503</span>`}</summary>
<dl class="headers"><div><dt>webhook-id</dt><dd class="mono">${id}</dd></div><div><dt>webhook-signature</dt><dd class="mono">${signature}</dd></div></dl>
<pre class="body" tabindex="0">${JSON.stringify(body, undefined, 2)}</pre>
</details></li>`;
}

function eventTypeOf(body: unknown): string {
  const type = typeof body === 'object' && body !== null && 'type' in body ? body.type : undefined;
  return typeof type === 'string' ? type.slice(0, 80) : 'sem tipo';
}
