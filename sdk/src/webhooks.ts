import type { JangadaEvent } from './contract.ts';

/** Os motivos pelos quais um webhook não é aceito. */
export type WebhookErrorReason =
  | 'header-missing'
  | 'timestamp-not-a-number'
  | 'timestamp-old'
  | 'timestamp-in-future'
  | 'signature-without-version'
  | 'signature-mismatch'
  | 'body-parsed'
  | 'body-not-json'
  | 'secret-malformed';

const errorMessages: Readonly<Record<WebhookErrorReason, string>> = {
  'header-missing': 'Falta um dos cabeçalhos webhook-id, webhook-timestamp e webhook-signature.',
  'timestamp-not-a-number': 'O webhook-timestamp não é um número de segundos.',
  'timestamp-old':
    'O webhook-timestamp é antigo demais: uma repetição de outra pessoa, ou o seu relógio está adiantado.',
  'timestamp-in-future':
    'O webhook-timestamp está no futuro: o seu relógio está atrasado, ou ele não é da Jangada.',
  'signature-without-version': 'O webhook-signature não traz nenhuma assinatura v1.',
  'signature-mismatch':
    'Nenhuma assinatura confere: o corpo não é o que chegou, ou o segredo é de outro endereço. O doutor de webhooks diz qual.',
  'body-parsed': 'payload: passe o corpo como chegou (texto ou bytes), antes de qualquer JSON.parse.',
  'body-not-json': 'O corpo confere, mas não é JSON.',
  'secret-malformed': 'secret: informe o segredo inteiro, como whsec_….',
};

/** O erro de um webhook que o seu sistema não deve tratar. Responda 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  /** O motivo pelo qual o webhook não foi aceito. */
  readonly reason: WebhookErrorReason;

  constructor(reason: WebhookErrorReason) {
    super(errorMessages[reason]);
    this.reason = reason;
  }
}

/** O webhook que chegou, e o segredo que confere a assinatura dele. */
export type VerifyWebhookOptions = {
  /** O corpo **como chegou**, byte a byte: nunca passe o JSON já interpretado. */
  readonly payload: string | Uint8Array | ArrayBuffer;
  /** Os cabeçalhos que chegaram: um `Headers`, os de `node:http`, ou um objeto. */
  readonly headers: WebhookHeaders;
  /**
   * O segredo (`whsec_…`). Passe uma lista de segredos durante uma troca, ou se o seu endereço recebe webhooks de mais
   * de uma conta: basta que um deles confira.
   */
  readonly secret: string | readonly string[];
  /** Quantos segundos o `webhook-timestamp` pode diferir do seu relógio. Padrão: 300. */
  readonly toleranceSeconds?: number | undefined;
  /** A hora do seu relógio, em milissegundos. Padrão: `Date.now()`. */
  readonly now?: number | undefined;
};

/** Um `Headers`, ou um objeto com os nomes dos cabeçalhos em maiúsculas ou minúsculas. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Confere a assinatura de um webhook (Standard Webhooks, HMAC-SHA256, em tempo constante) e devolve o evento, igual ao
 * do feed: `event.id` é o `webhook-id`, e `event.data` é o corpo. O mesmo evento pode chegar mais de uma vez: guarde os
 * ids dos eventos que você já tratou.
 * @throws WebhookVerificationError se o webhook não confere; `reason` diz o motivo
 */
export async function verifyWebhook(options: VerifyWebhookOptions): Promise<JangadaEvent> {
  const { headers, toleranceSeconds = 300, now = Date.now() } = options;
  const secrets = typeof options.secret === 'string' ? [options.secret] : options.secret;
  if (secrets.length === 0) throw new WebhookVerificationError('secret-malformed');
  const payload = bytesOf(options.payload);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = readSignatures(headerOf(headers, 'webhook-signature'));
  const keys = await Promise.all(secrets.map(keyOf));
  checkTime(timestamp, now / 1000, toleranceSeconds);
  const signedBytes = signedContent(id, timestamp, payload);
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature })));
  const matches = await Promise.all(
    pairs.map(({ key, signature }) => crypto.subtle.verify('HMAC', key, signature, signedBytes)),
  );
  if (!matches.includes(true)) throw new WebhookVerificationError('signature-mismatch');
  return eventOf(id, payload);
}

/** O webhook a assinar. */
export type SignWebhookOptions = {
  /** O corpo a enviar. */
  readonly payload: string | Uint8Array | ArrayBuffer;
  /** O segredo (`whsec_…`) com que assinar. */
  readonly secret: string;
  /** O `webhook-id` do evento. */
  readonly id: string;
  /** A hora da assinatura, em milissegundos. Padrão: `Date.now()`. */
  readonly now?: number | undefined;
};

/** Assina um webhook e devolve os cabeçalhos que a Jangada enviaria, para os testes do sistema que recebe webhooks. */
export async function signWebhook({ payload, secret, id, now = Date.now() }: SignWebhookOptions) {
  const timestamp = String(Math.floor(now / 1000));
  const signedBytes = signedContent(id, timestamp, bytesOf(payload));
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await keyOf(secret), signedBytes));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

type Bytes = Uint8Array<ArrayBuffer>;
// The name CryptoKey exists only in the type definitions of browsers, so the type is derived from the function that
// creates keys.
type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

function bytesOf(payload: unknown): Bytes {
  if (typeof payload === 'string') return new TextEncoder().encode(payload);
  if (payload instanceof Uint8Array || payload instanceof ArrayBuffer) return new Uint8Array(payload);
  throw new WebhookVerificationError('body-parsed');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isHeaders(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([headerName]) => headerName.toLowerCase() === name)?.[1];
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError('header-missing');
  return value;
}

function isHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers['get'] === 'function';
}

/** Returns the signatures of version 1 in the header `webhook-signature`, and ignores those of other versions. */
function readSignatures(header: string): Bytes[] {
  const signatures = header.split(' ').filter((signature) => signature.startsWith('v1,'));
  if (signatures.length === 0) throw new WebhookVerificationError('signature-without-version');
  return signatures.flatMap((signature) => fromBase64(signature.slice('v1,'.length)) ?? []);
}

function checkTime(timestamp: string, nowSeconds: number, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError('timestamp-not-a-number');
  const ageSeconds = nowSeconds - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw new WebhookVerificationError('timestamp-old');
  if (-ageSeconds > toleranceSeconds) throw new WebhookVerificationError('timestamp-in-future');
}

async function keyOf(secret: string): Promise<Key> {
  const key = typeof secret === 'string' ? fromBase64(secret.trim().replace(/^whsec_/, '')) : undefined;
  if (key === undefined || key.length === 0) throw new WebhookVerificationError('secret-malformed');
  return crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

function signedContent(id: string, timestamp: string, payload: Bytes): Bytes {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const signedBytes = new Uint8Array(prefix.length + payload.length);
  signedBytes.set(prefix);
  signedBytes.set(payload, prefix.length);
  return signedBytes;
}

function fromBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/**
 * Parses the body. No schema checks it: its signature proves that it comes from the gateway, which keeps the contract.
 */
function eventOf(id: string, payload: Bytes): JangadaEvent {
  try {
    const data = JSON.parse(new TextDecoder().decode(payload));
    return { id, type: data.type, data };
  } catch {
    throw new WebhookVerificationError('body-not-json');
  }
}
