import { type CallOperation, sleep } from './call.ts';
import type { EventsPage, EventsQuery, EventType, FeedEvent } from './contract.ts';
import { JangadaConnectionError, JangadaError } from './errors.ts';
import type { CallOptions } from './options.ts';

/** As opções de `events.follow`. */
export type FollowOptions = {
  /**
   * O `id` do último evento que você tratou. Sem esta opção, a leitura começa no evento mais antigo dos últimos 30
   * dias, que é o tempo que o feed guarda.
   */
  readonly after?: string | undefined;
  /** O único tipo de evento que interessa. Sem esta opção, todos os tipos são lidos. */
  readonly type?: EventType | undefined;
  /** Quantos milissegundos esperar antes de ler de novo, quando não há mais eventos. Padrão: 5000. */
  readonly intervalMs?: number | undefined;
  /** Um sinal que encerra a leitura. */
  readonly signal?: AbortSignal | undefined;
};

/** The longest wait between attempts to read the feed while the gateway does not respond. */
const longestWaitMs = 60_000;

/**
 * O feed de eventos: tudo o que aconteceu na conta nos últimos 30 dias, em ordem. Um evento cujo webhook se perdeu
 * também está no feed.
 */
export class Events {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Lê um evento, pelo seu `webhook-id`. */
  get(id: string, options?: CallOptions): Promise<FeedEvent> {
    return this.#call('getEvent', { id }, options);
  }

  /**
   * Lê uma página de eventos, do mais antigo para o mais novo. Para ler a página seguinte, passe `after: page.next`.
   */
  list(query: EventsQuery = {}, options?: CallOptions): Promise<EventsPage> {
    return this.#call('listEvents', { query }, options);
  }

  /** Lê todos os eventos que vieram depois de `after`, até o mais novo. */
  async *listAll(query: EventsQuery = {}, options?: CallOptions): AsyncGenerator<FeedEvent, void> {
    for (let after = query.after; ; ) {
      const page = await this.list({ limit: 100, ...query, after }, options);
      yield* page.data;
      if (!page.has_more) return;
      after = page.next ?? undefined;
    }
  }

  /**
   * Lê todos os eventos que vieram depois de `after`, e espera pelos próximos:
   * `for await (const event of events.follow({ after }))`. Depois de tratar um evento, guarde o `id` dele: é o valor a
   * passar em `after` para recomeçar. Se o gateway não responde, a leitura espera e continua; só `signal` a encerra.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FeedEvent, void> {
    const { type, signal, intervalMs = 5000 } = options;
    let { after } = options;
    for (let failureCount = 0; !signal?.aborted; ) {
      const page = await this.#tryReadPage({ after, type, limit: 100 }, signal);
      if (page !== undefined) {
        for (const event of page.data) {
          if (signal?.aborted) return;
          yield event;
        }
        after = page.next ?? after;
        if (page.has_more) continue;
      }
      failureCount = page === undefined ? failureCount + 1 : 0;
      const backoffMs = Math.min(intervalMs * 2 ** failureCount, longestWaitMs);
      await sleep(failureCount === 0 ? intervalMs : backoffMs, signal);
    }
  }

  /** Reads a page. Returns undefined if the gateway cannot respond now, or if the caller ended the reading. */
  async #tryReadPage(query: EventsQuery, signal: AbortSignal | undefined): Promise<EventsPage | undefined> {
    try {
      return await this.list(query, { signal });
    } catch (error) {
      if (signal?.aborted || isTransient(error)) return undefined;
      throw error;
    }
  }
}

/** Whether the same read may succeed moments later. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof JangadaError)) return false;
  // An error has no status if there was no response. It is treated like a 503.
  const { status = 503 } = error;
  return status === 429 || status >= 500 || (error instanceof JangadaConnectionError && status === 408);
}
