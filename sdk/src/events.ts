import { type CallOperation, sleep } from './call.ts';
import type { EventsPage, EventsQuery, EventType, FeedEvent } from './contract.ts';
import { JangadaConnectionError, JangadaError } from './errors.ts';
import type { CallOptions } from './options.ts';

export type FollowOptions = {
  /** O `id` do último evento que você tratou. Sem ele, a leitura começa no mais antigo guardado: os de 30 dias. */
  readonly after?: string | undefined;
  /** Só os eventos deste tipo. */
  readonly type?: EventType | undefined;
  /** Quanto esperar, em milissegundos, quando não há mais para ler. Padrão: 5000. */
  readonly intervalMs?: number | undefined;
  /** Encerra a leitura. */
  readonly signal?: AbortSignal | undefined;
};

const longestWaitMs = 60_000;

/** Tudo o que aconteceu na conta nos últimos 30 dias, em ordem: o que um webhook perdido não disse está aqui. */
export class Events {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Um evento, pelo seu `webhook-id`. */
  get(id: string, options?: CallOptions): Promise<FeedEvent> {
    return this.#call('getEvent', { id }, options);
  }

  /** Uma página de eventos, do mais antigo ao mais novo. A seguinte começa em `after: page.next`. */
  list(query: EventsQuery = {}, options?: CallOptions): Promise<EventsPage> {
    return this.#call('listEvents', { query }, options);
  }

  /** Todos os eventos depois de `after`, até o mais novo. */
  async *listAll(query: EventsQuery = {}, options?: CallOptions): AsyncGenerator<FeedEvent, void> {
    for (let after = query.after; ; ) {
      const page = await this.list({ limit: 100, ...query, after }, options);
      yield* page.data;
      if (!page.has_more) return;
      after = page.next ?? undefined;
    }
  }

  /**
   * Todos os eventos depois de `after`, e os que vierem: `for await (const event of events.follow({ after }))`.
   * Guarde o `id` de cada evento depois de tratá-lo: é o `after` com que recomeçar. Espera por um gateway que não
   * responde; termina quando `signal` a encerra.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<FeedEvent, void> {
    const { type, signal, intervalMs = 5000 } = options;
    let { after } = options;
    for (let failures = 0; !signal?.aborted; ) {
      const page = await this.#readPatiently({ after, type, limit: 100 }, signal);
      if (page !== undefined) {
        for (const event of page.data) {
          if (signal?.aborted) return;
          yield event;
        }
        after = page.next ?? after;
        if (page.has_more) continue;
      }
      failures = page === undefined ? failures + 1 : 0;
      await sleep(failures === 0 ? intervalMs : Math.min(intervalMs * 2 ** failures, longestWaitMs), signal);
    }
  }

  /** Returns undefined while the gateway does not respond. */
  async #readPatiently(query: EventsQuery, signal: AbortSignal | undefined): Promise<EventsPage | undefined> {
    try {
      return await this.list(query, { signal });
    } catch (error) {
      if (signal?.aborted || isTransient(error)) return undefined;
      throw error;
    }
  }
}

/** Whether reading again may succeed moments later. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof JangadaError)) return false;
  const { status = 503 } = error;
  return status === 429 || status >= 500 || (error instanceof JangadaConnectionError && status === 408);
}
