import type {
  FeedEvent,
  listEvents as listEventsEndpoint,
  ResponseOf,
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryDetail,
} from '@jangada/contract';
import type { Tx } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import type { FetchFailure } from '../guarded-fetch/index.ts';
import { Refusal } from '../refusal.ts';
import type { StoredAttempt } from './delivery-store.ts';
import { type EventFeedQuery, type StoredEvent, selectEvent, selectEventFeed } from './event-store.ts';
import {
  type DeliveryLogQuery,
  findLastScannedDelivery,
  type LoggedDelivery,
  selectDelivery,
  selectDeliveryLog,
} from './log-store.ts';
import { eventIdOfDelivery } from './write-events.ts';

type DeliveryPage = {
  readonly deliveries: WebhookDelivery[];
  readonly has_more: boolean;
  readonly next: string | null;
};

/**
 * Returns a page of a merchant's delivery log, newest first. If the filter matches rarely, a page may be short, or
 * empty, without being the last.
 * @throws {Refusal} INVALID_QUERY for a cursor that matches no delivery, since an empty page would look like the last
 */
export async function listDeliveries(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  query: DeliveryLogQuery,
): Promise<DeliveryPage> {
  const now = clock.now();
  const { merchantId, before } = query;
  const found = await selectDeliveryLog(db, { ...query, limit: query.limit + 1 }, now);
  if (found.length === 0 && before !== undefined && !(await selectDelivery(db, merchantId, before, now)))
    throw new Refusal('INVALID_QUERY', { message: 'O cursor before não é um que esta API devolveu.' });
  const deliveries = found.slice(0, query.limit).map(deliveryFrom);
  const hasMore = found.length > query.limit;
  const next = hasMore ? deliveries.at(-1)?.id : await findLastScannedDelivery(db, query);
  return { deliveries, has_more: next !== undefined, next: next ?? null };
}

/** @throws {Refusal} WEBHOOK_DELIVERY_NOT_FOUND */
export async function readDeliveryDetail(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  merchantId: number,
  id: string,
): Promise<WebhookDeliveryDetail> {
  const found = await selectDelivery(db, merchantId, id, clock.now());
  if (found === undefined) throw new Refusal('WEBHOOK_DELIVERY_NOT_FOUND');
  return {
    ...deliveryFrom(found),
    body: found.body,
    log: found.log.map((attempt, index) => attemptFrom(attempt, index + 1)),
  };
}

/** @throws {Refusal} WEBHOOK_DELIVERY_NOT_FOUND */
export async function readDelivery(tx: Tx, merchantId: number, id: string): Promise<WebhookDelivery> {
  const found = await selectDelivery(tx.db, merchantId, id, tx.now);
  if (found === undefined) throw new Refusal('WEBHOOK_DELIVERY_NOT_FOUND');
  return deliveryFrom(found);
}

/** How merchants see the states of deliveries. */
const shownStates = {
  waiting: 'waiting',
  held: 'held',
  delivered: 'delivered',
  exhausted: 'failed',
  gone: 'failed',
} as const;

function deliveryFrom(delivery: LoggedDelivery): WebhookDelivery {
  return {
    id: delivery.id,
    event_id: eventIdOfDelivery(delivery.id),
    type: delivery.type,
    subject_id: delivery.subjectId,
    endpoint_id: delivery.endpointId,
    url: delivery.url,
    state: shownStates[delivery.state],
    attempts: delivery.attempts,
    last_status: delivery.lastStatus,
    last_error: delivery.lastError,
    next_attempt_at: delivery.state === 'waiting' ? delivery.dueAt.toISOString() : null,
    // Only the id of a resent delivery has three parts: event, receiver and a random suffix.
    resent: delivery.id.split('.').length === 3,
    created_at: delivery.createdAt.toISOString(),
    finished_at: delivery.finishedAt?.toISOString() ?? null,
  };
}

const failureTexts: Readonly<Record<FetchFailure, string>> = {
  'forbidden-url': 'O endereço não é aceito: use https, na porta 443 ou 8443.',
  'forbidden-address': 'O nome leva a um endereço de rede privado ou local.',
  'name-not-found': 'O nome do servidor não foi encontrado no DNS.',
  'connection-failed': 'A conexão foi recusada ou caiu.',
  'tls-failed': 'O certificado ou a conexão TLS não foi aceita.',
  'timed-out': 'Não houve resposta a tempo.',
  'bad-answer': 'A resposta não é HTTP válido, ou é grande demais.',
};

function attemptFrom(
  { at, durationMs, status, error, answer, headers }: StoredAttempt,
  number: number,
): WebhookAttempt {
  const texts: Readonly<Record<string, string>> = failureTexts;
  return {
    number,
    at,
    duration_ms: durationMs,
    status,
    error,
    error_text: error === null ? null : (texts[error] ?? 'A chamada não foi concluída.'),
    headers: { ...headers },
    answer,
  };
}

/**
 * Returns a merchant's events after a known one. Page by page, a caller gets each event exactly once, in a fixed order,
 * without gaps. A page filtered by a rare type may be short, or empty, without being the last.
 * @throws {Refusal} EVENT_CURSOR_UNKNOWN
 */
export async function listEvents(
  { db }: Pick<Deps, 'db'>,
  query: EventFeedQuery,
): Promise<ResponseOf<typeof listEventsEndpoint>> {
  const page = await selectEventFeed(db, { ...query, limit: query.limit + 1 });
  if (page === undefined) throw new Refusal('EVENT_CURSOR_UNKNOWN');
  const shown = page.events.slice(0, query.limit);
  const hasMore = page.events.length > query.limit;
  // If this page was not cut at the limit, the next call continues after the last event scanned, even if the filter
  // omitted it.
  const lastId = hasMore ? shown.at(-1)?.id : (page.lastScannedId ?? page.newest);
  return {
    data: shown.map(feedEventFrom),
    has_more: hasMore || page.lastScannedId !== undefined,
    next: lastId ?? query.after ?? null,
  };
}

/** @throws {Refusal} EVENT_NOT_FOUND */
export async function readEvent(
  { db }: Pick<Deps, 'db'>,
  merchantId: number,
  id: string,
): Promise<FeedEvent> {
  const event = await selectEvent(db, merchantId, id);
  if (event === undefined) throw new Refusal('EVENT_NOT_FOUND');
  return feedEventFrom(event);
}

function feedEventFrom({ id, type, body, createdAt }: StoredEvent): FeedEvent {
  return { id, type, created_at: createdAt.toISOString(), data: JSON.parse(body) };
}
