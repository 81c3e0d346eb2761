import { type CallOperation, everyPage } from './call.ts';
import type {
  ChangedCounterCode,
  CounterCode,
  CounterCodesPage,
  NewCounterCode,
  OffersQuery,
} from './contract.ts';
import type { CallOptions, KeyedCallOptions } from './options.ts';

/** QR Codes de balcão: impressos uma vez, cada Pix que chega por eles é um pagamento. Valores em reais. */
export class CounterCodes {
  readonly #call: CallOperation;

  /** @internal */
  constructor(call: CallOperation) {
    this.#call = call;
  }

  create(body: NewCounterCode, options?: CallOptions & KeyedCallOptions): Promise<CounterCode> {
    return this.#call('createCounterCode', { body }, options);
  }

  /** Um código, com quantos pagamentos já chegaram por ele. */
  get(id: string, options?: CallOptions): Promise<CounterCode> {
    return this.#call('getCounterCode', { id }, options);
  }

  /** Uma página de códigos, do mais novo para o mais antigo. A seguinte começa em `before: page.next`. */
  list(query: OffersQuery = {}, options?: CallOptions): Promise<CounterCodesPage> {
    return this.#call('listCounterCodes', { query }, options);
  }

  /** Todos os códigos, página a página. */
  async *listAll(query: OffersQuery = {}, options?: CallOptions): AsyncGenerator<CounterCode, void> {
    for await (const { data } of everyPage(
      (before) => this.list({ ...query, before }, options),
      query.before,
    ))
      yield* data;
  }

  /** Muda o nome, ou desliga. `version` é a que você leu. */
  update(id: string, body: ChangedCounterCode, options?: CallOptions): Promise<CounterCode> {
    return this.#call('updateCounterCode', { id, body }, options);
  }
}
