// The Portuguese words for webhook deliveries and their attempts, and the advice on failures.

import type { WebhookAttempt, WebhookDelivery } from '@jangada/contract';
import type { GlyphName } from '../../ui/index.ts';

type State = WebhookDelivery['state'];

/** The badge of each state. A delivery is held while its endpoint is off. */
export const stateBadges: Record<State, { label: string; glyph: GlyphName }> = {
  waiting: { label: 'A caminho', glyph: 'processing' },
  held: { label: 'Em espera', glyph: 'waiting' },
  delivered: { label: 'Entregue', glyph: 'done' },
  failed: { label: 'Falhou', glyph: 'failed' },
};

/** The label and glyph of a delivery's state. A delivery that failed and will be retried has its own badge. */
export function badgeOf({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>) {
  if (state === 'waiting' && attempts > 0) return { label: 'Tentando', glyph: 'waiting' as const };
  return stateBadges[state];
}

/** The display text of each error code of an attempt without a response. */
const failureTexts: Readonly<Record<string, string>> = {
  'forbidden-url': 'Endereço não permitido',
  'forbidden-address': 'Rede não permitida',
  'name-not-found': 'Nome não encontrado',
  'connection-failed': 'Sem conexão',
  'tls-failed': 'Certificado recusado',
  'timed-out': 'Tempo esgotado',
  'bad-answer': 'Resposta inválida',
};

/** The result of an attempt, in a few words. */
export function outcomeText(status: number | null, error: string | null): string {
  if (status !== null) return `HTTP ${status}`;
  return error === null ? '—' : (failureTexts[error] ?? error);
}

/** Advice for the merchant on each error code of an attempt without a response. */
const failureHints: Readonly<Record<string, string>> = {
  'forbidden-url': 'O endereço precisa começar com https://. Altere-o.',
  'forbidden-address': 'O nome leva a uma rede interna, onde não entregamos. Use um endereço público.',
  'name-not-found': 'O nome do endereço não existe no DNS. Confira como está escrito.',
  'connection-failed':
    'Seu servidor não aceitou a conexão. Confira se está no ar e se o firewall nos deixa entrar.',
  'tls-failed': 'O certificado do seu servidor não é aceito. Veja se venceu e se a cadeia está completa.',
  'timed-out': 'Seu servidor demorou demais. Guarde o aviso, responda 200 e trabalhe depois.',
  'bad-answer': 'Seu servidor respondeu algo que não é HTTP. Confira a porta e o proxy.',
};

/** Advice for the merchant on each HTTP status of a response. */
const statusHints: Readonly<Record<number, string>> = {
  400: 'Seu código recusou o aviso. Se foi pela assinatura, o Doutor diz por quê.',
  401: 'Seu servidor pede uma senha ou recusou a assinatura. Se foi pela assinatura, o Doutor diz por quê.',
  403: 'Algo barrou o aviso: firewall, proteção contra robôs ou CSRF. Libere esta rota.',
  404: 'Não há nada neste endereço. Confira o caminho.',
  405: 'O endereço existe, mas não aceita POST. Confira a rota.',
  408: 'Seu servidor demorou demais. Guarde o aviso, responda 200 e trabalhe depois.',
  410: 'Seu servidor disse que este endereço não existe mais, e paramos de enviar. Se foi engano, ligue-o de novo.',
  413: 'Seu servidor recusou o tamanho. Aceite ao menos 64 kB nesta rota.',
  415: 'Seu servidor não aceita JSON nesta rota.',
  429: 'Seu servidor pediu calma. Tentamos de novo mais tarde.',
};

/** Advice for the merchant on a failed attempt; undefined after a successful one, and for an unknown error code. */
export function hintOf({ status, error }: Pick<WebhookAttempt, 'status' | 'error'>): string | undefined {
  if (status === null) return error === null ? undefined : failureHints[error];
  if (status >= 200 && status < 300) return undefined;
  if (status >= 300 && status < 400) return 'Não seguimos redirecionamentos. Cadastre o endereço final.';
  if (status >= 500)
    return statusHints[status] ?? 'Seu código falhou. Procure este webhook-id no registro dele.';
  return statusHints[status] ?? 'Seu servidor recusou o aviso. Só um status 2xx conta como entregue.';
}

/**
 * True when a delivery may be resent: not before its first attempt, and not while it is held because its endpoint is
 * off.
 */
export function isResendable({ state, attempts }: Pick<WebhookDelivery, 'state' | 'attempts'>): boolean {
  return state !== 'held' && (state !== 'waiting' || attempts > 0);
}

/** A URL without its scheme, as lists show it. */
export function urlWithoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '');
}

/** Formats headers as in an HTTP request, one `name: value` per line. */
export function headerLines(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
