import { type CallOperation, everyPage } from './call.ts';
import type {
  ChargeBatch,
  ChargeBatchesPage,
  ChargeBatchesQuery,
  ChargeBatchLinesPage,
  ChargeBatchLinesQuery,
  NewChargeBatch,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/** Lotes de cobranças: até 10.000 por chamada, criadas em seguida. Os valores são em reais. */
export class ChargeBatches {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  /** Cria um lote. As cobranças são criadas depois da resposta; o fim chega pelo evento `batch.completed`. */
  create(body: NewChargeBatch, options?: KeyedCallOptions): Promise<ChargeBatch> {
    return this.#call('createChargeBatch', { body }, options);
  }

  /** Lê um lote, com quantas linhas estão em cada estado. */
  get(id: string, options?: CallOptions): Promise<ChargeBatch> {
    return this.#call('getChargeBatch', { id }, options);
  }

  /** Lê uma página de lotes, do mais novo para o mais antigo. Para ler a página seguinte, passe `before: page.next`. */
  list(query: ChargeBatchesQuery = {}, options?: CallOptions): Promise<ChargeBatchesPage> {
    return this.#call('listChargeBatches', { query }, options);
  }

  /** Lê todos os lotes, página a página. */
  async *listAll(query: ChargeBatchesQuery = {}, options?: CallOptions): AsyncGenerator<ChargeBatch, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /** Lê linhas de um lote, em ordem. Para ler a página seguinte, passe `after: page.next`. */
  lines(id: string, query: ChargeBatchLinesQuery = {}, options?: CallOptions): Promise<ChargeBatchLinesPage> {
    return this.#call('listChargeBatchLines', { id, query }, options);
  }

  /** Cancela as linhas que ainda esperam. Cancelar de novo não muda nada. */
  cancel(id: string, options?: CallOptions): Promise<ChargeBatch> {
    return this.#call('cancelChargeBatch', { id }, { ...options, repeatable: true });
  }
}
